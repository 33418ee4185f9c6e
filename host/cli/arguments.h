// host/cli/arguments.h — the command line as data. Only arguments.cpp knows the parser.
#pragma once

#include "host/pipeline/inputs.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp {

// How long to search: measure so many candidates, or for so long.
struct Effort {
  std::optional<int64_t> trials, seconds;
};

// Where the rows of options.def go.
struct Arguments {
  std::string command;    // a row of commands.def
  CompileRequest request; // --plugins, --plugin-path and what compile takes
  std::string package;
  std::vector<std::string> files; // ast, plugins check PATH
  std::string name;               // explain CODE, ops show NAME, plugins show ID, plugins new NAME, stages STAGE
  std::vector<std::string> diff;  // stages --diff A B
  std::string policy, review;     // of policy-check and promote-plan
  bool gather = false;
  bool semantic = false; // of diff: results too
  bool check = false;    // of run: against plain Python; of fmt
  std::string inputs, outputs, trace, into, output, kept;
  std::string kind;                          // plugins new --kind
  std::string language = "c++";              // plugins new --language
  std::map<std::string, std::string> args;   // run and tune --arg scale=0.5
  std::map<std::string, int64_t> dims;       // run, tune and simulate --dim M=64
  std::map<std::string, int64_t> capacities; // simulate --capacity rows=4
  std::string bench, verified;               // report --bench, --verify
  bool values = false, serve = false;        // report --values, --serve
  uint64_t port = 0;                         // report --port
  std::string svg;                           // simulate --svg
  bool choose = false;                       // simulate --choose-capacities
  std::optional<int64_t> bytes;              // simulate --budget 64KiB, cache gc --most
  bool deadlock = false;                     // graph --deadlock
  Effort effort;                             // tune --budget
  std::vector<std::string> against;          // bench --against PKG
  std::optional<uint64_t> seconds;           // bench and verify --seconds
  uint64_t work = 0;                         // bench --work
  std::string node;                          // replay --node NN:k
  bool pdb = false;                          // replay --pdb
  std::string record;                        // run --record FILE
  std::string keeps;                         // minimize --keeps WHAT
  std::string oracle;                        // bisect --oracle CMD
  uint64_t unused = 30;                      // cache gc --unused DAYS
  uint64_t seed = 0;
  std::string key, publisher;        // plugins sign --key FILE --publisher NAME
  std::string expect, revoke;        // plugins trust --expect DIGEST, --revoke NAME
  std::vector<std::string> only;     // plugins check --only NAME
  std::optional<uint64_t> reproduce; // plugins check --reproduce SEED
  bool list = false;                 // plugins check, mcp and lsp --list
  bool stdio = false;                // lsp --stdio
  bool shows_diff = false;           // fmt --diff
  bool json = false, dump = false, quiet = false;
  bool verbose = false;
  std::string log_level, log_file;
  std::string completion; // manual --completion: of this shell
  std::string color = "auto";
  std::string sarif; // also write the diagnostics there
};

// What to run, or the exit code when there is nothing to run: 0 after --help and --version, 2 after a wrong command
// line, which is reported as every command reports what is wrong, with what was probably meant.
struct Parsed {
  std::optional<Arguments> arguments;
  int exit_code = 0;
};
Parsed parse_arguments(int argc, char **argv);

// The command line itself as data, for what describes it.
struct CommandShape {
  struct Option {
    std::string names, type, doc; // "-o,--out", "OUT"
    bool positional, required;
    int values;   // of one occurrence; 0: a flag, -1: one or more
    bool repeats; // may be given several times
  };
  std::string name, summary; // "plugins list"; no name: htp-host itself
  std::vector<Option> options;
};
std::vector<CommandShape> command_shapes(); // htp-host itself first, then as --help has them

} // namespace htp
