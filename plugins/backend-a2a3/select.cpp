// a2a3.select: every intrinsic call of the entry becomes instructions, by its handler (R8).
#include "batches.h"
#include "sequence.h"
#include "shapes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/select.h"
#include "htp_cpp/types.h"

#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

// A tile of one element that is a number stands for the number: instructions take one as an operand.
Node with_numbers(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, unsigned, std::less<>> bindings;
  std::map<std::string, Node, std::less<>> numbers;
  Words tiles;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings[std::string(name.id())];
  });
  c.each(function, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    if (a) tiles.emplace(c.name_of(a.target()));
    auto call = a ? c.as<ast::Call>(a.value()) : c.as<ast::Call>(HTP_NONE);
    if (!call || names.qualified(call.func()) != "htp_tile.full" || call.args().size() < 3) return;
    int64_t size = 0;
    for (const Node extent : call.args().subspan(2))
      if (!c.integer(extent, &size) || size != 1) return;
    const std::string_view value = c.name_of(call.args()[1]), target = c.name_of(a.target());
    const auto times = value.empty() ? bindings.end() : bindings.find(value);
    if ((c.is(call.args()[1], HTP_Name) || c.is(call.args()[1], HTP_Constant)) &&
        (times == bindings.end() || times->second == 1) && bindings.find(target)->second == 1)
      numbers.emplace(target, call.args()[1]);
  });
  // An instruction has a tile at least: a call of numbers alone keeps them.
  for (bool fewer = true; fewer;) {
    fewer = false;
    c.each(function, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const std::string called = call ? names.called(n) : std::string();
      if (!called.starts_with("htp_tile.") || called == "htp_tile.store" || called == "htp_tile.load") return;
      const Nodes a = call.args();
      if (std::none_of(a.begin(), a.end(), [&](Node o) {
            return tiles.contains(c.name_of(o)) && !numbers.contains(std::string(c.name_of(o)));
          }))
        for (const Node o : a) fewer |= numbers.erase(std::string(c.name_of(o))) > 0;
    });
  }
  if (numbers.empty()) return root;
  const Node changed = rewrite(
      c, function,
      [&](Node n) {
        auto name = c.as<ast::Name>(n);
        const auto it = name && name.ctx() == HTP_LOAD ? numbers.find(name.id()) : numbers.end();
        return it == numbers.end() ? n : c.parse(c.show(it->second), n);
      },
      [&](Node s, std::vector<uint32_t> &) {
        auto a = c.as<ast::AnnAssign>(s);
        return a && numbers.contains(c.name_of(a.target()));
      });
  return with_statement(c, root, function, changed);
}

// What is loaded to index with, one element, becomes an int of the tensor: `page = pto.value(table, b, p)`.
Node with_values(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, unsigned, std::less<>> used;
  std::map<std::string, Node, std::less<>> loads;
  Words single; // tiles of one element
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) ++used[std::string(name.id())];
    auto a = c.as<ast::AnnAssign>(n);
    if (!a || names.called(a.value()) != "htp_tile.load") return;
    loads[std::string(c.name_of(a.target()))] = a.value();
    const auto type = read_type(c, a.annotation());
    if (type && shape_of(type->extents).kind == Kind::single) single.emplace(c.name_of(a.target()));
  });
  const auto read = [&](Node s) {
    auto a = c.as<ast::Assign>(s);
    if (!a || names.called(a.value()) != "htp_tile.index") return HTP_NONE;
    const auto it = loads.find(c.name_of(c.get<ast::Call>(a.value()).args()[0]));
    return it == loads.end() ? HTP_NONE : it->second;
  };
  const auto value = [&](Node load, Node s) {
    std::vector<uint32_t> operands;
    for (const Node o : c.get<ast::Call>(load).args()) operands.push_back(copy_of(c, o, s));
    return c.call("pto.value", std::move(operands), s);
  };
  const auto index_of = [&](Node load) { // the operand that is such a tile; 0: none
    const Nodes a = names.called(load) == "htp_tile.load" ? c.get<ast::Call>(load).args() : Nodes();
    for (size_t k = 1; k < a.size(); ++k)
      if (single.contains(c.name_of(a[k]))) return k;
    return size_t{0};
  };
  std::set<Node> dropped;
  c.each(function, [&](Node s) {
    if (const Node load = c.is(s, HTP_Assign) ? read(s) : HTP_NONE; load) dropped.insert(load);
    auto a = c.as<ast::AnnAssign>(s);
    if (const size_t k = a ? index_of(a.value()) : 0)
      dropped.insert(loads.find(c.name_of(c.get<ast::Call>(a.value()).args()[k]))->second);
  });
  if (dropped.empty()) return root;
  const Node changed = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        if (const Node load = c.is(s, HTP_Assign) ? read(s) : HTP_NONE; load) {
          out.push_back(with_slot(c, s, HTP_FIELD(Assign, value), value(load, s)));
          return true;
        }
        auto a = c.as<ast::AnnAssign>(s);
        if (const size_t k = a && !dropped.contains(a.value()) ? index_of(a.value()) : 0) {
          auto call = c.read<ast::Call>(a.value());
          const std::string tile(c.name_of(call.args[k])), index = c.fresh(tile + "_index");
          out.push_back(c.assign(index, HTP_NONE, value(loads.find(tile)->second, s), s));
          call.args[k] = c.name(index, s);
          out.push_back(with_slot(c, s, HTP_FIELD(AnnAssign, value), c.with(a.value(), call)));
          return true;
        }
        return a && dropped.contains(a.value()) && used[std::string(c.name_of(a.target()))] == 1;
      });
  return with_statement(c, root, function, changed);
}

// A tile that a branch names first and others know too is there before the branches.
Node with_tiles_before_branches(const Context &c, Node root) {
  const Names names(c, root);
  const auto declared = [&](Node s) {
    auto a = c.as<ast::Assign>(s);
    return a && names.called(a.value()) == "htp_pto.tile" ? c.name_of(a.targets()[0]) : std::string_view();
  };
  const auto count = [&](Node in, std::string_view name) {
    size_t found = 0;
    c.each(in, [&](Node n) { found += c.name_of(n) == name; });
    return found;
  };
  for (bool changed = true; changed;) {
    changed = false;
    const Node function = c.entry_function(root);
    const Node other = rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          if (!c.is(s, HTP_If)) return false;
          auto choice = c.read<ast::If>(s);
          const size_t before = out.size();
          for (auto *body : {&choice.body, &choice.orelse}) {
            const std::vector<uint32_t> way = *body;
            std::erase_if(*body, [&](Node n) {
              const auto name = declared(n);
              size_t own = 0;
              for (const Node w : way) own += name.empty() ? 0 : count(w, name);
              if (name.empty() || own == count(function, name)) return false;
              out.push_back(n);
              return true;
            });
          }
          if (out.size() == before) return false;
          changed = true;
          out.push_back(c.with(s, choice));
          return true;
        });
    root = with_statement(c, root, function, other);
  }
  return root;
}

// Says of loops that end by what happens in them that kernels have none: once, whatever stands in them.
bool has_ends(const Context &c, Node function) {
  const size_t errors = c.errors();
  c.each(function, [&](Node n) {
    if (c.is(n, HTP_While))
      c.report(diag::unsupported_form, n, "a `while` within a kernel")
          .hint("go round a fixed number of times, and keep what is done: `for n in range(8): r = where(r > 1.0, r * "
                "0.5, r)`");
  });
  return c.errors() == errors;
}

// Says of tensors what the cores do not have.
bool has_dtypes(const Context &c, Node function) {
  const size_t errors = c.errors();
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    if (type && type->form == "Tensor" && type->dtype == "f64")
      c.report(diag::no_instruction, n, a.arg(), type->dtype)
          .hint("declare it f32, `Tensor[f32, …]`: the cores neither move f64 nor calculate with it");
    const std::string name(a.arg());
    if (type && type->form.empty() && type->dtype != "int" && !dtype_named(type->dtype))
      c.report(diag::unsupported_form, n, "a scalar of `" + type->dtype + "`").hint("declare it `" + name + ": f32`");
  }
  return c.errors() == errors;
}

std::string instead(std::string_view intrinsic) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
#define MISSING(name, form) {name, form},
#include "missing.def"
  };
  for (const auto &[name, form] : forms)
    if (name == intrinsic) return std::string(form);
  return {};
}

} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  if (!has_dtypes(c, c.entry_function(root)) || !has_ends(c, c.entry_function(root))) return HTP_FAILED;
  const bool words = has_words(c, root);
  if (words && !check_words(c, root)) return HTP_FAILED;
  const Node sequence = with_processes_in_turn(c, with_plain_ints(c, root));
  if (!sequence) return HTP_FAILED;
  const Node plain = with_whole_casts(c, with_own_names(c, with_decided_branches(c, sequence)));
  const Node counted =
      with_values(c, with_single_batches(c, with_numbers(c, with_shared_loads(c, with_single_rows(c, plain)))));
  const Node prepared = with_marked_indices(c, with_rows_in_parts(c, with_rows_in_passes(c, counted)), true);
  Node selected = select_calls(c, prepared, diag::no_handler, "htp_pto", "pto", instead);
  if (!selected) return HTP_FAILED;
  if (words) selected = with_plain_tiles(c, selected);
  out = drop_unused_imports(
      c,
      with_kept_outputs(
          c, with_whole_buffers(
                 c, with_marked_indices(c, with_tiles_before_branches(c, with_results_in_place(c, selected)), false))),
      [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return words && c.result() == HTP_OK ? verify_selected(c, "", out) : c.result();
}

} // namespace htp::a2a3
