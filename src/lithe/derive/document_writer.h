#pragma once

#include <set>

#include "lithe/derive/document.h"
#include "lithe/derive/print.h"

namespace lithe::derive {

/// Writes the parts of a document in order; every name is defined where it is first needed.
class DocumentWriter {
 public:
  DocumentWriter(const Equations& e, const Heading& heading)
      : e_(e), heading_(heading), print_(e.names, Style::latex) {}

  std::vector<Part> run();

 private:
  // document.cpp
  void opening();
  void coordinates();
  void parameters();
  void add_constants();
  void mass_matrix();
  void coriolis_matrix();
  void gravity();
  void passive_forces();
  void energy();
  // document_blocks.cpp: of an arm that is split
  void division();
  void mass_blocks();
  void coriolis_blocks();
  void gravity_blocks();
  // document_motion.cpp
  void christoffel_table();
  void scalar_equations();
  std::string coriolis_entry(int k, int j) const;
  void kinematics();

  const std::vector<Name>& names() const { return e_.names.all(); }
  void section(const std::string& title) { parts_.push_back(Section{title}); }
  void say(const std::string& text) { parts_.push_back(Paragraph{text}); }
  void show(Formulas formulas) {
    if (!formulas.lines.empty()) parts_.push_back(std::move(formulas));
  }

  Formulas::Line defined(int k);
  /// Definitions that expressions need and that have not been given yet. Waves need none: their names say what they are.
  Formulas definitions(const std::vector<ex>& expressions);
  void define_all(const std::vector<ex>& expressions) { show(definitions(expressions)); }
  /// The entries of a matrix that are not zero, a definition where the entry has a name; of a symmetric one half of them. Rows and
  /// columns have the numbers of coordinates, or are counted where none are given.
  void matrix(const std::string& letter, const ExMatrix& A, bool symmetric, const std::vector<int>& rows = {},
              const std::vector<int>& columns = {});
  void vector(const std::string& letter, const std::vector<ex>& entries, const std::vector<int>& rows = {});

  /// Whether an entry has this name, or in a block of M or G that of the whole: its definition then says what it is. An entry that is
  /// equal to another named quantity has the name of that.
  bool is_called(const ex& entry, const std::string& letter, const std::string& index) const;
  bool is_coordinate(const Name& name) const;
  static bool all_zero(const std::vector<ex>& entries);
  static bool all_zero(const ExMatrix& A);

  const Equations& e_;
  const Heading& heading_;
  Printer print_;
  std::vector<Part> parts_;
  std::set<int> printed_;
};

/// The width of a typeset piece of a formula, in letters: commands and braces have no width, or that of one letter.
size_t typeset_width(const std::string& latex);

}  // namespace lithe::derive
