// Tiles that a body binds again. A handler writes to the tile that a name stands for already; what vector cores make of
// a product is another value than the product, in another memory, so each binding gets a name of its own.
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <map>

namespace htp::a2a3 {

namespace {

using Renamed = std::map<std::string, std::string, std::less<>>;

class Rebound {
public:
  Rebound(const Context &context, Node root) : c(context), names_(context, root), function_(c.entry_function(root)) {
    mentions(function_, mentions_);
  }

  bool multiplies() const {
    bool found = false;
    c.each(function_, [&](Node n) { found |= names_.called(n) == "htp_tile.matmul"; });
    return found;
  }
  Node run() {
    return with_list(c, function_, HTP_FIELD(FunctionDef, body), body(c.get<ast::FunctionDef>(function_).body(), {}));
  }

private:
  using Counts = std::map<std::string, size_t, std::less<>>;

  void mentions(Node in, Counts &counts) const {
    c.each(in, [&](Node n) {
      if (c.is(n, HTP_Name)) ++counts[std::string(c.name_of(n))];
    });
  }

  // What a body binds first and all of whose uses stand in it is renamed from its second binding on.
  std::vector<uint32_t> body(Nodes statements, Renamed names) {
    Counts here;
    for (const Node s : statements) mentions(s, here);
    std::map<std::string, Node, std::less<>> types;
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        const Node iter = with_slot(c, s, HTP_FIELD(For, iter), renamed(l.iter(), names));
        out.push_back(with_list(c, iter, HTP_FIELD(For, body), body(l.body(), names)));
        continue;
      }
      if (auto f = c.as<ast::If>(s)) {
        const Node test = with_slot(c, s, HTP_FIELD(If, test), renamed(f.test(), names));
        const Node then = with_list(c, test, HTP_FIELD(If, body), body(f.body(), names));
        out.push_back(with_list(c, then, HTP_FIELD(If, orelse), body(f.orelse(), names)));
        continue;
      }
      auto again = c.as<ast::Assign>(s);
      const std::string name(again && again.targets().size() == 1 ? c.name_of(again.targets()[0]) : "");
      if (const auto type = types.find(name); type != types.end() && !sums_up(again.value(), name)) {
        const Node value = renamed(again.value(), names);
        names[name] = c.fresh(name);
        out.push_back(c.assign(names[name], copy_of(c, type->second, s), value, s));
        continue;
      }
      auto first = c.as<ast::AnnAssign>(s);
      const std::string bound(first ? c.name_of(first.target()) : "");
      if (!bound.empty() && c.is(first.value(), HTP_Call) && here[bound] == mentions_[bound])
        types.emplace(bound, first.annotation());
      out.push_back(renamed(s, names));
    }
    return out;
  }
  // A product that is added to the name that it is bound to adds up in place.
  bool sums_up(Node value, std::string_view name) const {
    if (!c.is(value, HTP_Call)) return true; // another name of a tile
    const Nodes operands = c.get<ast::Call>(value).args();
    return names_.called(value) == "htp_tile.matmul" && operands.size() == 3 && c.name_of(operands[2]) == name;
  }
  Node renamed(Node n, const Renamed &names) const {
    if (names.empty()) return n;
    return rewrite(
        c, n,
        [&](Node e) {
          auto name = c.as<ast::Name>(e);
          const auto it = name ? names.find(name.id()) : names.end();
          return it == names.end() ? e : c.name(it->second, e, name.ctx());
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  Names names_;
  Node function_;
  Counts mentions_;
};

} // namespace

Node rename_rebindings(const Context &c, Node root) {
  Rebound rebound(c, root);
  return rebound.multiplies() ? with_statement(c, root, c.entry_function(root), rebound.run()) : root;
}

} // namespace htp::a2a3
