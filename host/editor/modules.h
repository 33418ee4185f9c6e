// host/editor/modules.h — what programs import: the authoring package's and the plugins' Python modules, read and never
// run. An intrinsic's declaration is the row of its table (R6), and a directive is a method of a class there.
#pragma once

#include "host/editor/program.h"
#include "host/pipeline/inputs.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace htp::editor {

// A name of a module.
struct Member {
  enum class Kind { module, function, intrinsic, type, value } kind = Kind::value;
  std::string name, module;          // "exp", "htp_tile"
  std::string signature;             // as it is written: "def exp(x: Floating) -> Floating"
  std::string doc;                   // its docstring, without indentation
  std::string intrinsic;             // "tile.exp"
  std::vector<std::string> backends; // that handle it, by the manifests
  std::string file;                  // where it is declared
  Stretch at;
};

class Modules {
public:
  Modules() = default;
  Modules(const Inputs &inputs, const std::vector<std::string> &python_folders);

  bool knows(const std::string &module) const;
  std::vector<std::string> names() const;
  std::set<std::string> of_plugins() const; // without the authoring package
  // The public names of a module, in alphabetical order.
  std::vector<Member> members(const std::string &module) const;
  std::optional<Member> member(const std::string &module, const std::string &name) const;
  // The public methods of a class of a module.
  std::vector<Member> methods(const std::string &module, const std::string &type) const;
  std::string file(const std::string &module) const; // of the module itself

private:
  struct Source {
    std::string path, text;
    bool read = false;
    std::shared_ptr<const Program> program; // null: it is no Python
  };
  const Program *parsed(const std::string &module) const;
  std::optional<Member> find(const std::string &module, const std::string &name, int depth) const;
  Member member_of(const Program &program, const std::string &module, const Program::Occurrence &binding) const;

  mutable std::map<std::string, Source, std::less<>> sources_; // "htp_tile.elementwise"
  std::set<std::string> plugins_, packages_;
  std::map<std::string, std::vector<std::string>, std::less<>> backends_; // of an intrinsic
};

} // namespace htp::editor
