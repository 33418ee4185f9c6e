// cpu.drop_redundant_stores: an element that is stored again in the same block, and that nothing between reads, is
// stored once.
#include "cpu.h"
#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::cpu {

namespace {

class Elision {
public:
  Elision(const Context &context, Node root) : c(context), names_(context, root) {}

  Node run(Node function) { return inside(function); }
  // The first store that is not needed.
  Node first() const { return first_; }

private:
  struct Store {
    size_t at; // in the block
    Node statement;
    std::string_view memory;
    std::vector<std::string> mentioned; // the memory, and what its indices are made of
  };

  std::vector<uint32_t> block(Nodes of) {
    std::vector<uint32_t> statements(of.begin(), of.end());
    std::map<std::string, Store> stores; // by the element
    std::vector<bool> dropped(statements.size());
    for (size_t n = 0; n < statements.size(); ++n) {
      if (!is_put(statements[n])) {
        statements[n] = inside(statements[n]);
        forget(stores, statements[n]);
        continue;
      }
      const Nodes arguments = c.get<ast::Call>(loops::value_of(c, statements[n])).args();
      std::string element = c.show(arguments[0]);
      Store store{n, statements[n], c.name_of(arguments[0]), {}};
      for (const Node index : arguments.subspan(std::min<size_t>(2, arguments.size()))) {
        element += ", " + c.show(index);
        c.each(index, [&](Node e) {
          if (c.is(e, HTP_Name)) store.mentioned.emplace_back(c.name_of(e));
        });
      }
      const auto [before, fresh] = stores.try_emplace(element, store);
      if (fresh) continue;
      dropped[before->second.at] = true;
      if (!first_) first_ = before->second.statement;
      before->second = store;
    }
    std::vector<uint32_t> kept;
    for (size_t n = 0; n < statements.size(); ++n)
      if (!dropped[n]) kept.push_back(statements[n]);
    return kept;
  }

  bool is_put(Node s) const { return c.is(s, HTP_Expr) && names_.called(loops::value_of(c, s)) == "htp_cpu.put"; }

  // Stores that a statement may read, whose element it may make another one, or that it may keep from being made again.
  void forget(std::map<std::string, Store> &stores, Node s) const {
    std::set<std::string_view> mentioned;
    bool leaves = false;
    c.each(s, [&](Node n) {
      leaves = leaves || c.is(n, HTP_Break) || loops::is_channel_intrinsic(cpu_intrinsic(names_.called(n)));
      if (c.is(n, HTP_Name)) mentioned.insert(c.name_of(n));
    });
    std::erase_if(stores, [&](const auto &entry) {
      const Store &store = entry.second;
      return leaves || mentioned.contains(store.memory) ||
             std::any_of(store.mentioned.begin(), store.mentioned.end(),
                         [&](const std::string &name) { return bound(s, name); });
    });
  }
  bool bound(Node s, std::string_view name) const {
    bool found = false;
    c.each(s, [&](Node n) {
      auto loop = c.as<ast::For>(n);
      found = found || loops::bound_name(c, n) == name || (loop && c.name_of(loop.target()) == name);
    });
    return found;
  }

  Node inside(Node s) {
    if (auto loop = c.as<ast::For>(s)) return with_list(c, s, HTP_FIELD(For, body), block(loop.body()));
    if (auto loop = c.as<ast::While>(s)) return with_list(c, s, HTP_FIELD(While, body), block(loop.body()));
    if (auto inner = c.as<ast::FunctionDef>(s))
      return with_list(c, s, HTP_FIELD(FunctionDef, body), block(inner.body()));
    if (auto branch = c.as<ast::If>(s)) {
      const Node taken = with_list(c, s, HTP_FIELD(If, body), block(branch.body()));
      return with_list(c, taken, HTP_FIELD(If, orelse), block(branch.orelse()));
    }
    return s;
  }

  const Context &c;
  const Names names_;
  Node first_ = HTP_NONE;
};

} // namespace

Result drop_redundant_stores(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  Elision elision(c, root);
  const Node done = elision.run(function);
  out = with_statement(c, root, function, done);
  return HTP_OK;
}

Result verify_elided(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  if (!function) return HTP_OK;
  Elision elision(c, root);
  elision.run(function);
  if (!elision.first()) return HTP_OK;
  c.report(diag::overwritten, elision.first(), c.show(elision.first()));
  return HTP_FAILED;
}

} // namespace htp::cpu
