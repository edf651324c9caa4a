#pragma once

namespace lithe::film {

/// An OpenGL ES 3 context without a window, current on this thread while it lives.
class EglContext {
 public:
  /// Throws RenderError when the machine has nothing to draw with.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace lithe::film
