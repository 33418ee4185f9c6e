// Which part of a parameter a kernel's task touches: of each dimension that it only goes over by blocks of the task's
// loops, the range that these give it. A guess that is too small is refused: the verifier holds tasks to what they say.
#include "emit.h"

#include "htp_cpp/ints.h"

namespace htp::a2a3 {

namespace {

struct Range { // [from, stop)
  std::string from, stop;
  bool operator==(const Range &) const = default;
};
using Box = std::vector<std::optional<Range>>; // nothing: all of a dimension

class Regions {
public:
  Regions(const Context &context, const Ints &ints, const Program &program, const Kernel &kernel)
      : c(context), ints_(ints), p(program) {
    for (const PartOf &part : loops_of(p, kernel)) begins_.insert(part.name);
    walk(kernel.body);
  }

  std::map<const Tensor *, Box> found;

private:
  static std::string whole(const std::string &text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
  // Of where tasks begin, and of sizes.
  bool of_tasks(Node n) const {
    bool begins = false, only = true;
    c.each(n, [&](Node e) {
      const std::string name(c.name_of(e));
      if (name.empty() || ints_.number(e)) return;
      begins |= begins_.contains(name);
      only &= p.has_int(name) || std::find(p.dims.begin(), p.dims.end(), name) != p.dims.end() || name == "min" ||
              name == "max";
    });
    return begins && only;
  }
  std::optional<Range> range_of(Node start) const {
    if (of_tasks(start)) return Range{ints_.text(start), whole(ints_.text(start)) + " + 1"};
    if (const auto it = ranges_.find(std::string(c.name_of(start))); it != ranges_.end()) return it->second;
    auto b = c.as<ast::BinOp>(start);
    if (!b || b.op() != HTP_Mult) return std::nullopt;
    const bool right = ints_.number(b.right()).has_value();
    const auto of = range_of(right ? b.left() : b.right());
    if (!of || !ints_.number(right ? b.right() : b.left())) return std::nullopt;
    const std::string times = " * " + ints_.text(right ? b.right() : b.left());
    return Range{whole(of->from) + times, whole(of->stop) + times};
  }
  void touches(const Tensor *t, const std::vector<Node> &index) {
    Box box;
    for (const Node n : index) {
      const auto slice = read_slice(c, n);
      box.push_back(range_of(slice ? slice->start : n));
    }
    if (index.size() != t->extents.size() || t->lies) box.assign(t->extents.size(), std::nullopt);
    const auto [it, fresh] = found.try_emplace(t, box);
    for (size_t d = 0; !fresh && d < box.size(); ++d)
      if (it->second[d] != box[d]) it->second[d].reset();
  }
  void walk(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::loop && s.start) {
        if (of_tasks(s.start))
          ranges_[s.name] = Range{ints_.text(s.start), ints_.text(s.stop)};
        else if (const auto around = range_of(s.start))
          ranges_[s.name] = *around; // blocks of a block
      }
      if (s.tensor) {
        const Transfer *transfer = s.kind == Statement::Kind::instruction ? transfer_of(s.instruction) : nullptr;
        touches(s.tensor, transfer && !transfer->indexed ? std::vector<Node>() : s.index);
      }
      walk(s.body), walk(s.otherwise);
    }
  }

  const Context &c;
  const Ints &ints_;
  const Program &p;
  std::set<std::string> begins_;        // loops of tasks
  std::map<std::string, Range> ranges_; // of loops' variables
};

} // namespace

std::vector<Part> parts_of(const Context &c, const Ints &ints, const Program &p, const Kernel &k, const Tensor &t) {
  const bool shared = std::any_of(p.kernels.begin(), p.kernels.end(), [&](const Kernel &o) {
    return o.writes.contains(&t) && std::any_of(p.kernels.begin(), p.kernels.end(), [&](const Kernel &other) {
             for (const Argument &a : arguments_of(p, other))
               if (a.tensor == &t && a.direction != "out") return true;
             return false;
           });
  });
  const bool whole = std::any_of(p.kernels.begin(), p.kernels.end(),
                                 [&](const Kernel &o) { return o.writes.contains(&t) && crosses(p, o, t); });
  if (!shared || whole || t.direction == "gm") return {};
  const auto all = Regions(c, ints, p, k).found;
  const auto it = all.find(&t);
  if (it == all.end()) return {};
  std::vector<Part> parts;
  bool some = false;
  for (size_t d = 0; d < it->second.size(); ++d) {
    const auto &range = it->second[d];
    some |= range.has_value();
    const auto extent = [&] {
      const bool sum = range->from.find(' ') != std::string::npos; // of lanes, some of which have no rows
      return sum ? "htp_max(0, " + range->stop + " - (" + range->from + "))" : range->stop + " - " + range->from;
    };
    parts.push_back(range ? Part{range->from, extent()} : Part{"0", ints.text(t.extents[d])});
  }
  return some ? parts : std::vector<Part>();
}

} // namespace htp::a2a3
