# The serial parts of SUNDIALS that lithe uses: target SundialsSerial::SundialsSerial. Found by hand because Debian's own
# package file also asks for MPI.
set(SUNDIALS_PARTS cvode arkode kinsol nvecserial sunlinsoldense sunmatrixdense generic)
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
set(SUNDIALS_LIBRARIES "")
foreach(part ${SUNDIALS_PARTS})
  find_library(SUNDIALS_${part}_LIBRARY sundials_${part})
  if(SUNDIALS_${part}_LIBRARY)
    list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${part}_LIBRARY})
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SundialsSerial REQUIRED_VARS SUNDIALS_cvode_LIBRARY SUNDIALS_arkode_LIBRARY SUNDIALS_kinsol_LIBRARY
  SUNDIALS_nvecserial_LIBRARY SUNDIALS_INCLUDE_DIR)
if(SundialsSerial_FOUND AND NOT TARGET SundialsSerial::SundialsSerial)
  add_library(SundialsSerial::SundialsSerial INTERFACE IMPORTED)
  set_target_properties(SundialsSerial::SundialsSerial PROPERTIES INTERFACE_LINK_LIBRARIES "${SUNDIALS_LIBRARIES}"
    INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS_INCLUDE_DIR}")
endif()
