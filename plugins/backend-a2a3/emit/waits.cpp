#include "waits.h"

#include <algorithm>

namespace htp::a2a3 {

std::string task_of(const Program &p, size_t k) {
  return p.kernels.size() == 1 ? "task" : "task_" + std::to_string(k + 1);
}

namespace {

std::string whole(const std::string &text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

} // namespace

Waits::Waits(const Ints &ints, const Program &program)
    : ints_(ints), p(program), kept_(p.kernels.size(), Kept::no), waits_(p.kernels.size()) {
  sizes_.insert(p.dims.begin(), p.dims.end());
  for (const Group &g : p.groups)
    for (const PartOf &part : g.parts) sizes_.insert(part.by), begins_.insert(part.name);
  for (size_t k = 0; k < p.kernels.size(); ++k)
    for (const size_t earlier : needed(k)) {
      const Kernel &o = p.kernels[earlier];
      const Kept least = o.group != p.kernels[k].group && !loops_of(p, o).empty() ? Kept::list_of_all
                         : o.lane                                                 ? Kept::list
                                                                                  : Kept::name;
      kept_[earlier] = std::max(kept_[earlier], least);
    }
  for (size_t k = 0; k < p.kernels.size(); ++k)
    for (const size_t earlier : needed(k)) {
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

std::string Waits::counts() const {
  std::string all;
  for (size_t k = 0; k < p.kernels.size(); ++k) {
    if (const auto list = list_of(k)) all += list->count;
    for (const Wait &one : waits_[k]) all += one.count;
  }
  return all;
}

// The kernels before a kernel that its tasks wait for, but for those that all of another group that it waits for waits
// for already.
std::vector<size_t> Waits::needed(size_t kernel) const {
  const std::vector<size_t> all = before(p, kernel);
  std::vector<size_t> found;
  for (const size_t earlier : all) {
    const size_t first = p.kernels[earlier].group, last = p.kernels[kernel].group;
    const bool passed = std::any_of(all.begin(), all.end(), [&](size_t between) {
      const size_t group = p.kernels[between].group;
      if (between <= earlier || group == first || !runs(group, {first, last})) return false;
      const std::vector<size_t> its = before(p, between);
      return std::find(its.begin(), its.end(), earlier) != its.end();
    });
    if (!passed) found.push_back(earlier);
  }
  return found;
}

// Whether a group has tasks at every size at which some others have. Lanes go over a step, which is at least 1, so that
// each kernel of the group has tasks then.
bool Waits::runs(size_t group, std::initializer_list<size_t> whenever) const {
  return std::ranges::all_of(p.groups[group].parts, [&](const PartOf &part) {
    const MaybeInt stop = ints_.sum(part.stop);
    if (!stop || std::ranges::any_of(begins_, [&](const std::string &name) { return stop->uses(name); })) return false;
    return never_negative(stop - 1) || std::ranges::any_of(whenever, [&](size_t other) {
             return std::ranges::any_of(p.groups[other].parts,
                                        [&](const PartOf &o) { return never_negative(stop - ints_.sum(o.stop)); });
           });
  });
}

// Whether it adds numbers and sizes alone.
bool Waits::never_negative(const MaybeInt &sum) const {
  return sum && std::ranges::all_of(sum->terms(), [&](const auto &term) {
           return term.second > 0 && std::ranges::all_of(term.first, [&](const sdk::IntFactor &factor) {
                    return factor->kind == sdk::IntAtom::Kind::symbol && sizes_.contains(factor->text);
                  });
         });
}

std::string Waits::rounds(const PartOf &loop) const {
  const std::string step = whole(ints_.text(loop.step));
  const std::string count = "(" + whole(ints_.text(loop.stop)) + " + " + step + " - 1) / " + step;
  return never_negative(ints_.sum(loop.stop)) ? count : "htp_max(0, " + count + ")";
}
std::string Waits::product(const std::vector<PartOf> &loops) const {
  std::string text;
  for (const PartOf &l : loops) text += (text.empty() ? "" : " * ") + whole(rounds(l));
  return loops.size() == 1 ? rounds(loops[0]) : text.empty() ? "1" : text;
}
std::string Waits::place(const std::vector<PartOf> &loops) const {
  std::string text;
  for (const PartOf &l : loops) {
    if (!text.empty()) text = whole(text) + " * " + whole(rounds(l)) + " + ";
    text += l.name + " / " + whole(ints_.text(l.step));
  }
  return text.empty() ? "0" : text;
}

} // namespace htp::a2a3
