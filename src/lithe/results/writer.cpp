#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "lithe/describe/case_difference.h"
#include "lithe/results/hdf5_handle.h"
#include "lithe/results/layout.h"
#include "lithe/results/replace_file.h"
#include "lithe/results/results.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

using Clock = std::chrono::steady_clock;

/// Above this size checkpoints are thinned out, so that writing takes at most a tenth of a run's time.
constexpr size_t large_file = 16 << 20;

/// The HDF5 file is kept in memory and written to disk as a whole: HDF5 itself leaves a file unreadable if the process is
/// killed during a flush, and cannot close a file that no longer fits on the disk.
hdf5::Handle in_memory() {
  hdf5::Handle access = hdf5::lockless_access();
  hdf5::checked(H5Pset_fapl_core(access, 1 << 20, /*backing_store=*/false));
  hdf5::checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  return access;
}

/// Why a run with `here` cannot continue a file with `there`, or "". The name of the case file may change: a case may
/// move.
std::string mismatch(const ResultsHeader& there, const ResultsHeader& here) {
  if (there.version != here.version)
    return fmt::format("it was started by lithe {}, this is lithe {}", there.version, here.version);
  if (there.case_text != here.case_text)
    return "the case is not the one it was started with: " +
           first_of(case_differences(there.case_text, here.case_text));
  for (const CarriedFile& file : here.files)
    if (std::find(there.files.begin(), there.files.end(), file) == there.files.end())
      return fmt::format("{} has changed since it was started", file.name);
  if (there.columns.size() != here.columns.size())
    return fmt::format("it has {} columns, this run has {}", there.columns.size(), here.columns.size());
  for (size_t i = 0; i < here.columns.size(); ++i) {
    const Column &a = there.columns[i], &b = here.columns[i];
    if (a.name != b.name || a.unit != b.unit)
      return fmt::format("its column {} is {} [{}], this run's is {} [{}]", i + 1, a.name, a.unit, b.name, b.unit);
  }
  return "";
}

}  // namespace

struct ResultsWriter::Impl {
  std::string name;
  // Declared in this order so that series close before their file.
  hdf5::Handle file, time;
  std::vector<hdf5::Handle> series;
  hsize_t n_written = 0;
  std::vector<double> pending_time;
  std::vector<std::vector<double>> pending;  // per column
  Clock::time_point last_save{};
  Clock::duration last_cost{};

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    const hdf5::Session session;
    series.clear();
    time = {};
    file = {};
  }

  /// Changes the file in memory; errors of HDF5 become a ResultsError.
  template <class Work>
  void with_file(Work&& work) {
    const hdf5::Session session;
    try {
      work();
    } catch (const ResultsError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw ResultsError(fmt::format("cannot write {}: {}", name, error.what()), name);
    }
  }

  void write_pending() {
    hdf5::write_series(time, n_written, pending_time);
    for (size_t i = 0; i < series.size(); ++i) {
      hdf5::write_series(series[i], n_written, pending[i]);
      pending[i].clear();
    }
    n_written += pending_time.size();
    pending_time.clear();
    hdf5::set_attribute(file, layout::rows, (long long)n_written);
  }

  /// Writes the file in memory to the disk.
  void save(bool may_wait) {
    hdf5::checked(H5Fflush(file, H5F_SCOPE_GLOBAL));
    void** memory = nullptr;
    const size_t size = size_t(hdf5::checked(H5Fget_file_image(file, nullptr, 0)));  // without the room to grow
    hdf5::checked(H5Fget_vfd_handle(file, H5P_DEFAULT, reinterpret_cast<void**>(&memory)));
    const auto begin = Clock::now();
    if (may_wait && size > large_file && begin - last_save < 10 * last_cost) return;
    const std::string reason = replace_file(name, {static_cast<const std::byte*>(*memory), size});
    last_save = Clock::now();
    last_cost = last_save - begin;
    if (!reason.empty()) throw ResultsError(fmt::format("cannot write {}: {}", name, reason), name);
  }
};

ResultsWriter::ResultsWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ResultsWriter::~ResultsWriter() = default;
ResultsWriter::ResultsWriter(ResultsWriter&&) noexcept = default;
ResultsWriter& ResultsWriter::operator=(ResultsWriter&&) noexcept = default;

ResultsWriter ResultsWriter::create(const std::string& file, const ResultsHeader& header) {
  auto impl = std::make_unique<Impl>();
  impl->name = file;
  impl->pending.resize(header.columns.size());
  impl->with_file([&] {
    impl->file = {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, in_memory()), H5Fclose};
    hdf5::set_attribute(impl->file, layout::format, layout::format_1);
    hdf5::set_attribute(impl->file, layout::version, header.version);
    hdf5::set_attribute(impl->file, layout::case_file, header.case_file);
    if (!header.case_origin.empty()) hdf5::set_attribute(impl->file, layout::case_origin, header.case_origin);
    hdf5::set_attribute(impl->file, layout::complete, 0LL);
    hdf5::set_attribute(impl->file, layout::stopped_because, "");
    hdf5::set_attribute(impl->file, layout::rows, 0LL);
    hdf5::write_text(impl->file, layout::case_text, header.case_text);
    if (!header.files.empty()) {
      const hdf5::Handle group = hdf5::create_group(impl->file, layout::files);
      for (const CarriedFile& one : header.files) hdf5::write_contents(group, one.name, one.text);
    }
    impl->time = hdf5::create_series(impl->file, layout::time);
    hdf5::set_attribute(impl->time, layout::unit, "s");
    const hdf5::Handle group = hdf5::create_group(impl->file, layout::series);
    std::vector<std::string> names;
    for (const Column& column : header.columns) names.push_back(column.name);
    impl->series = hdf5::create_series(group, names);
    for (size_t i = 0; i < names.size(); ++i)
      hdf5::set_attribute(impl->series[i], layout::unit, header.columns[i].unit);
    hdf5::write_texts(impl->file, layout::columns, names);
    impl->save(false);
  });
  return ResultsWriter(std::move(impl));
}

ResultsWriter::Begun ResultsWriter::begun(const std::string& file, const ResultsHeader& header) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return Begun::nothing;
  const Results before = Results::read_head(file);
  if (const std::string why = mismatch(before.header, header); !why.empty())
    throw OtherResults(fmt::format("cannot resume {}: {}", file, why), file);
  if (before.complete) return Begun::complete;
  return before.has_checkpoint ? Begun::checkpoint : Begun::nothing;
}

ResultsWriter ResultsWriter::resume(const std::string& file, const ResultsHeader& header, Checkpoint& checkpoint) {
  const Results before = Results::read(file);  // throws for a file that is not a results file
  auto refuse = [&](const std::string& why) {
    throw ResultsError(fmt::format("cannot resume {}: {}", file, why), file);
  };
  if (before.complete) refuse("it is complete");
  if (const std::string why = mismatch(before.header, header); !why.empty()) refuse(why);

  auto impl = std::make_unique<Impl>();
  impl->name = file;
  impl->pending.resize(header.columns.size());
  impl->with_file([&] {
    impl->file = {H5Fopen(file.c_str(), H5F_ACC_RDWR, in_memory()), H5Fclose};
    if (!hdf5::has_link(impl->file, layout::checkpoint)) refuse("it was stopped before its first checkpoint");
    const hdf5::Handle group = hdf5::open_group(impl->file, layout::checkpoint);
    const hdf5::Handle memory = hdf5::open_series(group, layout::memory);
    checkpoint.t = hdf5::number_attribute(group, layout::t);
    checkpoint.memory = hdf5::read_series(memory, hdf5::length(memory));
    impl->n_written = hsize_t(hdf5::integer_attribute(group, layout::rows));
    if (impl->n_written > before.time.size()) refuse("it is damaged: rows before its checkpoint are missing");

    // Restores the state of the file at the checkpoint.
    impl->time = hdf5::open_series(impl->file, layout::time);
    hdf5::set_length(impl->time, impl->n_written);
    const hdf5::Handle all = hdf5::open_group(impl->file, layout::series);
    for (const Column& column : header.columns) {
      impl->series.push_back(hdf5::open_series(all, column.name));
      hdf5::set_length(impl->series.back(), impl->n_written);
    }
    hdf5::set_attribute(impl->file, layout::rows, (long long)impl->n_written);
    hdf5::set_attribute(impl->file, layout::stopped_because, "");
    if (hdf5::has_link(impl->file, layout::statistics))
      hdf5::checked(H5Ldelete(impl->file, layout::statistics, H5P_DEFAULT));
  });
  return ResultsWriter(std::move(impl));
}

void ResultsWriter::append(double t, std::span<const double> values) {
  LITHE_DEMAND_EQUAL(values.size(), impl_->pending.size());
  impl_->pending_time.push_back(t);
  for (size_t i = 0; i < values.size(); ++i) impl_->pending[i].push_back(values[i]);
}

void ResultsWriter::checkpoint(const Checkpoint& checkpoint) {
  impl_->with_file([&] {
    impl_->write_pending();
    const bool first = !hdf5::has_link(impl_->file, layout::checkpoint);
    const hdf5::Handle group =
        first ? hdf5::create_group(impl_->file, layout::checkpoint) : hdf5::open_group(impl_->file, layout::checkpoint);
    const hdf5::Handle memory =
        first ? hdf5::create_series(group, layout::memory) : hdf5::open_series(group, layout::memory);
    hdf5::set_attribute(group, layout::t, checkpoint.t);
    hdf5::set_attribute(group, layout::rows, (long long)impl_->n_written);
    hdf5::write_series(memory, 0, checkpoint.memory);
    impl_->save(true);
  });
}

void ResultsWriter::finish(const std::map<std::string, double>& statistics, const std::string& stopped_because) {
  impl_->with_file([&] {
    impl_->write_pending();
    const bool first = !hdf5::has_link(impl_->file, layout::statistics);
    const hdf5::Handle group =
        first ? hdf5::create_group(impl_->file, layout::statistics) : hdf5::open_group(impl_->file, layout::statistics);
    for (const auto& [name, number] : statistics) hdf5::set_attribute(group, name, number);
    hdf5::set_attribute(impl_->file, layout::complete, stopped_because.empty() ? 1LL : 0LL);
    hdf5::set_attribute(impl_->file, layout::stopped_because, stopped_because);
    impl_->save(false);
  });
}

}  // namespace lithe
