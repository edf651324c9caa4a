#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// Named matrices and lists of words in one HDF5 file.
struct NamedMatrices {
  std::map<std::string, MatrixXd> matrices;
  std::map<std::string, std::vector<std::string>> words;
};

/// Writes the file completely or not at all; throws ResultsError. `FILE.h5`: matrices as h5py and Julia read them, words as strings.
/// `FILE.mat`: as MATLAB's `load` reads them (a MAT-file of version 7.3), words as rows of a character matrix.
void write_matrices(const std::string& file, const NamedMatrices& content);

}  // namespace lithe
