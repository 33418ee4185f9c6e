// tile.inline: the body of a function of the module stands where an entry calls it, `y[i, :] += x` is a load, a sum and
// a store, `x[a:b]` is `x[slice(a, b)]`, and `a if n > 0 else b` is chosen by an `if` before.
#include "passes/passes.h"

#include "diagnostics.h"
#include "language/external.h"
#include "language/functions.h"
#include "language/library.h"
#include "passes/rebuild.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <set>

namespace htp::tile {
namespace {

using Set = std::set<std::string, std::less<>>;

class Inliner {
public:
  Inliner(const Module &module, Functions &functions, Node entry)
      : m_(module), c(module.c), functions_(functions), entry_(entry), imports_(c, module.root, bound_in(entry)) {}

  // The module with what the entry imports now.
  Node with_imports(Node root) const { return imports_.apply(root); }

  // The entry without calls of local functions; itself when it had none.
  Node run() {
    if (!has_work(entry_) || is_newer(c, entry_)) return entry_; // the language check says what it has not
    auto f = c.get<ast::FunctionDef>(entry_);
    c.each(entry_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n)) taken_.emplace(name.id());
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) locals_.emplace(name.id());
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg()), parameters_.emplace(a.arg());
    });
    for (const std::string &name : m_.visible()) taken_.insert(name);
    keep_apart(f.body());
    std::vector<uint32_t> result = body(f.body());
    if (c.errors()) return entry_;
    if (result.empty()) result.push_back(c.make(make::Pass{}, entry_));
    return with_list(c, entry_, HTP_FIELD(FunctionDef, body), result);
  }

private:
  // What a name of a function's body is in the entry: another name, or the argument itself.
  using Meanings = std::map<std::string, Node, std::less<>>;

  Set bound_in(Node n) const {
    Set names;
    c.each(n, [&](Node inner) {
      if (auto name = c.as<ast::Name>(inner); name && name.ctx() == HTP_STORE) names.emplace(name.id());
      if (auto a = c.as<ast::arg>(inner)) names.emplace(a.arg());
    });
    return names;
  }

  bool calls_any(Node n) const {
    bool any = false;
    c.each(n, [&](Node inner) { any |= functions_.is_local(inner); });
    return any;
  }

  // What statements before a line stand for: calls, and choices.
  bool hoists_any(Node n) const {
    bool any = calls_any(n);
    c.each(n, [&](Node inner) { any |= c.is(inner, HTP_IfExp); });
    return any;
  }

  bool has_work(Node n) const {
    bool any = hoists_any(n);
    c.each(n, [&](Node inner) {
      any |= is_added_store(c, inner) || is_slice(inner) || is_unpacked_apart(inner) || is_parallel(inner);
    });
    return any;
  }

  // `a, b = b, a`: all values, then all names and stores.
  bool is_parallel(Node n) const {
    auto a = c.as<ast::Assign>(n);
    if (!a || a.targets().size() != 1 || !c.is(a.targets()[0], HTP_Tuple) || !c.is(a.value(), HTP_Tuple)) return false;
    const Nodes targets = c.get<ast::Tuple>(a.targets()[0]).elts(), values = c.get<ast::Tuple>(a.value()).elts();
    return targets.size() == values.size() &&
           std::ranges::all_of(targets, [&](Node t) { return c.is(t, HTP_Name) || c.is(t, HTP_Subscript); }) &&
           std::ranges::none_of(values, [&](Node v) { return c.is(v, HTP_Starred); });
  }

  // The first name that is another target too.
  Node repeated(Nodes targets) const {
    std::set<std::string_view> names;
    for (const Node t : targets)
      if (c.is(t, HTP_Name) && !names.insert(c.name_of(t)).second) return t;
    return HTP_NONE;
  }

  // `high, low = divided(x)` of a function that is compiled apart.
  bool is_unpacked_apart(Node n) const {
    auto a = c.as<ast::Assign>(n);
    auto k = a && a.targets().size() == 1 && c.is(a.targets()[0], HTP_Tuple) ? c.as<ast::Call>(a.value())
                                                                             : ast::Call{&c, HTP_NONE};
    return k && m_.kind_of(c.name_of(k.func())) == Module::Kind::function && !locals_.contains(c.name_of(k.func())) &&
           m_.is_called_apart(m_.definition(c.name_of(k.func())));
  }
  // `high = divided(x, result=0)` and `low = divided(x, result=1)`
  void unpack_apart(Node n) {
    auto a = c.get<ast::Assign>(n);
    auto k = c.get<ast::Call>(a.value());
    const Nodes targets = c.get<ast::Tuple>(a.targets()[0]).elts();
    const Node function = m_.definition(c.name_of(k.func()));
    if (!check_external(m_, function, a.value())) return;
    if (const size_t results = results_of_external(m_, function); results != targets.size()) {
      c.report(diag::result_count, a.targets()[0], c.show(k.func()), results, targets.size());
      return;
    }
    std::vector<Node> operands, values;
    for (const Node given : k.args()) {
      const Node operand = expression(given);
      if (stands_for_itself(operand)) {
        operands.push_back(operand);
        continue;
      }
      operands.push_back(c.name(claim("operand"), given));
      out_->push_back(c.assign(c.name_of(operands.back()), HTP_NONE, operand, given));
    }
    const bool again = std::any_of(targets.begin(), targets.end(), [&](Node t) {
      return std::any_of(operands.begin(), operands.end(), [&](Node o) { return c.name_of(o) == c.name_of(t); });
    });
    for (size_t r = 0; r < targets.size(); ++r) {
      std::vector<uint32_t> arguments, keywords;
      for (const Node o : operands) arguments.push_back(copy(o, {}));
      for (const Node w : k.keywords()) keywords.push_back(copy(w, {}));
      keywords.push_back(
          c.make(make::keyword{.arg = "result", .value = c.integer_node(static_cast<int64_t>(r), n)}, n));
      values.push_back(c.make(make::Call{.func = copy(k.func(), {}), .args = arguments, .keywords = keywords}, n));
    }
    if (again) return unpack(n, targets, values);
    for (size_t r = 0; r < targets.size(); ++r)
      out_->push_back(c.make(make::Assign{.targets = {targets[r]}, .value = values[r]}, n));
  }

  // `a:b`, but not `:`, which is a whole dimension.
  bool is_slice(Node n) const {
    auto s = c.as<ast::Slice>(n);
    return s && (s.lower() || s.upper() || s.step());
  }
  // `x[a:b]` as `x[slice(a, b)]`: an index like others.
  Node without_slices(Node n) const {
    return rewrite(
        c, n,
        [&](Node e) {
          if (!is_slice(e)) return e;
          auto s = c.get<ast::Slice>(e);
          const auto part = [&](Node given) { return given ? given : c.make(make::Constant{.value = Literal{}}, e); };
          std::vector<uint32_t> parts{part(s.lower()), part(s.upper())};
          if (s.step()) parts.push_back(s.step());
          return c.call("slice", parts, e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // `y[i, :] = y[i, :] + (value)`
  Node added_store(Node n) const {
    auto a = c.get<ast::AugAssign>(n);
    const Node value = c.binary(copy_of(c, a.target(), a.target()), a.op(), a.value(), n);
    return with_comments_of(c, n, c.make(make::Assign{.targets = {a.target()}, .value = value}, n));
  }

  std::string claim(std::string_view stem) {
    std::string name(stem);
    unsigned &next = next_.try_emplace(name, 1).first->second;
    while (!taken_.insert(name).second) name = std::string(stem) + "_" + std::to_string(next++);
    return name;
  }

  // A local of the entry that bears the name of something of the module that a called body uses gets another.
  void keep_apart(Nodes statements) {
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        const LocalFunction *f = functions_.called(n);
        if (!f) return;
        for (const auto &[name, use] : f->free)
          if (parameters_.contains(name))
            c.report(diag::module_name, n, name, f->name).label(use, "used here");
          else if (locals_.contains(name) && !renamed_.contains(name))
            renamed_[name] = c.name(claim(name), HTP_NONE);
      });
  }

  std::vector<uint32_t> body(Nodes statements) {
    std::vector<uint32_t> result;
    std::vector<uint32_t> *outer = std::exchange(out_, &result);
    for (const Node s : statements) statement(s);
    out_ = outer;
    return result;
  }

  void statement(Node n) {
    n = without_slices(renamed_.empty() ? n : own_names(n));
    if (is_added_store(c, n)) n = added_store(n);
    if (auto e = c.as<ast::Expr>(n); e && functions_.is_local(e.value())) {
      // A call that stands alone: of a function that stores.
      const size_t at = out_->size();
      const Node value = call(e.value(), {});
      if (at < out_->size()) (*out_)[at] = with_comments_of(c, n, (*out_)[at]);
      if (value) out_->push_back(c.statement(value, n));
      return;
    }
    if (auto a = c.as<ast::Assign>(n); a && a.targets().size() == 1 && functions_.is_local(a.value())) {
      const Node target = a.targets()[0];
      auto several = c.as<ast::Tuple>(target);
      std::vector<std::string> wished;
      for (const Node t : several ? several.elts() : a.targets()) wished.emplace_back(c.name_of(t));
      const Node value = call(a.value(), wished);
      if (!value) {
        if (!c.errors()) c.report(diag::no_result, a.value(), c.show(c.get<ast::Call>(a.value()).func()));
        return;
      }
      auto values = c.as<ast::Tuple>(value);
      if (!several || !values) {
        out_->push_back(with_slot(c, n, HTP_FIELD(Assign, value), value));
      } else if (values.elts().size() != several.elts().size()) {
        c.report(diag::result_count, target, c.show(c.get<ast::Call>(a.value()).func()), values.elts().size(),
                 several.elts().size());
      } else {
        unpack(n, several.elts(), values.elts());
      }
      return;
    }
    if (is_unpacked_apart(n)) return unpack_apart(n);
    if (is_parallel(n)) {
      auto a = c.get<ast::Assign>(n);
      const Nodes targets = c.get<ast::Tuple>(a.targets()[0]).elts();
      if (const Node again = repeated(targets)) {
        c.report(diag::repeated_target, again, c.name_of(again));
        return;
      }
      std::vector<Node> values;
      const size_t at = out_->size();
      for (const Node v : c.get<ast::Tuple>(a.value()).elts()) values.push_back(expression(v));
      unpack(n, targets, values);
      if (at < out_->size()) (*out_)[at] = with_comments_of(c, n, (*out_)[at]);
      return;
    }
    if (c.is(n, HTP_FunctionDef)) { // a part that another dialect runs
      const auto inner = body(c.get<ast::FunctionDef>(n).body());
      out_->push_back(with_list(c, n, HTP_FIELD(FunctionDef, body), or_pass(inner, n)));
    } else if (c.is(n, HTP_For)) {
      n = with_slot(c, n, HTP_FIELD(For, iter), expression(c.get<ast::For>(n).iter()));
      const auto inner = body(c.get<ast::For>(n).body());
      out_->push_back(with_list(c, n, HTP_FIELD(For, body), or_pass(inner, n)));
    } else if (auto w = c.as<ast::While>(n)) {
      const WhileTest test = split_test(c, w.test(), [&](Node part) { return hoists_any(part); });
      std::vector<uint32_t> inner;
      std::vector<uint32_t> *outer = std::exchange(out_, &inner);
      for (const Node part : test.rest) {
        const Node asked = expression(part);
        inner.push_back(leave_unless(c, asked));
      }
      for (const Node s : w.body()) statement(s);
      out_ = outer;
      n = with_slot(c, n, HTP_FIELD(While, test), test.first);
      out_->push_back(with_list(c, n, HTP_FIELD(While, body), or_pass(inner, n)));
    } else if (c.is(n, HTP_If)) {
      n = with_slot(c, n, HTP_FIELD(If, test), expression(c.get<ast::If>(n).test()));
      auto b = c.get<ast::If>(n);
      const auto then = or_pass(body(b.body()), n);
      const auto other = body(b.orelse());
      n = with_list(c, n, HTP_FIELD(If, body), then);
      out_->push_back(with_list(c, n, HTP_FIELD(If, orelse), other));
    } else {
      out_->push_back(expression(n));
    }
  }

  std::vector<uint32_t> or_pass(std::vector<uint32_t> statements, Node origin) const {
    if (statements.empty()) statements.push_back(c.make(make::Pass{}, origin));
    return statements;
  }

  // All values before the first target, as Python has it.
  void unpack(Node n, Nodes targets, Nodes values) {
    std::vector<std::pair<Node, Node>> late;
    for (size_t i = 0; i < targets.size(); ++i) {
      if (c.name_of(targets[i]) == c.name_of(values[i]) && c.is(targets[i], HTP_Name)) continue; // bound under its name
      const std::string_view stem = c.is(targets[i], HTP_Name) ? c.name_of(targets[i]) : "value";
      const Node held = c.name(claim(stem), values[i]);
      out_->push_back(c.assign(c.name_of(held), HTP_NONE, values[i], n));
      late.emplace_back(targets[i], c.name(c.name_of(held), values[i]));
    }
    for (const auto &[target, value] : late)
      out_->push_back(c.make(make::Assign{.targets = {target}, .value = value}, n));
  }

  // The expression, or the statement of expressions, with what stands for its calls; their bodies are put before it.
  Node expression(Node n) {
    if (!hoists_any(n)) return n;
    if (auto b = c.as<ast::BoolOp>(n)) {
      // What stands behind `and` and `or` may never be asked.
      for (const Node v : b.values().subspan(1))
        if (hoists_any(v)) return c.report(diag::conditional_call, v, c.show(v)), n;
    }
    if (auto chosen = c.as<ast::IfExp>(n)) return choice(chosen);
    n = with_each_child(c, n, [&](Node child) { return expression(child); });
    const LocalFunction *f = functions_.called(n);
    if (!f) return n;
    if (f->stores) return c.report(diag::stores_within, n, f->name).label(f->node, "defined here"), n;
    const Node value = call(n, {});
    if (!value && !c.errors()) c.report(diag::no_result, n, f->name);
    if (value && c.is(value, HTP_Tuple))
      c.report(diag::unsupported, n, "tuples").hint("unpack it on a line of its own: `a, b = " + f->name + "(…)`");
    return value ? value : n;
  }

  // if n > 0:
  //     chosen = a
  // else:
  //     chosen = b
  Node choice(ast::IfExp n) {
    if (const auto known = m_.evaluate(n.test())) return expression(known->as_double() != 0 ? n.body() : n.orelse());
    const Node test = expression(n.test()), name = c.name(claim("chosen"), n.node);
    const auto way = [&](Node value) {
      std::vector<uint32_t> statements;
      std::vector<uint32_t> *outer = std::exchange(out_, &statements);
      const Node given = expression(value);
      out_->push_back(c.assign(c.name_of(name), HTP_NONE, given, value));
      out_ = outer;
      return statements;
    };
    const auto then = way(n.body()), other = way(n.orelse());
    out_->push_back(c.make(make::If{.test = test, .body = then, .orelse = other}, n.node));
    return name;
  }

  // Reports an index that is negative because of an argument: from the end count what is written as such alone, which
  // plain Python sees.
  void check_indices(Node call, const LocalFunction &f, const Meanings &meanings) const {
    const auto of_arguments = [&](Node n) {
      bool any = false;
      c.each(n, [&](Node e) { any |= c.is(e, HTP_Name) && meanings.contains(c.name_of(e)); });
      return any;
    };
    const auto bound = [&](Node n) {
      if (!n || !of_arguments(n)) return;
      const auto value = m_.integer(copy(n, meanings));
      if (value && *value < 0) c.report(diag::negative_argument, call, c.show(n), f.name, *value).label(n, "used here");
    };
    const auto index = [&](Node n) {
      if (auto s = c.as<ast::Slice>(n)) return bound(s.lower()), bound(s.upper());
      if (const auto s = read_slice(c, n)) return bound(s->start), bound(s->stop);
      bound(n);
    };
    const auto look = [&](Node n) {
      if (auto s = c.as<ast::Subscript>(n)) {
        auto several = c.as<ast::Tuple>(s.slice());
        const Node one[] = {s.slice()};
        for (const Node e : several ? several.elts() : Nodes(one)) index(e);
      }
      auto k = c.as<ast::Call>(n);
      const std::string path = k ? m_.path(k.func()) : std::string();
      const htp_intrinsic *row = path.starts_with("htp_tile.") ? c.intrinsic(path) : nullptr;
      uint32_t first = 0;
      while (row && first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
      if (row && (*row->effects || row->rule == std::string_view("extract")) && k.keywords().empty())
        for (size_t at = first; at < k.args().size(); ++at) index(k.args()[at]);
    };
    for (const Node s : f.body) c.each(s, look);
    if (f.result) c.each(f.result, look);
  }

  // Puts the body of the called function before what is worked on, and gives what it returns; 0: nothing. `wished` are
  // names for the results, as far as they are free to be.
  Node call(Node n, const std::vector<std::string> &wished) {
    const LocalFunction *f = functions_.called(n);
    if (!f) return HTP_NONE;
    const auto arguments = bound_arguments(*f, n);
    if (!arguments) return HTP_NONE;
    Meanings dims = dims_;
    if (f->kernel && !tensors_agree(*f, *arguments, dims)) return HTP_NONE;
    Meanings meanings = dims;
    for (size_t i = 0; i < f->parameters.size(); ++i) {
      const auto &p = f->parameters[i];
      Node given = expression((*arguments)[i]);
      if (f->kernel && !m_.dtype(p.annotation).empty() && !(given = scalar(*f, p, given))) return HTP_NONE;
      if (!p.assigned && stands_for_itself(given)) {
        meanings[p.name] = given;
      } else {
        const std::string name = claim(p.name);
        out_->push_back(c.assign(name, HTP_NONE, copy(given, {}), given));
        meanings[p.name] = c.name(name, given);
      }
    }
    keep_names(*f, wished, meanings);
    for (const std::string &name : f->locals)
      if (!meanings.contains(name)) meanings[name] = c.name(claim(name), HTP_NONE);
    check_indices(n, *f, meanings);
    const Meanings outer_renamed = std::exchange(renamed_, {}), outer_dims = std::exchange(dims_, std::move(dims));
    for (const Node s : f->body) statement(copy(s, meanings));
    const Node result = f->result ? expression(without_slices(copy(f->result, meanings))) : HTP_NONE;
    renamed_ = outer_renamed;
    dims_ = outer_dims;
    return result;
  }

  // ── kernels that a kernel calls ──

  // The parts of `Tensor[f32, M, N]`: the dtype, then the extents; nothing of another type.
  static std::vector<Node> parts_of(const Context &c, Node annotation) {
    auto type = c.as<ast::Subscript>(annotation);
    if (type && !direction_of(c, annotation).empty()) type = c.as<ast::Subscript>(type.slice());
    if (!type) return {};
    auto several = c.as<ast::Tuple>(type.slice());
    std::vector<Node> parts;
    if (several)
      parts.assign(several.elts().begin(), several.elts().end());
    else
      parts.push_back(type.slice());
    std::erase_if(parts, [&](Node part) { return c.is(part, HTP_Call); }); // a layout, a space
    return parts;
  }
  // Those of a tensor of the entry: of a parameter, or of a buffer with extents of the module.
  std::vector<Node> parts_of_tensor(Node given, std::string &direction) const {
    std::vector<Node> parts;
    const std::string_view name = c.name_of(given);
    size_t bound = 0;
    c.each(entry_, [&](Node n) {
      if (auto a = c.as<ast::arg>(n); a && a.arg() == name) {
        direction = direction_of(c, a.annotation());
        if (!direction.empty()) parts = parts_of(c, a.annotation());
      }
      auto s = c.as<ast::Assign>(n);
      auto made = s && s.targets().size() == 1 && c.name_of(s.targets()[0]) == name ? c.as<ast::Call>(s.value())
                                                                                    : ast::Call{&c, HTP_NONE};
      if (!made || m_.path(made.func()) != "htp_tile.buffer") return;
      direction = "buffer";
      parts.assign(made.args().begin(), made.args().end());
      if (++bound > 1) parts.resize(1); // two blocks have one each
      for (size_t k = 1; k < parts.size(); ++k)
        if (!m_.integer(parts[k]) && !m_.of_dims(parts[k])) parts.resize(1);
    });
    if (parts.size() < 2) parts.clear();
    return parts;
  }
  std::string extent_text(Node extent) const {
    const auto sum = m_.sum(extent);
    return sum ? Extent::of(*sum).text() : c.show(extent);
  }

  // Whether the tensors that are given are what the kernel's types say; what its dims are here goes to `dims`.
  bool tensors_agree(const LocalFunction &f, const std::vector<Node> &arguments, Meanings &dims) const {
    struct Given {
      const LocalFunction::Parameter *parameter;
      Node node;
      std::vector<Node> wanted, has;
    };
    std::vector<Given> tensors;
    std::map<std::string, const LocalFunction::Parameter *, std::less<>> names;
    const size_t errors = c.errors();
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto &p = f.parameters[i];
      const std::string wanted = direction_of(c, p.annotation);
      if (wanted.empty()) continue;
      Given given{&p, arguments[i], parts_of(c, p.annotation), {}};
      std::string direction;
      if (c.is(given.node, HTP_Name)) given.has = parts_of_tensor(given.node, direction);
      if (given.has.empty() || given.wanted.empty()) {
        c.report(diag::kernel_tensor, given.node, f.name, p.name, c.show(given.node))
            .label(p.annotation, "declared here");
        continue;
      }
      if (direction == "In" && wanted != "In")
        c.report(diag::written_input, given.node, c.name_of(given.node))
            .label(p.annotation, "declared `" + wanted + "` here");
      const auto [other, fresh] = names.try_emplace(std::string(c.name_of(given.node)), &p);
      if (!fresh && (wanted != "In" || direction_of(c, other->second->annotation) != "In"))
        c.report(diag::kernel_alias, given.node, c.name_of(given.node), other->second->name, p.name);
      if (given.has.size() != given.wanted.size() || m_.dtype(given.has[0]) != m_.dtype(given.wanted[0]))
        disagrees(f, given.node, p, c.show(given.node));
      else
        tensors.push_back(std::move(given));
    }
    if (c.errors() != errors) return false;
    // A dim that is an extent by itself first; what is made of dims then follows.
    Meanings own;
    for (const Given &t : tensors)
      for (size_t k = 1; k < t.wanted.size(); ++k)
        if (m_.is_dim(c.name_of(t.wanted[k]))) own.try_emplace(std::string(c.name_of(t.wanted[k])), t.has[k]);
    for (const Given &t : tensors)
      for (size_t k = 1; k < t.wanted.size(); ++k) {
        bool known = true;
        c.each(t.wanted[k], [&](Node n) { known &= !m_.is_dim(c.name_of(n)) || own.contains(c.name_of(n)); });
        if (known && extent_text(copy(t.wanted[k], own)) == extent_text(t.has[k])) continue;
        disagrees(f, t.node, *t.parameter, c.show(t.node));
        break;
      }
    for (const auto &[name, extent] : own) dims[name] = extent;
    return c.errors() == errors;
  }
  void disagrees(const LocalFunction &f, Node given, const LocalFunction::Parameter &p, const std::string &name) const {
    c.report(diag::kernel_type, given, f.name, p.name, c.show(p.annotation), name).label(p.annotation, "declared here");
  }

  // What stands for a scalar of the kernel: a number as one of its dtype, or a scalar of the entry that has that dtype.
  Node scalar(const LocalFunction &f, const LocalFunction::Parameter &p, Node given) {
    const std::string dtype = m_.dtype(p.annotation);
    if (const auto number = m_.evaluate(given)) {
      const std::string htp = imports_.module("htp", "htp");
      return c.call(imports_.module("htp_tile", "tile") + ".full",
                    {c.path(htp + "." + dtype, given), copy(given, {}), c.integer_node(1, given)}, given);
    }
    bool same = false;
    c.each(c.get<ast::FunctionDef>(entry_).args(), [&](Node n) {
      auto a = c.as<ast::arg>(n);
      same |= a && c.is(given, HTP_Name) && a.arg() == c.name_of(given) && m_.dtype(a.annotation()) == dtype;
    });
    if (same) return given;
    c.report(diag::kernel_scalar, given, f.name, p.name, dtype, c.show(given)).label(p.annotation, "declared here");
    return HTP_NONE;
  }

  // A result that is a local of the function bears the name it is bound to, unless an argument or another result has
  // it.
  void keep_names(const LocalFunction &f, const std::vector<std::string> &wished, Meanings &meanings) const {
    auto tuple = f.result ? c.as<ast::Tuple>(f.result) : ast::Tuple{&c, HTP_NONE};
    std::vector<Node> results;
    if (tuple)
      results.assign(tuple.elts().begin(), tuple.elts().end());
    else if (f.result)
      results.push_back(f.result);
    if (results.size() != wished.size()) return;
    Set mentioned;
    for (const auto &[name, node] : meanings) c.each(node, [&](Node n) { mentioned.emplace(c.name_of(n)); });
    Set given;
    for (size_t i = 0; i < results.size(); ++i) {
      const std::string_view id = c.name_of(results[i]);
      const bool local = f.locals.contains(id) && !meanings.contains(id);
      if (!local || wished[i].empty() || mentioned.contains(wished[i]) || !given.emplace(wished[i]).second) continue;
      meanings[std::string(id)] = c.name(wished[i], results[i]);
    }
  }

  // An argument that can stand wherever the parameter does: a name, a literal, a compile-time value, `:`.
  bool stands_for_itself(Node n) const {
    if (c.is(n, HTP_Name) || c.is(n, HTP_Constant) || c.is(n, HTP_Attribute) || c.is(n, HTP_Slice)) return true;
    int64_t value = 0;
    return c.integer(n, &value);
  }

  // The arguments in the order of the parameters; nothing after a report.
  std::optional<std::vector<Node>> bound_arguments(const LocalFunction &f, Node n) const {
    auto k = c.get<ast::Call>(n);
    std::vector<Node> given(f.parameters.size(), HTP_NONE);
    const size_t errors = c.errors();
    for (size_t i = 0; i < k.args().size(); ++i) {
      if (c.is(k.args()[i], HTP_Starred)) {
        c.report(diag::unsupported, k.args()[i], "`*` unpacking").hint("write the arguments out");
      } else if (i >= given.size()) {
        c.report(diag::too_many_arguments, n, f.name, f.parameters.size(), k.args().size())
            .label(f.node, "defined here")
            .hint("leave out the last");
        break;
      } else {
        given[i] = k.args()[i];
      }
    }
    for (const Node w : k.keywords()) {
      auto keyword = c.get<ast::keyword>(w);
      const auto p = std::find_if(f.parameters.begin(), f.parameters.end(),
                                  [&](const auto &parameter) { return parameter.name == keyword.arg(); });
      if (keyword.arg().empty())
        c.report(diag::unsupported, w, "`**` unpacking").hint("write the arguments out");
      else if (p == f.parameters.end())
        c.report(diag::unknown_keyword, w, f.name, keyword.arg())
            .label(f.node, "defined here")
            .hint("its parameters are " + names_of(f));
      else if (Node &slot = given[static_cast<size_t>(p - f.parameters.begin())])
        c.report(diag::repeated_argument, w, f.name, keyword.arg());
      else
        slot = keyword.value();
    }
    for (size_t i = 0; i < given.size(); ++i)
      if (!given[i] && !(given[i] = f.parameters[i].default_value))
        c.report(diag::missing_argument, n, f.name, f.parameters[i].name)
            .label(f.node, "defined here")
            .hint("its parameters are " + names_of(f));
    if (c.errors() != errors) return std::nullopt;
    return given;
  }

  static std::string names_of(const LocalFunction &f) {
    std::string result;
    for (const auto &p : f.parameters) result += (result.empty() ? "`" : ", `") + p.name + "`";
    return result;
  }

  // A copy of the subtree that shares no node with it (R3), with names replaced.
  Node copy(Node n, const Meanings &meanings) const {
    if (auto name = c.as<ast::Name>(n)) {
      const auto it = meanings.find(name.id());
      if (it != meanings.end()) {
        if (!c.is(it->second, HTP_Name)) return copy(it->second, {});
        auto m = c.read<ast::Name>(n);
        m.id = c.name_of(it->second);
        return c.with(n, m);
      }
    }
    return with_each_child(c, n, [&](Node child) { return copy(child, meanings); });
  }

  Node own_names(Node n) const {
    return rewrite(
        c, n,
        [&](Node e) -> Node {
          const auto it = c.is(e, HTP_Name) ? renamed_.find(c.name_of(e)) : renamed_.end();
          return it == renamed_.end() ? e : with_slot(c, e, HTP_FIELD(Name, id), c.intern(c.name_of(it->second)));
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Module &m_;
  const Context &c;
  Functions &functions_;
  const Node entry_;
  Set taken_, locals_, parameters_;
  std::map<std::string, unsigned> next_; // by stem: names with a lower number are taken
  Meanings renamed_;                     // the entry's own names that are others now
  Meanings dims_;                        // what the dims of the kernel whose body stands here are in the entry
  Imports imports_;
  std::vector<uint32_t> *out_ = nullptr;
};

// Functions that nothing calls any more, of those that were called before.
Node without_unused(const Context &c, Node before, Node after) {
  const auto each_name = [&](Node root, const auto &f) {
    c.each(root, [&](Node n) {
      if (auto name = c.as<ast::Name>(n)) f(std::string(name.id()));
    });
  };
  Set once;
  each_name(before, [&](const std::string &name) { once.insert(name); });
  std::map<std::string, size_t> uses;
  each_name(after, [&](const std::string &name) { ++uses[name]; });
  const Module module(c, after);
  std::multimap<std::string, Node> functions;
  std::vector<Node> unused;
  for (const Node s : c.get<ast::Module>(after).body())
    if (auto f = c.as<ast::FunctionDef>(s);
        f && (f.decorator_list().empty() || module.is_external(s) ||
              (module.decorated(s, "htp_tile.kernel") && s != c.entry_function(after) && f.name() != c.entry()))) {
      if (!once.contains(f.name())) continue;
      functions.emplace(f.name(), s);
      if (!uses.contains(std::string(f.name()))) unused.push_back(s);
    }
  std::set<Node> gone;
  while (!unused.empty()) {
    const Node function = unused.back();
    unused.pop_back();
    gone.insert(function);
    each_name(function, [&](const std::string &name) {
      if (--uses[name]) return;
      for (auto [it, end] = functions.equal_range(name); it != end; ++it)
        if (!gone.contains(it->second)) unused.push_back(it->second);
    });
  }
  auto m = c.read<ast::Module>(after);
  std::erase_if(m.body, [&](uint32_t s) { return gone.contains(s); });
  return gone.empty() ? after : c.with(after, m);
}

} // namespace

namespace {
Node with_calls(const Module &module, Functions &functions, Node root, Node function) {
  Inliner inliner(module, functions, function);
  const Node done = inliner.run();
  return done == function ? root : inliner.with_imports(with_statement(module.c, root, function, done));
}
} // namespace

std::vector<std::pair<Node, std::string>> called_kernels(const Module &written) {
  const Context &c = written.c;
  const Module module(c, structured(Module(c, with_library(written))));
  std::vector<std::pair<Node, std::string>> result;
  std::vector<Node> open{c.entry_function(module.root)};
  std::set<Node> seen;
  Functions functions(module);
  while (!open.empty()) {
    const Node function = open.back();
    open.pop_back();
    if (!function || !seen.insert(function).second) continue;
    c.each(function, [&](Node n) {
      if (!functions.is_local(n)) return;
      const Node called = module.definition(c.name_of(c.get<ast::Call>(n).func()));
      if (!seen.contains(called)) open.push_back(called);
    });
    if (function != c.entry_function(module.root) && module.decorated(function, "htp_tile.kernel"))
      result.emplace_back(with_calls(module, functions, module.root, function),
                          c.get<ast::FunctionDef>(function).name());
  }
  return result;
}

Node inlined(const Module &written) {
  const Context &c = written.c;
  const Module module(c, structured(Module(c, with_library(written))));
  if (c.errors()) return written.root;
  Functions functions(module);
  // What is compiled is the entry; where that is no function of tensors, a schedule of one, any may be meant.
  const Node entry = c.entry_function(module.root);
  const bool alone = entry && functions.is_entry(entry);
  Node root = module.root;
  for (const Node s : c.get<ast::Module>(module.root).body())
    if (c.is(s, HTP_FunctionDef) && (alone ? s == entry : functions.is_entry(s)))
      root = with_calls(module, functions, root, s);
  return root == written.root ? root : without_unused(c, module.root, root);
}

Result inline_functions(const Context &c, Node root, Node &out) {
  const Module module(c, root);
  out = inlined(module);
  return c.result();
}

} // namespace htp::tile
