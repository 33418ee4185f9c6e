// The contract. What is emitted and what is verified is read by the same function, so that they cannot differ:
//
//   def kernel(x: In[Tensor[f32, N]], …) -> None:
//       for i in tile.tiles(N, 64):
//           name: Tile[f32, i] = my_plugin.word(operands)
//           my_plugin.store(y, name, i)
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"
#include "my_plugin.h"

#include <algorithm>
#include <set>

namespace htp_my_plugin {
namespace {

class KernelReader {
public:
  KernelReader(const Context &context, const Names &names, const NoForm &no_form)
      : c(context), names_(names), no_form_(no_form) {}

  bool read(Node function, Kernel &kernel) {
    if (!function) return no(function, "a program without its entry");
    const auto f = c.get<ast::FunctionDef>(function);
    kernel.name = f.name();
    for (const Node p : c.get<ast::arguments>(f.args()).args())
      if (!vector(p, kernel)) return false;
    for (const Node s : f.body()) {
      std::string_view doc;
      const auto text = c.as<ast::Expr>(s);
      if (text && c.string(text.value(), &doc)) continue;
      kernel.loops.emplace_back();
      if (!loop(s, kernel.loops.back())) return false;
    }
    return true;
  }

private:
  bool no(Node where, const std::string &what) const { return no_form_(where, what), false; }

  bool vector(Node parameter, Kernel &kernel) const {
    const auto p = c.get<ast::arg>(parameter);
    const auto type = p.annotation() ? read_type(c, p.annotation()) : std::nullopt;
    if (!type || type->dtype != "f32" || type->rank() != 1)
      return no(parameter, "`" + std::string(p.arg()) + "`, which is no vector of f32");
    const std::string length = type->extents[0].text();
    kernel.vectors.push_back({direction_of(c, p.annotation()), std::string(p.arg()), length});
    const bool known = std::find(kernel.dims.begin(), kernel.dims.end(), length) != kernel.dims.end();
    if (!type->extents[0].name.empty() && !known) kernel.dims.push_back(length);
    return true;
  }

  bool loop(Node statement, Loop &loop) {
    const auto f = c.as<ast::For>(statement);
    if (!f) return no(statement, "this statement between loops");
    const Node range = loop_forms(c, names_, f.iter()).range; // a loop that may run in parallel may run in order too
    if (names_.called(range) != "htp_tile.tiles") return no(f.iter(), "a loop over anything but blocks");
    loop.statement = statement;
    loop.index = c.name_of(f.target());
    if (c.get<ast::Call>(range).args().size() != 2) return no(f.iter(), "blocks without a length and a size");
    loop.length = c.show(c.get<ast::Call>(range).args()[0]);
    bound_.clear();
    for (const Node s : f.body()) {
      loop.body.emplace_back();
      if (!operation(s, loop.index, loop.body.back())) return false;
    }
    return true;
  }

  bool operation(Node statement, const std::string &index, Operation &operation) {
    operation.statement = statement;
    Node target = HTP_NONE, value = HTP_NONE;
    if (const auto binding = c.as<ast::AnnAssign>(statement)) {
      const auto type = read_type(c, binding.annotation());
      if (!type || type->dtype != "f32" || type->rank() != 1 || type->extents[0].text() != index)
        return no(statement, "a value of another type than `Tile[f32, " + index + "]`");
      target = binding.target(), value = binding.value();
      bound_.insert(std::string(c.name_of(target)));
    } else if (const auto again = c.as<ast::Assign>(statement)) {
      target = again.targets()[0], value = again.value();
      if (!bound_.contains(std::string(c.name_of(target)))) return no(statement, "a value that goes from loop to loop");
    } else if (const auto expression = c.as<ast::Expr>(statement)) {
      value = expression.value();
    }
    const std::string word = names_.called(value);
    if (!word.starts_with("htp_my_plugin.")) return no(statement, "this statement in a loop");
    operation.word = word.substr(word.find('.') + 1);
    operation.target = c.name_of(target);
    operation.first = c.is(statement, HTP_AnnAssign);
    const auto call = c.get<ast::Call>(value);
    if (!call.keywords().empty()) return no(value, "an operand that is named");
    const htp_intrinsic *declared = c.intrinsic(word);
    if (!declared || call.args().size() != declared->parameter_count)
      return no(value, "a word with another number of operands");
    for (const Node n : call.args()) {
      const bool literal = c.is(n, HTP_Constant) || c.is(n, HTP_UnaryOp);
      if (!literal && c.name_of(n).empty()) return no(n, "`" + c.show(n) + "` as an operand");
      operation.operands.push_back(c.show(n));
    }
    // A vector is read and written at the loop's own index.
    if ((operation.word == "load" || operation.word == "store") && operation.operands.back() != index)
      return no(value, "an index other than the loop's");
    return true;
  }

  const Context &c;
  const Names &names_;
  const NoForm &no_form_;
  std::set<std::string> bound_; // in this loop
};

} // namespace

std::optional<Kernel> read_kernel(const Context &c, Node root, const NoForm &no_form) {
  const Names names(c, root);
  Kernel kernel;
  if (!KernelReader(c, names, no_form).read(c.entry_function(root), kernel)) return std::nullopt;
  return kernel;
}

Result is_ready(const Context &c, std::string_view, Node root) {
  const auto kernel =
      read_kernel(c, root, [&](Node where, const std::string &what) { c.report(diag::not_ready, where, what); });
  return kernel ? HTP_OK : HTP_FAILED;
}

} // namespace htp_my_plugin
