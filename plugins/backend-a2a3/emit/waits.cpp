#include "waits.h"

namespace htp::a2a3 {

std::string task_of(const Program &p, size_t k) {
  return p.kernels.size() == 1 ? "task" : "task_" + std::to_string(k + 1);
}

namespace {

// The kernels before a kernel that its tasks wait for, but for those that all of another group that it waits for waits
// for already.
std::vector<size_t> needed(const Program &p, size_t kernel) {
  const std::vector<size_t> all = before(p, kernel);
  std::vector<size_t> found;
  for (const size_t earlier : all) {
    const bool passed = std::any_of(all.begin(), all.end(), [&](size_t between) {
      if (between <= earlier || p.kernels[between].group == p.kernels[earlier].group) return false;
      const std::vector<size_t> its = before(p, between);
      return std::find(its.begin(), its.end(), earlier) != its.end();
    });
    if (!passed) found.push_back(earlier);
  }
  return found;
}
std::string whole(const std::string &text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

} // namespace

Waits::Waits(const Ints &ints, const Program &program)
    : ints_(ints), p(program), kept_(p.kernels.size(), Kept::no), waits_(p.kernels.size()) {
  for (size_t k = 0; k < p.kernels.size(); ++k)
    for (const size_t earlier : needed(p, k)) {
      const Kernel &o = p.kernels[earlier];
      const Kept least = o.group != p.kernels[k].group && !loops_of(p, o).empty() ? Kept::list_of_all
                         : o.lane                                                 ? Kept::list
                                                                                  : Kept::name;
      kept_[earlier] = std::max(kept_[earlier], least);
    }
  for (size_t k = 0; k < p.kernels.size(); ++k)
    for (const size_t earlier : needed(p, k)) {
      const Kernel &o = p.kernels[earlier];
      const std::string name = task_of(p, earlier);
      const std::vector<PartOf> lane = o.lane ? std::vector{*o.lane} : std::vector<PartOf>();
      Wait w{earlier, name, {}};
      if (kept_[earlier] == Kept::list) {
        w.task += "[n]", w.count = product(lane);
      } else if (kept_[earlier] == Kept::list_of_all) {
        const std::vector<PartOf> &parts = p.groups[o.group].parts;
        if (o.group != p.kernels[k].group)
          w.task += "[n]", w.count = product(loops_of(p, o));
        else if (!o.lane)
          w.task += "[" + place(parts) + "]";
        else
          w.task += "[" + whole(place(parts)) + " * " + whole(product(lane)) + " + n]", w.count = product(lane);
      }
      waits_[k].push_back(std::move(w));
    }
}

std::optional<Waits::List> Waits::list_of(size_t kernel) const {
  const Kernel &k = p.kernels[kernel];
  if (kept_[kernel] == Kept::list) return List{product({*k.lane}), place({*k.lane}), false};
  if (kept_[kernel] == Kept::list_of_all) return List{product(loops_of(p, k)), place(loops_of(p, k)), true};
  return std::nullopt;
}

std::string Waits::rounds(const Ints &ints, const PartOf &loop) {
  const std::string step = whole(ints.text(loop.step));
  return "(" + whole(ints.text(loop.stop)) + " + " + step + " - 1) / " + step;
}
std::string Waits::product(const std::vector<PartOf> &loops) const {
  std::string text;
  for (const PartOf &l : loops) text += (text.empty() ? "" : " * ") + whole(rounds(ints_, l));
  return loops.size() == 1 ? rounds(ints_, loops[0]) : text.empty() ? "1" : text;
}
std::string Waits::place(const std::vector<PartOf> &loops) const {
  std::string text;
  for (const PartOf &l : loops) {
    if (!text.empty()) text = whole(text) + " * " + whole(rounds(ints_, l)) + " + ";
    text += l.name + " / " + whole(ints_.text(l.step));
  }
  return text.empty() ? "0" : text;
}

} // namespace htp::a2a3
