#include "analyses/links.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace htp::aie {

namespace {

class Linking {
public:
  Linking(const Program &program, int64_t together) : p(program), together_(together) {}

  std::map<std::string, std::string> run() {
    for (const Core &core : p.cores)
      for (const bool in : {true, false}) at_core(core, in);
    for (const bool feeds : {true, false}) at_shims(feeds);
    return std::move(links_);
  }

private:
  static bool ends_at(const Stream &s, const Core &core, bool in) {
    return in ? std::find(s.consumers.begin(), s.consumers.end(), core.name) != s.consumers.end()
              : s.producer == core.name;
  }
  // Where a core acquires a stream: the statements around, if it does so by one statement.
  static const std::vector<Statement> *where(const std::vector<Statement> &body, const Stream &s, int &times) {
    const std::vector<Statement> *found = nullptr;
    for (const Statement &one : body) {
      if (one.kind == Statement::Kind::acquire && one.stream == &s) found = &body, ++times;
      if (const auto *inner = where(one.body, s, times)) found = inner;
    }
    return found;
  }
  static bool called(const std::vector<Statement> &body, const Stream &s) {
    return std::any_of(body.begin(), body.end(), [&](const Statement &one) {
      return (one.external && std::any_of(one.operands.begin(), one.operands.end(),
                                          [&](const Operand &o) { return o.tile && o.tile->stream == &s; })) ||
             (one.external && one.tile->stream == &s) || called(one.body, s);
    });
  }
  bool go_together(const Stream &a, const Stream &b) const {
    if (a.consumers != b.consumers || a.producer != b.producer || a.dtype != b.dtype || a.blocks() != b.blocks() ||
        a.depth != b.depth || a.once != b.once || a.reordered() || b.reordered())
      return false;
    for (const Core &core : p.cores) {
      if (!ends_at(a, core, a.feeds)) continue;
      int once = 0, other = 0;
      const auto *here = where(core.body, a, once);
      if (here != where(core.body, b, other) || once != 1 || other != 1) return false;
      if (called(core.body, a) || called(core.body, b)) return false; // C++ is given tiles that begin with a buffer
    }
    return true;
  }
  std::string named(const Stream &first) const { return link_of(p, first, "_link"); }

  void at_core(const Core &core, bool in) {
    std::vector<const Stream *> host;
    std::set<std::string> channels; // fifos of two cores may be those of neighbours
    for (const Stream &s : p.streams) {
      if (!ends_at(s, core, in)) continue;
      const auto link = links_.find(s.name);
      if (s.tensor || s.consumers.size() > 1) channels.insert(link == links_.end() ? s.name : link->second);
      if (s.tensor && link == links_.end()) host.push_back(&s);
    }
    for (size_t k = 0; k < host.size(); ++k) {
      const auto more = static_cast<int64_t>(channels.size()) - core_channels;
      if (more < 1) return;
      std::vector<const Stream *> all{host[k]};
      for (size_t other = k + 1; other < host.size() && static_cast<int64_t>(all.size()) <= more; ++other)
        if (!links_.contains(host[other]->name) && go_together(*host[k], *host[other])) all.push_back(host[other]);
      if (all.size() < 2 || links_.contains(host[k]->name)) continue;
      for (const Stream *s : all) links_[s->name] = named(*host[k]), channels.erase(s->name);
      channels.insert(named(*host[k]));
    }
  }

  void at_shims(bool feeds) {
    using Kind = std::tuple<const Parameter *, std::vector<int64_t>, std::vector<std::pair<int64_t, int64_t>>, int64_t,
                            bool, int64_t>;
    std::vector<std::pair<Kind, std::vector<const Stream *>>> kinds; // the last of a kind: which one of its cores
    std::map<std::pair<std::vector<std::string>, const Parameter *>, int64_t> seen;
    int64_t wanted = 0;
    for (const Stream &s : p.streams) {
      if (!s.tensor || s.feeds != feeds) continue;
      ++wanted;
      if (links_.contains(s.name)) continue;
      auto ends = s.consumers;
      ends.push_back(s.producer);
      const Kind kind{s.tensor, s.block, s.order, s.depth, s.once, seen[{ends, s.tensor}]++};
      auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto &k) { return k.first == kind; });
      if (at == kinds.end()) at = kinds.insert(at, {kind, {}});
      at->second.push_back(&s);
    }
    // The kinds with the most streams, and no more than are needed.
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const auto &a, const auto &b) { return a.second.size() > b.second.size(); });
    for (auto &[kind, of] : kinds) {
      if (wanted <= p.columns * shim_channels) return;
      std::map<const Stream *, size_t> number; // their order in the stage, in which their blocks go in turn
      for (const Stream *s : of) number.try_emplace(s, number.size());
      std::stable_sort(of.begin(), of.end(), [](const Stream *a, const Stream *b) { return a->start < b->start; });
      for (size_t k = 0; k < of.size();) {
        size_t end = k + 1;
        const int64_t step = end < of.size() ? of[end]->start - of[k]->start : 0;
        while (end < of.size() && static_cast<int64_t>(end - k) < together_ && step > 0 &&
               number.at(of[end]) > number.at(of[end - 1]) && of[end]->start - of[end - 1]->start == step)
          ++end;
        if (end - k > 1)
          for (size_t one = k; one < end; ++one) links_[of[one]->name] = named(*of[k]);
        wanted -= static_cast<int64_t>(end - k) - 1;
        k = end;
      }
    }
  }

  const Program &p;
  const int64_t together_;
  std::map<std::string, std::string> links_;
};

} // namespace

std::string link_of(const Program &p, const Stream &stream, std::string_view suffix) {
  std::string name = stream.name + std::string(suffix);
  while (names_something(p, name)) name += "_";
  return name;
}

std::map<std::string, std::string> links(const Program &program, int64_t together) {
  return Linking(program, together).run();
}

} // namespace htp::aie
