#include "lithe/show/film/captions.h"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "lithe/error.h"

namespace lithe::film {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

Surface surface_of(Picture& picture) {
  return {cairo_image_surface_create_for_data(picture.pixels.data(), CAIRO_FORMAT_RGB24, picture.width, picture.height,
                                              4 * picture.width),
          cairo_surface_destroy};
}

class Pen {
 public:
  Pen(Picture& picture, const Theme& theme)
      : surface_(surface_of(picture)),
        cairo_(cairo_create(surface_.get()), cairo_destroy),
        theme_(theme),
        unit_(std::min(picture.height / 720.0, picture.width / 960.0)),
        width_(picture.width),
        height_(picture.height) {}

  void run(const Captions& captions) {
    const double edge = 36 * unit_;
    font(26, true);
    // A title that is too long for its place is made smaller.
    const double room = width_ * (captions.notes.empty() && !captions.ghost ? 0.94 : 0.6) - edge;
    if (const double wide = width_of(captions.title); wide > room) font(26 * room / wide, true);
    ink(theme_.ink);
    text(captions.title, edge, edge + 20 * unit_);
    font(20, false);
    ink(theme_.faint);
    text(captions.subtitle, edge, edge + (captions.title.empty() ? 20 : 52) * unit_);

    font(34, true);
    ink(theme_.ink);
    const double base = height_ - edge;
    text(captions.time, edge, base);
    double x = edge + std::max(width_of(captions.time), 130 * unit_) + 26 * unit_;
    font(20, false);
    for (const LegendLine& reading : captions.readings) {
      if (captions.coloured_readings) x += patch(reading.colour, 1, x, base);
      ink(captions.coloured_readings ? theme_.ink : theme_.faint);
      text(reading.text, x, base);
      x += width_of(reading.text) + 30 * unit_;
    }

    double y = edge + 16 * unit_;
    font(18, false);
    if (captions.ghost) {
      const double wide = width_of(captions.ghost->text);
      patch(captions.ghost->colour, 0.35, width_ - edge - wide - 26 * unit_, y);
      ink(theme_.faint);
      text(captions.ghost->text, width_ - edge - wide, y);
      y += 28 * unit_;
    }
    for (const std::string& note : captions.notes) {
      ink(theme_.series[1]);
      text(note, width_ - edge - width_of(note), y);
      y += 28 * unit_;
    }
    if (!captions.stress_largest.empty()) stress_bar(captions.stress_largest, edge, y);
    font(16, false);
    ink(theme_.faint);
    text(captions.scale, width_ - edge - width_of(captions.scale), base);
  }

 private:
  void ink(Colour c, double opacity = 1) {
    cairo_set_source_rgba(cairo_.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
  }
  void font(double size, bool bold) {
    cairo_select_font_face(cairo_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_.get(), std::max(size * unit_, 9.0));
  }
  double width_of(const std::string& words) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_.get(), words.c_str(), &extents);
    return extents.x_advance;
  }
  void text(const std::string& words, double x, double y) {
    // A thin margin of background colour keeps the letters legible over anything. It is drawn as letters again, which cairo caches:
    // stroking their outlines would take longer than everything else.
    cairo_pattern_t* own = cairo_pattern_reference(cairo_get_source(cairo_.get()));
    ink(y < height_ / 2 ? theme_.sky : theme_.horizon, 0.4);
    for (int k = 0; k < 8; ++k) {
      const double angle = k * std::numbers::pi / 4;
      cairo_move_to(cairo_.get(), std::round(x + 2 * unit_ * std::cos(angle)),
                    std::round(y + 2 * unit_ * std::sin(angle)));
      cairo_show_text(cairo_.get(), words.c_str());
    }
    cairo_set_source(cairo_.get(), own);
    cairo_pattern_destroy(own);
    cairo_move_to(cairo_.get(), x, y);
    cairo_show_text(cairo_.get(), words.c_str());
  }
  /// A patch of colour before words; returns its width.
  double patch(Colour c, double opacity, double x, double base) {
    ink(c, opacity);
    cairo_rectangle(cairo_.get(), x, base - 13 * unit_, 15 * unit_, 15 * unit_);
    cairo_fill(cairo_.get());
    return 26 * unit_;
  }
  void stress_bar(const std::string& largest, double edge, double y) {
    const double wide = 150 * unit_, high = 12 * unit_, x0 = width_ - edge - width_of(largest) - 12 * unit_ - wide;
    constexpr int steps = 60;
    for (int k = 0; k < steps; ++k) {
      ink(heat((k + 0.5) / steps));
      cairo_rectangle(cairo_.get(), x0 + wide * k / steps, y - high, wide / steps + 1, high);
      cairo_fill(cairo_.get());
    }
    ink(theme_.faint);
    text(largest, width_ - edge - width_of(largest), y);
    text("0", x0 - 10 * unit_ - width_of("0"), y);
  }

  Surface surface_;
  Context cairo_;
  const Theme& theme_;
  double unit_, width_, height_;
};

}  // namespace

std::string png_of(const Picture& picture) {
  Picture copy = picture;
  const Surface surface = surface_of(copy);
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(
      surface.get(),
      [](void* to, const unsigned char* data, unsigned length) {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
      },
      &bytes);
  if (status != CAIRO_STATUS_SUCCESS) throw Error(fmt::format("cannot make a PNG: {}", cairo_status_to_string(status)));
  return bytes;
}

void draw_captions(Picture& picture, const Captions& captions, const Theme& theme) {
  Pen(picture, theme).run(captions);
}

std::string length_text(double metres) {
  const double size = std::abs(metres);
  if (size >= 0.9995) return fmt::format("{:.2f} m", metres);
  if (size >= 0.00995) return fmt::format("{:.0f} mm", metres * 1e3);
  if (size >= 0.0000995) return fmt::format("{:.2f} mm", metres * 1e3);
  if (size < 5e-9) return "0 mm";
  return fmt::format("{:.2f} µm", metres * 1e6);
}

}  // namespace lithe::film
