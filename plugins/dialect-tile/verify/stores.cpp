#include "verify/stores.h"

#include "diagnostics.h"
#include "language/check.h"
#include "verify/ints.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::tile {
namespace {

struct Event;
using Events = std::vector<Event>;
using Live = std::map<std::string, IntSet, std::less<>>;

// What is done to memory, in the order in which it is: read once forward, for what ints stand for, and gone through
// backward, from what is read to what is stored.
struct Event {
  enum class Is : uint8_t { read, write, made, loop, repeat, branch, leave } is;
  Node at = HTP_NONE;
  std::string tensor{};
  IntSet region{};   // elements, by the sizes and the variables of the loops around; of a loop its variable's values
  bool known = true; // the region is all of it
  std::string variable{}; // of a loop
  std::vector<Event> body{}, other{};
  // Of a loop, found out once: what any iteration reads that it has not stored itself, and what all of them store.
  mutable std::optional<Live> exposed{}, stored{};
};

class Stores {
public:
  Stores(const Module &module, Node function, const Accesses &accesses)
      : m_(module), c(module.c), function_(function), accesses_(accesses), ints_(module, function) {}

  void run() {
    auto f = c.get<ast::FunctionDef>(function_);
    auto a = c.get<ast::arguments>(f.args());
    Live left;
    for (const Nodes list : {a.posonlyargs(), a.args()})
      for (const Node n : list) {
        auto p = c.get<ast::arg>(n);
        const auto type = read_type(c, p.annotation());
        if (!type || type->form != "Tensor") continue;
        for (const Extent &e : type->extents) {
          const auto sum = e.name.empty() ? std::nullopt : m_.sum(write_extent(c, e, n));
          for (const std::string &dim : sum ? sum->names() : std::set<std::string>())
            if (m_.is_dim(dim) && std::ranges::find(dims_, dim) == dims_.end()) dims_.push_back(dim);
        }
        if (direction_of(c, p.annotation()) == "In" || accesses_.all_used(p.arg())) continue;
        std::vector<Range> extents;
        for (const Extent &e : type->extents) extents.push_back({ints_.number(0), ints_.extent(e.name, e.size)});
        tensors_.insert_or_assign(std::string(p.arg()), extents);
        left.insert_or_assign(std::string(p.arg()), ints_.isl().all());
      }
    Events events;
    if (!block(f.body(), events)) return; // parts that run beside each other: what one stores another reads
    for (const std::string &dim : dims_) ordinary_ = ordinary_ & (ints_.isl().variable(dim) >= ints_.number(1));
    reports_ = true;
    backward(events, left, {});
  }

private:
  // ── forward ───────────────────────────────────────────────────────────────────────────────────────────────────────

  bool block(Nodes statements, Events &into) {
    return std::ranges::all_of(statements, [&](Node s) { return statement(s, into); });
  }

  bool statement(Node n, Events &into) {
    if (auto f = c.as<ast::For>(n)) {
      const Node iter = loop_forms(c, m_.names, f.iter()).range;
      const bool known = ints_.iterate(c.name_of(f.target()), iter);
      Event loop{.is = Event::Is::loop, .at = n, .known = known};
      loop.variable = ints_.variables().back().name;
      if (known) loop.region = ints_.variables().back().within;
      const bool good = block(f.body(), loop.body);
      ints_.leave();
      into.push_back(std::move(loop));
      return good;
    }
    if (auto w = c.as<ast::While>(n)) {
      Event repeat{.is = Event::Is::repeat, .at = n};
      accesses(w.test(), repeat.body);
      const bool good = block(w.body(), repeat.body);
      accesses(w.test(), repeat.body);
      into.push_back(std::move(repeat));
      return good;
    }
    if (auto i = c.as<ast::If>(n)) {
      accesses(i.test(), into);
      Event branch{.is = Event::Is::branch, .at = n};
      const bool good = block(i.body(), branch.body) && block(i.orelse(), branch.other);
      into.push_back(std::move(branch));
      return good;
    }
    if (c.is(n, HTP_Break)) return into.push_back({.is = Event::Is::leave, .at = n}), true;
    if (c.is(n, HTP_FunctionDef)) return false;
    auto plain = c.as<ast::Assign>(n);
    auto typed = c.as<ast::AnnAssign>(n);
    if (!plain && !typed) return accesses(n, into), true;
    const Node target = plain ? plain.targets()[0] : typed.target(), value = plain ? plain.value() : typed.value();
    accesses(value, into);
    const std::string name(c.name_of(target));
    if (name.empty()) return true;
    ints_.bind(name, value);
    auto k = c.as<ast::Call>(value);
    if (!k || m_.path(k.func()) != "htp_tile.buffer" || accesses_.all_used(name)) return true;
    std::vector<Range> extents;
    for (const Node e : k.args().subspan(1)) {
      const auto range = ints_.range(e);
      if (!range) return false;
      extents.push_back(*range);
    }
    tensors_.insert_or_assign(name, extents);
    into.push_back({.is = Event::Is::made, .at = n, .tensor = name});
    return true;
  }

  void accesses(Node n, Events &into) {
    if (!n) return;
    c.each(n, [&](Node inner) {
      if (c.is(inner, HTP_Call)) access(inner, into);
    });
  }

  void access(Node n, Events &into) {
    auto k = c.get<ast::Call>(n);
    const std::string path = m_.path(k.func());
    const htp_intrinsic *row = path.empty() || k.args().empty() ? nullptr : c.intrinsic(path);
    // A tensor that is handed on whole may be read there.
    for (const Node a : k.args().subspan(row && *row->effects ? 1 : 0))
      if (tensors_.contains(c.name_of(a)))
        into.push_back({.is = Event::Is::read, .at = n, .tensor = std::string(c.name_of(a)), .known = false});
    const auto tensor = row && *row->effects ? tensors_.find(c.name_of(k.args()[0])) : tensors_.end();
    if (tensor == tensors_.end()) return;
    uint32_t first = 0;
    while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
    const Nodes indices = k.args().subspan(std::min<size_t>(first, k.args().size()));
    Event event{.is = Event::Is::read, .at = n, .tensor = tensor->first, .region = ints_.isl().all()};
    event.known = indices.size() == tensor->second.size() && k.keywords().empty();
    for (size_t d = 0; event.known && d < indices.size(); ++d) {
      const IntValue at = ints_.isl().variable("[" + std::to_string(d) + "]");
      const auto selected = ints_.selected(indices[d], at);
      event.known = selected.has_value();
      if (selected)
        event.region = event.region & *selected & (at >= tensor->second[d].start) & (at < tensor->second[d].stop);
    }
    for (const auto &v : ints_.variables()) event.region = event.region & v.within;
    if (has_name(row->effects, "write")) {
      Event write = event;
      write.is = Event::Is::write;
      if (path != "htp_tile.store") write.known = false; // it happens later, or adds to what is there
      if (has_name(row->effects, "read")) into.push_back(event);
      into.push_back(std::move(write));
    } else {
      into.push_back(std::move(event));
    }
  }

  // ── backward ──────────────────────────────────────────────────────────────────────────────────────────────────────

  // What is alive before the events when `live` is behind them; `left` is what is behind the loop that `break` leaves.
  Live backward(const Events &events, Live live, const Live &left) {
    for (auto e = events.rbegin(); e != events.rend(); ++e) {
      switch (e->is) {
      case Event::Is::read: grow(live, e->tensor, e->known ? e->region : ints_.isl().all()); break;
      case Event::Is::write: write(*e, live); break;
      case Event::Is::made: live.erase(e->tensor); break;
      case Event::Is::leave: live = left; break;
      case Event::Is::branch: {
        Live other = backward(e->other, live, left);
        live = backward(e->body, std::move(live), left);
        join(live, other);
        break;
      }
      case Event::Is::loop:
      case Event::Is::repeat: loop(*e, live); break;
      }
    }
    return live;
  }

  void loop(const Event &e, Live &live) {
    const Live &exposed = exposed_in(e);
    if (reports_) {
      Live end = live;
      join(end, exposed);
      backward(e.body, std::move(end), live);
    }
    // What all iterations together store is not alive before; those of a `while` may be none.
    if (e.is == Event::Is::loop && e.known)
      for (const auto &[name, set] : stored_in(e))
        if (const auto it = live.find(name); it != live.end()) it->second = it->second - set;
    join(live, exposed);
  }
  // Of all iterations together.
  IntSet of_all(const Event &e, const IntSet &set) const {
    if (e.variable.empty()) return set;
    return (e.known ? set & e.region : set).without(e.variable);
  }
  const Live &exposed_in(const Event &e) {
    if (e.exposed) return *e.exposed;
    const bool tells = std::exchange(reports_, false);
    e.exposed = backward(e.body, {}, {});
    for (auto &[name, set] : *e.exposed) set = of_all(e, set);
    reports_ = tells;
    return *e.exposed;
  }
  const Live &stored_in(const Event &e) {
    if (e.stored) return *e.stored;
    surely(e.body, e.stored.emplace());
    for (auto &[name, set] : *e.stored) set = of_all(e, set);
    return *e.stored;
  }

  // What the events store, whatever way they take.
  void surely(const Events &events, Live &into) {
    for (const Event &e : events)
      if (e.is == Event::Is::write && e.known) {
        grow(into, e.tensor, e.region);
      } else if (e.is == Event::Is::loop && e.known) {
        for (const auto &[name, set] : stored_in(e)) grow(into, name, set);
      } else if (e.is == Event::Is::branch) {
        Live then, other;
        surely(e.body, then);
        surely(e.other, other);
        for (const auto &[name, set] : then)
          if (const auto it = other.find(name); it != other.end()) grow(into, name, set & it->second);
      }
  }

  void write(const Event &e, Live &live) {
    const auto it = live.find(e.tensor);
    const bool unread = it == live.end();
    if (reports_ && (unread || (e.known && (it->second & e.region).empty() == Answer::yes))) {
      const bool reached = !e.known || (e.region & ordinary_).empty() == Answer::no;
      if (reached) c.report(diag::dead_store, e.at, e.tensor);
    }
    if (!unread && e.known) it->second = it->second - e.region;
  }

  void grow(Live &live, const std::string &tensor, const IntSet &by) const {
    const auto [it, fresh] = live.try_emplace(tensor, by);
    if (!fresh) it->second = it->second | by;
  }
  void join(Live &into, const Live &other) const {
    for (const auto &[name, set] : other) grow(into, name, set);
  }

  const Module &m_;
  const Context &c;
  const Node function_;
  const Accesses &accesses_; // of which those tensors are not looked at that it answers for
  Ints ints_;
  std::vector<std::string> dims_;
  std::map<std::string, std::vector<Range>, std::less<>> tensors_;
  IntSet ordinary_ = ints_.isl().all(); // sizes of at least 1: without any elements there is nothing to store
  bool reports_ = false;
};

} // namespace

void check_stores(const Module &module, Node function, const Accesses &accesses) {
  if (!accesses.all_used()) Stores(module, function, accesses).run();
}

} // namespace htp::tile
