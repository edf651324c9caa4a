#include <iostream>

#include "lithe/app/command.h"
#include "lithe/describe/case_schema.h"

namespace lithe::app {

void add_schema(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("schema", "JSON Schema of case files");
  auto markdown = std::make_shared<bool>(false), json = std::make_shared<bool>(true);
  command->add_flag("--markdown", *markdown, "print the case-file reference instead, as Markdown");
  command->add_flag("--json", *json, "print JSON (the default)");
  command->callback([=, &chosen] {
    chosen = [=] {
      std::cout << (*markdown ? case_reference() : case_schema());
      return int(done);
    };
  });
}

}  // namespace lithe::app
