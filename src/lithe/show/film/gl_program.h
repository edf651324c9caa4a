#pragma once

#include <GLES3/gl3.h>

#include <initializer_list>

#include "lithe/spatial/spatial.h"

namespace lithe::film {

/// A linked program of OpenGL's and its uniforms by name. Lives as long as its context.
class Program {
 public:
  /// Of one text for vertices and several for fragments, one after the other, each after shader::common. Throws RenderError with
  /// the error message of the driver.
  Program(const char* vertex, std::initializer_list<const char*> fragment);

  const Program& use() const;
  const Program& set(const char* name, double value) const;
  const Program& set(const char* name, const Vector3d& value) const;
  const Program& set(const char* name, const Eigen::Matrix4f& value) const;

 private:
  GLuint id_;
};

}  // namespace lithe::film
