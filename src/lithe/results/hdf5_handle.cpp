#include "lithe/results/hdf5_handle.h"

#include <algorithm>

#include "lithe/describe/utf8.h"

namespace lithe::hdf5 {
namespace {

// 8 kB a chunk: a short run of many columns stays small, a long one has few chunks.
constexpr hsize_t rows_per_chunk = 1024;

std::recursive_mutex& gate() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// The error message of the innermost function, where the error occurred.
std::string innermost_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
        if (error->desc != nullptr && static_cast<std::string*>(text)->empty())
          *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &reason);
  return reason.empty() ? "unknown failure in HDF5" : reason;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

/// The dataset or group of that name, reached only by hard links: other links may lead out of the file.
void demand_inside(hid_t parent, const std::string& path) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string name = path.substr(0, end);
    H5L_info_t link{};
    checked(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT));
    if (link.type != H5L_TYPE_HARD) throw Elsewhere(name + " is a link; only data in the file itself is read");
  }
}

/// A dataset whose numbers lie in the file.
Handle open_dataset(hid_t parent, const std::string& name) {
  demand_inside(parent, name);
  Handle dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (checked(H5Pget_external_count(creation)) > 0 || checked(H5Pget_layout(creation)) == H5D_VIRTUAL)
    throw Elsewhere(name + " is in another file; only data in the file itself is read");
  return dataset;
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose}; }

/// Rejects what HDF5 would otherwise misread as one of our strings.
void demand_text(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0)
    throw std::runtime_error("a text is missing or of another type");
}

void set(hid_t object, const std::string& name, hid_t stored, hid_t given, const void* value) {
  const bool there = has_attribute(object, name);
  const Handle attribute(there ? H5Aopen(object, name.c_str(), H5P_DEFAULT)
                               : H5Acreate2(object, name.c_str(), stored, scalar(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  checked(H5Awrite(attribute, given, value));
}

void get(hid_t object, const std::string& name, hid_t wanted, void* value) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (checked(H5Sget_simple_extent_npoints(space)) != 1) throw std::runtime_error(name + " is not a single value");
  checked(H5Aread(attribute, wanted, value));
}

/// A copy of a string that HDF5 allocated, which is given back to it.
std::string taken(char* text) {
  const std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

/// Names with a slash make groups on the way, so that `series/NAME` finds the data whatever NAME is.
Handle with_parents() {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  checked(H5Pset_create_intermediate_group(links, 1));
  checked(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  return links;
}

/// For transfers of texts. HDF5 clears its whole buffer for each, by default a megabyte.
Handle small_buffer() {
  Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  checked(H5Pset_buffer(transfer, 1 << 14, nullptr, nullptr));
  return transfer;
}

/// How datasets are made: without time stamps, so that the same run gives the same bytes.
Handle timeless() {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_obj_track_times(creation, false));
  return creation;
}

}  // namespace

Failure::Failure() : std::runtime_error(innermost_reason()) {}

Session::Session() : lock_(gate()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLget_loading_state(&plugins_);
  H5PLset_loading_state(0);
}
Session::~Session() {
  H5PLset_loading_state(plugins_);
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

Handle lockless_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
  checked(H5Pset_file_locking(access, false, true));
#endif
  return access;
}

void set_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type();
  const char* pointer = text.c_str();
  set(object, name, type, type, &pointer);
}
void set_attribute(hid_t object, const std::string& name, double number) {
  set(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number);
}
void set_attribute(hid_t object, const std::string& name, long long number) {
  set(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, &number);
}

std::string text_attribute(hid_t object, const std::string& name) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  demand_text(Handle(H5Aget_type(attribute), H5Tclose));
  char* text = nullptr;
  get(object, name, text_type(), &text);
  return taken(text);
}
double number_attribute(hid_t object, const std::string& name) {
  double number = 0;
  get(object, name, H5T_NATIVE_DOUBLE, &number);
  return number;
}
long long integer_attribute(hid_t object, const std::string& name) {
  long long number = 0;
  get(object, name, H5T_NATIVE_LLONG, &number);
  return number;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  hsize_t start = 0;
  checked(H5Aiterate2(
      object, H5_INDEX_NAME, H5_ITER_INC, &start,
      [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->push_back(name);
        return 0;
      },
      &names));
  return names;
}

bool has_attribute(hid_t object, const std::string& name) { return checked(H5Aexists(object, name.c_str())) > 0; }

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = text_type();
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, scalar(), H5P_DEFAULT, timeless(), H5P_DEFAULT),
                       H5Dclose);
  const char* pointer = text.c_str();
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, small_buffer(), &pointer));
}

std::string read_text(hid_t parent, const std::string& name) {
  const std::vector<std::string> texts = read_texts(parent, name);
  if (texts.size() != 1) throw std::runtime_error(name + " is not a single text");
  return texts[0];
}

void write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts) {
  const Handle type = text_type();
  const hsize_t n = texts.size();
  const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, timeless(), H5P_DEFAULT), H5Dclose);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (n > 0) checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, small_buffer(), pointers.data()));
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  demand_text(Handle(H5Dget_type(dataset), H5Tclose));
  const Handle space(H5Dget_space(dataset), H5Sclose), type = text_type();
  const hsize_t n = hsize_t(checked(H5Sget_simple_extent_npoints(space)));
  if (n > most_stored(dataset, 1)) throw std::runtime_error(std::to_string(n) + " texts are declared but missing");
  std::vector<char*> pointers(n);
  if (!pointers.empty()) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, small_buffer(), pointers.data()));
  std::vector<std::string> texts;
  for (char* pointer : pointers) texts.push_back(taken(pointer));
  return texts;
}

void write_contents(hid_t parent, const std::string& name, const std::string& contents) {
  if (contents.find('\0') == std::string::npos && is_utf8(contents)) return write_text(parent, name, contents);
  const hsize_t n = contents.size();
  const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), H5T_STD_U8LE, space, H5P_DEFAULT, timeless(), H5P_DEFAULT),
                       H5Dclose);
  checked(H5Dwrite(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, contents.data()));
}

std::string read_contents(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_class(type) == H5T_STRING) return read_text(parent, name);
  if (H5Tget_class(type) != H5T_INTEGER || H5Tget_size(type) != 1)
    throw std::runtime_error(name + " is neither a text nor bytes");
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hsize_t n = hsize_t(checked(H5Sget_simple_extent_npoints(space)));
  if (n > most_stored(dataset, 1)) throw std::runtime_error(std::to_string(n) + " bytes are declared but missing");
  std::string contents(n, '\0');
  if (n > 0) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, contents.data()));
  return contents;
}

Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}
Handle open_group(hid_t parent, const std::string& name) {
  demand_inside(parent, name);
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose};
}
bool has_link(hid_t parent, const std::string& name) {
  return checked(H5Lexists(parent, name.c_str(), H5P_DEFAULT)) > 0;
}

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  hsize_t start = 0;
  checked(H5Literate(
      group, H5_INDEX_NAME, H5_ITER_INC, &start,
      [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->push_back(name);
        return 0;
      },
      &names));
  return names;
}

std::vector<Handle> create_series(hid_t parent, std::span<const std::string> names) {
  const hsize_t none = 0, unlimited = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose), links = with_parents(), creation = timeless();
  checked(H5Pset_chunk(creation, 1, &rows_per_chunk));
  std::vector<Handle> series;
  for (const std::string& name : names)
    series.emplace_back(H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space, links, creation, H5P_DEFAULT),
                        H5Dclose);
  return series;
}
Handle create_series(hid_t parent, const std::string& name) {
  return std::move(create_series(parent, std::span(&name, 1)).front());
}
Handle open_series(hid_t parent, const std::string& name) {
  Handle series = open_dataset(parent, name);
  const Handle space(H5Dget_space(series), H5Sclose);
  if (H5Sget_simple_extent_ndims(space) != 1) throw std::runtime_error(name + " is not a list of numbers");
  return series;
}

hsize_t length(hid_t series) {
  const Handle space(H5Dget_space(series), H5Sclose);
  return hsize_t(checked(H5Sget_simple_extent_npoints(space)));
}
void set_length(hid_t series, hsize_t n) { checked(H5Dset_extent(series, &n)); }

void write_series(hid_t series, hsize_t start, std::span<const double> values) {
  const hsize_t n = values.size();
  set_length(series, start + n);
  if (n == 0) return;
  const Handle memory(H5Screate_simple(1, &n, nullptr), H5Sclose), file(H5Dget_space(series), H5Sclose);
  checked(H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, nullptr, &n, nullptr));
  checked(H5Dwrite(series, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, values.data()));
}

hsize_t most_stored(hid_t dataset, hsize_t least_bytes) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  const bool compressed = checked(H5Pget_nfilters(creation)) > 0;
  constexpr hsize_t best_ratio = 1100;  // deflate's is 1032
  return H5Dget_storage_size(dataset) / least_bytes * (compressed ? best_ratio : 1);
}

std::vector<double> read_series(hid_t series, hsize_t n) {
  const Handle type(H5Dget_type(series), H5Tclose);
  const size_t stored_size = H5Tget_size(type);
  if (stored_size == 0 || n > most_stored(series, stored_size))
    throw std::runtime_error(std::to_string(n) + " numbers are declared but missing");
  std::vector<double> values(n);
  if (n == 0) return values;
  const Handle memory(H5Screate_simple(1, &n, nullptr), H5Sclose), file(H5Dget_space(series), H5Sclose);
  const hsize_t start = 0;
  checked(H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, nullptr, &n, nullptr));
  checked(H5Dread(series, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, values.data()));
  return values;
}

}  // namespace lithe::hdf5
