# The program and the components that only it needs to build: films, pages, closed-form equations. Included by CMakeLists.txt.

# Films and pictures: a component of their own, so that users of the library need neither OpenGL nor cairo.
file(GLOB film_sources CONFIGURE_DEPENDS lithe/show/film/*.cpp)
add_library(lithe_film STATIC ${film_sources})
target_link_libraries(lithe_film PUBLIC lithe PRIVATE $<BUILD_INTERFACE:lithe_own_flags> fmt::fmt FilmLibraries::FilmLibraries Threads::Threads)
target_compile_options(lithe_film PRIVATE $<$<CONFIG:Release>:-O1>)  # the graphics driver does the work
target_precompile_headers(lithe_film REUSE_FROM lithe_cold)

# Pages, reports and the viewer's server: apart from the library, whose users need no HTTP.
file(GLOB view_sources CONFIGURE_DEPENDS lithe/view/*.cpp)
add_library(lithe_view STATIC ${view_sources} ${page_sources} ${LITHE_PAGE_SOURCE})
target_link_libraries(lithe_view PUBLIC lithe nlohmann_json::nlohmann_json PRIVATE $<BUILD_INTERFACE:lithe_own_flags> CppHttplib::CppHttplib fmt::fmt
  Threads::Threads ZLIB::ZLIB)
set_source_files_properties(${LITHE_PAGE_SOURCE} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
if(LITHE_HAS_PAGE)
  # Made in another folder, where its command is; and one long text, which there is nothing to optimise in.
  set_source_files_properties(${LITHE_PAGE_SOURCE} PROPERTIES GENERATED TRUE COMPILE_OPTIONS "-O0;-Wno-overlength-strings")
  add_dependencies(lithe_view lithe_page)
endif()
target_compile_options(lithe_view PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(lithe_view REUSE_FROM lithe_cold)

# What our programs share: cases by their command lines, and plain words for whatever is thrown.
add_library(lithe_app_support STATIC lithe/app/command.cpp lithe/app/failure.cpp)
target_link_libraries(lithe_app_support PUBLIC lithe CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt PRIVATE lithe_own_flags)
target_compile_options(lithe_app_support PRIVATE $<$<CONFIG:Release>:-O0>)  # words in, words out: the library does the work
target_precompile_headers(lithe_app_support PRIVATE ${LITHE_COMMON_HEADERS} <CLI/CLI.hpp> <nlohmann/json.hpp>)

file(GLOB app_sources CONFIGURE_DEPENDS lithe/app/*.cpp)
list(FILTER app_sources EXCLUDE REGEX "/app/(command|failure).cpp$")
add_executable(lithe_program ${app_sources})
# Compiled as a library is (-fPIC, not -fPIE), so that it can share precompiled headers.
set_target_properties(lithe_program PROPERTIES OUTPUT_NAME lithe POSITION_INDEPENDENT_CODE OFF
  UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 9)  # half of what a command costs to compile is the headers of command lines
lithe_sanitize_program(lithe_program)
target_link_libraries(lithe_program PRIVATE lithe_app_support lithe_view lithe_film lithe lithe_own_flags)
target_compile_options(lithe_program PRIVATE -fPIC $<$<CONFIG:Release>:-O0>)
target_precompile_headers(lithe_program REUSE_FROM lithe_app_support)

# Closed-form equations: a component and an executable of their own, because GiNaC is under the GPL. `lithe derive` runs it.
if(GiNaC_FOUND)
  file(GLOB derive_sources CONFIGURE_DEPENDS lithe/derive/*.cpp)
  list(FILTER derive_sources EXCLUDE REGEX "/main.cpp")
  add_library(lithe_derive STATIC ${derive_sources})
  target_link_libraries(lithe_derive PUBLIC lithe GiNaC::GiNaC PRIVATE $<BUILD_INTERFACE:lithe_own_flags> fmt::fmt)
  target_compile_options(lithe_derive PRIVATE $<$<CONFIG:Release>:-O1>)  # GiNaC does the work
  target_precompile_headers(lithe_derive PRIVATE ${LITHE_COMMON_HEADERS} <ginac/ginac.h>)
  add_executable(lithe_derive_program lithe/derive/main.cpp)
  set_target_properties(lithe_derive_program PROPERTIES OUTPUT_NAME lithe-derive POSITION_INDEPENDENT_CODE OFF)
  lithe_sanitize_program(lithe_derive_program)
  target_link_libraries(lithe_derive_program PRIVATE lithe_derive lithe_app_support lithe_own_flags)
  target_compile_options(lithe_derive_program PRIVATE -fPIC $<$<CONFIG:Release>:-O0>)
  target_precompile_headers(lithe_derive_program REUSE_FROM lithe_app_support)
  install(TARGETS lithe_derive_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(TARGETS lithe_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
