# Finds GiNaC (GPL) with its number library CLN; gives the target GiNaC::GiNaC. Only `lithe-derive` uses it.
find_path(GINAC_INCLUDE_DIR ginac/ginac.h)
find_library(GINAC_LIBRARY ginac)
find_library(CLN_LIBRARY cln)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GiNaC REQUIRED_VARS GINAC_LIBRARY CLN_LIBRARY GINAC_INCLUDE_DIR)
if(GiNaC_FOUND AND NOT TARGET GiNaC::GiNaC)
  add_library(GiNaC::GiNaC UNKNOWN IMPORTED)
  set_target_properties(GiNaC::GiNaC PROPERTIES IMPORTED_LOCATION "${GINAC_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${GINAC_INCLUDE_DIR}" INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${GINAC_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CLN_LIBRARY}")
endif()
