// The signature of a kernel: tensors that go in and out, and scalars that go in.
#include "language/checker.h"
#include "language/layouts.h"

#include "htp_cpp/types.h"

namespace htp::tile {

namespace {
constexpr const char *signature_hint = "write `In[Tensor[f32, M, N]]`, or `Out`, `InOut` for what is written; a scalar "
                                       "is of a dtype, `f32`, or an `int`";

constexpr const char *extent_hint =
    "an extent is made of dims and ints by `+ - * // %`, divided by an int of 1 or more; "
    "`N / 4` rounded up is `(N + 3) // 4`";

// A call that is an int's, `max(N, 4)`, and no layout or space: those have constructors that are imported.
bool is_computed(const Module &m, Node call) {
  const std::string path = m.path(m.c.get<ast::Call>(call).func());
  if (path.empty() || path.starts_with("math.") || path.starts_with("htp_tile.")) return true;
  return path.starts_with("htp.") && !is_layout(m, call) && path != "htp.space";
}

std::string text_of_direction(const std::string &path) {
  for (const char *direction : {"In", "Out", "InOut"})
    if (path == std::string("htp.") + direction || path == std::string("htp_tile.") + direction) return direction;
  return {};
}
} // namespace

void Checker::signature() {
  auto f = c.get<ast::FunctionDef>(function_);
  auto a = c.get<ast::arguments>(f.args());
  for (const Node odd : {a.vararg(), a.kwarg()})
    if (odd) c.report(diag::bad_parameter, odd, c.show(odd));
  for (const Node odd : a.kwonlyargs()) {
    c.report(diag::bad_parameter, odd, c.get<ast::arg>(odd).arg());
    bound_[std::string(c.get<ast::arg>(odd).arg())] = {{Sort::unknown}, odd};
  }
  for (const Node value : a.defaults()) c.report(diag::bad_parameter, value, "= " + c.show(value));

  std::vector<uint32_t> nodes(a.posonlyargs().begin(), a.posonlyargs().end());
  nodes.insert(nodes.end(), a.args().begin(), a.args().end());
  for (const Node n : nodes) {
    auto p = c.get<ast::arg>(n);
    Parameter parameter{std::string(p.arg()), {}, n};
    Meaning meaning{Sort::tensor, own_};
    if (!m_.dtype(p.annotation()).empty())
      meaning.sort = Sort::tile, parameter.direction = "scalar";
    else if (m_.is_int(p.annotation()))
      meaning.sort = Sort::integer, parameter.direction = "scalar";
    else if (!p.annotation())
      c.report(diag::missing_annotation, n, p.arg()).hint(signature_hint);
    else if (!parameter_type(p.annotation(), parameter))
      c.report(diag::bad_annotation, p.annotation(), c.show(p.annotation())).hint(signature_hint);
    bound_[parameter.name] = {meaning, n};
    parameters_.push_back(std::move(parameter));
  }
  for (const Node sum : sums_)
    for (const std::string &name : m_.sum(sum)->names())
      if (!alone_.contains(name))
        c.report(diag::bad_extent, sum, c.show(sum))
            .hint("`" + name + "` stands alone in no parameter, nor as `4 * " + name +
                  "`, and a call gives it its size there");
  if (f.returns() && c.show(f.returns()) != "None")
    c.report(diag::bad_return, f.returns())
        .hint("annotate `-> None` and write to an `Out` parameter")
        .fix(f.returns(), "None", "annotate `-> None`");
}

// Of `4 * M` and `M + 2` the dim, whose size an array's size gives, as that of `M` does; empty for another extent.
std::string Checker::dim_given_by(Node extent) const {
  if (m_.is_dim(c.name_of(extent))) return std::string(c.name_of(extent));
  auto b = c.as<ast::BinOp>(extent);
  if (!b || (b.op() != HTP_Mult && b.op() != HTP_Add && b.op() != HTP_Sub)) return {};
  const auto left = m_.integer(b.left()), right = m_.integer(b.right());
  const int64_t least = b.op() == HTP_Mult ? 1 : INT64_MIN;
  if (left && *left >= least && b.op() != HTP_Sub) return dim_given_by(b.right());
  return right && *right >= least ? dim_given_by(b.left()) : std::string();
}

// In[Tensor[dtype, extents…]]; a type of another dialect is its own to judge.
bool Checker::parameter_type(Node annotation, Parameter &parameter) {
  auto outer = c.as<ast::Subscript>(annotation);
  if (!outer) return false;
  parameter.direction = text_of_direction(m_.path(outer.value()));
  auto inner = c.as<ast::Subscript>(outer.slice());
  if (parameter.direction.empty() || !inner) return false;
  const std::string form = m_.path(inner.value());
  if (form.empty()) return false;
  if (form != "htp_tile.Tensor" && form != "htp.Tensor")
    return !form.starts_with("htp_tile.") && !form.starts_with("htp.");

  const Node one[] = {inner.slice()};
  Nodes arguments = one;
  if (auto tuple = c.as<ast::Tuple>(inner.slice())) arguments = tuple.elts();
  if (arguments.empty()) return false;
  if (m_.dtype(arguments[0]).empty()) {
    c.report(diag::unknown_dtype, arguments[0], c.show(arguments[0]));
    return true;
  }
  bool layout = false;
  for (size_t k = 1; k < arguments.size(); ++k) {
    const Node extent = arguments[k];
    std::string_view text;
    if (c.is(extent, HTP_Call) && !layout && is_computed(m_, extent)) {
      c.report(diag::bad_extent, extent, c.show(extent)).hint(extent_hint);
    } else if (c.is(extent, HTP_Call)) {
      if (is_layout(m_, extent) && !layout)
        check_layout_of(m_, extent, arguments.subspan(1, k - 1), c.show(inner.node));
      if (const auto dims = dims_of_steps(m_, extent)) alone_.insert(dims->begin(), dims->end());
      layout = true;
    } else if (layout) {
      continue; // a memory space
    } else if (c.string(extent, &text)) {
      c.report(diag::bad_extent, extent, c.show(extent))
          .hint("declare a dim at module level and name it without quotes: `M = htp.dim(\"M\")`")
          .hint("a memory space is written `htp.space(\"" + std::string(text) + "\")`");
    } else if (const auto size = m_.integer(extent)) {
      if (*size <= 0)
        c.report(diag::bad_extent, extent, c.show(extent))
            .hint("an extent is 1 or more, and this is " + std::to_string(*size));
    } else if (m_.is_dim(c.name_of(extent))) {
      alone_.emplace(c.name_of(extent));
    } else if (c.is(extent, HTP_BinOp) && m_.of_dims(extent)) {
      if (const std::string dim = dim_given_by(extent); !dim.empty())
        alone_.insert(dim);
      else
        sums_.push_back(extent);
    } else {
      const bool made = c.is(extent, HTP_BinOp);
      c.report(diag::bad_extent, extent, c.show(extent))
          .hint(made ? extent_hint : "declare a dim at module level: `M = htp.dim(\"M\")`");
    }
  }
  return true;
}

void Checker::outputs() {
  for (const Parameter &p : parameters_) {
    if (!lost_track_ && p.direction == "buffer" && p.read && !p.written)
      c.report(diag::empty_buffer, p.read, p.name)
          .label(p.node, "made here")
          .hint("store to it first: `" + p.name + "[…] = …`");
    if (!lost_track_ && !p.written && (p.direction == "Out" || p.direction == "InOut")) {
      auto report = c.report(diag::never_written, p.node, p.name);
      report.hint("write it: `" + p.name + "[…] = …`" + (p.direction == "InOut" ? ", or declare it `In[…]`" : ""));
      if (const std::string in = m_.names.local("htp.In"); p.direction == "InOut" && !in.empty())
        report.fix(c.get<ast::Subscript>(c.get<ast::arg>(p.node).annotation()).value(), in, "declare it `In[…]`");
    }
  }
}

} // namespace htp::tile
