#include "language/library.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <set>

namespace htp::tile {
namespace {

using Set = std::set<std::string, std::less<>>;

constexpr char library[] =
#include "functions.inc"
    ;
constexpr std::string_view python = "htp_tile.";

Set bound_in_functions(const Reader &r, Node root) {
  Set names;
  for (const Node s : r.get<ast::Module>(root).body())
    if (r.is(s, HTP_FunctionDef))
      r.each(s, [&](Node n) {
        if (auto name = r.as<ast::Name>(n); name && name.ctx() == HTP_STORE) names.emplace(name.id());
        if (auto a = r.as<ast::arg>(n)) names.emplace(a.arg());
      });
  return names;
}

// Names that mean what they say: dtypes, types and directions are read by them, wherever they were imported from.
bool is_read_by_name(std::string_view path) {
  const std::string name = last_component(path);
  if (path == "htp." + name) return true;
  return path == std::string(python) + name && (name == "Tensor" || name == "Tile");
}

class Library {
public:
  explicit Library(const Module &module)
      : m_(module), c(module.c), names_(module.c, module.root),
        imports_(c, module.root, bound_in_functions(c, m_.root)) {}

  Node run() {
    Node root = renamed(m_.root);
    find_calls(root);
    if (!wanted_.empty()) root = with_functions(root);
    return root == m_.root ? root : imports_.apply(root);
  }

private:
  // What `name` was imported as, where that is another name than its own.
  std::string other_name(std::string_view name) const {
    const auto it = names_.imports().find(std::string(name));
    if (it == names_.imports().end() || last_component(it->second) == name || !is_read_by_name(it->second)) return {};
    return it->second;
  }
  Node renamed(Node root) {
    const bool any = std::ranges::any_of(names_.imports(), [&](const auto &i) { return !other_name(i.first).empty(); });
    if (!any) return root;
    const Set own = bound_in_functions(c, root);
    return rewrite(
        c, root,
        [&](Node n) -> Node {
          auto name = c.as<ast::Name>(n);
          const std::string path =
              name && name.ctx() == HTP_LOAD && !own.contains(name.id()) ? other_name(name.id()) : "";
          if (path.empty()) return n;
          const size_t dot = path.rfind('.');
          const std::string of = path.substr(0, dot);
          return c.path(imports_.module(of, of == "htp" ? "htp" : "tile") + path.substr(dot), n);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // The functions of the library that calls name, with one call of each.
  void find_calls(Node root) {
    if (!std::ranges::any_of(names_.imports(), [](const auto &i) { return i.second.starts_with("htp_tile"); })) return;
    c.each(root, [&](Node n) {
      const std::string path = c.is(n, HTP_Call) ? names_.called(n) : std::string();
      if (!path.starts_with(python)) return;
      const std::string name = path.substr(python.size());
      if (std::string_view(library).find("\ndef " + name + "(") != std::string_view::npos) wanted_.try_emplace(name, n);
    });
  }

  Node with_functions(Node root) {
    const Node text = c.host()->parse_body(c.ctx(), str(std::string_view(library)), wanted_.begin()->second);
    if (!text) return root;
    std::map<std::string, Node, std::less<>> functions;
    for (const Node s : c.get<ast::Module>(text).body())
      if (auto f = c.as<ast::FunctionDef>(s)) functions[std::string(f.name())] = s;
    // What they call themselves.
    std::vector<std::string> open;
    Set taken;
    for (const auto &[name, call] : wanted_) open.push_back(name);
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      if (!taken.insert(name).second) continue;
      c.each(functions[name], [&](Node n) {
        if (const std::string_view id = c.name_of(n); functions.contains(id)) open.emplace_back(id);
      });
    }
    Set used = bound_in_functions(c, root);
    for (const std::string &name : m_.visible())
      if (names_.imports().find(name) == names_.imports().end() ||
          names_.imports().at(name) != std::string(python) + name)
        used.insert(name);
    std::map<std::string, std::string, std::less<>> called; // what each is called here
    for (const std::string &name : taken) {
      std::string local = name;
      for (unsigned k = 1; used.contains(local); ++k) local = name + "_" + std::to_string(k);
      called[name] = local;
    }
    const auto spelled = [&](Node n) {
      return rewrite(
          c, n,
          [&](Node e) -> Node {
            const std::string_view id = c.name_of(e);
            if (id == "htp") return c.name(imports_.module("htp", "htp"), e);
            if (id == "tile") return c.name(imports_.module("htp_tile", "tile"), e);
            const auto it = called.find(id);
            return it == called.end() || it->second == id ? e : c.name(it->second, e);
          },
          [](Node, std::vector<uint32_t> &) { return false; });
    };
    // Calls name the function beside them; nothing else imports it.
    const Node rewritten = rewrite(
        c, root,
        [&](Node n) -> Node {
          const std::string path = c.is(n, HTP_Call) ? names_.called(n) : std::string();
          const auto it = path.starts_with(python) ? called.find(path.substr(python.size())) : called.end();
          if (it == called.end()) return n;
          return with_slot(c, n, HTP_FIELD(Call, func), c.name(it->second, c.get<ast::Call>(n).func()));
        },
        [](Node, std::vector<uint32_t> &) { return false; });
    std::vector<uint32_t> statements, added;
    for (const Node s : c.get<ast::Module>(text).body())
      if (auto f = c.as<ast::FunctionDef>(s); f && taken.contains(f.name())) {
        const std::string name = called[std::string(f.name())];
        const Node function = spelled(s);
        added.push_back(name == f.name() ? function
                                         : with_slot(c, function, HTP_FIELD(FunctionDef, name), c.intern(name)));
      }
    for (const Node s : c.get<ast::Module>(rewritten).body()) {
      auto from = c.as<ast::ImportFrom>(s);
      if (!from || from.module() != "htp_tile") {
        if (c.is(s, HTP_FunctionDef)) statements.insert(statements.end(), added.begin(), added.end()), added.clear();
        statements.push_back(s);
        continue;
      }
      std::vector<uint32_t> kept;
      for (const Node a : from.names())
        if (!taken.contains(c.get<ast::alias>(a).name())) kept.push_back(a);
      if (!kept.empty()) statements.push_back(with_list(c, s, HTP_FIELD(ImportFrom, names), kept));
    }
    return with_list(c, rewritten, HTP_FIELD(Module, body), statements);
  }

  const Module &m_;
  const Context &c;
  const Names names_;
  Imports imports_;
  std::map<std::string, Node, std::less<>> wanted_;
};

} // namespace

Node with_library(const Module &module) { return Library(module).run(); }

} // namespace htp::tile
