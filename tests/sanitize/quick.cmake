# The quick part of the sanitizers' suite: text, results files, kinematics, beams and the articulated recursion, which is where input
# from outside arrives and where indices are reckoned by hand. A library of those rooms alone, so that it compiles in minutes.
# In a sanitizer build it is the target `lithe_quick_tests`; in any other a test that makes that build and runs it.
if(NOT LITHE_SANITIZE)
  add_test(NAME quick_part_is_clean_under_sanitizers COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/sanitize/run_quick.cmake)
  # It compiles on every core, and first.
  set_tests_properties(quick_part_is_clean_under_sanitizers PROPERTIES LABELS slow TIMEOUT 1800 PROCESSORS 64 COST 100)
  return()
endif()

file(GLOB quick_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/lithe/spatial/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/arm/*.cpp
  ${PROJECT_SOURCE_DIR}/src/lithe/beam/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/beam/exact/*.cpp
  ${PROJECT_SOURCE_DIR}/src/lithe/joint/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/describe/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/describe/fields/*.cpp
  ${PROJECT_SOURCE_DIR}/src/lithe/results/*.cpp
  ${PROJECT_SOURCE_DIR}/src/lithe/drive/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/profile/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/dynamics/articulated/*.cpp
  ${PROJECT_SOURCE_DIR}/src/lithe/dynamics/kane/*.cpp ${PROJECT_SOURCE_DIR}/src/lithe/dynamics/dense_solve.cpp)
list(FILTER quick_sources EXCLUDE REGEX "/(lifting_surfaces|drives|forward_recursion_counted|case_reference).cpp$")
add_library(lithe_quick STATIC EXCLUDE_FROM_ALL ${quick_sources} support/random_arm.cpp support/beam_points.cpp)
target_include_directories(lithe_quick PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(lithe_quick PUBLIC EIGEN_MAX_ALIGN_BYTES=32 EIGEN_MAX_STATIC_ALIGN_BYTES=32)
target_link_libraries(lithe_quick PUBLIC lithe_own_flags Eigen3::Eigen yaml-cpp nlohmann_json::nlohmann_json fmt::fmt
  UDUNITS2::UDUNITS2 HDF5Serial::HDF5Serial Threads::Threads)
target_precompile_headers(lithe_quick PRIVATE ${LITHE_COMMON_HEADERS})

set(quick_tests spatial/spatial_test.cpp spatial/exp_map_test.cpp arm/kinematics_test.cpp arm/passive_forces_test.cpp
  joint/joint_test.cpp describe/reader_test.cpp describe/units_test.cpp profile/profile_test.cpp beam/flex_basis_test.cpp beam/segments_test.cpp
  beam/moments_test.cpp beam/exact_identities_test.cpp describe/solids_test.cpp profile/stepping_test.cpp results/measured_test.cpp
  results/results_test.cpp dynamics/forward_recursion_test.cpp)
add_executable(lithe_quick_tests EXCLUDE_FROM_ALL ${quick_tests} app/run_program.cpp)
lithe_sanitize_program(lithe_quick_tests)
target_link_libraries(lithe_quick_tests PRIVATE lithe_quick GTest::gtest_main rapidcheck)
target_compile_definitions(lithe_quick_tests PRIVATE LITHE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LITHE_PROGRAM="no program here")
target_precompile_headers(lithe_quick_tests PRIVATE ${LITHE_COMMON_HEADERS} <gtest/gtest.h> <rapidcheck/gtest.h> <nlohmann/json.hpp>)
