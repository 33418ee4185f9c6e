// aie.spread: blocks shared among the cores of a device. What was loaded and stored becomes parts of streams.
#include "blocks.h"
#include "device.h"
#include "pipeline.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::aie {

namespace {

struct Loop {
  std::string name;
  int64_t extent = 0, block = 0;
  int64_t blocks() const { return (extent + block - 1) / block; }
  bool ragged() const { return extent % block != 0; }
};

// A place of a tensor that is loaded or stored: for each dimension the loop whose blocks it holds, or -1 for the whole.
struct Access {
  size_t tensor = 0;
  std::vector<int> index;
  bool stores = false;
  Node node = HTP_NONE;
  std::vector<int> path; // the loops around
  std::string stream;
  bool uses(int loop) const { return std::find(index.begin(), index.end(), loop) != index.end(); }
};

std::string tuple(const std::vector<int64_t> &items) {
  std::string text = "(";
  for (const int64_t n : items) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + (items.size() == 1 ? ",)" : ")");
}

class Spreading {
public:
  Spreading(const Context &context, Node root, Node function, const Device &device, int64_t columns)
      : c(context), names_(context, root), constants_(context, root), root_(root), function_(function), device_(device),
        columns_(columns) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    const auto refuse = [&](Node where, const DiagKind *kind, const std::string &what) { say(where, kind, what); };
    if (!read_parameters(c, root_, function_, parameters_, refuse) ||
        !collect(c.get<ast::FunctionDef>(function_).body(), {}, body_))
      return HTP_NONE;
    if (!read(body_, {})) return HTP_NONE;
    for (const Access &a : accesses_)
      for (const int l : a.path)
        if (a.stores && !a.uses(l))
          return no(a.node, "a store that every block of `" + loops_[static_cast<size_t>(l)].name + "` repeats"),
                 HTP_NONE;
    if (!choose()) return HTP_NONE;
    std::vector<uint32_t> statements;
    for (const Node s : c.get<ast::FunctionDef>(function_).body())
      if (is_text(s)) statements.push_back(s);
    statements.push_back(device());
    if (c.errors()) return HTP_NONE;
    f.body = statements;
    return c.with(function_, f);
  }

private:
  bool no(Node where, const std::string &what) const {
    c.report(diag::unsupported_form, where, what);
    return false;
  }
  void say(Node where, const DiagKind *kind, const std::string &what) const {
    auto report = c.report(*kind, where, what);
    if (kind == &diag::unknown_size) report.hint("give it one: `--set " + what + "=1024`");
  }
  bool is_text(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return e && c.is(e.value(), HTP_Constant);
  }

  // ── what there is ──

  // A statement, or a loop and what is in it.
  struct Item {
    Node node = HTP_NONE;
    int loop = -1;
    std::vector<Item> body;
  };

  // The outermost loop is what is shared among cores: nothing stands beside it.
  bool collect(Nodes statements, const std::vector<int> &path, std::vector<Item> &out) {
    std::vector<Node> left;
    for (const Node s : statements)
      if (!is_text(s) && !c.is(s, HTP_Pass)) left.push_back(s);
    if (left.empty()) return no(function_, "a kernel, or a loop, that does nothing");
    for (const Node s : left) {
      Item &item = out.emplace_back();
      item.node = s;
      if (!c.is(s, HTP_For)) continue;
      if (path.empty() && left.size() != 1) return no(s, "a loop beside other statements");
      if (!loop(s, path.empty())) return false;
      item.loop = static_cast<int>(loops_.size()) - 1;
      std::vector<int> inside = path;
      inside.push_back(item.loop);
      if (!collect(c.get<ast::For>(s).body(), inside, item.body)) return false;
    }
    return true;
  }
  bool loop(Node s, bool outermost) {
    auto l = c.get<ast::For>(s);
    const LoopForms forms = loop_forms(c, names_, l.iter());
    const Node range = forms.range;
    // A loop that a schedule binds: the outermost one is what cores share.
    for (const Node w : forms.wrappers)
      for (const Node n : c.get<ast::Call>(w).keywords()) {
        auto word = c.get<ast::keyword>(n);
        std::string_view level;
        if (word.arg() != "level" || !c.string(word.value(), &level)) continue;
        if (level != "core") return no(w, "a loop that is bound to `" + std::string(level) + "`, which cores have not");
        if (!outermost) return no(w, "a loop within another one that is bound to `core`");
      }
    auto call = c.as<ast::Call>(range);
    if (names_.called(range) != "htp_tile.tiles" || call.args().size() != 2 || !l.orelse().empty())
      return no(s, "a loop over `" + c.show(range) + "`");
    Loop made;
    made.name = std::string(c.name_of(l.target()));
    for (const Loop &other : loops_) {
      if (other.name == c.name_of(call.args()[0])) return no(range, "blocks of a block");
      if (other.name == made.name) return no(s, "a second loop over `" + made.name + "`");
    }
    const auto extent = constants_.integer(call.args()[0]), block = constants_.integer(call.args()[1]);
    if (!extent || !block) {
      say(range, &diag::unknown_size, c.show(call.args()[extent ? 1 : 0]));
      return false;
    }
    made.extent = *extent, made.block = *block;
    if (made.extent < 1 || made.block < 1) return no(range, "a loop that never goes round");
    if (made.block > made.extent) made.block = made.extent;
    loops_.push_back(made);
    return true;
  }

  int loop_named(std::string_view name) const {
    for (size_t l = 0; l < loops_.size(); ++l)
      if (loops_[l].name == name) return static_cast<int>(l);
    return -1;
  }

  bool read(const std::vector<Item> &items, const std::vector<int> &path) {
    for (const Item &item : items) {
      std::vector<int> inside = path;
      if (item.loop >= 0) inside.push_back(item.loop);
      if (item.loop >= 0 ? !read(item.body, inside) : !read(item.node, path)) return false;
    }
    return true;
  }
  bool read(Node s, const std::vector<int> &path) {
    if (auto a = c.as<ast::Assign>(s); a && names_.called(a.value()) == "htp_aie.buffer" && a.targets().size() == 1) {
      Buffer b;
      auto k = c.get<ast::Call>(a.value());
      b.dtype = k.args().empty() ? HTP_NONE : k.args()[0];
      for (const Node e : k.args().subspan(1)) {
        const int loop = loop_named(c.name_of(e));
        const auto number = constants_.integer(e);
        if (loop < 0 && !number) return say(e, &diag::unknown_size, c.show(e)), false;
        b.loops.push_back(loop);
        b.extents.push_back(loop < 0 ? *number : loops_[static_cast<size_t>(loop)].block);
      }
      b.path = path;
      buffers_[std::string(c.name_of(a.targets()[0]))] = b;
      return true;
    }
    auto e = c.as<ast::Expr>(s);
    const std::string word = e ? names_.called(e.value()) : std::string();
    if (!word.starts_with("htp_aie."))
      return no(s, c.is(s, HTP_If)      ? "an `if` within a kernel"
                   : c.is(s, HTP_While) ? "a `while` within a kernel"
                                        : "`" + c.show(s) + "`");
    auto k = c.get<ast::Call>(e.value());
    if (k.args().size() < 2) return no(s, "`" + c.show(s) + "`");
    const bool load = word == "htp_aie.load";
    if (load || word == "htp_aie.store") return access(s, k, load, path);
    bool good = true;
    for (const Node a : k.args()) c.each(a, [&](Node n) { good = good && loop_named(c.name_of(n)) < 0; });
    if (!good) return no(s, "a computation with the place of a block: `" + c.show(s) + "`");
    ++written_[std::string(c.name_of(k.args()[0]))];
    words_.push_back(s);
    if (word.starts_with("htp_aie.reduce_")) return reduced(s, k);
    if (word == "htp_aie.matmul") return multiplied(s, k);
    return true;
  }

  bool reduced(Node s, ast::Call k) const {
    const auto source = buffers_.find(c.name_of(k.args()[1]));
    int64_t axis = 0;
    if (source == buffers_.end() || k.args().size() != 3 || !c.integer(k.args()[2], &axis) || axis < 0 ||
        axis >= static_cast<int64_t>(source->second.loops.size()))
      return true; // aie.ready says what is wrong with it
    const int loop = source->second.loops[static_cast<size_t>(axis)];
    if (loop < 0 || !loops_[static_cast<size_t>(loop)].ragged()) return true;
    const Loop &l = loops_[static_cast<size_t>(loop)];
    c.report(diag::ragged_reduction, s, c.show(c.get<ast::Call>(c.get<ast::Expr>(s).value()).func()), l.name, l.extent,
             l.block);
    return false;
  }

  // Zeros of the padding add nothing to a product, as long as they are zeros.
  bool multiplied(Node s, ast::Call k) const {
    const auto a = buffers_.find(c.name_of(k.args()[1]));
    if (a == buffers_.end() || k.args().size() != 3 || a->second.loops.size() != 2) return true;
    const int loop = a->second.loops[1];
    if (loop < 0 || !loops_[static_cast<size_t>(loop)].ragged()) return true;
    const auto as_loaded = [&](Node n) {
      return loaded(std::string(c.name_of(n))) && !written_.contains(std::string(c.name_of(n)));
    };
    if (as_loaded(k.args()[1]) && as_loaded(k.args()[2])) return true;
    const Loop &l = loops_[static_cast<size_t>(loop)];
    c.report(diag::ragged_reduction, s, c.show(c.get<ast::Call>(c.get<ast::Expr>(s).value()).func()), l.name, l.extent,
             l.block);
    return false;
  }

  bool access(Node s, ast::Call k, bool load, const std::vector<int> &path) {
    Access a;
    a.path = path;
    a.stores = !load;
    a.node = s;
    const std::string_view tensor = c.name_of(k.args()[load ? 1 : 0]);
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter &p) { return p.name == tensor; });
    if (found == parameters_.end() || found->extents.size() + 2 != k.args().size())
      return no(s, "`" + c.show(s) + "`: its tensor is no parameter");
    a.tensor = static_cast<size_t>(found - parameters_.begin());
    for (size_t d = 0; d < found->extents.size(); ++d) {
      const Node i = k.args()[d + 2];
      const int loop = loop_named(c.name_of(i));
      const std::string text = c.show(i);
      if (loop < 0 && text != "whole" && !text.ends_with(".whole")) return no(i, "the index `" + text + "`");
      if (loop >= 0 && (a.uses(loop) || loops_[static_cast<size_t>(loop)].extent != found->extents[d]))
        return no(i, "blocks of " + std::to_string(loops_[static_cast<size_t>(loop)].extent) + " along an extent of " +
                         std::to_string(found->extents[d]));
      a.index.push_back(loop);
    }
    for (const Access &other : accesses_) {
      if (other.tensor != a.tensor) continue;
      if (other.stores && a.stores) return no(s, "a second store to `" + found->name + "`");
      if ((other.stores || a.stores) && other.index != a.index)
        return no(s, "`" + found->name + "` loaded and stored at different places");
      if (other.stores && load) return no(s, "`" + found->name + "` loaded after it was stored");
    }
    if (!load) ++stored_[std::string(c.name_of(k.args()[1]))];
    accesses_.push_back(a);
    return true;
  }

  // ── how many cores ──

  // The streams for so many cores.
  Program spread(int64_t columns, int64_t rows, int64_t depth, bool in_blocks) {
    blocks_ = {};
    Program p;
    p.name = std::string(c.entry());
    p.device = device_.name;
    p.node = function_;
    p.columns = columns, p.rows = rows;
    p.parameters = parameters_;
    Core &core = p.cores.emplace_back();
    const int64_t rounds = loops_.empty() ? 1 : (loops_[0].blocks() + columns * rows - 1) / (columns * rows);
    for (const Access &a : accesses_)
      for (size_t d = 0; d < a.index.size(); ++d)
        if (const int l = a.index[d]; l >= 0) {
          const Loop &loop = loops_[static_cast<size_t>(l)];
          int64_t &room = p.parameters[a.tensor].padded[d];
          room = std::max(room, (l == 0 ? columns * rows * rounds : loop.blocks()) * loop.block);
        }
    for (Access &a : accesses_) a.stream = stream_name(a);
    if (in_blocks) blocks_ = blocks_of(device_.name, layout());
    std::set<std::string> seen;
    for (Access &a : accesses_) {
      const Parameter &q = p.parameters[a.tensor];
      Stream s;
      s.name = a.stream;
      if (!seen.insert(s.name).second) continue;
      s.tensor = &q;
      s.dtype = q.dtype;
      s.node = a.node;
      s.feeds = !a.stores;
      s.each = a.uses(0) || !s.feeds;
      std::vector<int64_t> strides(q.padded.size(), 1);
      for (size_t d = q.padded.size(); d-- > 1;) strides[d - 1] = strides[d] * q.padded[d];
      const auto stride_of = [&](size_t loop) {
        for (size_t d = 0; d < a.index.size(); ++d)
          if (a.index[d] == static_cast<int>(loop)) return strides[d];
        return int64_t{0};
      };
      s.once = std::all_of(a.index.begin(), a.index.end(), [](int l) { return l < 0; });
      s.depth = s.once ? 1 : depth;
      if (!s.once) {
        const int64_t step = loops_[0].block * stride_of(0);
        s.order.push_back({rounds, s.each ? rows * step : 0});
        s.apart = s.each ? rounds * rows * step : 0;
        for (const int l : a.path)
          if (l > 0)
            s.order.push_back({loops_[static_cast<size_t>(l)].blocks(),
                               loops_[static_cast<size_t>(l)].block * stride_of(static_cast<size_t>(l))});
        if (s.each) s.order.push_back({rows, step});
      }
      for (size_t d = 0; d < a.index.size(); ++d) {
        s.part.push_back(a.index[d] < 0 ? q.extents[d] : loops_[static_cast<size_t>(a.index[d])].block);
        s.order.push_back({s.part.back(), strides[d]});
      }
      const auto block = blocks_.of.find(s.name);
      std::vector<std::pair<int64_t, int64_t>> last;
      if (block != blocks_.of.end()) {
        s.part = htp::aie::in_blocks(s.part, block->second);
        const auto [m, n] = std::pair(s.part[s.part.size() - 4], s.part[s.part.size() - 3]);
        const auto [r, k] = std::pair(block->second.rows, block->second.columns);
        const int64_t down = s.order[s.order.size() - 2].second, along = s.order.back().second;
        last = {{m, r * down}, {n, k * along}, {r, down}, {k, along}};
        s.order.resize(s.order.size() - 2);
      }
      merge(s.order);
      if (!last.empty() && s.order.size() == 1 && s.order[0].first == 1) s.order.clear();
      s.order.insert(s.order.end(), last.begin(), last.end());
      p.streams.push_back(std::move(s));
    }
    for (const auto &[name, b] : buffers_) {
      if (is_part(name) || !alias_of(name).empty()) continue;
      Tile t;
      t.name = name;
      const std::string dtype = names_.qualified(b.dtype);
      t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
      if (!t.dtype) {
        no(b.dtype, "a tile of " + dtype);
        return p;
      }
      t.extents = extents_of(name);
      core.tiles.push_back(t);
    }
    Statement around{};
    around.kind = Statement::Kind::loop;
    around.times = rounds;
    if (rounds > 1) core.body.push_back(around);
    return p;
  }
  std::vector<int64_t> extents_of(const std::string &name) const {
    const auto block = blocks_.of.find(name);
    const std::vector<int64_t> &extents = buffers_.find(name)->second.extents;
    return block == blocks_.of.end() ? extents : htp::aie::in_blocks(extents, block->second);
  }
  // The tiles and streams, and what is done with them.
  Layout layout() const {
    Layout l;
    const auto dtype = [&](Node n) {
      const std::string name = names_.qualified(n);
      return name.substr(name.rfind('.') + 1);
    };
    for (const auto &[name, b] : buffers_) l.rooms[name] = {b.extents, dtype(b.dtype)};
    for (const Access &a : accesses_) {
      auto k = c.get<ast::Call>(c.get<ast::Expr>(a.node).value());
      l.rooms[a.stream] = {part_of(a), std::string(parameters_[a.tensor].dtype->word)};
      const std::string name(c.name_of(k.args()[a.stores ? 1 : 0]));
      if (buffers_.contains(name))
        l.uses.push_back({"copy", a.stores ? std::vector{a.stream, name} : std::vector{name, a.stream}, a.node});
    }
    for (const Node w : words_) {
      auto k = c.get<ast::Call>(c.get<ast::Expr>(w).value());
      Layout::Use use{names_.called(c.get<ast::Expr>(w).value()).substr(8), {}, w};
      for (const Node a : k.args())
        use.rooms.emplace_back(buffers_.contains(c.name_of(a)) ? c.name_of(a) : std::string_view());
      l.uses.push_back(std::move(use));
    }
    return l;
  }
  static void merge(std::vector<std::pair<int64_t, int64_t>> &order) {
    std::vector<std::pair<int64_t, int64_t>> merged;
    for (const auto &[size, stride] : order) {
      if (size == 1) continue;
      if (!merged.empty() && stride != 0 && merged.back().second == size * stride)
        merged.back() = {merged.back().first * size, stride};
      else
        merged.push_back({size, stride});
    }
    if (merged.empty()) merged.push_back({1, 1});
    order = merged;
  }
  // Loads of the same place are one stream.
  std::string stream_name(const Access &a) {
    std::string key = std::to_string(a.tensor) + (a.stores ? " out" : " in");
    for (const int l : a.index) key += " " + std::to_string(l);
    for (const int l : a.path) key += " in " + std::to_string(l);
    const auto [it, fresh] = stream_names_.try_emplace(key);
    if (fresh) it->second = c.fresh(parameters_[a.tensor].name + (a.stores ? "_out" : "_in"));
    return it->second;
  }
  // Whether a buffer is a part of a stream itself: what is loaded and never written again, or written and stored once.
  bool is_part(const std::string &name) const {
    const auto b = buffers_.find(name);
    if (b == buffers_.end()) return false;
    std::set<std::string> first;
    for (const Access &a : accesses_) {
      auto k = c.get<ast::Call>(c.get<ast::Expr>(a.node).value());
      if (!a.stores) {
        std::string key = std::to_string(a.tensor);
        for (const int l : a.index) key += " " + std::to_string(l);
        for (const int l : a.path) key += " in " + std::to_string(l);
        const bool again = !first.insert(key).second;
        if (c.name_of(k.args()[0]) == name) return !again && !written_.contains(name);
      } else if (c.name_of(k.args()[1]) == name) {
        return stored_.at(name) == 1 && b->second.extents == part_of(a) && b->second.path == a.path;
      }
    }
    return false;
  }
  std::vector<int64_t> part_of(const Access &a) const {
    std::vector<int64_t> part;
    for (size_t d = 0; d < a.index.size(); ++d)
      part.push_back(a.index[d] < 0 ? parameters_[a.tensor].extents[d] : loops_[static_cast<size_t>(a.index[d])].block);
    return part;
  }

  // As few rounds as there can be, then as few cores, then as many columns: each has transfers of its own.
  bool choose() {
    struct Candidate {
      int64_t depth, rounds, columns, rows;
      auto key() const { return std::tuple(-depth, rounds, columns * rows, rows); }
    };
    const int64_t most = columns_;
    std::vector<Candidate> candidates;
    for (const int64_t depth : {2, 1})
      for (int64_t columns = 1; columns <= (loops_.empty() ? 1 : most); ++columns)
        for (int64_t rows = 1; rows <= (loops_.empty() ? 1 : cores_per_column); ++rows)
          candidates.push_back({depth,
                                loops_.empty() ? 1 : (loops_[0].blocks() + columns * rows - 1) / (columns * rows),
                                columns, rows});
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.key() < b.key(); });
    for (const Candidate &k : candidates)
      for (const bool in_blocks : {true, false}) {
        program_ = spread(k.columns, k.rows, k.depth, in_blocks);
        if (c.errors()) return false;
        if (!exceeded(program_).kind) return true;
        if (blocks_.of.empty()) break;
      }
    report(c, exceeded(spread(1, 1, 1, false)), function_);
    return false;
  }

  // ── what becomes of it ──

  Node said(const std::string &text, Node origin) const { return c.statement(c.parse(text, origin), origin); }
  Node named(const std::string &name, const std::string &text, Node origin) const {
    return c.assign(name, HTP_NONE, c.parse(text, origin), origin);
  }

  Node device() {
    core_ = c.fresh("core");
    std::vector<uint32_t> inside;
    for (const Stream &s : program_.streams) {
      std::string order;
      for (const auto &[size, stride] : s.order)
        order += "(" + std::to_string(size) + ", " + std::to_string(stride) + "), ";
      inside.push_back(named(
          s.name,
          std::string(s.feeds ? "aie.feed(" : "aie.collect(") + s.tensor->name + ", " + tuple(s.tensor->padded) + ", " +
              tuple(s.part) + ", (" + order.substr(0, order.size() - (s.order.size() > 1 ? 2 : 1)) + "), " +
              std::to_string(s.apart) + ", " + (s.each ? "'each'" : "'all'") + ", " + std::to_string(s.depth) + ")",
          s.node));
    }
    std::vector<uint32_t> before, after;
    const std::vector<uint32_t> step = block(body_, {}, before);
    for (const Stream &s : program_.streams)
      if (s.once) after.push_back(release(s));
    before.insert(before.end(), step.begin(), step.end());
    before.insert(before.end(), after.begin(), after.end());
    inside.push_back(c.make(make::For{.target = c.name(core_, function_, HTP_STORE),
                                      .iter = c.parse("aie.cores()", function_),
                                      .body = before},
                            function_));
    const std::string text = "aie.device('" + std::string(device_.name) +
                             "', columns=" + std::to_string(program_.columns) +
                             ", rows=" + std::to_string(program_.rows) + ")";
    const Node item = c.make(make::withitem{.context_expr = c.parse(text, function_)}, function_);
    return c.make(make::With{.items = {item}, .body = std::move(inside)}, function_);
  }

  // The statements within some loops; what is acquired there is released at their end.
  std::vector<uint32_t> block(const std::vector<Item> &items, const std::vector<int> &path,
                              std::vector<uint32_t> &before) {
    std::vector<uint32_t> out;
    for (const Item &item : items) {
      if (item.loop < 0) {
        statement(item.node, before, out);
        continue;
      }
      std::vector<int> inside = path;
      inside.push_back(item.loop);
      const std::vector<uint32_t> body = block(item.body, inside, before);
      const Loop &l = loops_[static_cast<size_t>(item.loop)];
      const int64_t times = item.loop == 0 ? program_.rounds() : l.blocks();
      if (times == 1) {
        out.insert(out.end(), body.begin(), body.end());
        continue;
      }
      out.push_back(c.make(make::For{.target = c.name(l.name, item.node, HTP_STORE),
                                     .iter = c.parse("range(" + std::to_string(times) + ")", item.node),
                                     .body = body},
                           item.node));
    }
    for (const Stream &s : program_.streams) {
      const auto a =
          std::find_if(accesses_.begin(), accesses_.end(), [&](const Access &x) { return x.stream == s.name; });
      if (!s.once && a->path == path) out.push_back(release(s));
    }
    return out;
  }
  Node release(const Stream &s) const { return said("aie.release(" + s.name + ", " + core_ + ")", s.node); }

  void acquire(const std::string &name, const Access &a, std::vector<uint32_t> &out) {
    out.push_back(named(name, "aie.acquire(" + a.stream + ", " + core_ + ")", a.node));
  }
  void statement(Node s, std::vector<uint32_t> &before, std::vector<uint32_t> &step) {
    if (auto a = c.as<ast::Assign>(s)) {
      const std::string name(c.name_of(a.targets()[0]));
      if (!alias_of(name).empty()) return;
      if (!is_part(name)) {
        std::string text = "aie.buffer(" + c.show(buffers_.at(name).dtype);
        for (const int64_t e : extents_of(name)) text += ", " + std::to_string(e);
        step.push_back(named(name, text + ")", s));
      } else if (const Access *stored = loaded(name) ? nullptr : store_of(name)) {
        acquire(name, *stored, step);
      }
      return;
    }
    const auto at = std::find_if(accesses_.begin(), accesses_.end(), [&](const Access &a) { return a.node == s; });
    if (at == accesses_.end()) {
      if (!blocks_.products.contains(s)) {
        step.push_back(renamed(s));
        return;
      }
      auto k = c.get<ast::Call>(c.get<ast::Expr>(renamed(s)).value());
      step.push_back(said("aie.mmul(" + join(k.args(), ", ", [&](Node n) { return c.show(n); }) + ")", s));
      return;
    }
    auto k = c.get<ast::Call>(c.get<ast::Expr>(s).value());
    if (at->stores) {
      const std::string given = c.show(k.args()[1]), other = alias_of(given), from = other.empty() ? given : other;
      if (is_part(from) && !loaded(from)) return; // it was computed there
      const std::string part = c.fresh(parameters_[at->tensor].name + "_part");
      acquire(part, *at, step);
      step.push_back(
          said("aie." + std::string(buffers_.contains(from) ? "copy" : "fill") + "(" + part + ", " + from + ")", s));
      return;
    }
    const std::string name(c.name_of(k.args()[0]));
    const bool once = std::any_of(program_.streams.begin(), program_.streams.end(),
                                  [&](const Stream &x) { return x.name == at->stream && x.once; });
    std::string &part = parts_[at->stream];
    if (is_part(name)) {
      part = name;
      acquire(name, *at, once ? before : step);
      return;
    }
    if (!alias_of(name).empty()) return;
    if (part.empty()) acquire(part = c.fresh(parameters_[at->tensor].name + "_part"), *at, once ? before : step);
    step.push_back(said("aie.copy(" + name + ", " + part + ")", s));
  }
  // What is loaded again, and not written either time, is the part that was loaded first: its name, else nothing.
  std::string alias_of(const std::string &name) const {
    if (written_.contains(name)) return {};
    const auto target = [&](const Access &a) {
      return std::string(c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[0]));
    };
    for (const Access &a : accesses_) {
      if (a.stores || target(a) != name) continue;
      for (const Access &first : accesses_)
        if (!first.stores && first.tensor == a.tensor && first.index == a.index && first.path == a.path)
          return target(first) != name && !written_.contains(target(first)) ? target(first) : std::string();
    }
    return {};
  }
  Node renamed(Node s) const {
    return rewrite(
        c, s,
        [&](Node n) {
          auto name = c.as<ast::Name>(n);
          const std::string other = name && name.ctx() == HTP_LOAD ? alias_of(std::string(name.id())) : std::string();
          return other.empty() ? n : c.name(other, n);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }
  bool loaded(const std::string &name) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access &a) {
      return !a.stores && c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[0]) == name;
    });
  }
  const Access *store_of(const std::string &name) const {
    for (const Access &a : accesses_)
      if (a.stores && c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[1]) == name) return &a;
    return nullptr;
  }

  struct Buffer {
    Node dtype = HTP_NONE;
    std::vector<int64_t> extents;
    std::vector<int> loops; // whose block an extent is, or -1
    std::vector<int> path;  // the loops around
  };

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  const Device &device_;
  int64_t columns_; // at most
  std::deque<Parameter> parameters_;
  std::vector<Loop> loops_;
  std::vector<Item> body_;
  std::vector<Access> accesses_;
  std::map<std::string, Buffer, std::less<>> buffers_;
  std::map<std::string, unsigned> written_, stored_; // by words, by stores
  std::vector<Node> words_;
  Blocks blocks_;
  std::map<std::string, std::string> stream_names_, parts_;
  std::string core_;
  Program program_;
};

} // namespace

Result spread(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Device *device = device_named(c.option("device"));
  if (!device) {
    c.report(diag::unknown_device, HTP_NONE, c.option("device"));
    return HTP_FAILED;
  }
  const int64_t asked = c.option_int("columns"),
                columns = asked > 0 ? std::min(asked, device->columns) : device->columns;
  const Node changed = is_pipeline(c, root, function) ? spread_pipeline(c, root, function, *device, columns)
                                                      : Spreading(c, root, function, *device, columns).run();
  if (!changed) return HTP_FAILED;
  out = drop_unused_imports(c, with_statement(c, root, function, changed), [](std::string_view path) {
    return path == "htp_tile" || path.starts_with("htp_tile.") || path == "htp_csp" || path.starts_with("htp_csp.");
  });
  return c.result();
}

} // namespace htp::aie
