#include "lithe/results/matrix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lithe/results/hdf5_handle.h"
#include "lithe/results/replace_file.h"
#include "lithe/results/results.h"

namespace lithe {
namespace {

// A MAT-file of version 7.3 is an HDF5 file behind a header of this size.
constexpr hsize_t mat_header = 512;

/// HDF5 counts rows last index fastest, MATLAB first index fastest: for it a matrix goes in with its dimensions exchanged.
hdf5::Handle dataset(hid_t file, const std::string& name, hid_t type, hsize_t rows, hsize_t columns) {
  const hsize_t size[] = {rows, columns};
  const hdf5::Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
  return {H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
}

void set_class(hid_t set, const std::string& name) {
  const hdf5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5::checked(H5Tset_size(type, name.size()));
  const hdf5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const hdf5::Handle attribute(H5Acreate2(set, "MATLAB_class", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  hdf5::checked(H5Awrite(attribute, type, name.data()));
}

void write_mat(hid_t file, const NamedMatrices& content) {
  for (const auto& [name, matrix] : content.matrices) {
    const hdf5::Handle set = dataset(file, name, H5T_IEEE_F64LE, hsize_t(matrix.cols()), hsize_t(matrix.rows()));
    if (matrix.size() > 0)
      hdf5::checked(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, matrix.data()));
    set_class(set, "double");
  }
  for (const auto& [name, words] : content.words) {
    size_t longest = 1;
    for (const std::string& word : words) longest = std::max(longest, word.size());
    std::vector<std::uint16_t> letters(longest * words.size(), ' ');
    for (size_t i = 0; i < words.size(); ++i)
      for (size_t k = 0; k < words[i].size(); ++k)
        letters[k * words.size() + i] = static_cast<unsigned char>(words[i][k]);
    const hdf5::Handle set = dataset(file, name, H5T_STD_U16LE, longest, words.size());
    if (!letters.empty())
      hdf5::checked(H5Dwrite(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()));
    set_class(set, "char");
    const int decode = 2;
    const hdf5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const hdf5::Handle attribute(H5Acreate2(set, "MATLAB_int_decode", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                                 H5Aclose);
    hdf5::checked(H5Awrite(attribute, H5T_NATIVE_INT, &decode));
  }
}

void write_plain(hid_t file, const NamedMatrices& content) {
  for (const auto& [name, matrix] : content.matrices) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
    const hdf5::Handle set = dataset(file, name, H5T_IEEE_F64LE, hsize_t(rows.rows()), hsize_t(rows.cols()));
    if (rows.size() > 0) hdf5::checked(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()));
  }
  for (const auto& [name, words] : content.words) hdf5::write_texts(file, name, words);
}

}  // namespace

void write_matrices(const std::string& file, const NamedMatrices& content) {
  const hdf5::Session session;
  const bool mat = file.ends_with(".mat");
  std::vector<std::byte> image;
  try {
    // In memory, and to the disk as a whole.
    const hdf5::Handle access = hdf5::lockless_access();
    hdf5::checked(H5Pset_fapl_core(access, 1 << 20, /*backing_store=*/false));
    const hdf5::Handle handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (mat)
      write_mat(handle, content);
    else
      write_plain(handle, content);
    hdf5::checked(H5Fflush(handle, H5F_SCOPE_GLOBAL));
    const size_t offset = mat ? mat_header : 0;
    image.resize(offset + size_t(hdf5::checked(H5Fget_file_image(handle, nullptr, 0))));
    hdf5::checked(H5Fget_file_image(handle, image.data() + offset, image.size() - offset));
    if (mat) {
      // Text, padded; then version 0x0200 and the mark of byte order.
      std::string header = "MATLAB 7.3 MAT-file, written by lithe";
      header.resize(116, ' ');
      header.resize(124, '\0');
      header += std::string("\x00\x02IM", 4);
      std::memcpy(image.data(), header.data(), header.size());
    }
  } catch (const std::runtime_error& error) {
    throw ResultsError(fmt::format("cannot write {}: {}", file, error.what()), file);
  }
  if (const std::string reason = replace_file(file, image); !reason.empty())
    throw ResultsError(fmt::format("cannot write {}: {}", file, reason), file);
}

}  // namespace lithe
