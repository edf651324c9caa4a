// A thin wrapper of HDF5's C interface: handles that close themselves, failures as exceptions, nothing on stderr.
// For the sources of results/ only.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lithe::hdf5 {

/// HDF5 failed; the text is its innermost reason.
class Failure : public std::runtime_error {
 public:
  Failure();
};

/// The data to be read are in another file.
class Elsewhere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Passes a result on, or throws: everything HDF5 returns is negative on failure.
template <class T>
T checked(T result) {
  if (result < 0) throw Failure();
  return result;
}

/// Held around every stretch of calls. One thread at a time, as HDF5 may be built without thread safety; no printing by
/// HDF5 itself, and no plugins, which a file could ask for as a filter of its data. Both settings are restored afterwards for
/// other users of HDF5 in this process.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
  unsigned plugins_ = 0;
};

/// An HDF5 identifier with the function that closes it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(checked(id)), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// File access without locks: what is on disk is always whole (replace_file.h), so a reader need not keep writers out.
Handle lockless_access();

// Whatever is opened below lies in the file itself: files of others may lead to other files by links, external storage or
// virtual datasets. Those throw Elsewhere.

// Text is stored as UTF-8 strings of variable length, which h5py, MATLAB and Julia give back as their own strings.
// An attribute that exists is overwritten.
void set_attribute(hid_t object, const std::string& name, const std::string& text);
void set_attribute(hid_t object, const std::string& name, double number);
void set_attribute(hid_t object, const std::string& name, long long number);
std::string text_attribute(hid_t object, const std::string& name);
double number_attribute(hid_t object, const std::string& name);
long long integer_attribute(hid_t object, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);
bool has_attribute(hid_t object, const std::string& name);

void write_text(hid_t parent, const std::string& name, const std::string& text);
std::string read_text(hid_t parent, const std::string& name);
void write_texts(hid_t parent, const std::string& name, std::span<const std::string> texts);
std::vector<std::string> read_texts(hid_t parent, const std::string& name);

/// The contents of a file: as a text if it is valid UTF-8 without zero bytes, which would end it, otherwise as a list of unsigned 8-bit
/// integers.
void write_contents(hid_t parent, const std::string& name, const std::string& contents);
std::string read_contents(hid_t parent, const std::string& name);

Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
bool has_link(hid_t parent, const std::string& name);
std::vector<std::string> link_names(hid_t group);

/// An empty list of doubles that can grow.
Handle create_series(hid_t parent, const std::string& name);
std::vector<Handle> create_series(hid_t parent, std::span<const std::string> names);
Handle open_series(hid_t parent, const std::string& name);
hsize_t length(hid_t series);
void set_length(hid_t series, hsize_t n);
/// Writes `values` from `start` on, growing the series to end with them.
void write_series(hid_t series, hsize_t start, std::span<const double> values);
/// How many values a dataset can hold at most, by the room it takes in the file: one that was only declared takes none, whatever
/// length it claims. `least_bytes` is what one value takes there; compressed ones may take a thousandth.
hsize_t most_stored(hid_t dataset, hsize_t least_bytes);
/// The first `n` values. Throws where the dataset cannot hold as many.
std::vector<double> read_series(hid_t series, hsize_t n);

}  // namespace lithe::hdf5
