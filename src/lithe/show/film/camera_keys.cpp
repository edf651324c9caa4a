#include "lithe/show/film/camera_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "lithe/arm/coordinate_words.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/trimmed.h"
#include "lithe/describe/units.h"

namespace lithe::film {
namespace {

Vector3d look_target(const Camera& camera) { return camera.eye - camera.distance * camera.towards; }

}  // namespace

CameraKey camera_key(const std::string& words) {
  const size_t equals = words.find('=');
  if (equals == std::string::npos)
    throw std::invalid_argument(fmt::format(
        "expected TIME=VIEW or TIME=x,y,z>x,y,z (eye and target), as in \"0.5 s=side:the tip turns\", got \"{}\"",
        words));
  CameraKey key;
  const Quantity time = read_quantity(trimmed(words.substr(0, equals)), dimension::time);
  if (!time.complaint.empty()) throw std::invalid_argument(time.complaint);
  key.time = time.value;
  std::string where = words.substr(equals + 1);
  if (const size_t colon = where.find(':'); colon != std::string::npos) {
    key.name = trimmed(where.substr(colon + 1));
    where.erase(colon);
  }
  where = std::string(trimmed(where));
  if (where.find(',') == std::string::npos) {
    const auto& known = direction_names();
    if (std::find(known.begin(), known.end(), where) == known.end())
      throw std::invalid_argument(fmt::format("no view '{}'{} Known: {}, or x,y,z of the eye", where,
                                              guess_in_sentence(where, known), comma_list(known)));
    key.view = where;
    return key;
  }
  const size_t arrow = where.find('>');
  key.eye = three_in_words(where.substr(0, arrow), dimension::length);
  if (arrow == std::string::npos) return key;
  key.target = three_in_words(where.substr(arrow + 1), dimension::length);
  if ((key.eye - *key.target).norm() < 1e-9)
    throw std::invalid_argument(fmt::format("\"{}\": eye and target are the same point", words));
  return key;
}

std::vector<CameraKey> camera_keys_in(const std::string& text) {
  std::vector<CameraKey> keys;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      keys.push_back(camera_key(line));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("line {}: {}", number, error.what()));
    }
  }
  return keys;
}

KeyedCamera::KeyedCamera(std::vector<double> times, std::vector<Camera> cameras, const Vector3d& up)
    : times_(std::move(times)), cameras_(std::move(cameras)), up_(up) {}

Camera KeyedCamera::at(double t) const {
  const size_t after = size_t(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  if (after == 0) return cameras_.front();
  if (after == times_.size()) return cameras_.back();
  const Camera &a = cameras_[after - 1], &b = cameras_[after];
  const double x = (t - times_[after - 1]) / (times_[after] - times_[after - 1]), share = x * x * (3 - 2 * x);
  // Round the target by the shortest way, and nearer or farther by equal factors in equal times.
  const Quaterniond turn = Quaterniond::FromTwoVectors(a.towards, b.towards);
  const Vector3d towards = Quaterniond::Identity().slerp(share, turn) * a.towards;
  const Vector3d target = (1 - share) * look_target(a) + share * look_target(b);
  const double distance = std::pow(a.distance, 1 - share) * std::pow(b.distance, share);
  Camera camera = looking(target + distance * towards, target, up_);
  return camera;
}

}  // namespace lithe::film
