# MuJoCo as Debian ships it: target MujocoPeer::MujocoPeer. Its own package file names an include folder of a library that the
# package does not depend on, so it is found by hand.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MujocoPeer REQUIRED_VARS MUJOCO_LIBRARY MUJOCO_INCLUDE_DIR)
if(MujocoPeer_FOUND AND NOT TARGET MujocoPeer::MujocoPeer)
  add_library(MujocoPeer::MujocoPeer UNKNOWN IMPORTED)
  set_target_properties(MujocoPeer::MujocoPeer PROPERTIES IMPORTED_LOCATION "${MUJOCO_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MUJOCO_INCLUDE_DIR}")
endif()
