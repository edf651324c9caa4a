# Finds what films are drawn with: EGL, OpenGL ES 3, cairo. Gives the target FilmLibraries::FilmLibraries.
find_path(EGL_INCLUDE_DIR EGL/egl.h)
find_path(GLES3_INCLUDE_DIR GLES3/gl3.h)
find_path(CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo)
find_library(EGL_LIBRARY EGL)
find_library(GLES_LIBRARY GLESv2)
find_library(CAIRO_LIBRARY cairo)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FilmLibraries REQUIRED_VARS EGL_LIBRARY GLES_LIBRARY CAIRO_LIBRARY EGL_INCLUDE_DIR GLES3_INCLUDE_DIR
  CAIRO_INCLUDE_DIR)
if(FilmLibraries_FOUND AND NOT TARGET FilmLibraries::FilmLibraries)
  add_library(FilmLibraries::FilmLibraries INTERFACE IMPORTED)
  set_target_properties(FilmLibraries::FilmLibraries PROPERTIES
    INTERFACE_LINK_LIBRARIES "${EGL_LIBRARY};${GLES_LIBRARY};${CAIRO_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${EGL_INCLUDE_DIR};${GLES3_INCLUDE_DIR};${CAIRO_INCLUDE_DIR}")
endif()
