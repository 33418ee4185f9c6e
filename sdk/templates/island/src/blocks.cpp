// Which statements may share what they compute: calls without effects, over names that are bound once.
#include "my_plugin.h"

#include "htp_cpp/types.h"

#include <map>
#include <set>

namespace htp_my_plugin {
namespace {

class Blocks {
public:
  Blocks(const Context &context, Node function) : c(context) {
    const auto f = c.get<ast::FunctionDef>(function);
    for (const Node p : c.get<ast::arguments>(f.args()).args()) {
      const auto parameter = c.get<ast::arg>(p);
      if (direction_of(c, parameter.annotation()) == "In") inputs_.insert(std::string(parameter.arg()));
    }
    c.each(function, [&](Node n) {
      if (const auto loop = c.as<ast::For>(n)) indices_.insert(std::string(c.name_of(loop.target())));
      if (const auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bound_[std::string(name.id())];
    });
    list(f.body());
  }

  std::vector<std::vector<Binding>> found;

private:
  void list(Nodes statements) {
    std::vector<Binding> block;
    for (const Node s : statements) {
      if (const auto loop = c.as<ast::For>(s)) list(loop.body());
      if (const auto choice = c.as<ast::If>(s)) list(choice.body()), list(choice.orelse());
      const auto binding = c.as<ast::AnnAssign>(s);
      if (!binding || !c.is(binding.value(), HTP_Call)) continue;
      const std::string name(c.name_of(binding.target()));
      if (bound_[name] == 1 && pure(binding.value())) block.push_back({s, name, c.show(binding.value())});
    }
    if (!block.empty()) found.push_back(std::move(block));
  }

  // Within one list of statements a loop's index is the same.
  bool fixed(const std::string &name) const {
    const auto times = bound_.find(name);
    return times == bound_.end() || times->second == 1 || indices_.contains(name);
  }

  // A load is pure where nothing can have written the tensor.
  bool pure(Node call) const {
    const auto view_of_call = c.get<ast::Call>(call);
    const std::string called = c.dotted(view_of_call.func());
    const htp_intrinsic *row =
        c.intrinsic("htp_" + called); // typed programs spell `tile.exp`: `import htp_tile as tile`
    const Nodes arguments = view_of_call.args();
    const bool of_input = !arguments.empty() && inputs_.contains(std::string(c.name_of(arguments[0])));
    const std::string_view effects = row ? row->effects : "unknown";
    bool result = effects.empty() || (effects == "read" && of_input);
    c.each(call, [&](Node n) { result = result && fixed(std::string(c.name_of(n))); });
    return result;
  }

  const Context &c;
  std::set<std::string> inputs_, indices_;
  std::map<std::string, int> bound_;
};

} // namespace

std::vector<std::vector<Binding>> blocks_of(const Context &c, Node function) { return Blocks(c, function).found; }

Result is_shared(const Context &c, std::string_view, Node root) {
  for (const auto &block : blocks_of(c, c.entry_function(root))) {
    std::map<std::string, std::string> known;
    for (const Binding &b : block)
      if (const auto [first, fresh] = known.emplace(b.call, b.name); !fresh) {
        c.report(diag::twice, b.statement, b.name, first->second);
        return HTP_FAILED;
      }
  }
  return HTP_OK;
}

} // namespace htp_my_plugin
