// htp_cpp/names.h — what a module's names stand for: imports, and the qualified name of an expression.
#pragma once

#include "htp_cpp/tree.h"

#include <map>
#include <string>

namespace htp::sdk {

// The module-level imports of one program: `import htp_tile as tile` binds tile → "htp_tile"; `from htp_tile import exp
// as e` binds e → "htp_tile.exp". A name assigned or defined at module level stands for itself and hides an earlier
// import.
class Names {
public:
  Names(const Reader &reader, Node module) : reader_(reader) {
    auto m = reader.as<ast::Module>(module);
    if (!m) return;
    for (const Node s : m.body()) {
      if (auto i = reader.as<ast::Import>(s)) {
        for (const Node n : i.names()) {
          auto a = reader.get<ast::alias>(n);
          const std::string name(a.name());
          if (!a.asname().empty())
            bound_[std::string(a.asname())] = name;
          else
            bound_[name.substr(0, name.find('.'))] = name.substr(0, name.find('.'));
        }
      } else if (auto f = reader.as<ast::ImportFrom>(s)) {
        for (const Node n : f.names()) {
          auto a = reader.get<ast::alias>(n);
          bound_[std::string(a.asname().empty() ? a.name() : a.asname())] =
              std::string(f.module()) + "." + std::string(a.name());
        }
      } else if (auto d = reader.as<ast::FunctionDef>(s)) {
        bound_.erase(std::string(d.name()));
      } else if (auto v = reader.as<ast::Assign>(s)) {
        for (const Node t : v.targets()) bound_.erase(std::string(reader.name_of(t)));
      }
    }
  }

  // The qualified name of a Name or dotted chain whose head is imported ("htp_tile.exp"); empty otherwise. Does not
  // know about local variables: a caller that does asks for the head first.
  std::string qualified(Node n) const {
    std::string_view behind[most_dots];
    size_t dots = 0;
    for (; reader_.is(n, HTP_Attribute); n = reader_.get<ast::Attribute>(n).value()) {
      if (dots == most_dots) return {};
      behind[dots++] = reader_.get<ast::Attribute>(n).attr();
    }
    if (!reader_.is(n, HTP_Name)) return {};
    const auto it = bound_.find(std::string(reader_.name_of(n)));
    if (it == bound_.end()) return {};
    std::string path = it->second;
    while (dots-- > 0) (path += '.') += behind[dots];
    return path;
  }
  // Of a call's function, or of the call inside a decorator.
  std::string called(Node n) const {
    auto c = reader_.as<ast::Call>(n);
    return c ? qualified(c.func()) : std::string();
  }
  // The local name under which `qualified_name` is imported, or empty.
  std::string local(std::string_view qualified_name) const {
    for (const auto &[name, target] : bound_)
      if (target == qualified_name) return name;
    return {};
  }
  const std::map<std::string, std::string> &imports() const { return bound_; }

private:
  static constexpr size_t most_dots = 64; // no module has a name of more

  Reader reader_;
  std::map<std::string, std::string> bound_;
};

} // namespace htp::sdk
