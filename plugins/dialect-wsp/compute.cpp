// compute_at and inline: where what a consumer needs is computed.
#include "places.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <cctype>

namespace htp::wsp {

bool apply_compute_at(Transform &t, const Directive &d) {
  const Context &c = t.c;
  const auto producer = t.loop(d, d.names[0]);
  const auto consumer = producer ? t.loop(d, d.texts.find("at")->second) : std::nullopt;
  if (!consumer) return false;
  if (producer->statement == consumer->statement)
    return about(d, c.report(diag::named_twice, d.texts.find("at")->second.at, consumer->variable)), false;
  const Siblings siblings = t.siblings(producer->statement, consumer->statement);
  if (!siblings.together || !siblings.in_order) {
    about(d, c.report(diag::not_before, d.call, producer->variable, consumer->variable)
                 .label(producer->statement, "what is computed")
                 .label(consumer->statement, "where it is needed"));
    return false;
  }
  if (producer->ordered || !producer->forms.wrappers.empty()) {
    about(d, c.report(diag::not_moved_form, d.names[0].at, producer->variable)
                 .label(producer->ordered ? producer->call : producer->forms.wrappers[0], "so it is written here"));
    return false;
  }
  if (const auto halo = halo_of(t, *producer, *consumer)) return compute_with_halo(t, d, *producer, *consumer, *halo);
  const auto size = t.size_of(*producer), around = t.size_of(*consumer);
  if (c.show(producer->extent) != c.show(consumer->extent) || (size && around && *size > *around)) {
    about(d, c.report(diag::different_ranges, d.call, producer->variable, consumer->variable)
                 .label(producer->call, "one range")
                 .label(consumer->call, "the other")
                 .hint("what is computed runs over the same extent, in blocks that are not larger"));
    return false;
  }
  std::optional<Conflict> conflict;
  Node between = HTP_NONE;
  for (const Node s : siblings.between)
    if (!conflict && (conflict = t.conflict(producer->statement, s))) between = s;
  if (!conflict)
    conflict = t.conflict(producer->statement, consumer->statement, producer->variable, consumer->variable);
  if (conflict) {
    Report report = c.report(diag::not_moved, d.call, producer->variable, consumer->variable, conflict->name);
    report.label(conflict->first, conflict->first_writes ? "written here" : "read here")
        .label(conflict->second, conflict->second_writes ? "written here" : "read here");
    if (d.via) report.label(d.via, "called here");
    if (between && c.is(between, HTP_For))
      report.hint("the loop that stands between goes first: `s.compute_at(\"" +
                  std::string(c.name_of(c.get<ast::For>(between).target())) + "\", at=\"" + consumer->variable +
                  "\")`");
    return false;
  }
  // Its blocks are the consumer's, or cut from them.
  auto f = c.read<ast::For>(consumer->statement);
  std::vector<uint32_t> body;
  const Node moved = t.apart(consumer->statement, producer->statement);
  if (size && size != around) {
    auto inner = c.read<ast::For>(moved);
    auto call = c.read<ast::Call>(producer->call);
    call.args[0] = c.name(consumer->variable, producer->call);
    inner.iter = c.with(producer->call, call);
    body.push_back(c.with(moved, inner));
  } else {
    for (const Node s : c.get<ast::For>(t.renamed(moved, {{producer->variable, consumer->variable}})).body())
      body.push_back(s);
  }
  body.insert(body.end(), f.body.begin(), f.body.end());
  f.body = body;
  const Node with = c.with(consumer->statement, f);
  t.replace(producer->statement, {});
  t.replace(consumer->statement, {with});
  return true;
}

namespace {

// How a buffer is computed: loops around straight statements, of which the last stores to it.
struct Producer {
  Node outermost = HTP_NONE;
  std::vector<Loop> loops;
  std::vector<Node> body; // without the store
  Node store = HTP_NONE, value = HTP_NONE;
  std::vector<Node> index; // of the store
};

class Inliner {
public:
  Inliner(Transform &transform, const Directive &directive) : t(transform), d(directive), c(transform.c) {}

  bool run() {
    const auto type = t.tensor(d, d.names[0]);
    if (!type) return false;
    name_ = d.names[0].text;
    binding_ = t.buffer_binding(name_);
    if (!binding_)
      return about(d, c.report(diag::not_a_buffer, d.names[0].at, name_).label(t.bound()[name_], "a parameter")), false;
    if (!find_producer() || !find_reads()) return false;
    t.workload = rewrite(
        c, t.workload, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &to) {
          if (s == producer_.outermost || s == binding_) return true;
          const auto reads = reads_.find(s);
          if (reads == reads_.end()) return false;
          to.push_back(inlined(s, reads->second, to));
          return true;
        });
    return true;
  }

private:
  template <class... A> bool no(Node at, const char *label, const DiagKind &row, const A &...a) {
    about(d, c.report(row, d.call, name_, a...).label(at, label));
    return false;
  }

  bool find_producer() {
    std::vector<TensorAccess> stores;
    for (const TensorAccess &a : t.accesses(t.workload))
      if (a.tensor == name_ && a.writes) stores.push_back(a);
    if (stores.empty()) return no(binding_, "bound here", diag::inline_unstored);
    if (stores.size() > 1) return no(stores[1].at, "and here", diag::inline_two_stores);
    // The loops around the store, from the outside in; each but the innermost holds nothing else.
    const auto all = t.loops();
    for (const Loop &l : all) {
      bool holds = false;
      c.each(l.statement, [&](Node n) { holds |= n == stores[0].at; });
      if (holds) producer_.loops.push_back(l);
    }
    const auto uses_only_here = [&](const Loop &l) { // the outermost loop that has to do with this buffer alone
      for (const TensorAccess &a : t.accesses(l.statement))
        if (a.tensor == name_ && !a.writes) return false;
      return true;
    };
    std::erase_if(producer_.loops, [&](const Loop &l) { return !uses_only_here(l); });
    if (producer_.loops.empty()) return no(stores[0].at, "stored here", diag::inline_no_loop);
    producer_.outermost = producer_.loops[0].statement;
    for (size_t k = 0; k < producer_.loops.size(); ++k) {
      const Nodes body = c.get<ast::For>(producer_.loops[k].statement).body();
      if (k + 1 < producer_.loops.size()) {
        if (body.size() != 1 || body[0] != producer_.loops[k + 1].statement)
          return no(body[0], "this stands there too", diag::inline_shared_loop);
        continue;
      }
      for (const Node s : body) {
        auto a = c.as<ast::Assign>(s);
        if (!a || a.targets().size() != 1) return no(s, "this is none", diag::inline_statement);
        if (a.targets()[0] == stores[0].at) {
          producer_.store = s;
          producer_.value = a.value();
        } else if (c.is(a.targets()[0], HTP_Name)) {
          producer_.body.push_back(s);
        } else {
          return no(s, "stored here", diag::inline_other_store);
        }
      }
    }
    if (!producer_.store) return no(stores[0].at, "stored here", diag::inline_statement);
    producer_.index = stores[0].index;
    for (const Loop &l : producer_.loops) {
      if (l.ordered) return no(l.call, "this one", diag::inline_ordered, l.variable);
      const auto at = std::count_if(producer_.index.begin(), producer_.index.end(),
                                    [&](Node n) { return c.name_of(n) == l.variable; });
      if (at != 1) return no(stores[0].at, "stored here", diag::inline_index, l.variable);
    }
    for (const Node n : producer_.index)
      if (!c.is(n, HTP_Slice) && std::none_of(producer_.loops.begin(), producer_.loops.end(),
                                              [&](const Loop &l) { return c.name_of(n) == l.variable; }))
        return no(n, "here", diag::inline_other_index, c.show(n));
    // What it reads must be the same where it is needed: all that is written to it is written before.
    std::set<std::string> sources;
    for (const TensorAccess &read : t.accesses(producer_.outermost))
      if (read.tensor != name_) sources.insert(read.tensor);
    const auto before = written_before(sources);
    for (const TensorAccess &a : t.accesses(t.workload))
      if (a.writes && sources.contains(a.tensor) && !before.contains(a.at))
        return no(a.at, "written here", diag::inline_source_written, a.tensor);
    const Node one[] = {producer_.outermost};
    const auto bound = t.bound();
    for (const auto &[name, at] : Flows(c).of(one).exposed)
      if (bound.contains(name) && !t.tensor_type(name)) return no(at, "read here", diag::inline_outer_value, name);
    return true;
  }

  // What is written to these before the loops that compute the buffer, where it is read behind them alone: in the block
  // of statements in which they stand, and every time that this runs.
  std::set<Node> written_before(const std::set<std::string> &sources) const {
    std::set<Node> found;
    const auto in_block = [&](Nodes block) {
      if (std::ranges::find(block, producer_.outermost) == block.end()) return;
      std::vector<TensorAccess> before, behind;
      bool passed = false;
      for (const Node s : block) {
        passed = passed || s == producer_.outermost;
        auto &into = passed ? behind : before;
        const auto here = t.accesses(s);
        into.insert(into.end(), here.begin(), here.end());
      }
      const auto reads = [&](const std::vector<TensorAccess> &accesses) {
        return std::ranges::count_if(accesses, [&](const TensorAccess &a) { return a.tensor == name_ && !a.writes; });
      };
      if (reads(behind) != reads(t.accesses(t.workload))) return;
      for (const TensorAccess &a : before)
        if (a.writes && sources.contains(a.tensor)) found.insert(a.at);
    };
    c.each(t.workload, [&](Node n) {
      if (auto f = c.as<ast::FunctionDef>(n)) in_block(f.body());
      if (auto f = c.as<ast::For>(n)) in_block(f.body());
      if (auto w = c.as<ast::While>(n)) in_block(w.body());
      if (auto i = c.as<ast::If>(n)) in_block(i.body()), in_block(i.orelse());
    });
    return found;
  }

  bool find_reads() {
    bool any = false, fine = true;
    const auto visit = [&](auto &&self, Nodes statements) -> void {
      std::map<std::string, std::vector<Node>> alike; // reads of one place, in this block of statements
      for (const Node s : statements) {
        if (s == producer_.outermost || s == binding_ || !fine) continue;
        if (auto f = c.as<ast::For>(s)) {
          self(self, f.body());
        } else if (auto w = c.as<ast::While>(s)) {
          fine = fine && asks_nothing(w.test());
          self(self, w.body());
        } else if (auto i = c.as<ast::If>(s)) {
          fine = fine && asks_nothing(i.test());
          self(self, i.body());
          self(self, i.orelse());
        } else {
          for (const TensorAccess &a : t.accesses(s)) {
            if (a.tensor != name_) continue;
            any = true;
            fine = fine && readable(a);
            reads_[s].push_back(a);
            alike[c.show(a.at)].push_back(a.at);
          }
        }
      }
      for (const auto &[text, reads] : alike)
        if (reads.size() > 1)
          for (const Node read : reads) first_of_[read] = reads.front();
    };
    visit(visit, c.get<ast::FunctionDef>(t.workload).body());
    if (fine && !any) return no(binding_, "bound here", diag::inline_unread);
    return fine;
  }

  bool asks_nothing(Node condition) {
    for (const TensorAccess &a : t.accesses(condition))
      if (a.tensor == name_) return no(a.at, "read here", diag::inline_condition);
    return true;
  }

  bool readable(const TensorAccess &a) {
    if (!c.is(a.at, HTP_Subscript)) return no(a.at, "read here", diag::inline_call);
    const auto all = t.loops();
    for (size_t k = 0; k < std::min(a.index.size(), producer_.index.size()); ++k) {
      const Node computed = producer_.index[k], wanted = a.index[k];
      const bool whole = c.is(computed, HTP_Slice);
      if (whole ? c.is(wanted, HTP_Slice) && c.show(computed) == c.show(wanted)
                : find_loop(all, c.name_of(wanted)) != nullptr)
        continue;
      if (whole && find_loop(all, c.name_of(wanted)) && element_by_element(k)) continue;
      if (whole || !is_place(t, wanted))
        return no(a.at, "read here", diag::inline_other_blocks, c.show(computed), k, c.show(wanted));
      // At a place that is no block of a loop only what is indexed is another.
      const std::string own(c.name_of(computed));
      for (const Node s : producer_.body)
        if (const Node other = beyond_indices(t, s, own)) return no_place(other, own, wanted);
      if (const Node other = beyond_indices(t, producer_.value, own)) return no_place(other, own, wanted);
    }
    return true;
  }
  // Whether all of a dimension may be computed block by block as well: each element is made of those at its own place.
  bool element_by_element(size_t dimension) const {
    const auto type = t.tensor_type(name_);
    if (!type || producer_.index.size() != type->rank() || c.show(producer_.index[dimension]) != ":") return false;
    const auto value = [&](Node n) {
      for (const TensorAccess &a : t.accesses(n)) {
        const auto of = t.tensor_type(a.tensor);
        if (!c.is(a.at, HTP_Subscript) || !of || of->rank() != type->rank() || a.index.size() != type->rank() ||
            c.show(a.index[dimension]) != ":" ||
            !(of->extents[dimension].is(1) || of->extents[dimension] == type->extents[dimension]))
          return false;
      }
      std::set<Node> indices;
      for (const TensorAccess &a : t.accesses(n)) c.each(a.at, [&](Node e) { indices.insert(e); });
      bool fine = true;
      c.each(n, [&](Node e) {
        auto call = c.as<ast::Call>(e);
        if (indices.contains(e) || !fine) return;
        if (call) {
          const htp_intrinsic *row = c.intrinsic(t.names.qualified(call.func()));
          const std::string_view rule = row ? row->rule : "";
          fine = rule == "elementwise" || rule == "compare" || rule == "select" || rule == "cast";
        } else if (auto name = c.as<ast::Name>(e)) { // one that is bound there, a constant, a dtype or an intrinsic
          fine = !t.bound().contains(std::string(name.id())) || made_here(name.id());
        } else {
          fine = c.is(e, HTP_BinOp) || c.is(e, HTP_UnaryOp) || c.is(e, HTP_Compare) || c.is(e, HTP_Constant) ||
                 c.is(e, HTP_Attribute) || c.is(e, HTP_keyword);
          auto b = c.as<ast::BinOp>(e);
          fine = fine && !(b && b.op() == HTP_MatMult);
        }
      });
      return fine;
    };
    return value(producer_.value) &&
           std::ranges::all_of(producer_.body, [&](Node s) { return value(c.get<ast::Assign>(s).value()); });
  }
  bool made_here(std::string_view name) const {
    return std::ranges::any_of(producer_.body,
                               [&](Node s) { return c.name_of(c.get<ast::Assign>(s).targets()[0]) == name; });
  }

  bool no_place(Node at, const std::string &own, Node wanted) {
    return no(at, "here", diag::inline_block_value, c.show(wanted), own);
  }

  // The statement with what it reads computed before it.
  Node inlined(Node s, const std::vector<TensorAccess> &reads, std::vector<uint32_t> &to) {
    std::map<Node, Node> values;
    for (const TensorAccess &a : reads) {
      const auto first = first_of_.find(a.at); // what is read twice is computed once
      if (first != first_of_.end() && named_.contains(first->second)) {
        values[a.at] = c.name(named_[first->second], a.at);
        continue;
      }
      std::map<std::string, std::string> names;
      std::map<std::string, Node> places;
      std::map<size_t, Node> parts; // of dimensions that are computed whole: the block that is wanted
      for (size_t k = 0; k < a.index.size(); ++k)
        if (c.is(producer_.index[k], HTP_Slice) && c.is(a.index[k], HTP_Name)) parts[k] = a.index[k];
      for (size_t k = 0; k < a.index.size(); ++k)
        if (const auto own = c.name_of(producer_.index[k]); !own.empty()) {
          if (const auto name = c.name_of(a.index[k]); !name.empty())
            names[std::string(own)] = name;
          else
            places[std::string(own)] = a.index[k];
        }
      for (const Node b : producer_.body) {
        const std::string own(c.name_of(c.get<ast::Assign>(b).targets()[0]));
        if (!names.contains(own)) names[own] = fresh(own);
      }
      const auto here = [&](Node n) { return with_places(c, t.renamed(in_parts(n, parts), names), places); };
      for (const Node b : producer_.body) to.push_back(copy_of_statement(here(b)));
      values[a.at] = copy_of(c, here(producer_.value), a.at);
      if (first == first_of_.end()) continue;
      const std::string name = named_[first->second] = fresh(name_);
      to.push_back(c.assign(name, HTP_NONE, values[a.at], s));
      values[a.at] = c.name(name, a.at);
    }
    return rewrite(
        c, s,
        [&](Node n) {
          const auto it = values.find(n);
          return it == values.end() ? n : it->second;
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }
  // What is read of a dimension of the buffer's own extent is read at the block.
  Node in_parts(Node n, const std::map<size_t, Node> &parts) const {
    if (parts.empty()) return n;
    std::map<Node, Node> blocks;
    for (const TensorAccess &a : t.accesses(n))
      for (const auto &[k, block] : parts)
        if (!t.tensor_type(a.tensor)->extents[k].is(1)) blocks[a.index[k]] = block;
    return rewrite(
        c, n,
        [&](Node e) {
          const auto it = blocks.find(e);
          return it == blocks.end() ? e : c.name(c.name_of(it->second), e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }
  // Within one stage a node has one parent.
  Node copy_of_statement(Node s) const {
    auto a = c.get<ast::Assign>(s);
    return c.assign(c.name_of(a.targets()[0]), HTP_NONE, copy_of(c, a.value(), s), s);
  }
  // A name like this one; `h_2` is followed by `h_3`.
  std::string fresh(std::string stem) {
    while (stem.size() > 1 && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
    if (stem.size() > 1 && stem.back() == '_') stem.pop_back();
    std::string name = t.free_name(stem);
    for (unsigned k = 1; !made_.insert(name).second; ++k) name = t.free_name(stem + "_" + std::to_string(k));
    return name;
  }

  Transform &t;
  const Directive &d;
  const Context &c;
  std::string name_;
  Node binding_ = HTP_NONE;
  Producer producer_;
  std::map<Node, std::vector<TensorAccess>> reads_; // by statement
  std::map<Node, Node> first_of_;                   // of a read, the first one of the same place in its block
  std::map<Node, std::string> named_;               // what stands for the first and those behind it
  std::set<std::string> made_;
};

} // namespace

bool apply_inline(Transform &t, const Directive &d) { return Inliner(t, d).run(); }

} // namespace htp::wsp
