#include "lithe/describe/case_writer.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "lithe/describe/case_fields.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

bool is_carried_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("._-").find(c) != std::string_view::npos;
}

/// The files that a case names, each once and under a name of its own.
class Carrier {
 public:
  /// Takes a file and gives its name there.
  std::string take(const std::string& file) {
    std::string& name = names_[std::filesystem::weakly_canonical(file)];
    if (!name.empty()) return name;
    // A pipe cannot be read a second time.
    if (!std::filesystem::is_regular_file(file))
      throw std::runtime_error(fmt::format("cannot keep {} with the results: not a regular file", file));
    try {
      name = free_name(std::filesystem::path(file).filename().string());
      files_.push_back({name, whole_file(file)});
    } catch (const std::system_error& error) {
      throw std::runtime_error(fmt::format("cannot read {}: {}", file, error.code().message()));
    }
    return name;
  }
  std::vector<CarriedFile> files() && { return std::move(files_); }

 private:
  std::string free_name(std::string wanted) const {
    wanted.resize(std::min<size_t>(wanted.size(), 200));
    for (char& c : wanted)
      if (!is_carried_letter(c)) c = '_';
    if (wanted.starts_with('.')) wanted.front() = '_';
    const auto taken = [&](const std::string& name) {
      return !is_carried_name(name) ||
             std::any_of(files_.begin(), files_.end(), [&](const CarriedFile& file) { return file.name == name; });
    };
    std::string name = wanted;
    for (int k = 2; taken(name); ++k) name = fmt::format("{}-{}", k, wanted);
    return name;
  }

  std::map<std::filesystem::path, std::string> names_;
  std::vector<CarriedFile> files_;
};

/// Visits `fields` (case_fields.h) of one object and emits them as a mapping.
class Writer {
 public:
  Writer(YAML::Emitter& out, Carrier* carrier) : out_(out), carrier_(carrier) {}

  template <class T>
  static void write(YAML::Emitter& out, T& object, Carrier* carrier) {
    Writer writer(out, carrier);
    fields(writer, object);
    if (writer.open_) out << YAML::EndMap;
    if (!writer.open_ && !writer.scalar_) out << YAML::Flow << YAML::BeginMap << YAML::EndMap;
  }

  void value(Need, const char* key, double& member, const Dimension&, const Range&, const char*) {
    if (begin(key)) out_ << exact(member);
  }
  void value(Need, const char* key, Vector3d& member, const Dimension&, const Range&, const char*) {
    if (!begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (double element : member) out_ << exact(element);
    out_ << YAML::EndSeq;
  }
  void values(Need, const char* key, std::vector<double>& members, const Dimension&, const Range&, const char*) {
    if (members.empty() || !begin(key)) return;
    if (members.size() == 1) {
      out_ << exact(members[0]);
      return;
    }
    out_ << YAML::Flow << YAML::BeginSeq;
    for (double member : members) out_ << exact(member);
    out_ << YAML::EndSeq;
  }
  template <class T>
  void value(Need need, const char* key, std::optional<T>& member, const Dimension& d, const Range& r,
             const char* help) {
    if (member) value(need, key, *member, d, r, help);
  }
  void joint_value(Need need, const char* key, double& member, const JointDimension& d, const Range& r,
                   const char* help) {
    value(need, key, member, d.turning, r, help);
  }
  void joint_value(Need need, const char* key, std::optional<double>& member, const JointDimension& d, const Range& r,
                   const char* help) {
    if (member) value(need, key, *member, d.turning, r, help);
  }
  void profile_value(Need need, const char* key, double& member, const char* help) {
    value(need, key, member, dimension::number, range::any, help);
  }
  void file(Need, const char* key, std::string& member, const char*) {
    if (!begin(key)) return;
    // Without its file beside it, absolute: the text means the same wherever it is read.
    out_ << (carrier_ != nullptr ? carrier_->take(member)
                                 : std::filesystem::absolute(member).lexically_normal().string());
  }
  void count(Need, const char* key, int& member, int, const char*) {
    if (begin(key)) out_ << member;
  }
  void count(Need need, const char* key, std::optional<int>& member, int least, const char* help) {
    if (member) count(need, key, *member, least, help);
  }
  void flag(Need, const char* key, bool& member, const char*) {
    if (begin(key)) out_ << (member ? "true" : "false");
  }
  void flags(Need, const char* key, Flags flags, const char*) {
    if (std::none_of(flags.begin(), flags.end(), [](const auto& flag) { return *flag.second; }) || !begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const auto& [word, member] : flags)
      if (*member) out_ << word;
    out_ << YAML::EndSeq;
  }
  void name(Need, const char* key, std::string& member, const char*) {
    if (!member.empty() && begin(key)) out_ << member;
  }
  void coordinate(Need need, const char* key, std::string& member, const char* help) { name(need, key, member, help); }
  void name(Need need, const char* key, std::optional<std::string>& member, const char* help) {
    if (member) name(need, key, *member, help);
  }
  template <class Enum>
  void choice(Need, const char* key, Enum& member, const char*) {
    if (begin(key)) out_ << std::string(lithe::word(member));
  }
  template <class Enum>
  void choice(Need need, const char* key, std::optional<Enum>& member, const char* help) {
    if (member) choice(need, key, *member, help);
  }
  template <class T>
  void object(Need, const char* key, T& member, const char*) {
    if (begin(key)) write(out_, member, carrier_);
  }
  template <class T>
  void object(Need need, const char* key, std::optional<T>& member, const char* help) {
    if (member) object(need, key, *member, help);
  }
  template <class T>
  void list(Need need, const char* key, std::vector<T>& members, const char*) {
    if (need == Need::optional && members.empty()) return;
    if (!begin(key)) return;
    out_ << YAML::BeginSeq;
    for (T& member : members) write(out_, member, carrier_);
    out_ << YAML::EndSeq;
  }
  template <class T>
  void one_or_list(Need need, const char* key, std::vector<T>& members, const char* help) {
    if (members.size() == 1)
      object(need, key, members.front(), help);
    else
      list(need, key, members, help);
  }
  template <class T>
  void joint_map(const char* key, std::map<std::string, T>& members, const char*) {
    if (members.empty() || !begin(key)) return;
    out_ << YAML::BeginMap;
    for (auto& [joint, member] : members) {
      out_ << YAML::Key << joint << YAML::Value;
      write(out_, member, carrier_);
    }
    out_ << YAML::EndMap;
  }
  template <class T>
  void joint_entries(std::map<std::string, T>& members, const char*) {
    for (auto& [joint, member] : members)
      if (begin(joint.c_str())) write(out_, member, carrier_);
  }
  void joints_of(const ArmSpec&) {}
  void composition(const char*, const char*) {}
  void joint_type(Need, const char* key, std::string& member, const char*) {
    if (begin(key)) out_ << member;
  }
  template <class T>
  void own_coordinates(Need, const char* key, std::map<std::string, T>& members, const char* help) {
    joint_map(key, members, help);
  }
  void vectors(Need, const char* key, std::vector<Vector3d>& members, size_t, const Dimension&, const char*) {
    if (members.empty() || !begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const Vector3d& member : members) {
      out_ << YAML::Flow << YAML::BeginSeq;
      for (const double element : member) out_ << exact(element);
      out_ << YAML::EndSeq;
    }
    out_ << YAML::EndSeq;
  }
  void profile_of(const JointDimension&) {}

  template <class Enum>
  void short_choice(Enum&, const char*) {}
  bool short_joint_value(double&, const JointDimension&, const Range&, const char*) { return false; }
  void catalogue_name(Material& material, const char*) {
    if (!material.name.empty()) emit_scalar(material.name);
  }
  template <class T, class Variant>
  void word(const char* text, Variant& variant, const char*) {
    if (std::holds_alternative<T>(variant)) emit_scalar(text);
  }
  template <class T, class Variant>
  void tagged(const char* key, Variant& variant, const char*) {
    if (auto* member = std::get_if<T>(&variant); member != nullptr && begin(key)) write(out_, *member, carrier_);
  }
  template <class Variant, class T, class Item>
  void tagged_list(const char* key, Variant& variant, std::vector<Item> T::*items, const char* help) {
    if (auto* member = std::get_if<T>(&variant)) list(Need::required, key, member->*items, help);
  }
  template <class T, class Variant, class Read>
  void short_form(Variant&, Read) {}
  template <class T, class Variant>
  void inline_tagged(const char*, Variant& variant) {
    otherwise<T>(variant);
  }
  template <class T, class Variant>
  void otherwise(Variant& variant) {
    if (auto* member = std::get_if<T>(&variant)) fields(*this, *member);
  }
  void exactly_one(std::initializer_list<const char*>) {}

 private:
  /// Shortest text that reads back to the same number.
  static std::string exact(double value) { return fmt::format("{}", value); }

  /// Starts a key; false when a scalar already stands for the whole object.
  bool begin(const char* key) {
    if (scalar_) return false;
    if (!open_) out_ << YAML::BeginMap;
    open_ = true;
    out_ << YAML::Key << key << YAML::Value;
    return true;
  }
  void emit_scalar(const std::string& text) {
    out_ << text;
    scalar_ = true;
  }

  YAML::Emitter& out_;
  Carrier* carrier_;
  bool open_ = false, scalar_ = false;
};

std::string text_of(const Case& data, Carrier* carrier) {
  YAML::Emitter out;
  Case copy = data;  // the visitors' shared functions take mutable members
  Writer::write(out, copy, carrier);
  return std::string(out.c_str()) + "\n";
}

}  // namespace

std::string write_case(const Case& data) { return text_of(data, nullptr); }

PortableCase portable_case(const Case& data) {
  Carrier carrier;
  PortableCase portable{text_of(data, &carrier), {}};
  portable.files = std::move(carrier).files();
  return portable;
}

bool is_carried_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name != carrying_case && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), is_carried_letter);
}

}  // namespace lithe
