#include "lithe/show/report.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/error.h"
#include "lithe/show/run_json.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

void add_numbers(std::string& html, const std::string& id, const std::vector<double>& values, bool wide) {
  html += "<script type=\"text/plain\" id=\"" + id + "\">" + packed(values, wide) + "</script>\n";
}

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    unsigned word = 0;
    for (size_t k = 0; k < 3; ++k) word = word << 8 | (k < n ? bytes[i + k] : 0u);
    for (size_t k = 0; k < 4; ++k) text += k <= n ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class Number>
std::vector<unsigned char> byte_planes(const std::vector<double>& values) {
  const size_t n = values.size();
  std::vector<unsigned char> planes(n * sizeof(Number));
  for (size_t i = 0; i < n; ++i) {
    const Number number = static_cast<Number>(values[i]);
    unsigned char bytes[sizeof(Number)];
    std::memcpy(bytes, &number, sizeof(Number));
    for (size_t k = 0; k < sizeof(Number); ++k) planes[k * n + i] = bytes[k];
  }
  return planes;
}

}  // namespace

std::string packed(const std::vector<double>& values, bool wide) {
  const std::vector<unsigned char> planes = wide ? byte_planes<double>(values) : byte_planes<float>(values);
  uLongf size = compressBound(uLong(planes.size()));
  std::vector<unsigned char> deflated(size);
  if (compress2(deflated.data(), &size, planes.data(), uLong(planes.size()), 6) != Z_OK)
    throw Error("report: zlib could not compress a series");
  deflated.resize(size);
  return base64(deflated);
}

std::string report_html(const std::vector<ShownRun>& runs) {
  const std::string_view page = report_page();
  const size_t mark = page.find(data_mark);
  LITHE_DEMAND(mark != std::string_view::npos);
  std::string html(page.substr(0, mark));
  Json all = Json::array();
  for (const ShownRun& run : runs) all.push_back(run_json(run));
  html += "<script type=\"application/json\" id=\"lithe-runs\">" + embedded(all) + "</script>\n";
  for (size_t r = 0; r < runs.size(); ++r) {
    const Results& results = runs[r].results;
    const std::string stem = "r" + std::to_string(r);
    add_numbers(html, stem + "t", results.time, true);
    const size_t n_positions = runs[r].arm ? runs[r].arm->nq() : 0;  // positions are the first columns
    for (size_t i = 0; i < results.series.size(); ++i)
      add_numbers(html, stem + "c" + std::to_string(i), results.series[i], i < n_positions);
    if (runs[r].wake) add_numbers(html, stem + "w", runs[r].wake->places, false);
    for (const auto& [i, values] : runs[r].commanded) add_numbers(html, stem + "q" + std::to_string(i), values, true);
  }
  html += page.substr(mark + data_mark.size());
  return html;
}

}  // namespace lithe
