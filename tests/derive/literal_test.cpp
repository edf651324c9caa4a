// Names that are not ours, in programs and documents: harmless in every language, whatever they hold.
#include "lithe/derive/literal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/run_program.h"
#include "lithe/arm/arm.h"
#include "lithe/derive/equations.h"
#include "lithe/derive/write.h"
#include "lithe/describe/case_reader.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;

/// Code in every language, behind what would end a comment, a string, a formula or a cell.
const std::string hostile_names[] = {
    "a\nint injected = 1;\nimport os; os.mkdir('injected')\nsystem('injected')\n",
    "a\r\nraise SystemExit(3)\r",
    "\"\"\"\nimport os\nos.mkdir('injected')\n\"\"\"",
    "ends in a backslash\\",
    "ends in a trigraph?"
    "?/",
    "*/ int injected = 1; /*",
    "\\N{NO SUCH} \\x \\u12 \\",
    "%{\ninjected = 1;\n%}",
    "${\\input{/etc/passwd}}$ `\\write18{touch injected}` _^~#&%{}",
    "\\end{document}\\immediate\\write18{touch injected}",
    "`<script>injected()</script>` | [x](javascript:injected) ![x](http://injected) $x$ *b* <img src=x "
    "onerror=injected()>",
    "\xe2\x80\xae"
    "dettrever\xe2\x80\xa8injected\xff",
};

Case arm_with_names(const std::string& link, const std::string& joint) {
  Case data = read_case_text(R"(arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.1, motor: {gear_ratio: 9, inertia: 0.01, damping: 0.2}}
      beam: {length: 1, material: aluminium, section: {circle: {diameter: 12 mm}}, flexibility: {modes: {bending_z: 1}}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}}
)",
                             "case.yaml")
                  .data;
  for (LinkSpec& spec : data.arm.links) {
    spec.name += link;
    spec.joint.name += joint;
  }
  return data;
}

std::string written(const std::string& language, const Equations& e, const Heading& heading) {
  return language == "cpp"      ? write_cpp(e, heading)
         : language == "python" ? write_python(e, heading)
         : language == "sympy"  ? write_sympy(e, heading)
         : language == "matlab" ? write_matlab(e, heading)
         : language == "latex"  ? write_latex(e, heading)
                                : write_markdown(e, heading);
}

int shell(const std::string& command) { return std::system(command.c_str()); }

/// The text without what is only a comment or a docstring, line by line. `names` become one letter.
void expect_commented(const std::string& text, const std::string& mark, const std::string& what) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("injected");
    if (at == std::string::npos) continue;
    // Identifiers made of the name hold it as a part; alone it stands in comments only.
    auto in_a_word = [&](size_t i) {
      return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
    };
    if ((at > 0 && in_a_word(at - 1)) || in_a_word(at + std::string("injected").size())) continue;
    EXPECT_LT(line.find(mark), at) << what << ": " << line;
  }
}

TEST(HostileNames, StayInsideCommentsOfPrograms) {
  const TemporaryFolder folder;
  for (const std::string& name : hostile_names) {
    const Case data = arm_with_names(name, name);
    DeriveOptions options;
    options.split = data.arm.links[1].name;
    options.kinematics = true;
    options.order = CoordinateOrder::joints_first;
    options.data = &data;
    const Equations e = derive_equations(Arm::assemble(data), options);
    const Heading heading{name, program_name(name)};
    const std::string cpp = folder.write("arm.h", written("cpp", e, heading)),
                      main = folder.write("main.cpp",
                                          "#include \"arm.h\"\nint injected = 0;\nint main() { return injected; }\n"),
                      python = folder.write("arm.py", written("python", e, heading)),
                      sympy = folder.write("arm_symbols.py", written("sympy", e, heading));
    for (const char* standard : {"c++11", "c++20"})  // the first has trigraphs
      EXPECT_EQ(shell("g++ -fsyntax-only -Wall -Wextra -Wpedantic -Werror -std=" + std::string(standard) + " " + main),
                0)
          << name;
    EXPECT_EQ(
        shell(
            "cd " + folder.path() +
            " && /usr/bin/python3 -I -W error -c 'import ast, pathlib, sys; tree = "
            "ast.parse(pathlib.Path(\"arm.py\").read_text()); "
            "kinds = [type(x).__name__ for x in tree.body]; "
            "assert kinds[:2] == [\"Expr\", \"Import\"] and set(kinds[2:]) == {\"FunctionDef\", \"ClassDef\"}, kinds'"),
        0)
        << name;
    // The module that SymPy reads is only definitions of its own, of names that are words, and every call is of SymPy or a list.
    EXPECT_EQ(
        shell(
            "cd " + folder.path() +
            " && /usr/bin/python3 -I -W error -c 'import ast, pathlib; tree = "
            "ast.parse(pathlib.Path(\"arm_symbols.py\").read_text()); "
            "kinds = [type(x).__name__ for x in tree.body]; "
            "assert kinds[:2] == [\"Expr\", \"Import\"] and set(kinds[2:]) <= {\"FunctionDef\", \"Assign\", \"Expr\"}, "
            "kinds; "
            "calls = {ast.unparse(x.func).split(\".\")[0] for x in ast.walk(tree) if isinstance(x, ast.Call)}; "
            "assert calls <= {\"sp\", \"definitions\", \"positive_part\", \"negative_part\", \"rot_a\", \"rot_b\", "
            "\"rot_c\"}, calls; "
            "strings = [x.value for x in ast.walk(tree) if isinstance(x, ast.Constant) and isinstance(x.value, str)]; "
            "assert all(x.isidentifier() for x in strings[1:]), strings[1:]'"),
        0)
        << name;
    EXPECT_EQ(shell("cd " + folder.path() + " && /usr/bin/python3 -I " + sympy), 0) << name;
    expect_commented(written("matlab", e, heading), "%", name);
    const std::string matlab = written("matlab", e, heading);
    std::istringstream lines(matlab);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_NE(line.substr(std::min(line.find_first_not_of(" \t"), line.size())), "%{");
      EXPECT_EQ(line.find('\r'), std::string::npos);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/injected"));
}

TEST(HostileNames, AreTextInDocuments) {
  for (const std::string& name : hostile_names) {
    const Case data = arm_with_names(name, name);
    DeriveOptions options;
    options.kinematics = true;
    options.data = &data;
    const Equations e = derive_equations(Arm::assemble(data), options);
    const std::string latex = written("latex", e, {name, "arm"}), markdown = written("markdown", e, {name, "arm"});
    for (const char* command : {"\\input", "\\write", "\\immediate"})
      EXPECT_EQ(latex.find(command), std::string::npos) << name;
    EXPECT_EQ(latex.find("\\end{document}"), latex.rfind("\\end{document}")) << name;
    int depth = 0, dollars = 0;
    for (size_t k = 0; k < latex.size(); ++k) {
      const bool escaped = k > 0 && latex[k - 1] == '\\';
      depth += latex[k] == '{' && !escaped;
      depth -= latex[k] == '}' && !escaped;
      dollars += latex[k] == '$' && !escaped;
      ASSERT_GE(depth, 0) << latex.substr(k > 80 ? k - 80 : 0, 80);
      EXPECT_TRUE(latex[k] == '\n' || static_cast<unsigned char>(latex[k]) >= ' ') << name;
    }
    EXPECT_EQ(depth, 0) << name;
    EXPECT_EQ(dollars % 2, 0) << name;
    for (const char* tag : {"<script", "<img", "[x](", "![x]"})
      EXPECT_EQ(markdown.find(tag), std::string::npos) << name;
    // Every row of a table has as many cells as its head.
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("|")) continue;
      int bars = 0;
      for (size_t k = 0; k < line.size(); ++k) bars += line[k] == '|' && (k == 0 || line[k - 1] != '\\');
      EXPECT_TRUE(bars == 3 || bars == 5 || bars == 8)
          << line;  // coordinates, parameters, Christoffel symbols of three
    }
  }
}

TEST(HostileNames, OfFilesReachTheProgramsHarmlessly) {
  const TemporaryFolder folder;
  const std::string text =
      "arm:\n  links:\n    - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, rigid: {length: 1, mass: 1, com: "
      "[0.5, 0, 0]}}\n";
  for (const char* name : {"x\n\"\"\"\nraise SystemExit(3)\n\"\"\".yaml", "class.yaml", "gravity.yaml", "std.yaml",
                           "1 2.yaml", "%{.yaml"}) {
    const std::string file = folder.write(name, text);
    for (const char* language : {"cpp", "python", "sympy", "matlab", "latex", "markdown"}) {
      const Finished finished = run_program({"derive", file, "--format", language});
      ASSERT_EQ(finished.code, 0) << finished.err;
      if (std::string(language) == "python" || std::string(language) == "sympy") {
        const std::string program = folder.write("program.py", finished.out);
        EXPECT_EQ(shell("/usr/bin/python3 -I -c 'import ast; ast.parse(open(\"" + program +
                        "\").read())' && cd / && /usr/bin/python3 -I " + program),
                  0)
            << name;
      }
      if (std::string(language) == "cpp") {
        EXPECT_EQ(
            shell("g++ -std=c++11 -fsyntax-only -x c++ " + folder.write("program.h", finished.out) + " 2>/dev/null"), 0)
            << name;
      }
    }
  }
  EXPECT_EQ(program_name("/x/class.yaml"), "class_arm");
  EXPECT_EQ(program_name("/x/gravity.yaml"), "gravity_arm") << "a function of the MATLAB file";
  EXPECT_EQ(program_name("/x/05_puma560/case.yaml"), "puma560");
  EXPECT_EQ(program_name("/x/two-link  arm.yaml"), "two_link_arm");
  EXPECT_EQ(program_name("/x/--.yaml"), "arm");
  EXPECT_LE(program_name("/x/" + std::string(200, 'a') + ".yaml").size(), 63u);
  const Finished named = run_program({"derive", folder.write("case.yaml", text), "--name", "class"});
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("--name: \"class\" cannot be the name of a program"), std::string::npos) << named.err;
}

}  // namespace
}  // namespace lithe::derive
