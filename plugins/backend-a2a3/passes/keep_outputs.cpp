// Outputs of which data decides what is written: what is not keeps what it had, so they go both ways.
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

class Outputs {
public:
  Outputs(const Context &context, Node root)
      : c(context), names_(context, root), root_(root), function_(context.entry_function(root)) {}

  Node run() {
    for (size_t had = 0; collect(), had != read_.size();) had = read_.size();
    if (read_.empty()) return root_;
    stores(c.get<ast::FunctionDef>(function_).body(), false);
    if (partly_.empty()) return root_;
    Imports imports(c, root_, {});
    const std::string both = imports.name("htp", "InOut", "htp");
    const Node arguments = c.get<ast::FunctionDef>(function_).args();
    auto all = c.read<ast::arguments>(arguments);
    bool changed = false;
    for (uint32_t &n : all.args) {
      auto a = c.read<ast::arg>(n);
      auto s = c.as<ast::Subscript>(a.annotation);
      if (!s || direction_of(c, a.annotation) != "Out" || !partly_.contains(a.arg)) continue;
      a.annotation = with_slot(c, a.annotation, HTP_FIELD(Subscript, value), c.path(both, a.annotation));
      n = c.with(n, a);
      changed = true;
    }
    if (!changed) return root_;
    const Node function = with_slot(c, function_, HTP_FIELD(FunctionDef, args), c.with(arguments, all));
    return imports.apply(with_statement(c, root_, function_, function));
  }

private:
  bool is_read(Node n) const { // made of an element of an input
    bool found = false;
    c.each(n, [&](Node e) {
      auto name = c.as<ast::Name>(e);
      found |= (name && read_.contains(name.id())) || names_.called(e) == "htp_pto.value";
    });
    return found;
  }
  void collect() {
    c.each(function_, [&](Node n) {
      auto a = c.as<ast::Assign>(n);
      if (a && a.targets().size() == 1 && is_read(a.value())) read_.emplace(c.name_of(a.targets()[0]));
    });
  }
  void stores(Nodes statements, bool perhaps) {
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        stores(l.body(), perhaps || is_read(l.iter()));
      } else if (auto f = c.as<ast::If>(s)) {
        const bool way = perhaps || is_read(f.test());
        stores(f.body(), way), stores(f.orelse(), way);
      } else if (auto e = c.as<ast::Expr>(s); e && names_.called(e.value()) == "htp_pto.tstore") {
        const Nodes a = c.get<ast::Call>(e.value()).args();
        bool where = perhaps;
        for (size_t k = 2; k < a.size(); ++k) where |= is_read(a[k]);
        if (where) partly_.emplace(c.name_of(a[0]));
      }
    }
  }

  const Context &c;
  Names names_;
  Node root_, function_;
  Words read_, partly_;
};

} // namespace

Node keep_outputs(const Context &c, Node root) { return Outputs(c, root).run(); }

} // namespace htp::a2a3
