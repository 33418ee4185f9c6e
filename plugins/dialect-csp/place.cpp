// csp.place: processes that are given tensors, or shards of them, use the pipeline's own: `x[m, :]` of a shard of M
// rows becomes `x[g * M + m, :]` in the instance g of the grid. So nothing behind it knows of shards.
#include "csp.h"
#include "flatten.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::csp {

namespace {

using Set = std::set<std::string, std::less<>>;

constexpr size_t whole = SIZE_MAX; // of a dimension that is not cut

// What a process's parameter stands for.
struct Shard {
  std::string parameter, tensor;
  Type type{};                // of the shard
  std::vector<size_t> axes{}; // of each dimension: the axis of the grid it is cut over, or `whole`

  bool cut() const {
    return std::any_of(axes.begin(), axes.end(), [](size_t axis) { return axis != whole; });
  }
};

class Placing {
public:
  Placing(const Context &context, Node root) : c(context), names_(context, root), constants_(context, root) {
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) taken_.emplace(c.name_of(n));
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg());
    });
  }

  // The pipeline with processes that are given nothing; itself where all are so.
  Node placed(Node pipeline) {
    pipeline_ = pipeline;
    std::vector<uint32_t> body;
    for (const Node s : c.get<ast::FunctionDef>(pipeline).body()) {
      const auto declared =
          c.is(s, HTP_FunctionDef) ? read_process(c, names_, constants_, s) : std::optional<ProcessDeclaration>();
      body.push_back(declared && declared->gives ? process(*declared) : s);
    }
    return with_list(c, pipeline, HTP_FIELD(FunctionDef, body), body);
  }

private:
  MaybeInt sum(const Extent &e) const {
    return e.name.empty() ? IntExpr(e.size) : read_int(c, c.parse(e.name, pipeline_), with_constants(constants_));
  }

  // ── what is given ──

  // `shard(x, S(0), R)`, or a tensor that is whole; nothing after a report.
  std::optional<Shard> given(const ProcessDeclaration &declared, Node argument, Node parameter) {
    auto call = c.as<ast::Call>(argument);
    const bool shards = call && names_.called(argument) == "htp_csp.shard" && !call.args().empty();
    const std::string name(c.name_of(shards ? call.args()[0] : argument));
    auto p = c.get<ast::arg>(parameter);
    const auto mine = read_type(c, p.annotation());
    const std::string direction = direction_of(c, p.annotation());
    const auto no = [&](const DiagKind &row, const auto &...values) {
      c.report(row, argument, values...).label(parameter, "the parameter");
      return std::nullopt;
    };
    if (!mine || mine->form != "Tensor" || direction.empty()) return no(diag::shard_parameter, p.arg(), declared.name);
    Node annotation = HTP_NONE;
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(pipeline_).args()).args())
      if (c.get<ast::arg>(n).arg() == name) annotation = c.get<ast::arg>(n).annotation();
    const auto theirs = annotation ? read_type(c, annotation) : std::nullopt;
    if (!theirs || theirs->form != "Tensor") return no(diag::shard_tensor, c.show(argument));
    if (theirs->dtype != mine->dtype)
      return no(diag::shard_dtype, p.arg(), declared.name, mine->dtype, name, theirs->dtype);
    const std::string from = direction_of(c, annotation);
    if (from != direction && from != "InOut")
      return no(diag::shard_direction, p.arg(), declared.name, direction, name, from);
    if (theirs->rank() != mine->rank())
      return no(diag::shard_rank, p.arg(), declared.name, mine->rank(), name, theirs->rank());
    Shard shard{std::string(p.arg()), name, *mine, std::vector<size_t>(mine->rank(), whole)};
    if (shards && !layouts(declared, call, *theirs, shard)) return std::nullopt;
    return extents(declared, argument, parameter, *theirs, shard) && apart(declared, argument, direction, shard)
               ? std::optional(shard)
               : std::nullopt;
  }

  // One layout for each dimension: S(axis) or R.
  bool layouts(const ProcessDeclaration &declared, ast::Call call, const Type &theirs, Shard &shard) const {
    const Nodes each = call.args().subspan(1);
    if (each.size() != theirs.rank() || !call.keywords().empty())
      return c.report(diag::shard_layouts, call.node, shard.tensor, each.size(), theirs.rank()), false;
    for (size_t d = 0; d < each.size(); ++d) {
      if (names_.qualified(each[d]) == "htp_csp.R") continue;
      auto s = c.as<ast::Call>(each[d]);
      const auto axis = s && names_.called(each[d]) == "htp_csp.S" && s.args().size() == 1 && s.keywords().empty()
                            ? constants_.integer(s.args()[0])
                            : std::nullopt;
      if (!axis) return c.report(diag::shard_layout, each[d], c.show(each[d])), false;
      if (*axis < 0 || *axis >= static_cast<int64_t>(declared.grid.size()))
        return c.report(diag::shard_axis, each[d], *axis, declared.name, declared.grid.size()), false;
      if (std::count(shard.axes.begin(), shard.axes.end(), static_cast<size_t>(*axis)))
        return c.report(diag::shard_axis_twice, each[d], shard.tensor, *axis), false;
      shard.axes[d] = static_cast<size_t>(*axis);
    }
    return true;
  }

  // A shard's extents are the tensor's, divided by the instances they are cut over.
  bool extents(const ProcessDeclaration &declared, Node argument, Node parameter, const Type &theirs,
               const Shard &shard) const {
    for (size_t d = 0; d < theirs.rank(); ++d) {
      const MaybeInt all = sum(theirs.extents[d]), own = sum(shard.type.extents[d]);
      const int64_t instances = shard.axes[d] == whole ? 1 : declared.grid[shard.axes[d]];
      if (all && all == own * IntExpr(instances)) continue;
      const std::string wanted = theirs.extents[d].text(), got = shard.type.extents[d].text();
      auto report = c.report(
          diag::shard_extent, argument, d, shard.tensor, wanted,
          instances == 1 ? "whole at each instance" : "cut over " + std::to_string(instances) + " instances", got);
      report.label(parameter, "the shard is declared here");
      const auto number = all ? all->constant() : std::nullopt;
      if (instances == 1)
        report.hint("declare `" + wanted + "` there");
      else if (number && *number % instances == 0)
        report.hint("declare `" + std::to_string(*number / instances) + "` there");
      else if (number)
        report.hint("let the tensor have " + std::to_string(*number + instances - *number % instances) + ", or " +
                    std::to_string(*number - *number % instances) + ": shards are equal");
      else
        report.hint("let the tensor have `" + std::to_string(instances) + " * " + got +
                    "`, of which each instance has `" + got + "`");
      return false;
    }
    return true;
  }

  // Whether a process's own indices of a parameter name an index of the grid: then which elements instances share is a
  // matter of these.
  bool names_instance(const ProcessDeclaration &declared, const Shard &shard, const std::string &index) const {
    bool found = false;
    c.each(declared.function, [&](Node n) {
      auto s = c.as<ast::Subscript>(n);
      if (!s || c.name_of(s.value()) != shard.parameter) return;
      c.each(s.slice(), [&](Node e) { found = found || (c.is(e, HTP_Name) && c.name_of(e) == index); });
    });
    return found;
  }

  // Instances that store have shards of their own.
  bool apart(const ProcessDeclaration &declared, Node argument, const std::string &direction,
             const Shard &shard) const {
    for (size_t axis = 0; direction != "In" && axis < declared.grid.size(); ++axis)
      if (declared.grid[axis] > 1 && !std::count(shard.axes.begin(), shard.axes.end(), axis) &&
          !names_instance(declared, shard, declared.indices[axis]))
        return c.report(diag::shard_shared, argument, shard.tensor, axis, declared.name, declared.grid[axis]), false;
    return true;
  }

  // ── a process ──

  Node process(const ProcessDeclaration &declared) {
    auto f = c.read<ast::FunctionDef>(declared.function);
    auto arguments = c.read<ast::arguments>(f.args);
    const std::vector<uint32_t> theirs(arguments.args.begin() + static_cast<std::ptrdiff_t>(declared.grid.size()),
                                       arguments.args.end());
    shards_.clear();
    const size_t errors = c.errors();
    for (size_t k = 0; k < theirs.size(); ++k)
      if (auto shard = given(declared, declared.arguments[k], theirs[k]))
        shards_.emplace(c.get<ast::arg>(theirs[k]).arg(), std::move(*shard));
    if (c.errors() != errors) return declared.function;
    indices_ = declared.indices;
    // What the process binds itself under the name of a tensor, or of what an index will name.
    Set needed, own = bound_in(c, f.args);
    for (const Node s : f.body) own.merge(bound_in(c, s));
    own.erase("_");
    for (const auto &[parameter, shard] : shards_) {
      own.erase(parameter);
      needed.insert(shard.tensor);
      for (const Extent &e : shard.type.extents)
        if (const auto s = sum(e))
          for (const std::string &dim : s->names()) needed.insert(dim);
    }
    std::map<std::string, std::string, std::less<>> renamed;
    for (const std::string &name : own)
      if (needed.contains(name)) renamed.emplace(name, free_name(name + "_"));
    // A parameter may be called as a tensor is: it has a name of its own until its uses are read.
    std::map<std::string, Shard, std::less<>> shards;
    for (auto &[parameter, shard] : shards_) {
      const std::string apart = free_name(parameter + "_part");
      renamed.insert_or_assign(parameter, apart);
      shard.parameter = parameter;
      shards.emplace(apart, std::move(shard));
    }
    shards_ = std::move(shards);
    arguments.args.resize(declared.grid.size());
    f.args = with_names(c, c.with(f.args, arguments), renamed);
    for (std::string &index : indices_)
      if (const auto to = renamed.find(index); to != renamed.end()) index = to->second;
    for (uint32_t &s : f.body)
      s = rewrite(
          c, with_names(c, s, renamed), [&](Node e) { return use(e); },
          [](Node, std::vector<uint32_t> &) { return false; });
    std::map<std::string, std::string, std::less<>> whole_ones;
    for (const auto &[name, shard] : shards_)
      if (shard.cut())
        for (const Node s : f.body) indexed_alone(s, name, shard);
      else
        whole_ones.emplace(name, shard.tensor);
    for (uint32_t &s : f.body) s = with_names(c, s, whole_ones);
    for (uint32_t &mark : f.decorator_list) mark = without_arguments(mark);
    return c.with(declared.function, f);
  }

  Node without_arguments(Node mark) const {
    auto call = c.as<ast::Call>(mark);
    if (!call) return mark;
    std::vector<uint32_t> kept;
    for (const Node n : call.keywords())
      if (c.get<ast::keyword>(n).arg() != "args") kept.push_back(n);
    return kept.empty() ? call.func() : with_list(c, mark, HTP_FIELD(Call, keywords), kept);
  }

  std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  const Shard *shard(Node n) const {
    const auto it = c.is(n, HTP_Name) ? shards_.find(c.name_of(n)) : shards_.end();
    return it == shards_.end() ? nullptr : &it->second;
  }

  // `x[m, :]`, or a call of an intrinsic with indices, `load(x, m, whole)`.
  Node use(Node e) const {
    if (auto s = c.as<ast::Subscript>(e)) {
      const Shard *p = shard(s.value());
      auto tuple = c.as<ast::Tuple>(s.slice());
      const Node alone[] = {s.slice()};
      const Nodes indices = tuple ? tuple.elts() : Nodes(alone);
      if (!p || indices.size() != p->axes.size()) return e;
      auto made = c.read<ast::Subscript>(e);
      made.value = c.name(p->tensor, s.value());
      const std::vector<uint32_t> moved = at_place(*p, indices);
      made.slice = tuple ? with_list(c, s.slice(), HTP_FIELD(Tuple, elts), moved) : Node{moved[0]};
      return c.with(e, made);
    }
    auto call = c.as<ast::Call>(e);
    const Shard *p = call && !call.args().empty() ? shard(call.args()[0]) : nullptr;
    const htp_intrinsic *row = p ? c.intrinsic(names_.qualified(call.func())) : nullptr;
    if (!row || !*row->effects) return e;
    uint32_t first = 0;
    while (first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
    if (first == row->parameter_count || call.args().size() != first + p->axes.size()) return e;
    auto made = c.read<ast::Call>(e);
    made.args[0] = c.name(p->tensor, call.args()[0]);
    const std::vector<uint32_t> moved = at_place(*p, call.args().subspan(first));
    std::copy(moved.begin(), moved.end(), made.args.begin() + first);
    return c.with(e, made);
  }

  // Indices of a shard as indices of the tensor: `m` of M rows as `g * M + m`, `:` as `g * M : g * M + M`.
  std::vector<uint32_t> at_place(const Shard &p, Nodes indices) const {
    std::vector<uint32_t> moved;
    for (size_t d = 0; d < indices.size(); ++d) {
      const Node index = indices[d];
      if (p.axes[d] == whole) {
        moved.push_back(index);
        continue;
      }
      const Extent &extent = p.type.extents[d];
      const auto begin = [&] {
        const Node instance = c.name(indices_[p.axes[d]], index);
        return extent.is(1) ? instance : c.binary(instance, HTP_Mult, write_extent(c, extent, index), index);
      };
      const auto from = [&](Node by) { return c.binary(begin(), HTP_Add, by, index); };
      if (auto slice = c.as<ast::Slice>(index)) {
        auto made = c.read<ast::Slice>(index);
        made.lower = slice.lower() ? from(slice.lower()) : begin();
        made.upper = from(slice.upper() ? slice.upper() : write_extent(c, extent, index));
        moved.push_back(c.with(index, made));
      } else if (last_component(c.dotted(index)) == "whole") {
        moved.push_back(c.call("slice", {begin(), from(write_extent(c, extent, index))}, index));
      } else if (int64_t number = 0; c.integer(index, &number) && number == 0) {
        moved.push_back(begin());
      } else {
        moved.push_back(from(index));
      }
    }
    return moved;
  }

  // What is left of a shard's name is no use by indices.
  void indexed_alone(Node s, const std::string &name, const Shard &shard) const {
    c.each(s, [&](Node n) {
      if (c.is(n, HTP_Name) && c.name_of(n) == name) c.report(diag::shard_use, n, shard.parameter, shard.tensor);
    });
  }

  const Context &c;
  const Names names_;
  const Constants constants_;
  Node pipeline_ = HTP_NONE;
  Set taken_;
  std::map<std::string, Shard, std::less<>> shards_; // of the process at hand, by its parameters
  std::vector<std::string> indices_;
};

} // namespace

Node placed(const Context &c, Node root) {
  const Names names(c, root);
  std::vector<uint32_t> body;
  std::optional<Placing> placing;
  const size_t errors = c.errors();
  for (const Node s : c.get<ast::Module>(root).body()) {
    Node made = s;
    if (is_pipeline_function(c, names, s)) {
      if (!placing) placing.emplace(c, root);
      made = placing->placed(s);
    }
    body.push_back(made);
  }
  if (c.errors() != errors) return HTP_NONE;
  const Node made = with_list(c, root, HTP_FIELD(Module, body), body);
  if (made == root) return root;
  return drop_unused_imports(c, made, [](std::string_view path) { return path.starts_with("htp_csp"); });
}

Result place(const Context &c, Node root, Node &out) {
  out = placed(c, root);
  return c.result();
}

Result is_placed(const Context &c, std::string_view, Node root) {
  const Node made = placed(c, root);
  if (made == root || c.errors()) return c.result();
  c.report(diag::not_placed, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

} // namespace htp::csp
