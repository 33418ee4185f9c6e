// aie.spread: the blocks of a kernel's loops are shared among the cores of a device; a product of matrices goes over
// the whole array; and it is chosen how the processes of a pipeline come to cores.
#include "passes.h"

#include "analyses/spread_cores.h"
#include "analyses/transfers.h"
#include "spreading/grid.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::aie {

namespace {
// The loops of a kernel that say which cores share their blocks, `htp.parallel(…, level='core')`, and have the blocks
// that were chosen.
class Mapping {
public:
  Mapping(const Kernel &kernel, Imports &imports) : c(kernel.c), k_(kernel), imports_(imports) {}

  Node around(const Spread &spread) {
    const Program &p = spread.program;
    std::map<Node, Node> iterables;
    for (const Loop &l : k_.loops) {
      const Node was = c.get<ast::For>(l.node).iter();
      if (const Node now = iterable(l, was); now != was) iterables[was] = now;
    }
    std::vector<uint32_t> body = made_by_host(k_);
    for (const Item &item : k_.body)
      body.push_back(rewrite(
          c, item.node,
          [&](Node n) {
            const auto at = iterables.find(n);
            return at == iterables.end() ? n : at->second;
          },
          [&](Node s, std::vector<uint32_t> &out) {
            const Node grown = buffer(s);
            if (grown != s) out.push_back(grown);
            return grown != s;
          }));
    OnDevice on;
    on.device = p.device, on.columns = p.columns, on.rows = p.rows, on.choices = spread.choices;
    return device_around(c, on, std::move(body), k_.function);
  }

private:
  Node iterable(const Loop &l, Node was) {
    const LoopForms forms = loop_forms(c, k_.names, was);
    Node made = forms.range;
    if (l.block != l.declared)
      made = c.call(imports_.module("htp_tile", "tile") + ".tiles",
                    {c.get<ast::Call>(forms.range).args()[0], c.integer_node(l.block, forms.range)}, forms.range);
    bool says = l.over == Over::none;
    for (size_t k = forms.wrappers.size(); k-- > 0;) {
      made = with_list(c, forms.wrappers[k], HTP_FIELD(Call, args), std::vector<uint32_t>{made});
      for (const Node w : c.get<ast::Call>(made).keywords()) says = says || c.get<ast::keyword>(w).arg() == "level";
    }
    if (says) return made;
    const Node level = c.string_node(level_named(l.over), was);
    return c.call(imports_.module("htp", "htp") + ".parallel", {made}, was,
                  {c.make(make::keyword{.arg = std::string("level"), .value = level}, was)});
  }
  static bool grown(const Loop &l) { return l.block > std::min(l.declared, l.extent); }
  // Room for a block that is longer than the program's.
  Node buffer(Node s) const {
    auto a = c.as<ast::Assign>(s);
    const auto b = a ? k_.buffers.find(c.name_of(a.targets()[0])) : k_.buffers.end();
    if (b == k_.buffers.end()) return s;
    auto call = c.read<ast::Call>(a.value());
    bool changed = false;
    for (size_t d = 0; d < b->second.loops.size() && d + 1 < call.args.size(); ++d) {
      const int l = b->second.loops[d];
      if (l < 0 || !grown(k_.loop(l)) || c.name_of(call.args[d + 1]) == k_.loop(l).name) continue;
      call.args[d + 1] = c.name(k_.loop(l).name, call.args[d + 1]);
      changed = true;
    }
    return changed ? with_value(c, s, c.with(a.value(), call)) : s;
  }

  const Context &c;
  const Kernel &k_;
  Imports &imports_;
};

OnDevice on(const Device &device, int64_t columns, const Choices &choices) {
  OnDevice made;
  made.device = std::string(device.name), made.columns = columns, made.rows = cores_per_column;
  made.choices = choices;
  return made;
}
std::vector<uint32_t> statements(const Context &c, Node function) {
  std::vector<uint32_t> body;
  for (const Node s : c.get<ast::FunctionDef>(function).body())
    if (auto e = c.as<ast::Expr>(s); !(e && c.is(e.value(), HTP_Constant)) && !c.is(s, HTP_Pass)) body.push_back(s);
  return body;
}

// The entry of a kernel whose loop is dealt out to cores: it is parallel.
Node deal(const Context &c, Node function, const Device &device, int64_t columns, const Dealt &dealt,
          Imports &imports) {
  std::vector<uint32_t> body = statements(c, function);
  if (dealt.choices.cores > 1) {
    const auto loop_of = [&](const std::vector<uint32_t> &list) {
      const auto at = std::find_if(list.begin(), list.end(), [&](Node s) { return c.is(s, HTP_For); });
      return at == list.end() ? HTP_NONE : *at;
    };
    Node loop = loop_of(body);
    for (size_t k = 0; k < dealt.nest && loop; ++k) {
      const Nodes inner = c.get<ast::For>(loop).body();
      loop = loop_of({inner.begin(), inner.end()});
    }
    if (loop) {
      const Node iter = c.get<ast::For>(loop).iter(), level = c.string_node("core", iter);
      const Node parallel = c.call(imports.module("htp", "htp") + ".parallel", {iter}, iter,
                                   {c.make(make::keyword{.arg = std::string("level"), .value = level}, iter)});
      for (uint32_t &s : body)
        s = rewrite(
            c, s, [&](Node n) { return n == iter ? parallel : n; },
            [](Node, std::vector<uint32_t> &) { return false; });
    }
  }
  return with_body(c, function, device_around(c, on(device, columns, dealt.choices), std::move(body), function));
}

Node spread_pipeline(const Context &c, Node root, Node function, const Device &device, int64_t columns) {
  const auto choices = choose_cores(c, root, function, device, columns);
  if (!choices) return HTP_NONE;
  return with_body(c, function, device_around(c, on(device, columns, *choices), statements(c, function), function));
}

Node spread_kernel(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                   Imports &imports) {
  Kernel kernel(c, root, function);
  if (!read_kernel(kernel)) {
    if (!kernel.refused || c.errors()) return HTP_NONE;
    // What a schedule asks for is not done in another way.
    std::optional<Refused> refused;
    if (std::none_of(kernel.loops.begin(), kernel.loops.end(), [](const Loop &l) { return l.bound; })) {
      Exceeded why;
      const auto dealt = deal_loop(c, root, function, device, columns, why, refused);
      if (!dealt && !c.errors() && why) report(c, why, function);
      if (dealt) return deal(c, function, device, columns, *dealt, imports);
      if (c.errors()) return HTP_NONE;
    }
    // What was no kernel's form may be one that is dealt out, which then has something against another statement, or
    // more to say of this one.
    if (!refused || (refused->where == kernel.refused->where && refused->why.hint.empty())) refused = kernel.refused;
    refused->why.report(c, refused->where);
    return HTP_NONE;
  }
  Refused why;
  const bool fills = std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                 [](const Parameter &q) { return q.fill != Fill::zeros; });
  Node made = fills ? HTP_NONE : on_grid(kernel, device, columns, why);
  if (!made) {
    Exceeded full;
    const auto shared = share(kernel, device, {.columns = columns}, full);
    if (!shared) {
      if (c.errors()) return HTP_NONE;
      // As a pipeline it has rows that are filled up.
      const bool bound = std::any_of(kernel.loops.begin(), kernel.loops.end(), [](const Loop &l) { return l.bound; });
      Exceeded other;
      std::optional<Refused> refused;
      const auto dealt = of_transfer(full.why) && !bound ? deal_loop(c, root, function, device, columns, other, refused)
                                                         : std::nullopt;
      if (!dealt && !c.errors()) report(c, full, function);
      return dealt ? deal(c, function, device, columns, *dealt, imports) : HTP_NONE;
    }
    // Of a product that does not go by the matrix units at all, the emitter tells.
    if (why.where && !shared->blocks.products.empty()) why.why.report(c, why.where);
    made = Mapping(kernel, imports).around(*shared);
  }
  return c.errors() ? HTP_NONE : with_body(c, function, made);
}
} // namespace

Result spread(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Device *device = device_named(c.option("device"));
  if (!device) {
    c.report(diag::unknown_device, HTP_NONE, c.option("device"));
    return HTP_FAILED;
  }
  const int64_t asked = c.option_int("columns"), columns = asked > 0 ? asked : device->columns;
  if (asked < 0 || asked > device->columns) {
    const std::string most = std::to_string(device->columns);
    const Device *wider = device_named("npu2");
    c.report(diag::columns, HTP_NONE, device->name, device->columns, asked)
        .hint("in the profile, below `options:` and `aie.spread:`, write `columns: " + most +
              "` or less, or 0 for all" +
              (asked > device->columns && asked <= wider->columns
                   ? "; `device: npu2` there has " + std::to_string(wider->columns)
                   : std::string()));
    return HTP_FAILED;
  }
  Imports imports(c, root, {});
  const Node changed = is_pipeline(c, function) ? spread_pipeline(c, root, function, *device, columns)
                                                : spread_kernel(c, root, function, *device, columns, imports);
  if (!changed) return HTP_FAILED;
  out = without_languages(c, imports.apply(with_statement(c, root, function, changed)));
  return c.result();
}

} // namespace htp::aie
