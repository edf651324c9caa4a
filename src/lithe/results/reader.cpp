#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lithe/describe/printable.h"
#include "lithe/results/hdf5_handle.h"
#include "lithe/results/layout.h"
#include "lithe/results/results.h"

namespace lithe {
namespace {

/// Why the operating system does not allow reading the file, or "": HDF5 would only report that it cannot.
std::string unreadable(const std::string& file) {
  struct stat status {};
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::strerror(errno);
  const int failed = ::fstat(fd, &status);
  ::close(fd);
  if (failed != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return std::strerror(EISDIR);
  return S_ISREG(status.st_mode) ? "" : "not a regular file";
}

/// Throws unless it is a results file of lithe.
void check_format(hid_t file) {
  std::string format;
  try {
    format = hdf5::text_attribute(file, layout::format);
  } catch (const std::runtime_error&) {
  }
  if (format == layout::format_1) return;
  if (format.rfind("lithe results ", 0) == 0)
    throw std::runtime_error(
        fmt::format("its format is '{}', but this version of lithe reads '{}'", format, layout::format_1));
  throw std::runtime_error("an HDF5 file, but not a results file of lithe");
}

std::vector<CarriedFile> files_of(hid_t file) {
  std::vector<CarriedFile> files;
  if (!hdf5::has_link(file, layout::files)) return files;
  const hdf5::Handle group = hdf5::open_group(file, layout::files);
  for (const std::string& name : hdf5::link_names(group)) {
    if (!is_carried_name(name)) throw std::runtime_error(fmt::format("'{}' cannot be a file name", name));
    files.push_back({name, hdf5::read_contents(group, name)});
  }
  return files;
}

Results contents(hid_t file, bool rows_too) {
  Results results;
  results.header.version = printable_line(hdf5::text_attribute(file, layout::version));
  results.header.case_file = printable_line(hdf5::text_attribute(file, layout::case_file));
  results.header.case_text = printable(hdf5::read_text(file, layout::case_text));
  results.header.files = files_of(file);
  if (hdf5::has_attribute(file, layout::case_origin))
    results.header.case_origin = printable_line(hdf5::text_attribute(file, layout::case_origin));
  results.complete = hdf5::integer_attribute(file, layout::complete) != 0;
  results.stopped_because = printable(hdf5::text_attribute(file, layout::stopped_because));
  results.has_checkpoint = hdf5::has_link(file, layout::checkpoint);

  // The number of rows is decisive: a longer series, which another program extended, is cut to it; a shorter one cuts all.
  const hdf5::Handle time = hdf5::open_series(file, layout::time), group = hdf5::open_group(file, layout::series);
  hsize_t n = std::min(hsize_t(std::max(0LL, hdf5::integer_attribute(file, layout::rows))), hdf5::length(time));
  std::vector<hdf5::Handle> series;
  for (const std::string& name : hdf5::read_texts(file, layout::columns)) {
    series.push_back(hdf5::open_series(group, name));
    results.header.columns.push_back(
        {printable_line(name), printable_line(hdf5::text_attribute(series.back(), layout::unit))});
    n = std::min(n, hdf5::length(series.back()));
  }
  if (!rows_too) n = 0;
  results.time = hdf5::read_series(time, n);
  for (const hdf5::Handle& one : series) results.series.push_back(hdf5::read_series(one, n));

  if (hdf5::has_link(file, layout::statistics)) {
    const hdf5::Handle statistics = hdf5::open_group(file, layout::statistics);
    for (const std::string& name : hdf5::attribute_names(statistics))
      results.statistics[printable_line(name)] = hdf5::number_attribute(statistics, name);
  }
  return results;
}

Results read_file(const std::string& file, bool rows_too) {
  auto refuse = [&](const std::string& why) { throw ResultsError(fmt::format("cannot read {}: {}", file, why), file); };
  if (const std::string why = unreadable(file); !why.empty()) refuse(why);
  const hdf5::Session session;
  if (H5Fis_hdf5(file.c_str()) <= 0) refuse("not an HDF5 file");
  Results results;
  std::string stage = "damaged or cut short: ";
  try {
    const hdf5::Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, hdf5::lockless_access()), H5Fclose);
    stage.clear();
    check_format(opened);
    stage = "damaged: ";
    results = contents(opened, rows_too);
  } catch (const hdf5::Elsewhere& error) {
    refuse(error.what());
  } catch (const std::runtime_error& error) {
    refuse(stage + error.what());
  }
  return results;
}

}  // namespace

Results Results::read(const std::string& file) { return read_file(file, true); }
Results Results::read_head(const std::string& file) { return read_file(file, false); }

int Results::find(const std::string& name) const {
  for (size_t i = 0; i < header.columns.size(); ++i)
    if (header.columns[i].name == name) return int(i);
  return -1;
}

}  // namespace lithe
