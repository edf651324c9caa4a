# Finds udunits2; gives the target UDUNITS2::UDUNITS2. Also installed, for users of a static lithe.
find_path(UDUNITS2_INCLUDE_DIR udunits2.h)
find_library(UDUNITS2_LIBRARY udunits2)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UDUNITS2 REQUIRED_VARS UDUNITS2_LIBRARY UDUNITS2_INCLUDE_DIR)
if(UDUNITS2_FOUND AND NOT TARGET UDUNITS2::UDUNITS2)
  add_library(UDUNITS2::UDUNITS2 UNKNOWN IMPORTED)
  set_target_properties(UDUNITS2::UDUNITS2 PROPERTIES IMPORTED_LOCATION "${UDUNITS2_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${UDUNITS2_INCLUDE_DIR}")
endif()
