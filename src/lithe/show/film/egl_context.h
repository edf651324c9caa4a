#pragma once

namespace lithe::film {

/// An OpenGL ES 3 context without a window, current on this thread once made.
class EglContext {
 public:
  /// Throws RenderError when the machine has nothing to draw with.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  /// Calls of OpenGL go to this one from now on, on this thread: there may be several.
  void make_current() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace lithe::film
