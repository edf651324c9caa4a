# One policy for compiler and instruction set, said in docs/building.md:
# optimised builds use -O3 for x86-64-v3 (AVX2, FMA) where this machine has it, and the compiler's baseline elsewhere.
# Eigen's alignment is fixed for the library and its users alike (src/CMakeLists.txt), so the binary interface does not
# follow -march.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
check_cxx_source_runs("#include <immintrin.h>
int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }" LITHE_MACHINE_HAS_AVX2)
unset(CMAKE_REQUIRED_FLAGS)
if(LITHE_MACHINE_HAS_AVX2)
  set(LITHE_MARCH "x86-64-v3" CACHE STRING "Instruction set (-march) the library is built for; empty = the compiler's own")
else()
  set(LITHE_MARCH "" CACHE STRING "Instruction set (-march) the library is built for; empty = the compiler's own")
endif()
if(LITHE_MARCH)
  add_compile_options(-march=${LITHE_MARCH})
endif()

find_program(LITHE_CCACHE ccache)
if(LITHE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # So that it caches what includes a precompiled header, and so that another clone of the same sources finds it in the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${LITHE_CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# Half a gigabyte before g++ looks for garbage: it stops to look some ten times a file otherwise, a tenth of the time of compiling.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# What nearly every file includes is read once per target, a third of the time of compiling. It hides a missing #include:
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows it.
set(LITHE_COMMON_HEADERS <Eigen/Dense> <Eigen/Sparse> <fmt/format.h> <algorithm> <cmath> <filesystem> <functional> <map> <memory>
  <optional> <span> <stdexcept> <string> <variant> <vector>)
find_program(LITHE_MOLD mold)
if(LITHE_MOLD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  add_link_options(-fuse-ld=mold)
endif()
