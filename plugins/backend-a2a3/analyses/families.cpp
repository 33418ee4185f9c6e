#include "analyses/families.h"

#include "analyses/program.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Name = std::string;

// How a loop may sum up in parts: an instruction, and what changes nothing in it; nothing: any part may begin with what
// the whole begins with.
struct Sum {
  std::string_view instruction, neutral;
};
constexpr Sum sums[] = {{"htp_pto.tadd", "0"}, {"htp_pto.tmul", "1"}, {"htp_pto.tmax", ""}, {"htp_pto.tmin", ""}};

constexpr size_t most_given = 16; // arguments of a task, on the runtime that takes fewest

struct Declared {                         // `acc = pto.tile(f32, 1, N)`, a statement of the kernel
  Node node = HTP_NONE, first = HTP_NONE; // first: `pto.texpands(acc, 0)`, if that is all that was done with it so far
  bool touched = false;
};
struct Accumulator {
  Name name;
  const Sum *sum;
};

class Families {
public:
  Families(const Context &context, const Names &names, const sdk::Constants &constants, Node function, Imports &imports)
      : c(context), names_(names), constants_(constants), function_(function), imports_(imports) {}

  std::optional<FamilyBody> run() {
    Node kernel = HTP_NONE;
    for (const Node s : c.get<ast::FunctionDef>(function_).body()) {
      if (c.is(s, HTP_For) || (c.is(s, HTP_With) && kernel)) return std::nullopt;
      if (c.is(s, HTP_With))
        kernel = s;
      else
        out_.before.push_back(s);
    }
    if (!kernel ||
        !c.get<ast::Call>(c.get<ast::withitem>(c.get<ast::With>(kernel).items()[0]).context_expr()).args().empty())
      return std::nullopt;
    kernel_ = kernel;
    for (const Node s : c.get<ast::With>(kernel).body()) statement(s);
    if (found_) flush();
    if (!found_ || failed_ || c.errors()) return std::nullopt;
    // What stores nothing has been made where it is needed.
    std::erase_if(out_.kernels, [&](const FamilyBody::Kernel &k) {
      bool stores = k.tasks.has_value();
      c.each(k.node,
             [&](Node n) { stores |= names_.called(n) == "htp_pto.tstore" || names_.called(n) == "htp_pto.mscatter"; });
      return !stores;
    });
    for (const FamilyBody::Kernel &k : out_.kernels)
      if (arguments(k) > most_given) return std::nullopt;
    return std::move(out_);
  }

private:
  // How many tensors and numbers a task of a kernel is given.
  size_t arguments(const FamilyBody::Kernel &k) const {
    std::set<Name> given, sizes;
    const auto counts = [&](const Name &name) {
      if (mentions(k.node, name)) given.insert(name);
    };
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args()) {
      auto a = c.get<ast::arg>(n);
      const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
      if (type && type->form.empty() && type->dtype == "int")
        sizes.emplace(a.arg());
      else
        counts(Name(a.arg()));
      for (const Extent &e : type ? type->extents : std::vector<Extent>())
        c.each(c.parse(e.text(), n), [&](Node name) {
          if (c.is(name, HTP_Name) && !constants_.integer(name)) sizes.emplace(c.name_of(name));
        });
    }
    for (const Node m : out_.before)
      if (auto a = c.as<ast::Assign>(m); a && names_.called(a.value()) == "htp_pto.gm")
        counts(Name(c.name_of(a.targets()[0])));
    return given.size() + sizes.size() + (k.tasks ? 2 * k.tasks->loops.size() : 0);
  }

  // ── what a statement touches ──

  bool instruction(Node n) const { return names_.called(n).starts_with("htp_pto.t"); }
  // The tiles that stand in it, but for those that it declares itself.
  std::set<Name> used(Node n) const {
    std::set<Name> all;
    c.each(n, [&](Node e) {
      const Name name(c.name_of(e));
      if (declared_.contains(name)) all.insert(name);
    });
    return all;
  }
  // Whether a tile is summed up in a loop, and nothing else is done with it there.
  const Sum *sum_of(Node loop, const Name &name) const {
    const Sum *found = nullptr;
    bool alone = true;
    size_t all = 0, own = 0;
    c.each(loop, [&](Node n) {
      all += c.name_of(n) == name && c.is(n, HTP_Name);
      auto call = c.as<ast::Call>(n);
      if (!call) return;
      const std::string called = names_.called(n);
      for (const Sum &s : sums)
        if (called == s.instruction && call.args().size() == 3 && c.name_of(call.args()[0]) == name &&
            c.name_of(call.args()[1]) == name && c.name_of(call.args()[2]) != name) {
          own += 2;
          alone &= !found || found == &s;
          found = &s;
        }
    });
    return alone && all == own ? found : nullptr;
  }
  // The tiles from before a loop that it writes to.
  std::set<Name> written(Node loop) const {
    std::set<Name> all;
    c.each(loop, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      if (!call || !instruction(n) || names_.called(n) == "htp_pto.tstore") return;
      for (const Node a : call.args()) // and what it works in
        if (const Name name(c.name_of(a)); declared_.contains(name) && (a == call.args()[0] || is_work(n, a)))
          all.insert(name);
    });
    return all;
  }
  bool is_work(Node call, Node argument) const {
    const size_t work = work_of(names_.called(call).substr(8));
    const Nodes a = c.get<ast::Call>(call).args();
    return work < a.size() && a[work] == argument;
  }

  // ── the kernels ──

  struct Plan {
    Tasks tasks;
    std::vector<Accumulator> sums;
    std::set<Name> read; // tiles that were made before
  };
  std::optional<Plan> plan_of(Node s) {
    if (!c.is(s, HTP_For)) return std::nullopt;
    Plan p;
    const std::set<Name> changed = written(s);
    for (const Name &name : used(s)) {
      const Declared &d = declared_.at(name);
      const Sum *sum = changed.contains(name) ? sum_of(s, name) : nullptr;
      if (sum && d.first && !d.touched && movable(d.node))
        p.sums.push_back({name, sum});
      else if (!changed.contains(name) && movable(d.node))
        p.read.insert(name);
      else
        return std::nullopt;
    }
    const Node alone = with_list(c, kernel_, HTP_FIELD(With, body), std::vector<uint32_t>{s});
    // What other loops touch too counts as a tensor: it lies beside the tasks of all.
    std::set<std::string, std::less<>> private_memories;
    for (const Node m : c.get<ast::FunctionDef>(function_).body())
      if (auto a = c.as<ast::Assign>(m);
          a && mentions(s, c.name_of(a.targets()[0])) == mentions(kernel_, c.name_of(a.targets()[0])))
        private_memories.emplace(c.name_of(a.targets()[0]));
    p.tasks = tasks_of(c, names_, constants_, function_, std::vector<uint32_t>{alone}, private_memories,
                       p.sums.size() + p.read.size(), !p.sums.empty());
    if (p.tasks.loops.empty()) return std::nullopt;
    return p;
  }
  size_t mentions(Node n, std::string_view name) const {
    size_t all = 0;
    c.each(n, [&](Node e) { all += c.is(e, HTP_Name) && c.name_of(e) == name; });
    return all;
  }
  // Whether a tile can be kept in memory: it has rows, or a single element, of a dtype with bytes.
  bool movable(Node declaration) const {
    const Nodes a = c.get<ast::Call>(c.get<ast::Assign>(declaration).value()).args();
    if (a.size() < 2 || a.size() > 3 || !bytes_of(declaration)) return false;
    const bool column = a.size() == 3 && constants_.integer(a[2]) == 1 && constants_.integer(a[1]) != 1;
    return !column && c.get<ast::Call>(c.get<ast::Assign>(declaration).value()).keywords().empty();
  }
  int64_t bytes_of(Node declaration) const {
    const std::string dtype = names_.qualified(c.get<ast::Call>(c.get<ast::Assign>(declaration).value()).args()[0]);
    const DType *d = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    return d ? d->bytes : 0;
  }

  void statement(Node s) {
    if (const auto plan = plan_of(s)) {
      flush();
      family(s, *plan);
      found_ = true;
      return;
    }
    if (auto a = c.as<ast::Assign>(s)) {
      const Name name(c.name_of(a.targets()[0]));
      if (names_.called(a.value()) == "htp_pto.tile")
        declared_[name] = {s};
      else
        ints_.push_back(s);
      return now_.push_back(s);
    }
    auto e = c.as<ast::Expr>(s);
    const bool sets = e && names_.called(e.value()) == "htp_pto.texpands";
    for (const Name &name : used(s)) {
      Declared &d = declared_.at(name);
      d.touched |= d.first || !sets;
      if (sets && !d.touched) d.first = s;
    }
    now_.push_back(s);
  }

  // The statements so far as a kernel: with what they need of earlier ones, and what later ones need of them.
  void flush() {
    if (now_.empty()) return;
    std::set<Name> own, needed;
    for (const Node s : now_) {
      auto a = c.as<ast::Assign>(s);
      if (a && names_.called(a.value()) == "htp_pto.tile") own.emplace(c.name_of(a.targets()[0]));
      for (const Name &name : used(s))
        if (!own.contains(name)) needed.insert(name);
      for (const Name &name : written(s)) failed_ |= !own.contains(name); // which an earlier kernel made
    }
    std::vector<uint32_t> body;
    for (const Name &name : needed) hand_on(name, body);
    body.insert(body.end(), now_.begin(), now_.end());
    now_.clear();
    for (const Name &name : own) owner_[name] = out_.kernels.size(), handed_.erase(name);
    out_.kernels.push_back({kernel_with(std::move(body)), {}});
  }
  Node kernel_with(std::vector<uint32_t> body) const {
    return with_list(c, kernel_, HTP_FIELD(With, body), std::move(body));
  }

  // Memory for a tile, of `count` of them: each begins a line. Its index says where one of them lies.
  struct Kept {
    Name memory;
    std::vector<std::string> index; // behind which one
  };
  Kept memory_for(Node declaration, const std::string &stem, const std::string &count) {
    const Nodes a = c.get<ast::Call>(c.get<ast::Assign>(declaration).value()).args();
    const int64_t line = 64 / bytes_of(declaration);
    Kept k{c.fresh(stem), {}};
    std::vector<uint32_t> extents{copy_of(c, a[0], declaration)};
    if (!count.empty()) extents.push_back(c.parse(count, declaration));
    const std::string all = imports_.name("htp_tile", "whole", "tile");
    for (size_t d = 1; d < a.size(); ++d) {
      const auto number = constants_.integer(a[d]);
      const std::string extent = number ? std::to_string(*number) : c.show(a[d]);
      const bool padded = d + 1 == a.size() && (!number || *number % line != 0);
      const std::string by = std::to_string(line);
      extents.push_back(
          c.parse(padded ? number ? std::to_string((*number + line - 1) / line * line)
                                  : "(" + extent + " + " + std::to_string(line - 1) + ") // " + by + " * " + by
                         : extent,
                  declaration));
      k.index.push_back(padded ? "slice(0, " + extent + ")" : all);
    }
    out_.before.push_back(c.assign(k.memory, HTP_NONE, c.call("pto.gm", std::move(extents), declaration), declaration));
    return k;
  }
  Node moved(const char *way, const Name &tile, const Kept &kept, const std::string &at, Node origin) const {
    const bool load = std::string_view(way) == "pto.tload";
    std::vector<uint32_t> operands{c.name(load ? tile : kept.memory, origin),
                                   c.name(load ? kept.memory : tile, origin)};
    if (!at.empty()) operands.push_back(c.parse(at, origin));
    for (const std::string &i : kept.index) operands.push_back(c.parse(i, origin));
    return c.statement(c.call(way, std::move(operands), origin), origin);
  }
  Node declaration_of(const Name &name, const Name &as) const {
    const Node d = declared_.at(name).node;
    return c.assign(as, HTP_NONE, copy_of(c, c.get<ast::Assign>(d).value(), d), d);
  }
  Node filled(const Name &name, std::string_view with) const { // its first value, or another one
    const Node first = declared_.at(name).first;
    const Nodes a = c.get<ast::Call>(c.get<ast::Expr>(first).value()).args();
    const Node value = with.empty() ? copy_of(c, a[1], first) : c.parse(with, first);
    return c.statement(c.call("pto.texpands", {copy_of(c, a[0], first), value}, first), first);
  }

  // An int with what its names stand for.
  std::string spelled(const std::string &text, const Tasks &tasks) const {
    std::string all = text;
    for (auto i = tasks.ints.rbegin(); i != tasks.ints.rend(); ++i) {
      const Node n = rewrite(
          c, c.parse(all, function_),
          [&](Node e) { return c.name_of(e) == i->first && c.is(e, HTP_Name) ? c.parse("(" + i->second + ")", e) : e; },
          [](Node, std::vector<uint32_t> &) { return false; });
      all = c.show(n);
    }
    return all;
  }

  // A tile that was made by an earlier kernel goes through memory.
  void hand_on(const Name &name, std::vector<uint32_t> &to) {
    const auto owner = owner_.find(name);
    if (owner == owner_.end() || !movable(declared_.at(name).node)) {
      failed_ = true;
      return;
    }
    if (!handed_.contains(name)) {
      const Node d = declared_.at(name).node;
      const Kept kept = memory_for(d, name + "_gm", {});
      Node &kernel = out_.kernels[owner->second].node;
      const Nodes body = c.get<ast::With>(kernel).body();
      std::vector<uint32_t> statements(body.begin(), body.end());
      statements.push_back(moved("pto.tstore", name, kept, {}, d));
      kernel = kernel_with(std::move(statements));
      handed_[name] = kept;
    }
    to.push_back(declaration_of(name, name));
    to.push_back(moved("pto.tload", name, handed_.at(name), {}, declared_.at(name).node));
  }

  void family(Node s, const Plan &plan) {
    const PartLoop &part = plan.tasks.loops[0];
    const std::string step = spelled(part.step, plan.tasks);
    const std::string count = "(" + part.extent + " + " + step + " - 1) // " + "(" + step + ")";
    for (const auto &[name, value] : plan.tasks.ints)
      out_.before.push_back(c.assign(name, HTP_NONE, c.parse(value, function_), function_));
    std::vector<uint32_t> body;
    for (const Node i : ints_) body.push_back(int_again(i));
    for (const Name &name : plan.read) hand_on(name, body);
    std::vector<uint32_t> after;
    for (const Accumulator &a : plan.sums) {
      body.push_back(declaration_of(a.name, a.name));
      body.push_back(filled(a.name, a.sum->neutral));
    }
    body.push_back(s);
    for (const Accumulator &a : plan.sums) {
      const Node d = declared_.at(a.name).node;
      const Kept kept = memory_for(d, a.name + "_parts", "max(1, " + count + ")");
      body.push_back(moved("pto.tstore", a.name, kept, part.name + ".start // " + whole(part.step), d));
      const Name which = c.fresh("part"), one = c.fresh(a.name + "_part");
      const std::string call(a.sum->instruction.substr(a.sum->instruction.find('.') + 1));
      std::vector<uint32_t> adds{
          declaration_of(a.name, one), moved("pto.tload", one, kept, which, d),
          c.statement(c.call("pto." + call, {c.name(a.name, d), c.name(a.name, d), c.name(one, d)}, d), d)};
      after.push_back(declaration_of(a.name, a.name));
      after.push_back(filled(a.name, {}));
      after.push_back(c.make(make::For{.target = c.name(which, d, HTP_STORE),
                                       .iter = c.parse("range(" + count + ")", d),
                                       .body = std::move(adds)},
                             d));
    }
    out_.kernels.push_back({kernel_with(std::move(body)), plan.tasks});
    // What follows: the sums, and what else it needs of before.
    for (const Node i : ints_) now_.push_back(int_again(i));
    now_.insert(now_.end(), after.begin(), after.end());
    for (const Accumulator &a : plan.sums) declared_.at(a.name).touched = true;
  }
  Node int_again(Node s) const {
    auto a = c.get<ast::Assign>(s);
    return c.assign(c.name_of(a.targets()[0]), HTP_NONE, copy_of(c, a.value(), s), s);
  }
  static std::string whole(const std::string &text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }

  const Context &c;
  const Names &names_;
  const sdk::Constants &constants_;
  Node function_, kernel_ = HTP_NONE;
  Imports &imports_;
  FamilyBody out_;
  std::map<Name, Declared> declared_;
  std::map<Name, Kept> handed_;
  std::vector<Node> ints_;       // statements
  std::vector<uint32_t> now_;    // statements of the kernel that is being read
  std::map<Name, size_t> owner_; // the kernel that made a tile
  bool found_ = false, failed_ = false;
};

} // namespace

std::optional<FamilyBody> families_of(const Context &c, const Names &names, const sdk::Constants &constants,
                                      Node function, Imports &imports) {
  return Families(c, names, constants, function, imports).run();
}

} // namespace htp::a2a3
