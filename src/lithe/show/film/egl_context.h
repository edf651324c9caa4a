#pragma once

namespace lithe::film {

/// An OpenGL ES 3 context without a window, current on this thread once made.
class EglContext {
 public:
  /// Throws RenderError if the machine has no means of drawing.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  /// Makes this context current on this thread; there may be several.
  void make_current() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace lithe::film
