#include "model/bodies.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace htp::aiesim {

namespace {

enum Unit : uint8_t { load, store, product, vector, scalar, units };
constexpr const char *unit_names[] = {"loads", "stores", "products", "vector operations", "scalar operations"};

struct Shape { // of a type: how many elements of what
  int64_t lanes = 1;
  std::string element;
  bool vector = false;
  int64_t bytes() const {
    static constexpr std::pair<std::string_view, int64_t> sizes[] = {{"f64", 8}, {"i64", 8},  {"f32", 4}, {"i32", 4},
                                                                     {"f16", 2}, {"bf16", 2}, {"i16", 2}, {"i8", 1}};
    for (const auto &[name, size] : sizes)
      if (element == name) return lanes * size;
    return element == "i4" ? (lanes + 1) / 2 : lanes;
  }
};

Shape shape_of(std::string_view text) {
  Shape s;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (!text.starts_with("vector<")) {
    s.element = std::string(text.substr(0, text.find_first_of(" ,")));
    return s;
  }
  s.vector = true;
  text.remove_prefix(7);
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front()))) {
    int64_t n = 1;
    const auto done = std::from_chars(text.data(), text.data() + text.size(), n);
    s.lanes = layout::times(s.lanes, n);
    text.remove_prefix(static_cast<size_t>(done.ptr - text.data()) + 1);
  }
  s.element = std::string(text.substr(0, text.find('>')));
  return s;
}

// One operation, as it is written.
struct Op {
  std::vector<std::string> results, operands;
  std::string name;
  std::string_view types; // behind the last colon
  std::string_view text;
};

std::string name_at(std::string_view text, size_t at) { // %x, from behind the mark
  size_t n = at + 1;
  while (n < text.size() && (std::isalnum(static_cast<unsigned char>(text[n])) || text[n] == '_')) ++n;
  return std::string(text.substr(at + 1, n - at - 1));
}

Op op_of(std::string_view text) {
  Op op;
  op.text = text;
  size_t begin = 0;
  const size_t equals = text.find(" = ");
  if (text.starts_with("%") && equals != text.npos) {
    for (size_t at = 0; at < equals; ++at)
      if (text[at] == '%') op.results.push_back(name_at(text, at));
    begin = equals + 3;
  }
  const size_t end = std::min(text.find_first_of(" (", begin), text.size());
  op.name = std::string(text.substr(begin, end - begin));
  for (size_t at = end; at < text.size(); ++at)
    if (text[at] == '%') op.operands.push_back(name_at(text, at));
  const size_t colon = text.rfind(" : ");
  op.types = colon == text.npos ? std::string_view{} : text.substr(colon + 3);
  return op;
}

// Work whose order is known: of a run, of a loop, of a function.
struct Block {
  double cycles = 0, fill = 0; // in all; and until the first results are there
  std::array<double, units> busy{};
  Tally products;
  bool flows = true; // turns of a loop around it may overlap
  bool empty = true;
};

class Reader {
public:
  Reader(const Module &m, const Core &core, const DeviceCost &device, bool pipelines)
      : m_(m), core_(core), device_(device), pipelines_(pipelines) {
    read_functions();
    split(core.body, lines_);
  }

  Work read() {
    Work work;
    work.body = pieces();
    work.limit = limit_, work.matrix = matrix_;
    return work;
  }

private:
  template <class... A> [[noreturn]] void fail(const sdk::DiagKind &row, const A &...arguments) const {
    throw Wrong(row, core_.line, arguments...);
  }
  static void split(const std::string &text, std::vector<std::string_view> &into) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line(text.data() + at, end - at);
      while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
      line = line.substr(0, line.find(" loc(#"));
      if (!line.empty()) into.push_back(line);
      at = end + 1;
    }
  }
  void read_functions() {
    std::vector<std::string_view> all;
    split(m_.functions, all);
    for (size_t k = 0; k < all.size(); ++k) {
      if (!all[k].starts_with("func.func")) continue;
      const size_t mark = all[k].find('@');
      const std::string name(all[k].substr(mark + 1, all[k].find('(') - mark - 1));
      std::vector<std::string_view> &body = functions_[name];
      if (!all[k].ends_with("{")) continue;
      for (int depth = 1; ++k < all.size();) {
        depth += static_cast<int>(std::count(all[k].begin(), all[k].end(), '{')) -
                 static_cast<int>(std::count(all[k].begin(), all[k].end(), '}'));
        if (depth == 0) break;
        body.push_back(all[k]);
      }
    }
  }

  // ── structure ──

  std::optional<int64_t> constant(const std::string &name) const {
    const auto found = constants_.find(name);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }
  void note_constant(const Op &op) {
    if (op.name != "arith.constant") return;
    const size_t at = op.text.find("arith.constant") + 15;
    int64_t value = 0;
    const std::string_view text = op.text.substr(std::min(at, op.text.size()));
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc())
      constants_[op.results.at(0)] = value;
  }
  int64_t turns_of(const Op &op) const { // %i = %a to %b step %c
    if (op.operands.size() < 4) fail(diag::unpredicted_bounds);
    const auto low = constant(op.operands[1]), high = constant(op.operands[2]), step = constant(op.operands[3]);
    if (!low || !high || !step || *step < 1) fail(diag::unpredicted_bounds);
    return *high <= *low ? 0 : (*high - *low - 1) / *step + 1;
  }

  // The lines of a region, up to its `}`; runs and loops that do not touch fifos become work.
  std::vector<Piece> pieces() {
    std::vector<Piece> found;
    std::vector<Op> run;
    const auto work = [&](const Block &b) {
      if (b.cycles <= 0 && b.products.most().empty()) return;
      if (found.empty() || found.back().kind != Piece::Kind::work) found.push_back({});
      found.back().cycles += std::llround(b.cycles);
      found.back().products.add(b.products);
    };
    const auto flush = [&] {
      if (!run.empty()) work(straight(run, nullptr));
      run.clear();
    };
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (line.starts_with("}")) break;
      const Op op = op_of(line);
      note_constant(op);
      if (op.name == "func.call" && line.find("@htp_acquire(") != line.npos) {
        flush();
        ++at_;
        found.push_back({.kind = Piece::Kind::acquire, .port = number(op, 0), .count = count(op)});
      } else if (op.name == "func.call" && line.find("@htp_release(") != line.npos) {
        flush();
        ++at_;
        found.push_back({.kind = Piece::Kind::release, .port = number(op, 0), .count = count(op)});
      } else if (op.name == "func.call" && line.find("@htp_turn(") != line.npos) {
        ++at_;
      } else if (op.name == "scf.for") {
        flush();
        if (touches_fifos()) {
          Piece loop{.kind = Piece::Kind::loop, .count = turns_of(op)};
          ++at_;
          const double often = often_;
          if (!loop.endless()) often_ *= static_cast<double>(loop.count);
          loop.body = pieces();
          often_ = often;
          ++at_; // }
          found.push_back(std::move(loop));
        } else {
          work(loop(op));
        }
      } else if (line.ends_with("{")) {
        flush();
        if (touches_fifos()) fail(diag::unpredicted_branch, op.name);
        work(branch(op));
      } else {
        ++at_;
        if (op.name != "return" && op.name != "func.return") run.push_back(op);
      }
    }
    flush();
    return found;
  }
  size_t number(const Op &op, size_t k) const {
    const auto value = op.operands.size() > k ? constant(op.operands[k]) : std::nullopt;
    if (!value) fail(diag::unpredicted_count);
    return static_cast<size_t>(*value);
  }
  int64_t count(const Op &op) const { return static_cast<int64_t>(number(op, 1)); }
  // Whether the region that begins at this line acquires or releases.
  bool touches_fifos() const {
    int depth = 0;
    for (size_t k = at_; k < lines_.size(); ++k) {
      const std::string_view line = lines_[k];
      if (line.find("@htp_acquire(") != line.npos || line.find("@htp_release(") != line.npos) return true;
      depth += static_cast<int>(std::count(line.begin(), line.end(), '{')) -
               static_cast<int>(std::count(line.begin(), line.end(), '}'));
      if (depth <= 0) return false;
    }
    return false;
  }

  // A region of nothing but work, up to its `}`; `argument` is a loop's variable, `carried` what its turns hand on.
  struct Carried {
    std::string variable;
    std::vector<std::string> names, yields;
  };
  struct Region {
    Block sum;
    double recurrence = 0;
  };
  Region region(Carried &carried) {
    Region r;
    std::vector<Op> run;
    bool nested = false;
    const auto add = [&](const Block &b) {
      r.sum.cycles += b.cycles, r.sum.fill += b.fill, r.sum.products.add(b.products);
      for (size_t u = 0; u < units; ++u) r.sum.busy[u] += b.busy[u];
      r.sum.flows = r.sum.flows && b.flows;
      r.sum.empty = false;
    };
    const auto flush = [&] {
      if (!run.empty()) add(straight(run, nested ? nullptr : &carried, &r.recurrence));
      run.clear();
    };
    // What is yielded has to be known before the run is looked at.
    int depth = 0;
    for (size_t k = at_; k < lines_.size() && depth >= 0; ++k) {
      if (depth == 0 && lines_[k].starts_with("scf.yield")) carried.yields = op_of(lines_[k]).operands;
      depth += static_cast<int>(std::count(lines_[k].begin(), lines_[k].end(), '{')) -
               static_cast<int>(std::count(lines_[k].begin(), lines_[k].end(), '}'));
    }
    while (at_ < lines_.size() && !lines_[at_].starts_with("}")) {
      const Op op = op_of(lines_[at_]);
      note_constant(op);
      if (op.name == "scf.for") {
        flush(), nested = true;
        add(loop(op));
      } else if (lines_[at_].ends_with("{")) {
        flush(), nested = true;
        add(branch(op));
      } else {
        ++at_;
        if (op.name != "scf.yield") run.push_back(op);
      }
    }
    flush();
    if (nested && !carried.names.empty()) r.sum.flows = false;
    return r;
  }
  Block loop(const Op &op) {
    const auto turns = static_cast<double>(turns_of(op));
    Carried carried;
    carried.variable = op.operands[0];
    const size_t arguments = op.text.find("iter_args(");
    if (arguments != op.text.npos)
      for (size_t k = arguments; k < op.text.size(); ++k)
        if (op.text[k] == '%' && op.text.find('=', k) != op.text.npos &&
            op.text.substr(k).find(" = ") == name_at(op.text, k).size() + 1)
          carried.names.push_back(name_at(op.text, k));
    ++at_;
    const Region r = region(carried);
    ++at_; // }
    Block b;
    b.empty = false;
    double steady = r.recurrence;
    size_t unit = units;
    for (size_t u = 0; u < units; ++u)
      if (r.sum.busy[u] > steady) steady = r.sum.busy[u], unit = u;
    for (size_t u = 0; u < units; ++u) b.busy[u] = r.sum.busy[u] * turns;
    b.products.add(r.sum.products, turns);
    b.flows = r.sum.flows;
    const double apart = turns * (r.sum.cycles + cost::loop_turn) + cost::loop_setup;
    if (pipelines_ && r.sum.flows) {
      steady = std::max(steady, 1.0);
      b.fill = r.sum.fill + cost::loop_setup;
      b.cycles = std::min(apart, b.fill + turns * steady);
    } else {
      b.cycles = apart, b.fill = apart;
    }
    if (b.cycles * often_ > most_) {
      most_ = b.cycles * often_;
      limit_ = !(pipelines_ && r.sum.flows) ? "turns of loops that do not overlap"
               : unit == units              ? "what a turn of a loop hands to the next"
                                            : std::string("its ") + unit_names[unit];
    }
    return b;
  }
  // The longer way.
  Block branch(const Op &op) {
    if (op.name != "scf.if") fail(diag::unpredicted, op.name);
    Block longest;
    for (;;) {
      ++at_;
      Carried none;
      const Region r = region(none);
      if (r.sum.cycles > longest.cycles) longest = r.sum;
      if (at_ >= lines_.size() || lines_[at_].find("else") == std::string_view::npos) break;
    }
    ++at_;
    longest.flows = false;
    longest.cycles += cost::call;
    return longest;
  }

  // ── one operation ──

  struct Need {
    Unit unit = scalar;
    double slots = 0;        // cycles of the unit
    double latency = 0;      // until the result is there
    double sum_latency = -1; // where the operand that is added to may come later
    Tally products{};
    double alone = 0; // cycles in which nothing else goes on
  };
  static double ceil_div(int64_t a, int64_t b) { return static_cast<double>((a + b - 1) / b); }

  Need need_of(const Op &op) {
    const std::string &n = op.name;
    Need need;
    const auto starts = [&](std::string_view with) { return std::string_view(n).starts_with(with); };
    const std::string_view types = op.types;
    if (n == "arith.constant" || n == "memref.get_global" || n == "memref.cast" || n == "vector.shape_cast" ||
        n == "vector.bitcast" || n == "arith.bitcast" || n == "arith.index_cast" || n == "memref.subview" ||
        n == "memref.collapse_shape" || n == "memref.expand_shape" || n == "memref.reinterpret_cast")
      return need;
    if (n == "memref.load" || n == "vector.load" || n == "vector.transfer_read" || n == "memref.store" ||
        n == "vector.store" || n == "vector.transfer_write") {
      const bool stores = n == "memref.store" || n == "vector.store" || n == "vector.transfer_write";
      Shape s;
      const size_t vector_at = types.find("vector<");
      if (vector_at != types.npos) {
        s = shape_of(types.substr(vector_at));
      } else {
        const size_t x = types.rfind('x');
        s.element = std::string(types.substr(x + 1, types.find('>') - x - 1));
      }
      need.unit = stores ? store : load;
      need.slots = stores ? ceil_div(s.bytes(), cost::store_bytes)
                          : ceil_div(s.bytes(), cost::load_bytes) / static_cast<double>(cost::load_ports);
      need.latency = stores ? 1 : static_cast<double>(cost::load_latency);
      return need;
    }
    const size_t to = types.find(" to "), into = types.find(" into ");
    if (starts("arith.ext")) { // the units take narrow operands as they are
      const Shape from = shape_of(types);
      narrow_[op.results.at(0)] = widened_[op.results.at(0)] = from.element;
      if (!from.vector) need.unit = scalar, need.slots = 1, need.latency = 1;
      return need;
    }
    if (n == "vector.broadcast")
      if (const auto wide = widened_.find(op.operands.at(0)); wide != widened_.end())
        widened_[op.results.at(0)] = wide->second;
    if (n == "vector.contract" || n == "vector.outerproduct") {
      Shape a = shape_of(types);
      const size_t comma = types.find(">,");
      const Shape b = shape_of(comma == types.npos ? types : types.substr(comma + 2));
      double products_here = 0;
      if (n == "vector.outerproduct") {
        products_here = static_cast<double>(a.lanes * b.lanes);
      } else { // (m·k)(k·n)(m·n) = (m·k·n)²
        const Shape c = shape_of(types.substr(into == types.npos ? 0 : into + 6));
        products_here = std::sqrt(static_cast<double>(a.lanes) * static_cast<double>(b.lanes) *
                                  static_cast<double>(std::max<int64_t>(c.lanes, 1)));
      }
      if (const auto narrow = narrow_.find(op.operands.at(0)); narrow != narrow_.end()) a.element = narrow->second;
      return product_of(a.element, products_here, true, a.element);
    }
    const Shape s = shape_of(to == types.npos ? types : types.substr(to + 4));
    if (n == "vector.fma" || n == "arith.mulf" || (n == "arith.muli" && s.element != "index")) {
      std::string element = s.element;
      if (const auto narrow = narrow_.find(op.operands.at(0)); narrow != narrow_.end()) element = narrow->second;
      const std::string multiplied = multiplied_of(op, element);
      if (n == "arith.muli" && !s.vector) {
        Need one{.unit = scalar, .slots = 1, .latency = cost::scalar_product_latency};
        one.products.of(known(multiplied)) = 1;
        return one;
      }
      Need p = product_of(element, static_cast<double>(s.lanes), false, multiplied);
      if (n != "vector.fma") p.sum_latency = -1;
      return p;
    }
    if (n == "func.call" || n == "call") return call_of(op);
    if (starts("arith.div") || starts("arith.rem") || starts("arith.floordiv") || starts("arith.ceildiv") ||
        starts("math.")) {
      need.unit = s.vector ? vector : scalar;
      need.slots = need.latency = static_cast<double>(cost::division) * static_cast<double>(s.vector ? s.lanes : 1);
      return need;
    }
    if (n == "vector.reduction" || n == "vector.multi_reduction") {
      const Shape from = shape_of(types);
      const double steps = std::ceil(std::log2(static_cast<double>(std::max<int64_t>(from.lanes, 2))));
      return {.unit = vector, .slots = steps, .latency = steps * cost::vector_latency};
    }
    const bool real = !s.element.empty() && (s.element[0] == 'f' || s.element[0] == 'b');
    if (s.vector || real || starts("vector."))
      return {.unit = vector,
              .slots = std::max(1.0, ceil_div(s.bytes(), cost::vector_bytes)),
              .latency = static_cast<double>(cost::vector_latency)};
    if (starts("arith.") || starts("index.") || starts("affine.apply"))
      return {.unit = scalar,
              .slots = 1,
              .latency = static_cast<double>(n == "arith.muli" ? cost::scalar_product_latency : cost::scalar_latency)};
    fail(diag::unpredicted, n);
  }
  static std::string_view known(const std::string &element) {
    for (const std::string_view e : Tally::elements)
      if (element == e) return e;
    return element == "i4" ? "i8" : "f32";
  }
  // What the program multiplies, where both operands were widened for it from the same.
  std::string multiplied_of(const Op &op, const std::string &element) const {
    std::string from;
    for (size_t k = 0; k < 2; ++k) {
      const auto wide = op.operands.size() > k ? widened_.find(op.operands[k]) : widened_.end();
      if (wide == widened_.end() || (k && wide->second != from)) return element;
      from = wide->second;
    }
    return from;
  }
  Need product_of(const std::string &element, double count, bool matrix, const std::string &multiplied) {
    const std::string_view e = known(element);
    const Products rate = products(device_, e);
    matrix_ = matrix_ || matrix;
    Need need{.unit = product,
              .slots = std::max(1.0, std::ceil(count / static_cast<double>(matrix ? rate.matrix : rate.vector))),
              .latency = static_cast<double>(cost::product_latency),
              .sum_latency = static_cast<double>(cost::sum_latency)};
    need.products.of(known(multiplied)) = count;
    return need;
  }
  // A function of ours by its own schedule; somebody else's by what it has to read and write at least.
  Need call_of(const Op &op) {
    const size_t mark = op.text.find('@');
    const std::string name(op.text.substr(mark + 1, op.text.find('(', mark) - mark - 1));
    if (name.starts_with("htp_view_") || name == "htp_within") return {};
    const auto found = functions_.find(name);
    if (found == functions_.end()) fail(diag::unpredicted, "@" + name);
    Need need{.alone = static_cast<double>(cost::call)};
    if (found->second.empty()) {
      double bytes = 0;
      for (size_t at = op.types.find("memref<"); at != op.types.npos; at = op.types.find("memref<", at + 1)) {
        const std::string_view rest = op.types.substr(at + 7);
        const Shape s = shape_of("vector<" + std::string(rest.substr(0, rest.find('>'))) + ">");
        bytes += static_cast<double>(s.bytes());
      }
      need.alone += bytes / static_cast<double>(cost::load_bytes);
      return need;
    }
    const auto known_block = blocks_.find(name);
    if (known_block != blocks_.end()) {
      need.alone += known_block->second.cycles, need.products = known_block->second.products;
      return need;
    }
    const auto lines = lines_;
    const auto constants = constants_;
    const auto narrow = narrow_, widened = widened_;
    const size_t at = at_;
    lines_ = found->second, at_ = 0, narrow_.clear(), widened_.clear();
    Carried none;
    std::erase_if(lines_, [](std::string_view l) { return l.starts_with("return") || l.starts_with("func.return"); });
    const Region r = region(none);
    lines_ = lines, at_ = at, constants_ = constants, narrow_ = narrow, widened_ = widened;
    blocks_[name] = r.sum;
    need.alone += r.sum.cycles, need.products = r.sum.products;
    return need;
  }

  // ── a straight run ──

  Block straight(const std::vector<Op> &run, const Carried *carried, double *recurrence = nullptr) {
    Block b;
    b.empty = false;
    std::map<std::string, double> ready, from_before; // when a value is there; and of what the last turn left
    std::map<std::string, std::pair<std::string, double>> stored;
    std::array<double, units> free{};
    double now = 0, end = 0;
    // What is loaded at a place that the loop does not move, and stored there again, is handed on.
    std::map<std::string, double> kept;
    if (carried)
      for (const std::string &name : carried->names) from_before[name] = 0;
    for (const Op &op : run) {
      const Need need = need_of(op);
      double begin = now, chain = -1;
      for (size_t k = 0; k < op.operands.size(); ++k) {
        const bool sum = need.sum_latency >= 0 && k == 2;
        if (const auto at = ready.find(op.operands[k]); at != ready.end())
          begin = std::max(begin, at->second - (sum ? need.latency - need.sum_latency : 0));
        if (const auto at = from_before.find(op.operands[k]); at != from_before.end())
          chain = std::max(chain, at->second + (sum ? need.sum_latency : need.latency));
      }
      const std::string place = place_of(op);
      const bool fixed = carried && !place.empty() && place.find("%" + carried->variable + ",") == place.npos &&
                         place.find("%" + carried->variable + "]") == place.npos;
      if (need.alone > 0) {
        begin = std::max(begin, end);
        now = end = begin + need.alone;
        b.flows = false;
      } else if (need.slots > 0) {
        begin = std::max(begin, free[need.unit]);
        free[need.unit] = begin + need.slots;
        b.busy[need.unit] += need.slots;
      }
      const double done = begin + need.alone + std::max(need.latency, need.slots);
      end = std::max(end, need.latency > 0 || need.slots > 0 ? done : begin);
      for (const std::string &result : op.results) {
        ready[result] = done;
        if (chain >= 0) from_before[result] = chain;
        if (fixed && need.unit == load && need.slots > 0) from_before[result] = cost::load_latency, kept[place] = 1;
      }
      if (fixed && need.unit == store && need.slots > 0 && kept.contains(place) && chain >= 0 && recurrence)
        *recurrence = std::max(*recurrence, chain);
      b.products.add(need.products);
    }
    if (carried && recurrence)
      for (const std::string &name : carried->yields)
        if (const auto at = from_before.find(name); at != from_before.end())
          *recurrence = std::max(*recurrence, at->second);
    b.cycles = b.fill = end;
    return b;
  }
  static std::string place_of(const Op &op) { // %m[%i, %j]
    if (!std::string_view(op.name).starts_with("memref.") && !std::string_view(op.name).starts_with("vector."))
      return "";
    const size_t open = op.text.find('['), close = op.text.find(']');
    if (open == op.text.npos || close == op.text.npos || close < open) return "";
    const size_t mark = op.text.rfind('%', open);
    return mark == op.text.npos ? "" : std::string(op.text.substr(mark, close + 1 - mark));
  }

  const Module &m_;
  const Core &core_;
  const DeviceCost &device_;
  const bool pipelines_;
  std::map<std::string, std::vector<std::string_view>, std::less<>> functions_;
  std::map<std::string, Block, std::less<>> blocks_;
  std::vector<std::string_view> lines_;
  size_t at_ = 0;
  std::map<std::string, int64_t, std::less<>> constants_;
  std::map<std::string, std::string, std::less<>> narrow_, widened_; // from what; the second also where it was spread
  bool matrix_ = false;
  double most_ = 0, often_ = 1; // cycles of the loop with most of them; how often the loops around go round
  std::string limit_;
};

} // namespace

Work work_of(const Module &m, const Core &core, const DeviceCost &device, bool pipelines) {
  return Reader(m, core, device, pipelines).read();
}

} // namespace htp::aiesim
