#include "lithe/show/film/renderer.h"

#include <GLES3/gl3.h>
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <string>

#include "lithe/show/film/egl_context.h"
#include "lithe/show/film/gl_program.h"
#include "lithe/show/film/shaders.h"
#include "lithe/show/film/shadowed_ground.h"
#include "lithe/spatial/demand.h"

namespace lithe::film {
namespace {

Vector3d as_vector(Colour c) { return Vector3d(c.r, c.g, c.b) / 255; }
Vector3d as_light(Colour c) { return as_vector(c).array().pow(2.2); }

/// A part of the picture, in pixels from its upper left corner: what moves is drawn and read there only.
struct Part {
  int left = 1 << 30, top = 1 << 30, right = 0, bottom = 0;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
  void include(const Triangles& triangles, const Eigen::Matrix4f& world_to_clip, int picture_width,
               int picture_height) {
    for (const Vertex& vertex : triangles.vertices) {
      const Eigen::Vector4f clip =
          world_to_clip * Eigen::Vector4f(vertex.place[0], vertex.place[1], vertex.place[2], 1);
      if (!(clip.w() > 0)) {  // beside or behind the viewer: it may be anywhere
        *this = {0, 0, picture_width, picture_height};
        return;
      }
      auto pixel = [&](float ndc, int size) {
        return int(std::clamp((ndc / clip.w() + 1) / 2, -0.1F, 1.1F) * float(size));
      };
      const int x = pixel(clip.x(), picture_width), y = pixel(clip.y(), picture_height);
      left = std::min(left, x - 1);
      top = std::min(top, y - 1);
      right = std::max(right, x + 2);
      bottom = std::max(bottom, y + 2);
    }
  }
  void limit(int picture_width, int picture_height) {
    left = std::clamp(left, 0, picture_width);
    top = std::clamp(top, 0, picture_height);
    right = std::clamp(right, left, picture_width);
    bottom = std::clamp(bottom, top, picture_height);
  }
};

}  // namespace

void Frame::clear() {
  solids.clear();
  veils.clear();
  lines.clear();
}

struct Renderer::Impl {
  EglContext context;
  int width, height;
  std::string device;
  Program solid{shader::surface_vertex, {shader::few_taps, shader::lamp, shader::solid_fragment}};
  Program veil{shader::surface_vertex, {shader::veil_fragment}};
  Program line{shader::surface_vertex, {shader::line_fragment}};
  Program depth{shader::surface_vertex, {shader::depth_fragment}};
  Program shadow_on_ground{shader::surface_vertex, {shader::many_taps, shader::lamp, shader::shadow_fragment}};
  Program ground{shader::ground_vertex, {shader::ground_fragment}};
  Program sky{shader::sky_vertex, {shader::sky_fragment}};
  Program behind{shader::sky_vertex, {shader::backdrop_fragment}};
  GLuint drawn = 0, resolved[2] = {0, 0}, shadow = 0, backdrop = 0;  // framebuffers
  GLuint shadow_map = 0, backdrop_picture = 0, array = 0, nothing = 0, vertices = 0, indices = 0;
  int shadow_size;
  Eigen::Matrix4f backdrop_camera = Eigen::Matrix4f::Zero();  // that the backdrop was drawn for
  Picture backdrop_copy;
  Triangles ground_tiles;
  struct Pending {
    Part part;
    Picture picture;  // the backdrop so far
    GLuint resolved;
  };
  std::queue<Pending> pending;
  int n_begun = 0;

  Impl(int w, int h) : width(w), height(h), shadow_size(h > 1100 ? 4096 : h > 500 ? 2048 : 1024) {
    device = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    GLint most = 0, samples = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    if (std::max(w, h) > most)
      throw RenderError(
          fmt::format("{} draws pictures up to {} × {}, but {} × {} was asked for", device, most, most, w, h));
    drawn = framebuffer(std::min(samples, 4), true);
    for (GLuint& one : resolved) one = framebuffer(0, false);
    make_shadow_map();
    make_backdrop();
    glGenVertexArrays(1, &array);
    glGenVertexArrays(1, &nothing);
    glGenBuffers(1, &vertices);
    glGenBuffers(1, &indices);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    auto attribute = [](GLuint k, GLint size, GLenum type, GLboolean normalised, size_t from) {
      glEnableVertexAttribArray(k);
      glVertexAttribPointer(k, size, type, normalised, sizeof(Vertex), reinterpret_cast<const void*>(from));
    };
    attribute(0, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, place));
    attribute(1, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, colour));
  }

  GLuint framebuffer(int samples, bool with_depth) const {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    glBindFramebuffer(GL_FRAMEBUFFER, id);
    auto buffer = [&](GLenum format, GLenum attachment) {
      GLuint store = 0;
      glGenRenderbuffers(1, &store);
      glBindRenderbuffer(GL_RENDERBUFFER, store);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, store);
    };
    buffer(GL_RGBA8, GL_COLOR_ATTACHMENT0);
    if (with_depth) buffer(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
    check(fmt::format("a picture of {} × {}", width, height));
    return id;
  }
  void make_shadow_map() {
    glGenTextures(1, &shadow_map);
    glBindTexture(GL_TEXTURE_2D, shadow_map);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, shadow_size, shadow_size);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
      glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &shadow);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers(1, &none);
    check("a shadow map");
  }
  void make_backdrop() {
    glGenTextures(1, &backdrop_picture);
    glBindTexture(GL_TEXTURE_2D, backdrop_picture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &backdrop);
    glBindFramebuffer(GL_FRAMEBUFFER, backdrop);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, backdrop_picture, 0);
    check("a backdrop");
  }
  void check(const std::string& what) const {
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || glGetError() != GL_NO_ERROR)
      throw RenderError(fmt::format("{} does not have enough memory for {}; try a smaller --size", device, what));
  }

  void put(const Triangles& triangles) const {
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, vertices);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(triangles.vertices.size() * sizeof(Vertex)), triangles.vertices.data(),
                 GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(triangles.indices.size() * 4), triangles.indices.data(),
                 GL_STREAM_DRAW);
  }
  static void draw_put(const Triangles& triangles) {
    glDrawElements(GL_TRIANGLES, GLsizei(triangles.indices.size()), GL_UNSIGNED_INT, nullptr);
  }

  void draw_shadow(const Triangles& solids, const Eigen::Matrix4f& world_to_lamp) const {
    // From 0..1 to OpenGL's −1..1.
    Eigen::Matrix4f stretch = 2 * Eigen::Matrix4f::Identity();
    stretch.col(3) << -1, -1, -1, 1;
    glBindFramebuffer(GL_FRAMEBUFFER, shadow);
    glViewport(0, 0, shadow_size, shadow_size);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CCW);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5F, 2);
    depth.use().set("world_to_clip", Eigen::Matrix4f(stretch * world_to_lamp));
    draw_put(solids);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }

  /// Sky and grid, drawn once for a camera that stands still.
  void draw_backdrop(const Surroundings& s, const Eigen::Matrix4f& to_clip, const Theme& theme) {
    if (to_clip == backdrop_camera) return;
    backdrop_camera = to_clip;
    glBindFramebuffer(GL_FRAMEBUFFER, backdrop);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glBindVertexArray(nothing);
    sky.use().set("sky", as_vector(theme.sky)).set("horizon", as_vector(theme.horizon));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), s.up);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    ground.use()
        .set("world_to_clip", to_clip)
        .set("middle", middle_of_ground(s))
        .set("east", turn * Vector3d::UnitX())
        .set("north", turn * Vector3d::UnitY())
        .set("half_size", s.grid_radius)
        .set("radius", s.grid_radius)
        .set("pitch", s.grid_pitch)
        .set("line_pixels", std::max(1.0, 1.3 * height / 720))
        .set("grid_colour", as_vector(theme.grid))
        .set("strength", 0.75);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    backdrop_copy = Picture(width, height);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, backdrop_copy.pixels.data());
  }

  /// Draws what moves, over the backdrop, and gives the part of the picture that it is in.
  Part draw(const Frame& frame, const Surroundings& s, const Camera& camera, const Theme& theme) {
    const Eigen::Matrix4f to_clip = camera.world_to_clip(double(width) / height), to_lamp = lamp_matrix(s);
    put(frame.solids);
    draw_shadow(frame.solids, to_lamp);
    draw_backdrop(s, to_clip, theme);
    find_shadowed_ground(frame.solids, s, to_lamp, ground_tiles);
    Part part;
    part.include(frame.solids, to_clip, width, height);
    part.include(ground_tiles, to_clip, width, height);
    part.include(frame.lines, to_clip, width, height);
    for (const Veil& one : frame.veils) part.include(one.triangles, to_clip, width, height);
    part.limit(width, height);

    glBindFramebuffer(GL_FRAMEBUFFER, drawn);
    glViewport(0, 0, width, height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(part.left, part.top, part.width(), part.height());
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(nothing);
    glBindTexture(GL_TEXTURE_2D, backdrop_picture);
    behind.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);

    const double texel = 1.0 / shadow_size;
    glBindTexture(GL_TEXTURE_2D, shadow_map);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glFrontFace(GL_CW);  // the picture is upside down to OpenGL
    glBindVertexArray(array);
    solid.use()
        .set("world_to_clip", to_clip)
        .set("world_to_lamp", to_lamp)
        .set("offset", 0.15 * s.thickness + 2.5 * 2.1 * s.radius / shadow_size)
        .set("shadow_step", texel)
        .set("eye", camera.eye)
        .set("to_lamp", towards_lamp(s.up))
        .set("up", s.up)
        .set("bounce", as_light(theme.bounce))
        .set("light", theme.light)
        .set("ambient", theme.ambient);
    draw_put(frame.solids);

    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    put(ground_tiles);
    shadow_on_ground.use()
        .set("world_to_clip", to_clip)
        .set("world_to_lamp", to_lamp)
        .set("offset", 0)
        .set("shadow_step", 1.2 * texel * std::max(1.0, shadow_size / 1024.0))
        .set("middle", middle_of_ground(s))
        .set("radius", s.grid_radius)
        .set("strength", theme.shadow);
    draw_put(ground_tiles);
    if (!frame.lines.indices.empty()) {
      put(frame.lines);
      line.use().set("world_to_clip", to_clip);
      draw_put(frame.lines);
    }
    glEnable(GL_CULL_FACE);
    for (const Veil& one : frame.veils) draw_veil(one, camera, to_clip);
    glDepthMask(GL_TRUE);
    glDisable(GL_SCISSOR_TEST);
    return part;
  }

  /// Its depth first, so that parts behind one another do not add up.
  void draw_veil(const Veil& one, const Camera& camera, const Eigen::Matrix4f& to_clip) const {
    put(one.triangles);
    glEnable(GL_POLYGON_OFFSET_FILL);  // behind what is solid where both are in one place
    glPolygonOffset(1, 8);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_TRUE);
    depth.use().set("world_to_clip", to_clip);
    draw_put(one.triangles);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_LEQUAL);
    veil.use().set("world_to_clip", to_clip).set("eye", camera.eye).set("opacity", one.opacity);
    draw_put(one.triangles);
    glDepthFunc(GL_LESS);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }

  void begin(const Frame& frame, const Surroundings& s, const Camera& camera, const Theme& theme, Picture&& picture) {
    Pending one{draw(frame, s, camera, theme), std::move(picture), resolved[n_begun++ % 2]};
    one.picture = backdrop_copy;
    const Part& p = one.part;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, one.resolved);
    glBlitFramebuffer(p.left, p.top, p.right, p.bottom, p.left, p.top, p.right, p.bottom, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glFlush();
    pending.push(std::move(one));
  }

  Picture collect() {
    Pending one = std::move(pending.front());
    pending.pop();
    const Part& p = one.part;
    if (p.width() == 0 || p.height() == 0) return std::move(one.picture);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, one.resolved);
    glPixelStorei(GL_PACK_ROW_LENGTH, width);
    glReadPixels(p.left, p.top, p.width(), p.height(), GL_RGBA, GL_UNSIGNED_BYTE,
                 &one.picture.pixels[4 * (size_t(p.top) * width + p.left)]);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    if (const GLenum error = glGetError(); error != GL_NO_ERROR)
      throw RenderError(fmt::format("{} failed to draw (OpenGL error {:#x}); try a smaller --size", device, error));
    return std::move(one.picture);
  }
};

Renderer::Renderer(int width, int height) : impl_(std::make_unique<Impl>(width, height)) {}
Renderer::~Renderer() = default;

void Renderer::begin(const Frame& frame, const Surroundings& surroundings, const Camera& camera, const Theme& theme,
                     Picture&& picture) {
  LITHE_DEMAND(impl_->pending.size() < 2);  // there are two places to draw to
  impl_->context.make_current();
  impl_->begin(frame, surroundings, camera, theme, std::move(picture));
}
Picture Renderer::collect() {
  LITHE_DEMAND(!impl_->pending.empty());
  impl_->context.make_current();
  return impl_->collect();
}

const std::string& Renderer::device() const { return impl_->device; }

}  // namespace lithe::film
