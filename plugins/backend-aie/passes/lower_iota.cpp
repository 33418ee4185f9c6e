// aie.lower_iota: what counts is loaded from a tensor that the host makes, `places = aie.counts(i32, (64,))`.
#include "passes.h"

#include "analyses/host_made.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/tile_program.h"

#include <map>

namespace htp::aie {

namespace {

class Lowering {
public:
  Lowering(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), root_(root) {}

  Node run() {
    const Node function = c.entry_function(root_);
    bool any = false;
    if (function) c.each(function, [&](Node n) { any = any || names_.called(n) == "htp_aie.iota"; });
    if (!any) return root_;
    const auto program = read_open_program(c, root_, [](Node, const std::string &) {});
    if (!program) return root_; // aie.spread refuses its parameters
    list(program->body, {});
    if (c.errors()) return HTP_NONE;
    Node made = rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const auto it = loads_.find(s);
          if (it != loads_.end()) out.push_back(it->second);
          return it != loads_.end();
        });
    auto f = c.read<ast::FunctionDef>(made);
    std::vector<uint32_t> body;
    bool before = true; // a docstring
    for (const Node s : f.body) {
      auto e = c.as<ast::Expr>(s);
      if (before && !(e && c.is(e.value(), HTP_Constant)))
        body.insert(body.end(), tensors_.begin(), tensors_.end()), before = false;
      body.push_back(s);
    }
    f.body = body;
    return with_statement(c, root_, function, c.with(made, f));
  }

private:
  using Extents = std::map<std::string, int64_t, std::less<>>; // of the dimensions that blocks are of, by their loops

  void list(const std::vector<TileStatement> &statements, Extents blocks) {
    for (const TileStatement &s : statements) {
      Extents inside = blocks;
      if (s.is(TileStatement::Kind::loop)) {
        inside.erase(s.loop.name);
        auto k = c.as<ast::Call>(s.loop.forms.range);
        const Node of = s.loop.blocks && k && !k.args().empty() ? k.args()[0] : HTP_NONE;
        const auto outer = blocks.find(c.name_of(of));
        const auto extent =
            outer == blocks.end() ? of ? constants_.integer(of) : std::nullopt : std::optional(outer->second);
        if (extent) inside[s.loop.name] = *extent;
      }
      list(s.body, inside), list(s.otherwise, inside);
      if (s.is(TileStatement::Kind::call) && s.intrinsic && std::string_view(s.intrinsic->name) == "aie.iota")
        count(s, blocks);
    }
  }
  void count(const TileStatement &s, const Extents &blocks) {
    const std::string target(c.name_of(s.operands[0].node));
    Parameter made;
    made.counts = true;
    made.dtype = s.operands[0].tile ? dtype_named(s.operands[0].tile->type.dtype) : nullptr;
    if (!made.dtype) return; // aie.spread refuses it
    std::vector<uint32_t> args{c.name(target, s.node), HTP_NONE};
    for (const Node e : s.rest) {
      const auto block = blocks.find(c.name_of(e));
      const auto size = block == blocks.end() ? constants_.integer(e) : std::optional(block->second);
      if (!size) {
        const std::string shown = c.show(e);
        return Refusal(diag::unknown_size, shown).with(sizes_hint(c, root_, shown)).report(c, e);
      }
      made.extents.push_back(*size);
      args.push_back(block == blocks.end() ? c.path("aie.whole", s.node) : c.name(block->first, s.node));
    }
    auto buffer = c.get<ast::Call>(c.get<ast::Assign>(s.operands[0].tile->node).value());
    const std::string text = host_made_text(made, c.show(buffer.args()[0]));
    const auto [name, fresh] = named_.try_emplace(text);
    if (fresh) {
      name->second = c.fresh("places");
      tensors_.push_back(c.assign(name->second, HTP_NONE, c.parse(text, s.node), s.node));
    }
    args[1] = c.name(name->second, s.node);
    loads_[s.node] = c.statement(c.call("aie.load", args, s.node), s.node);
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_;
  std::map<std::string, std::string> named_; // tensors, by what they are
  std::vector<uint32_t> tensors_;            // their statements
  std::map<Node, Node> loads_;
};
} // namespace

Node lowered_iota(const Context &c, Node root) { return Lowering(c, root).run(); }
Result verify_iota(const Context &c, std::string_view, Node root) {
  const Node done = lowered_iota(c, root);
  if (done == root) return HTP_OK;
  if (done) c.report(diag::not_done, c.entry_function(root), "aie.lower_iota", c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
