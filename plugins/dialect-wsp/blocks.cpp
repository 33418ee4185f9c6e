// tile and split: how big a loop's blocks are.
#include "wsp.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::wsp {

namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char ch) { return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'); };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char ch) { return letter(ch) || (ch >= '0' && ch <= '9'); });
}

// The loops that stand for one, outermost first: each cuts the block of the one above. The innermost keeps the name, so
// that the body stays as it is; how the loop may run is stated of the outermost.
Node nest(Transform &t, const Loop &loop, const std::vector<std::pair<std::string, int64_t>> &levels) {
  const Context &c = t.c;
  auto inner = c.read<ast::For>(loop.statement);
  Node nest = HTP_NONE;
  for (size_t k = levels.size(); k-- > 0;) {
    auto call = c.read<ast::Call>(loop.call);
    const Node extent = k == 0 ? call.args[0] : c.name(levels[k - 1].first, loop.call);
    call.args = {extent, c.integer_node(levels[k].second, loop.call)};
    make::For m = inner;
    m.target = c.name(levels[k].first, loop.statement, HTP_STORE);
    m.iter = c.with(loop.call, call);
    if (k == 0)
      for (auto w = loop.forms.wrappers.rbegin(); w != loop.forms.wrappers.rend(); ++w) {
        const Node around[] = {m.iter};
        m.iter = with_list(c, *w, HTP_FIELD(Call, args), around);
      }
    if (nest) m.body = {nest};
    nest = k == 0 ? c.with(loop.statement, m) : c.make(m, loop.statement); // the outermost keeps the comments
  }
  return nest;
}

} // namespace

bool apply_tile(Transform &t, const Directive &d) {
  const auto loop = t.loop(d, d.names[0]);
  if (!loop) return false;
  if (loop->size) {
    about(d, t.c.report(diag::sized_loop, d.names[0].at, loop->variable)
                 .label(loop->call, "here")
                 .hint("`s.split(\"" + loop->variable + "\", …)` cuts its blocks again"));
    return false;
  }
  const auto sizes = t.sizes(d);
  if (sizes.empty()) return false;
  const auto bound = t.bound();
  std::vector<std::pair<std::string, int64_t>> levels;
  for (size_t k = 0; k < sizes.size(); ++k) {
    levels.emplace_back(loop->variable + (k + 1 == sizes.size() ? "" : "_" + std::to_string(k)), sizes[k]);
    const auto taken = bound.find(levels.back().first);
    if (k + 1 < sizes.size() && taken != bound.end())
      return about(d, t.c.report(diag::taken_name, d.call, taken->first, t.c.get<ast::FunctionDef>(t.workload).name())
                          .label(taken->second, "bound here")),
             false;
  }
  t.replace(loop->statement, {nest(t, *loop, levels)});
  return true;
}

bool apply_split(Transform &t, const Directive &d) {
  const auto loop = t.loop(d, d.names[0]);
  if (!loop) return false;
  const auto whole = t.size_of(*loop);
  if (!whole) {
    about(d, t.c.report(diag::open_loop, d.names[0].at, loop->variable, d.name())
                 .label(loop->call, "its size is open")
                 .hint("give it one first: `s.tile(\"" + loop->variable + "\", 64)`"));
    return false;
  }
  const auto sizes = t.sizes(d);
  if (sizes.empty()) return false;
  if (sizes[0] > *whole)
    return about(d, t.c.report(diag::growing_size, d.sizes[0], *whole, sizes[0]).label(loop->call, "cut here")), false;
  const auto bound = t.bound();
  std::vector<std::pair<std::string, int64_t>> levels;
  if (const auto it = d.texts.find("outer"); it != d.texts.end()) {
    if (sizes.size() > 1 || !is_name(it->second.text)) {
      about(d, t.c.report(diag::bad_name, it->second.at, it->second.text));
      return false;
    }
    if (const auto taken = bound.find(it->second.text); taken != bound.end())
      return about(d, t.c.report(diag::taken_name, it->second.at, taken->first,
                                 t.c.get<ast::FunctionDef>(t.workload).name())
                          .label(taken->second, "bound here")),
             false;
    levels.emplace_back(it->second.text, *whole);
  }
  for (unsigned k = 0; levels.size() < sizes.size(); ++k)
    if (const std::string name = loop->variable + "_" + std::to_string(k); !bound.contains(name))
      levels.emplace_back(name, levels.empty() ? *whole : sizes[levels.size() - 1]);
  levels.emplace_back(loop->variable, sizes.back());
  t.replace(loop->statement, {nest(t, *loop, levels)});
  return true;
}

bool group(Transform &t, const Directive &d, const Loop &loop, int64_t count) {
  const auto size = t.size_of(loop);
  int64_t all = 0;
  if (!size || __builtin_mul_overflow(*size, count, &all)) {
    about(d, t.c.report(diag::open_loop, d.names[0].at, loop.variable, d.name())
                 .label(loop.call, "its size is open")
                 .hint("give it one first: `s.tile(\"" + loop.variable + "\", 64)`"));
    return false;
  }
  const auto bound = t.bound();
  std::string outer;
  for (unsigned k = 0; outer.empty() || bound.contains(outer); ++k) outer = loop.variable + "_" + std::to_string(k);
  t.replace(loop.statement, {nest(t, loop, {{outer, all}, {loop.variable, *size}})});
  return true;
}

} // namespace htp::wsp
