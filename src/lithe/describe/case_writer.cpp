#include "lithe/describe/case_writer.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "lithe/describe/case/matter.h"
#include "lithe/describe/fields/case_fields.h"
#include "lithe/describe/whole_file.h"
#include "lithe/error.h"

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
      throw Error(fmt::format("cannot keep {} with the results: not a regular file", file));
    try {
      name = free_name(std::filesystem::path(file).filename().string());
      files_.push_back({name, whole_file(file)});
    } catch (const std::system_error& error) {
      throw Error(fmt::format("cannot read {}: {}", file, error.code().message()));
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

/// Emits the fields of one object as a mapping.
class Writer final : public FieldVisitor {
 public:
  static void write(YAML::Emitter& out, ObjectRef object, Carrier* carrier) {
    Writer writer(out, carrier);
    object.visit(writer);
    if (writer.open_) out << YAML::EndMap;
    if (!writer.open_ && !writer.scalar_) out << YAML::Flow << YAML::BeginMap << YAML::EndMap;
  }

  void value(Need, const char* key, double& member, const Dimension&, const Range&, const char*) override {
    number(key, member);
  }
  void value(Need, const char* key, Vector3d& member, const Dimension&, const Range&, const char*) override {
    if (begin(key)) vector(member);
  }
  void value(Need, const char* key, std::optional<double>& member, const Dimension&, const Range&,
             const char*) override {
    if (member) number(key, *member);
  }
  void value(Need, const char* key, std::optional<Vector3d>& member, const Dimension&, const Range&,
             const char*) override {
    if (member && begin(key)) vector(*member);
  }
  void values(Need, const char* key, std::vector<double>& members, const Dimension&, const Range&,
              const char*) override {
    if (members.empty()) return;
    if (members.size() == 1) return number(key, members[0]);
    if (!begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (double member : members) out_ << exact(member);
    out_ << YAML::EndSeq;
  }
  void vectors(Need, const char* key, std::vector<Vector3d>& members, size_t, const Dimension&, const char*) override {
    if (members.empty() || !begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const Vector3d& member : members) vector(member);
    out_ << YAML::EndSeq;
  }
  void joint_value(Need, const char* key, double& member, const JointDimension&, const Range&, const char*) override {
    number(key, member);
  }
  void joint_value(Need, const char* key, std::optional<double>& member, const JointDimension&, const Range&,
                   const char*) override {
    if (member) number(key, *member);
  }
  void profile_value(Need, const char* key, double& member, const char*) override { number(key, member); }
  void profile_rate(Need, const char* key, double& member, const char*) override { number(key, member); }
  void file(Need, const char* key, std::string& member, const char*) override {
    if (!begin(key)) return;
    // Without its file beside it, the name is absolute, so that the text means the same wherever it is read.
    out_ << (carrier_ != nullptr ? carrier_->take(member)
                                 : std::filesystem::absolute(member).lexically_normal().string());
  }
  void count(Need, const char* key, int& member, int, const char*) override {
    if (begin(key)) out_ << member;
  }
  void count(Need, const char* key, std::optional<int>& member, int, const char*) override {
    if (member && begin(key)) out_ << *member;
  }
  void flag(Need, const char* key, bool& member, const char*) override {
    if (begin(key)) out_ << (member ? "true" : "false");
  }
  void flag_unless(bool usual, const char* key, bool& member, const char* help) override {
    if (member != usual) flag(Need::optional, key, member, help);
  }
  void flags(Need, const char* key, Flags flags, const char*) override {
    if (std::none_of(flags.begin(), flags.end(), [](const auto& flag) { return *flag.second; }) || !begin(key)) return;
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const auto& [word, member] : flags)
      if (*member) out_ << word;
    out_ << YAML::EndSeq;
  }
  void name(Need, const char* key, std::string& member, const char*) override { text(key, member); }
  void name(Need, const char* key, std::optional<std::string>& member, const char*) override {
    if (member) text(key, *member);
  }
  void coordinate(Need, const char* key, std::string& member, const char*) override { text(key, member); }
  void label(Need, const char* key, std::string& member, const char*) override { text(key, member); }
  void formula(Need, const char* key, std::string& member, const char*) override { text(key, member); }
  JointDimension state_quantity(Need, const char* key, std::string& member, const char*) override {
    text(key, member);
    return joint_dimension::position;
  }
  void joint_type(Need, const char* key, std::string& member, const char*) override { text(key, member); }
  bool short_joint_value(double&, const JointDimension&, const Range&, const char*) override { return false; }
  void catalogue_name(Material& material, const char*) override {
    if (!material.name.empty()) emit_scalar(material.name);
  }
  void exactly_one(std::initializer_list<const char*>) override {}
  void composition(const char*, const char*) override {}

 protected:
  void visit_choice(Need, const char* key, ChoiceRef& choice, const char*) override {
    if (const auto word = choice.chosen()) text(key, std::string(*word));
  }
  void visit_object(Need, const char* key, Slot& slot, const char*) override {
    if (slot.filled() && begin(key)) write(out_, slot.get(), carrier_);
  }
  void visit_list(Need need, const char* key, ListRef& members, const char*) override {
    if (need == Need::optional && members.size() == 0) return;
    if (!begin(key)) return;
    out_ << YAML::BeginSeq;
    for (size_t i = 0; i < members.size(); ++i) write(out_, members.at(i), carrier_);
    out_ << YAML::EndSeq;
  }
  void visit_one_or_list(Need need, const char* key, ListRef& members, const char* help) override {
    if (members.size() != 1) return visit_list(need, key, members, help);
    if (begin(key)) write(out_, members.at(0), carrier_);
  }
  void visit_joint_map(const char* key, MapRef& members, const char*) override {
    const auto entries = members.entries();
    if (entries.empty() || !begin(key)) return;
    out_ << YAML::BeginMap;
    for (const auto& [joint, member] : entries) {
      out_ << YAML::Key << joint << YAML::Value;
      write(out_, member, carrier_);
    }
    out_ << YAML::EndMap;
  }
  void visit_joint_entries(MapRef& members, const char*) override {
    for (const auto& [joint, member] : members.entries())
      if (begin(joint.c_str())) write(out_, member, carrier_);
  }
  void visit_own_coordinates(Need, const char* key, MapRef& members, const char* help) override {
    visit_joint_map(key, members, help);
  }
  void visit_short_choice(ChoiceRef&, const char*) override {}
  bool visit_short_form(Slot&) override { return false; }
  bool visit_word(const char* word, bool held, const char*) override {
    if (held) emit_scalar(word);
    return false;
  }
  void visit_tagged(const char* key, Slot& slot, const char* help) override {
    visit_object(Need::required, key, slot, help);
  }
  void visit_tagged_list(const char* key, AlternativeListRef& list, const char* help) override {
    if (list.filled()) visit_list(Need::required, key, list, help);
  }
  void visit_inline_tagged(const char*, Slot& slot) override { visit_otherwise(slot); }
  void visit_otherwise(Slot& slot) override {
    if (slot.filled()) slot.get().visit(*this);
  }

 private:
  Writer(YAML::Emitter& out, Carrier* carrier) : out_(out), carrier_(carrier) {}

  /// The shortest text that reads back to the same number.
  static std::string exact(double value) { return fmt::format("{}", value); }

  void number(const char* key, double value) {
    if (begin(key)) out_ << exact(value);
  }
  void text(const char* key, const std::string& value) {
    if (!value.empty() && begin(key)) out_ << value;
  }
  void vector(const Vector3d& value) {
    out_ << YAML::Flow << YAML::BeginSeq;
    for (int i = 0; i < 3; ++i) out_ << exact(value[i]);
    out_ << YAML::EndSeq;
  }
  /// Starts a key. False where a scalar was already written in place of the whole object.
  bool begin(const char* key) {
    if (scalar_) return false;
    if (!open_) out_ << YAML::BeginMap;
    open_ = true;
    out_ << YAML::Key << key << YAML::Value;
    return true;
  }
  void emit_scalar(const std::string& value) {
    out_ << value;
    scalar_ = true;
  }

  YAML::Emitter& out_;
  Carrier* carrier_;
  bool open_ = false, scalar_ = false;
};

std::string text_of(const Case& data, Carrier* carrier) {
  YAML::Emitter out;
  const CaseObject copy = copied_case(data);
  Writer::write(out, copy.object, carrier);
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
