#include "cpu.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/races.h"

namespace htp::cpu {

void check_parallel(const Context &c, const Names &names, Node root, Node function) {
  c.each(function, [&](Node n) {
    auto loop = c.as<ast::For>(n);
    const LoopForms forms = loop ? loop_forms(c, names, loop.iter()) : LoopForms();
    if (!forms.parallel) return;
    for (const Node w : forms.wrappers)
      for (const Node k : c.get<ast::Call>(w).keywords()) {
        auto keyword = c.get<ast::keyword>(k);
        std::string_view level;
        if (keyword.arg() != "level" || !c.string(keyword.value(), &level)) continue;
        const std::string_view kind = c.hardware(("levels." + std::string(level) + ".kind").c_str());
        if (!kind.empty() && kind != "parallel") c.report(diag::level_kind, keyword.value(), level, kind);
      }
    for (const Race &d : find_races(c, names, root, function, n, {"htp_tile.tiles"}))
      c.report(diag::shared_name, d.at, d.name);
  });
}

} // namespace htp::cpu
