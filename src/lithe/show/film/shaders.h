// The programs of the renderer, in GLSL ES 3. Colours are mixed in linear light and written as sRGB with red and blue exchanged,
// because pictures are kept as blue, green, red (picture.h).
#pragma once

namespace lithe::film::shader {

inline constexpr const char* common = R"(#version 300 es
precision highp float;
precision highp sampler2DShadow;
)";

/// How much of the lamp reaches a place: a grid of `shadow_taps` by as many over the shadow map, each already a blend of four.
/// Nothing is spared by branches: software renderers compute both sides.
inline constexpr const char* lamp = R"(
uniform sampler2DShadow shadow_map;
uniform float shadow_step;
float lamp_at(vec3 at) {
  float sum = 0.0;
  for (int i = 0; i < shadow_taps; ++i)
    for (int j = 0; j < shadow_taps; ++j)
      sum += texture(shadow_map, at + vec3((vec2(i, j) - 0.5 * float(shadow_taps - 1)) * shadow_step, 0));
  return sum / float(shadow_taps * shadow_taps);
}
)";
inline constexpr const char* few_taps = "const int shadow_taps = 2;\n";
inline constexpr const char* many_taps = "const int shadow_taps = 5;\n";

inline constexpr const char* surface_vertex = R"(
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
uniform mat4 world_to_clip;
uniform mat4 world_to_lamp;
uniform float offset;
vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
out vec3 at;
out vec3 facing;
out vec4 paint;
out vec3 light_paint;
out vec3 in_lamp;
void main() {
  at = place;
  facing = normal;
  paint = colour;
  light_paint = linear(colour.rgb);
  in_lamp = (world_to_lamp * vec4(place + offset * normal, 1.0)).xyz;
  gl_Position = world_to_clip * vec4(place, 1.0);
}
)";

/// Lambert's law for the lamp, sky and ground by which way a surface faces, and a soft gloss. Small triangles are most of the
/// work in software, where each costs whole blocks of pixels: so no power but by squaring, and sRGB by three roots.
inline constexpr const char* solid_fragment = R"(
in vec3 at;
in vec3 facing;
in vec3 light_paint;
in vec3 in_lamp;
uniform vec3 eye, to_lamp, up, bounce;
uniform float light, ambient;
out vec4 pixel;
vec3 srgb(vec3 c) {
  vec3 r2 = sqrt(clamp(c, 0.0, 1.0)), r4 = sqrt(r2), r8 = sqrt(r4);
  return 0.585122381 * r2 + 0.783140355 * r4 - 0.368262736 * r8;
}
void main() {
  vec3 n = normalize(facing);
  vec3 v = normalize(eye - at);
  float lit = max(dot(n, to_lamp), 0.0) * lamp_at(in_lamp);
  vec3 around = mix(bounce, vec3(1.0), 0.5 + 0.5 * dot(n, up)) * ambient;
  float gloss = max(dot(n, normalize(v + to_lamp)), 0.0);
  for (int k = 0; k < 5; ++k) gloss *= gloss;
  float rim = 1.0 - max(dot(n, v), 0.0);
  rim *= rim;
  vec3 c = light_paint * (light * lit + around) + vec3(0.16 * gloss * lit + 0.05 * rim * rim * ambient);
  pixel = vec4(srgb(c).bgr, 1.0);
}
)";

/// One colour, stronger where the surface turns away: as of glass.
inline constexpr const char* veil_fragment = R"(
in vec3 at;
in vec3 facing;
in vec4 paint;
uniform vec3 eye;
uniform float opacity;
out vec4 pixel;
void main() {
  float away = 1.0 - abs(dot(normalize(facing), normalize(eye - at)));
  float a = opacity * (0.75 + 0.9 * away * away);
  pixel = vec4(paint.bgr * a, a);
}
)";

inline constexpr const char* line_fragment = R"(
in vec4 paint;
out vec4 pixel;
void main() { pixel = vec4(paint.bgr * paint.a, paint.a); }
)";

inline constexpr const char* depth_fragment = R"(
void main() {}
)";

/// Darkens the ground where the lamp does not reach it, less so far out.
inline constexpr const char* shadow_fragment = R"(
in vec3 at;
in vec3 in_lamp;
uniform vec3 middle;
uniform float radius, strength;
out vec4 pixel;
void main() {
  float fade = min(1.0, 3.0 * max(0.0, 1.0 - length(at - middle) / radius));
  pixel = vec4(0, 0, 0, (1.0 - lamp_at(in_lamp)) * strength * fade);
}
)";

/// A square on the ground about `middle`.
inline constexpr const char* ground_vertex = R"(
uniform mat4 world_to_clip;
uniform vec3 middle, east, north;
uniform float half_size;
out vec2 along;  // from the grid's origin
out vec2 from_middle;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec3 place = middle + half_size * (corner.x * east + corner.y * north);
  along = vec2(dot(place, east), dot(place, north));
  from_middle = half_size * corner;
  gl_Position = world_to_clip * vec4(place, 1.0);
}
)";

/// Lines of the grid as wide as asked on the picture, thinner ones fainter instead, fading outwards.
inline constexpr const char* ground_fragment = R"(
in vec2 along;
in vec2 from_middle;
uniform vec3 grid_colour;
uniform float pitch, radius, line_pixels, strength;
out vec4 pixel;
void main() {
  vec2 cell = along / pitch;
  vec2 per_pixel = max(fwidth(cell), vec2(1e-6));
  vec2 away = abs(fract(cell - 0.5) - 0.5);
  vec2 wide = 0.5 * line_pixels * per_pixel;
  vec2 line = 1.0 - smoothstep(wide - 0.5 * per_pixel, wide + 0.5 * per_pixel, away);
  line = mix(line, 2.0 * wide, clamp(4.0 * per_pixel - 1.0, 0.0, 1.0));
  float fade = max(0.0, 1.0 - length(from_middle) / radius);
  float grid = max(line.x, line.y) * fade * strength;
  pixel = vec4(grid_colour.bgr * grid, grid);
}
)";

/// One triangle over the whole picture.
inline constexpr const char* sky_vertex = R"(
out float height;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  height = 0.5 - 0.5 * corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}
)";
inline constexpr const char* sky_fragment = R"(
in float height;
uniform vec3 sky, horizon;
out vec4 pixel;
void main() {
  // Less than a step of eight bits, row by row, or the gradient would show in bands; the same along a row, which costs
  // neither PNG nor H.264 anything.
  float grain = fract(gl_FragCoord.y * 0.6180339887) - 0.5;
  pixel = vec4(mix(horizon, sky, smoothstep(0.1, 0.75, height)).bgr + grain / 255.0, 1.0);
}
)";

/// A picture that is there already, pixel by pixel.
inline constexpr const char* backdrop_fragment = R"(
in float height;
uniform sampler2D backdrop;
out vec4 pixel;
void main() { pixel = texelFetch(backdrop, ivec2(gl_FragCoord.xy), 0); }
)";

}  // namespace lithe::film::shader
