#include "lithe/show/film/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <vector>

#include "lithe/show/film/renderer.h"

namespace lithe::film {
namespace {

/// Ways to a display that is none, best first: Mesa's, which takes a graphics processor where there is one and else draws in
/// software; the devices themselves, as other drivers offer them; whatever is there by default.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> list;
  const char* known = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const std::string_view extensions = known == nullptr ? "" : known;
  auto has = [&](std::string_view name) { return extensions.find(name) != std::string_view::npos; };
  const auto platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (platform_display != nullptr && has("EGL_MESA_platform_surfaceless"))
    list.push_back(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (platform_display != nullptr && query_devices != nullptr && has("EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (query_devices(EGLint(devices.size()), devices.data(), &count) != EGL_FALSE)
      for (int k = 0; k < count; ++k) list.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[k], nullptr));
  }
  list.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return list;
}

EGLContext context_on(EGLDisplay display) {
  if (eglBindAPI(EGL_OPENGL_ES_API) == EGL_FALSE) return EGL_NO_CONTEXT;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &count) == EGL_FALSE || count == 0) return EGL_NO_CONTEXT;
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, version);
}

}  // namespace

EglContext::EglContext() {
  for (const EGLDisplay display : displays()) {
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) continue;
    const EGLContext context = context_on(display);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_FALSE) {
      display_ = display;
      context_ = context;
      return;
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  }
  throw RenderError(
      "cannot draw: EGL offers no OpenGL ES 3 here. Mesa can draw without a graphics processor (Debian: libegl1, "
      "libgles2, libgl1-mesa-dri)");
}

EglContext::~EglContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);  // the display stays: others may be on it
}

void EglContext::make_current() const { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }

}  // namespace lithe::film
