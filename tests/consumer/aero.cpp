// The lattice alone, without the rest of the library; what it throws is the library's own exception.
#include <lithe/aero/steady.h>

#include <iostream>

int main() {
  try {
    lithe::aero::Lattice({});
  } catch (const lithe::Error& error) {
    std::cout << error.what() << "\n";
    return std::string(error.what()) == "a lattice needs at least one surface" ? 0 : 1;
  }
  return 1;
}
