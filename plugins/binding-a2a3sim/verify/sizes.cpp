#include "sizes.h"

#include <algorithm>

namespace htp::a2a3sim {

namespace {

using namespace program;

class Limits {
public:
  Limits(const Constants &constants, Stage &stage) : constants_(constants), stage_(stage) {}

  void held(const std::vector<Py> &body, const std::pair<std::string, int64_t> &up_to) {
    for (const Py &s : body) {
      held(s.otherwise, up_to);
      held(s.body, s.kind == Py::Kind::branch ? most_of(s.value).value_or(up_to) : up_to);
      if (s.kind == Py::Kind::assign && calls(s.value, "tile")) tile(s.value, up_to);
    }
  }
  // What is behind a loop counts on what it does.
  void looped(const std::vector<Py> &body) {
    const auto works = [](const Py &s) {
      if (s.kind == Py::Kind::call) {
        const std::string &word = s.value.parts[0].word;
        return word != "set_flag" && word != "wait_flag" && word != "pipe_barrier" && word != "drain";
      }
      return s.kind == Py::Kind::loop || s.kind == Py::Kind::branch;
    };
    const bool product = body.size() == 1 && body[0].kind == Py::Kind::branch;
    const bool beside = !product && std::count_if(body.begin(), body.end(), works) > 1;
    for (const Py &s : body) {
      looped(s.otherwise);
      if (s.kind == Py::Kind::branch) looped(s.body);
      if (s.kind != Py::Kind::loop) continue;
      if (const Expr *stop = beside ? stop_of(s.value) : nullptr; stop && only_dims(*stop))
        stage_.limits.try_emplace(text(*stop));
      looped(s.body);
    }
  }
  void reached(const std::vector<Py> &body) {
    for (const Py &s : body) {
      if (s.kind == Py::Kind::loop) reached(s.body);
      if (s.kind == Py::Kind::call) transfer(s.value);
    }
  }

private:
  std::string text(const Expr &e) const { return registry_extent(e, stage_); }
  // Of the program's dimensions, and of one at least.
  bool only_dims(const Expr &e) const {
    if (number_of(e, constants_)) return false;
    return names_dims(e);
  }
  bool names_dims(const Expr &e) const {
    if (e.kind == Expr::Kind::name && !number_of(e, constants_) &&
        std::find(stage_.dims.begin(), stage_.dims.end(), e.word) == stage_.dims.end())
      return false;
    return std::all_of(e.parts.begin(), e.parts.end(), [&](const Expr &p) { return names_dims(p); });
  }
  std::optional<std::pair<std::string, int64_t>> most_of(const Expr &test) const {
    if (test.kind != Expr::Kind::binary || test.word != "<=" || test.parts[0].kind != Expr::Kind::name ||
        test.parts[1].kind != Expr::Kind::integer)
      return std::nullopt;
    return std::pair(test.parts[0].word, test.parts[1].integer);
  }
  static const Expr *stop_of(const Expr &loop) {
    const Expr *range = calls(loop, "turns") && count_of(loop) == 1 ? &argument(loop, 0) : &loop;
    if (!calls(*range, "range") || count_of(*range) < 1) return nullptr;
    return &argument(*range, count_of(*range) > 1);
  }
  void tile(const Expr &call, const std::pair<std::string, int64_t> &up_to) {
    for (size_t k = 3; k < count_of(call); ++k) {
      const Expr &e = argument(call, k);
      if (e.kind != Expr::Kind::assign || e.parts[0].word != "valid" || e.parts[1].kind != Expr::Kind::binary) continue;
      for (size_t side = 0; side < 2; ++side) {
        const Expr &extent = e.parts[1].parts[side];
        const auto room = number_of(argument(call, side + 1), constants_);
        if (!room || !only_dims(extent)) continue;
        const bool less = !up_to.first.empty() && extent.word == up_to.first && room->i >= up_to.second;
        if (less) continue;
        Sizes &l = stage_.limits[text(extent)];
        l.most = std::min(l.most, room->i);
      }
    }
  }
  void transfer(const Expr &call) {
    const std::string &word = call.parts[0].word;
    const bool writes = word == "tstore" || word == "tstore_fp";
    if (!writes && word != "tload" && word != "tprefetch") return;
    const std::string &name = argument(call, !writes).word;
    const size_t first = word == "tstore_fp" ? 3 : 2;
    for (const StageTensor &t : stage_.tensors) {
      if (t.name != name || t.shape.size() + first != count_of(call)) continue;
      for (size_t d = 0; d < t.shape.size(); ++d) {
        const Expr &index = argument(call, d + first);
        const bool slice = calls(index, "slice") && count_of(index) == 2;
        const Expr &last = slice ? argument(index, 1) : index;
        if (last.kind != Expr::Kind::integer || !only_dims(t.shape[d])) continue;
        Sizes &l = stage_.limits[text(t.shape[d])];
        l.least = std::max(l.least, slice ? last.integer : last.integer + 1);
      }
    }
  }

  const Constants &constants_;
  Stage &stage_;
};

} // namespace

void limit(const std::vector<Py> &body, const Constants &constants, Stage &stage) {
  Limits limits(constants, stage);
  limits.held(body, {});
  limits.looped(body);
  limits.reached(body);
}

} // namespace htp::a2a3sim
