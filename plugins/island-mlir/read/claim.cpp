#include "export/export.h"
#include "export/expressions.h"

namespace htp::mlir {

namespace {

// The names a part needs from outside, and those it gives.
void complete(const Program &p, Part &part) {
  NameSet mentioned = p.before(part.statements, part.after);
  const NameSet bound = p.bound(part.statements);
  NameSet inside;
  for (const Node s : part.statements) p.mentioned(s, inside);
  NameSet inputs, results;
  NameSet own; // memory and loop variables that begin here
  for (const Node s : part.statements)
    p.context().each(s, [&](Node n) {
      if (auto a = p.context().as<ast::AnnAssign>(n)) own.emplace(p.context().name_of(a.target()));
      if (auto f = p.context().as<ast::For>(n)) own.emplace(p.context().name_of(f.target()));
    });
  for (const std::string &name : inside) {
    const Symbol &s = *p.symbol(name);
    const bool live = s.sort == Symbol::Sort::memory ? !own.contains(name) : mentioned.contains(name);
    if (live) inputs.insert(name);
  }
  for (const std::string &name : bound)
    if (part.after.contains(name)) results.insert(name);
  part.inputs = p.ordered(inputs);
  part.results = p.ordered(results);
}

class Finder {
public:
  Finder(const Program &program, Form form, std::vector<NoOperation> *left) : p(program), form_(form), left_(left) {}

  void list(Nodes statements, NameSet after) {
    std::vector<NameSet> behind(statements.size());
    for (size_t k = statements.size(); k-- > 0;) {
      behind[k] = after;
      after = p.before(statements[k], std::move(after));
    }
    for (size_t k = 0; k < statements.size(); ++k) statement(statements[k], behind[k]);
  }

  std::vector<Part> found;

private:
  void statement(Node s, const NameSet &after) {
    const Context &c = p.context();
    if (auto loop = c.as<ast::For>(s)) {
      Part part{{s}, after, "loop_" + std::to_string(found.size()), form_, {}, {}};
      complete(p, part);
      try {
        text_of(p, part);
        found.push_back(std::move(part));
        return;
      } catch (const NoOperation &why) {
        const size_t before = found.size(), known = left_ ? left_->size() : 0;
        NameSet around = after;
        around.merge(p.before(loop.body(), after));
        around.merge(p.before(loop.body(), around));
        list(loop.body(), around);
        if (left_ && found.size() == before && left_->size() == known) left_->push_back({s, why.why});
      }
    } else if (auto branch = c.as<ast::If>(s)) {
      list(branch.body(), after);
      list(branch.orelse(), after);
    } else if (auto repeat = c.as<ast::While>(s)) {
      NameSet all = after; // whatever its body or its test reads may be read again
      p.mentioned(s, all);
      list(repeat.body(), all);
    } else if (auto part = c.as<ast::FunctionDef>(s)) {
      NameSet all;
      list(part.body(), all);
    }
  }
  const Program &p;
  Form form_;
  std::vector<NoOperation> *left_;
};

} // namespace

std::vector<Part> parts_of(const Program &p, bool loops, Form form, std::vector<NoOperation> *left) {
  if (loops) {
    Finder finder(p, form, left);
    finder.list(p.body(), {});
    return std::move(finder.found);
  }
  Part whole{p.body(), {}, plain(p.context().entry()), form, {}, {}};
  complete(p, whole);
  return {std::move(whole)};
}

} // namespace htp::mlir
