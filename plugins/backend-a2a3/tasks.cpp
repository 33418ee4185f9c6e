// Which parts of a program are tasks.
#include "place.h"

#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace htp::a2a3 {

namespace {
// The variable of a loop over blocks, and those of loops over blocks of its blocks.
std::set<std::string, std::less<>> blocks_in(const Context &c, const Names &names, Node loop) {
  std::set<std::string, std::less<>> found{std::string(c.name_of(c.get<ast::For>(loop).target()))};
  c.each(loop, [&](Node n) {
    auto l = c.as<ast::For>(n);
    auto call = l ? c.as<ast::Call>(loop_forms(c, names, l.iter()).range) : c.as<ast::Call>(HTP_NONE);
    if (call && !call.args().empty() && found.contains(c.name_of(call.args()[0]))) found.emplace(c.name_of(l.target()));
  });
  return found;
}
// What a kernel does, with the ways of branches by the sizes of tensors.
void collect(const Context &c, Nodes body, std::vector<Node> &out) {
  for (const Node s : body)
    if (auto f = c.as<ast::If>(s))
      collect(c, f.body(), out), collect(c, f.orelse(), out);
    else if (!is_text(c, s))
      out.push_back(s);
}
} // namespace

bool is_text(const Context &c, Node s) {
  auto e = c.as<ast::Expr>(s);
  return e && c.is(e.value(), HTP_Constant);
}

int64_t chunk_of(const Context &c, const Names &names, const sdk::Constants &constants, Nodes kernels,
                 const std::set<std::string, std::less<>> &memories) {
  std::set<std::string, std::less<>> stored;
  std::map<std::string, std::set<size_t>> between; // memory between kernels, and by which index it goes with the block
  std::string over;
  int64_t size = 0;
  bool apart = true, lines = true;
  for (const bool loads : {false, true})
    for (const Node k : kernels) {
      std::vector<Node> statements;
      collect(c, c.get<ast::With>(k).body(), statements);
      for (const Node s : statements) {
        auto loop = c.as<ast::For>(s);
        const Node range = loop ? loop_forms(c, names, loop.iter()).range : HTP_NONE;
        auto call = c.as<ast::Call>(range);
        if (!call || names.called(range) != "htp_tile.tiles" || call.args().size() != 2) return 0;
        size = constants.integer(call.args()[1]).value_or(0);
        const std::string text = c.show(call.args()[0]) + ", " + std::to_string(size);
        if (size < 1 || size > 4096 || (!over.empty() && over != text)) return 0;
        over = text;
        const auto blocks = blocks_in(c, names, s);
        const auto goes = [&](Node index) {
          bool found = false;
          c.each(index, [&](Node n) { found |= blocks.contains(c.name_of(n)); });
          return found;
        };
        c.each(s, [&](Node n) {
          auto m = c.as<ast::Call>(n);
          const std::string word = m ? names.called(n) : std::string();
          if ((word != "htp_pto.tload" && word != "htp_pto.tstore") || m.args().size() < 3) return;
          const bool load = word == "htp_pto.tload";
          const std::string tensor(c.name_of(m.args()[load]));
          if (load != loads) return;
          if (memories.contains(tensor)) {
            std::set<size_t> by;
            for (size_t d = 2; d < m.args().size(); ++d)
              if (goes(m.args()[d])) by.insert(d);
            const auto [it, fresh] = between.emplace(tensor, by);
            if (!fresh) std::erase_if(it->second, [&](size_t d) { return !by.contains(d); });
            apart &= !it->second.empty();
            return;
          }
          if (!load) stored.insert(tensor), lines &= m.args().size() == 3;
          apart &= (load && !stored.contains(tensor)) || blocks.contains(c.name_of(m.args()[2]));
        });
      }
    }
  if (!apart || stored.empty()) return 0;
  return std::lcm(size, int64_t{64}) * (lines ? 64 : 1);
}

} // namespace htp::a2a3
