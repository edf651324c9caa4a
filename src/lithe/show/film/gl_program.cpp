#include "lithe/show/film/gl_program.h"

#include <fmt/format.h>

#include <string>

#include "lithe/show/film/renderer.h"
#include "lithe/show/film/shaders.h"

namespace lithe::film {
namespace {

GLuint compiled(GLenum kind, const std::string& source) {
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine == 0) {
    char log[2000] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    throw RenderError(fmt::format("the graphics driver does not accept a shader: {}", log));
  }
  return shader;
}

}  // namespace

Program::Program(const char* vertex, std::initializer_list<const char*> fragment) : id_(glCreateProgram()) {
  std::string text = shader::common;
  for (const char* part : fragment) text += part;
  for (const GLuint shader :
       {compiled(GL_VERTEX_SHADER, std::string(shader::common) + vertex), compiled(GL_FRAGMENT_SHADER, text)}) {
    glAttachShader(id_, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(id_);
  GLint fine = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &fine);
  if (fine == 0) throw RenderError("the graphics driver does not link the shaders");
}

const Program& Program::use() const {
  glUseProgram(id_);
  return *this;
}
const Program& Program::set(const char* name, double value) const {
  glUniform1f(glGetUniformLocation(id_, name), float(value));
  return *this;
}
const Program& Program::set(const char* name, const Vector3d& value) const {
  glUniform3f(glGetUniformLocation(id_, name), float(value.x()), float(value.y()), float(value.z()));
  return *this;
}
const Program& Program::set(const char* name, const Eigen::Matrix4f& value) const {
  glUniformMatrix4fv(glGetUniformLocation(id_, name), 1, GL_FALSE, value.data());
  return *this;
}

}  // namespace lithe::film
