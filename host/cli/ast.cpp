#include "host/ast/dump.h"
#include "host/ast/unparse.h"
#include "host/cli/command.h"
#include "host/pipeline/program.h"

#include <nlohmann/json.hpp>

namespace htp {

int ast_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::string text;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const std::string &path : arguments.files) {
    Store store; // one a file, so that many files need no more memory than the largest
    std::vector<InputFile> inputs;
    const htp_node root = read_program(path, "program", store, inputs, diagnostics);
    if (!root) continue;
    std::string printed;
    if (arguments.dump) {
      DumpOptions options;
      options.indent = 2;
      printed = dump(*store.abi(), root, options) + "\n";
    } else {
      UnparseOptions options;
      options.trivia = true;
      printed = unparse(*store.abi(), root, options);
    }
    if (arguments.json) files.push_back({{"path", path}, {arguments.dump ? "dump" : "text", printed}});
    text += printed;
  }
  const nlohmann::ordered_json json{{"files", files}};
  return finish(arguments, diagnostics, text, json);
}

} // namespace htp
