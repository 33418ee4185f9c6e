// Asks the validators of many pairs of stages: a line of JSON a package on standard input, of the profile, the plugin
// path, the folder of its first stage and pairs of files; a line of JSON a pair on standard output.
#include "host/base/fs.h"
#include "host/base/memory.h"
#include "host/diag/render.h"
#include "host/pipeline/validate.h"

#include <nlohmann/json.hpp>

#include <iostream>

int main() {
  htp::allow_stack(64u << 20);
  using Json = nlohmann::ordered_json;
  for (std::string line; std::getline(std::cin, line);) {
    const Json asked = Json::parse(line);
    htp::CompileRequest request;
    request.profile = asked.at("profile");
    request.plugin_path = {asked.at("plugin_path").get<std::string>()};
    htp::Cache cache = htp::Cache::from_environment();
    htp::Diagnostics diagnostics;
    const double begun = htp::steady_seconds();
    const auto validation = htp::Validation::open(request, asked.at("stage"), cache, diagnostics);
    const double opened = htp::steady_seconds() - begun;
    for (const auto &pair : asked.at("pairs")) {
      const std::string before = pair.at(0), after = pair.at(1);
      Json answer{{"before", before}, {"after", after}};
      if (!validation) {
        answer["reason"] = htp::render_text(diagnostics, {});
        answer["proved"] = false;
      } else {
        const auto a = htp::read_file(before), b = htp::read_file(after);
        if (!a || !b) return 1;
        const htp::Validated v = validation->of(*a, before, *b, after);
        answer["proved"] = v.proved;
        answer["reason"] = v.reason;
        if (v.at.line) answer["at"] = v.at.file->path + ":" + std::to_string(v.at.line);
        answer["assumptions"] = v.assumptions;
        answer["seconds"] = v.seconds;
        answer["opened"] = opened;
      }
      std::cout << answer.dump() << "\n" << std::flush;
    }
  }
  return 0;
}
