// The reader of modules: ops of one line each, and cores whose bodies are handed on but for what touches fifos.
#include "reader/core_text.h"
#include "reader/line.h"
#include "reader/wiring.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace htp::aiesim {

namespace {

constexpr DType dtypes[] = {
    {"f32", 4, 2, 32}, {"bf16", 2, 4, 16}, {"i32", 4, 0, 32}, {"i16", 2, 0, 16}, {"i8", 1, 0, 8}};

class ModuleReader {
public:
  explicit ModuleReader(const std::string &text) {
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line(text.data() + at, end - at);
      if (const size_t comment = line.find("//"); comment != line.npos) line = line.substr(0, comment);
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
      ++number;
      if (line.starts_with("#"))
        place(line, number);
      else if (line.find_first_not_of(" \t") != line.npos)
        lines_.emplace_back(line, number);
      at = end + 1;
    }
  }

  Module read() {
    for (const Line &line : lines_)
      if (!line.place().empty() && !named_.contains(line.place())) line.fail(diag::undefined, line.place().substr(1));
    expect("module {");
    Line head = next();
    head.want("aie.device(");
    m_.device = head.token();
    head.want(")"), head.want("{"), head.finish();
    static constexpr struct {
      std::string_view name;
      int64_t columns;
    } devices[] = {{"npu1_4col", 4}, {"npu1", 4}, {"npu2", 8}};
    for (const auto &d : devices)
      if (m_.device == d.name) m_.columns = d.columns;
    if (!m_.columns) head.fail(diag::unknown_device, m_.device);
    for (;;) {
      Line line = next();
      if (line.take("}")) {
        line.finish();
        break;
      }
      op(line);
    }
    expect("}");
    settle_depths();
    if (at_ != lines_.size()) lines_[at_].fail(diag::not_read, lines_[at_].rest().substr(0, 24));
    if (!sequence_) throw Wrong(diag::no_sequence, head.number());
    return std::move(m_);
  }

private:
  void place(std::string_view text, size_t number) {
    Line line(text, number);
    const std::string name = line.name('#');
    line.want("="), line.want("loc("), line.want("\"");
    line.number_here();
    line.want("\""), line.want("("), line.want("\"");
    const size_t end = line.rest().find('"');
    if (end == std::string_view::npos) line.missing("\"");
    Line behind(line.rest().substr(end), number);
    behind.want("\""), behind.want(":"), behind.number_here(), behind.want(":"), behind.number_here();
    behind.want(")"), behind.want(")"), behind.finish();
    if (!named_.insert(" loc(#" + name + ")").second) line.fail(diag::defined_twice, "#" + name);
    m_.places += std::string(text) + "\n";
  }
  Line next() {
    if (at_ == lines_.size())
      throw Wrong(diag::missing, lines_.empty() ? 1 : lines_.back().number(), "}", "the end of the text");
    return lines_[at_++];
  }
  void expect(std::string_view text) {
    Line line = next();
    line.want(text);
    line.finish();
  }

  // What MLIR-AIE makes of one number for all ends, where the parts are moved: an end at a core holds what it
  // acquires at a time and one part more, whatever the number is.
  void settle_depths() {
    for (size_t k = 0; k < m_.fifos.size(); ++k) {
      Fifo &f = m_.fifos[k];
      if (!f.alike || share_memory(m_, f)) continue;
      for (size_t end = 0; end < f.depths.size(); ++end) {
        const auto most = most_.find({end == 0 ? f.producer : f.consumers[end - 1], k});
        if (most != most_.end() && (most->second > 1 || f.depths[end] > 1)) f.depths[end] = most->second + 1;
      }
    }
  }

  size_t tile_of(Line &line) {
    const std::string name = line.name('%');
    for (size_t k = 0; k < m_.tiles.size(); ++k)
      if (m_.tiles[k].name == name) return k;
    line.fail(diag::undefined, "%" + name);
  }
  size_t fifo_of(Line &line) {
    const std::string name = line.name('@');
    for (size_t k = 0; k < m_.fifos.size(); ++k)
      if (m_.fifos[k].name == name) return k;
    line.fail(diag::undefined, "@" + name);
  }
  void fresh(Line &line, const std::string &name) {
    if (!names_.insert(name).second) line.fail(diag::defined_twice, name);
  }

  void op(Line &line) {
    if (line.at("func.func")) return function(line);
    if (line.take("aie.objectfifo.link")) return link(line);
    if (line.take("aie.objectfifo")) return fifo(line);
    if (line.take("aie.runtime_sequence") || line.take("aiex.runtime_sequence")) return sequence(line);
    const std::string name = line.name('%');
    fresh(line, "%" + name);
    line.want("=");
    if (line.take("aie.tile(")) {
      Tile t;
      t.name = name, t.line = line.number();
      t.column = line.number_here();
      line.want(",");
      t.row = line.number_here();
      line.want(")"), line.finish();
      for (const Tile &other : m_.tiles)
        if (other.column == t.column && other.row == t.row) line.fail(diag::defined_twice, "the tile " + t.text());
      m_.tiles.push_back(t);
    } else if (line.take("aie.buffer(")) {
      Buffer b;
      b.name = name;
      b.tile = tile_of(line);
      line.want(")"), line.want("{"), line.want("sym_name"), line.want("="), line.want("\"");
      line.token();
      line.want("\""), line.want("}"), line.want(":");
      b.type = line.type();
      line.finish();
      m_.buffers.push_back(b);
    } else if (line.take("aie.core(")) {
      core(line);
    } else {
      line.fail(diag::not_read, line.rest().substr(0, 32));
    }
  }

  // `"scaled.o"`
  static std::string object(Line &line) {
    line.want("{"), line.want("link_with"), line.want("="), line.want("\"");
    const std::string stem = line.token();
    line.want(".o"), line.want("\""), line.want("}"), line.finish();
    if (stem.empty()) line.missing("NAME");
    return stem + ".o";
  }
  // `func.func private @scaled(memref<8xf32>, i32) attributes {link_with = "scaled.o"}`
  void declaration(Line head) {
    External e;
    e.line = head.number();
    Line line = head;
    line.want("func.func"), line.want("private");
    e.name = line.name('@');
    fresh(line, "@" + e.name);
    const size_t attributes = line.rest().find(" attributes ");
    std::string text(line.rest().substr(0, attributes));
    if (attributes != std::string_view::npos) {
      Line tail(line.rest().substr(attributes), line.number());
      tail.want("attributes");
      e.object = object(tail);
    }
    m_.functions += "func.func private @" + e.name + text + "\n";
    Line signature(text, line.number());
    signature.want("(");
    do {
      External::Argument a;
      if (signature.at("memref<"))
        a.tile = signature.type();
      else if (a.number = signature.token(); a.number != "i32" && a.number != "f32")
        signature.fail(diag::external_argument, e.name, a.number);
      e.arguments.push_back(std::move(a));
    } while (signature.take(","));
    signature.want(")"), signature.finish();
    const auto last = std::find_if(e.arguments.rbegin(), e.arguments.rend(), [](const auto &a) { return a.tile; });
    if (last == e.arguments.rend()) head.fail(diag::external_tiles, e.name);
    last->result = 0; // if nothing else is stated
    m_.externals.push_back(std::move(e));
  }
  // Whoever calls what an object brings names the object, where the function does not.
  void note_calls(const Line &line) {
    const std::string_view text = line.rest();
    for (External &e : m_.externals)
      if (text.find("@" + e.name + "(") != text.npos) called_.emplace_back(&e - m_.externals.data(), line.number());
  }
  void link_calls(const std::string &object) {
    for (const auto &[k, number] : called_) {
      External &e = m_.externals[k];
      if (!object.empty() && e.object.empty()) e.object = object;
      if (e.object.empty() || (!object.empty() && e.object != object)) throw Wrong(diag::no_object, number, e.name);
    }
    called_.clear();
  }

  // A function of scalars, as it stands.
  void function(Line head) {
    if (head.at("func.func private") && !head.rest().ends_with("{")) return declaration(head);
    m_.functions += std::string(head.rest()) + std::string(head.place()) + "\n";
    int depth = balance(head);
    while (depth > 0) {
      const Line line = next();
      depth += balance(line);
      if (line.at("aie")) line.fail(diag::not_read, line.rest().substr(0, 24));
      m_.functions += bounds_check(line, std::to_string(line.number())) + std::string(line.rest()) +
                      std::string(line.place()) + "\n";
    }
  }
  static int balance(const Line &line) {
    return static_cast<int>(std::count(line.rest().begin(), line.rest().end(), '{') -
                            std::count(line.rest().begin(), line.rest().end(), '}'));
  }

  void fifo(Line &line) {
    Fifo f;
    f.line = line.number();
    f.name = line.name('@');
    fresh(line, "@" + f.name);
    line.want("(");
    f.producer = tile_of(line);
    if (line.take("dimensionsToStream") || line.take("toStream")) walk(line, f.walk);
    line.want(","), line.want("{");
    do f.consumers.push_back(tile_of(line));
    while (line.take(","));
    line.want("}"), line.want(",");
    if (line.at("[")) {
      f.depths = line.numbers('[', ']');
    } else {
      const int64_t depth = line.number_here();
      line.want(":"), line.want("i32");
      f.depths.assign(1 + f.consumers.size(), depth);
      f.alike = true;
    }
    line.want(")"), line.want(":"), line.want("!aie.objectfifo<");
    f.type = line.type();
    line.want(">"), line.finish();
    if (f.depths.size() != 1 + f.consumers.size())
      line.fail(diag::depths, f.name, f.depths.size(), 1 + f.consumers.size());
    for (const int64_t d : f.depths)
      if (d < 1 || d > 64) line.fail(diag::bad_depth, f.name, d);
    std::set<size_t> ends(f.consumers.begin(), f.consumers.end());
    if (ends.size() != f.consumers.size() || ends.contains(f.producer)) line.fail(diag::own_end, f.name);
    m_.fifos.push_back(f);
  }

  // [<size = 4, stride = 64>, <size = 16, stride = 1>], from the outermost dimension to the innermost
  static void walk(Line &line, std::vector<std::pair<int64_t, int64_t>> &out) {
    line.want("[");
    do {
      line.want("<"), line.want("size"), line.want("=");
      const int64_t size = line.number_here();
      line.want(","), line.want("stride"), line.want("=");
      const int64_t stride = line.number_here();
      line.want(">");
      if (size < 1 || stride < 0 || std::max(size, stride) > most_elements)
        line.fail(diag::bad_dimension, size, stride);
      out.emplace_back(size, stride);
    } while (line.take(","));
    line.want("]");
  }

  void link(Line &line) {
    Link l;
    l.line = line.number();
    const auto ends = [&](std::vector<size_t> &out) {
      line.want("[");
      do out.push_back(fifo_of(line));
      while (line.take(","));
      line.want("]");
    };
    ends(l.sources);
    line.want("->");
    ends(l.targets);
    line.want("(");
    if (l.sources.size() > 1 && l.targets.size() > 1) line.fail(diag::link_both);
    if (line.take(")")) { // how 2408 has it: the parts follow one another
      const std::vector<size_t> &parts = l.joins() ? l.sources : l.targets;
      l.races = parts.size() > 1;
      int64_t at = 0;
      for (const size_t part : parts) {
        l.offsets.push_back(at);
        at += m_.fifos[part].type.count();
      }
    } else {
      const std::vector<int64_t> from = line.numbers('[', ']'), to = line.numbers('[', ']');
      line.want(")");
      const size_t several = std::max(l.sources.size(), l.targets.size());
      const std::vector<int64_t> &used = l.joins() ? from : to, &unused = l.joins() ? to : from;
      if (several > 1 && (used.size() != several || !unused.empty()))
        line.fail(diag::link_offsets, used.size(), several);
      l.offsets = several > 1 ? used : std::vector<int64_t>{0};
    }
    line.finish();
    // Everything meets at one tile, and each part has its place.
    const Fifo &one = m_.fifos[l.joins() ? l.targets[0] : l.sources[0]];
    const size_t middle = l.joins() ? one.producer : one.consumers[0];
    if (!l.joins() && one.consumers.size() != 1) line.fail(diag::link_ends, one.name);
    for (size_t k = 0; k < l.offsets.size(); ++k) {
      const Fifo &part = m_.fifos[l.joins() ? l.sources[k] : l.targets[k]];
      const bool meets =
          l.joins() ? part.consumers.size() == 1 && part.consumers[0] == middle : part.producer == middle;
      if (!meets) line.fail(diag::link_apart, part.name, one.name);
      if (part.type.dtype != one.type.dtype)
        line.fail(diag::other_type, "@" + part.name, part.type.text, one.type.text);
      if (l.offsets[k] < 0 || l.offsets[k] > one.type.count() - part.type.count())
        line.fail(diag::link_outside, part.name, one.name);
    }
    int64_t filled = 0;
    std::vector<std::pair<int64_t, int64_t>> places;
    for (size_t k = 0; k < l.offsets.size(); ++k)
      places.emplace_back(l.offsets[k], m_.fifos[l.joins() ? l.sources[k] : l.targets[k]].type.count());
    if (!std::is_sorted(places.begin(), places.end())) // one after the other goes its way, in the order of their names
      line.fail(diag::link_order, one.name);
    for (const auto &[offset, size] : places) {
      if (l.joins() && !l.races && size != places[0].second && !one.walk.empty())
        line.fail(diag::link_unlike, one.name);
      if (offset != filled) line.fail(diag::link_gaps, one.name);
      filled += size;
    }
    if (filled != one.type.count()) line.fail(diag::link_gaps, one.name);
    if (l.joins() && !l.races) m_.fifos[l.targets[0]].joined = static_cast<int64_t>(l.sources.size());
    m_.links.push_back(l);
  }

  // ── cores ──

  void core(Line &head) {
    Core c;
    c.line = head.number();
    c.tile = tile_of(head);
    head.want(")"), head.want("{"), head.finish();
    const Tile &tile = m_.tiles[c.tile];
    for (const Core &other : m_.cores)
      if (other.tile == c.tile) head.fail(diag::defined_twice, "the core at " + tile.text());
    c.symbol = "core_" + std::to_string(tile.column) + "_" + std::to_string(tile.row);
    handles_.clear();
    int depth = 1;
    bool ended = false, acquires = false;
    std::set<std::string, std::less<>> endless; // numbers so large that a loop to them never ends
    for (unsigned number = 0; depth > 0; ++number) {
      Line line = next();
      if (ended && depth == 1 && !line.at("}")) line.fail(diag::not_read, line.rest().substr(0, 24));
      const bool outermost = depth == 1;
      depth += balance(line);
      if (depth == 0) {
        line.want("}");
        link_calls(line.end() ? std::string() : object(line));
        break;
      }
      note_calls(line);
      if (line.take("aie.end")) {
        line.finish();
        ended = depth == 1;
        c.body += "return\n";
      } else if (line.take("aie.objectfifo.release")) {
        const size_t port = port_of(c, line);
        const int64_t count = line.number_here();
        line.want(")"), line.finish();
        if (count < 1) line.fail(diag::no_count, count);
        c.body += call_of("", "htp_release", port, count, number);
      } else if (line.rest().find("aie.") != std::string_view::npos) {
        const std::string value = line.name('%');
        line.want("=");
        if (line.take("aie.objectfifo.acquire")) {
          acquires = true;
          const size_t port = port_of(c, line);
          const int64_t count = line.number_here();
          line.want(")"), line.want(":"), line.want("!aie.objectfifosubview<");
          const Type type = line.type();
          line.want(">"), line.finish();
          const Fifo &f = m_.fifos[c.ports[port].fifo];
          if (type.text != f.type.text) line.fail(diag::other_type, "@" + f.name, f.type.text, type.text);
          if (count < 1) line.fail(diag::no_count, count);
          int64_t &most = most_[{c.tile, c.ports[port].fifo}];
          most = std::max(most, count);
          c.body += call_of("%" + value + " = ", "htp_acquire", port, count, number);
          handles_[value] = port;
        } else if (line.take("aie.objectfifo.subview.access")) {
          const std::string handle = line.name('%');
          const auto found = handles_.find(handle);
          if (found == handles_.end()) line.fail(diag::undefined, "%" + handle);
          const int64_t index = line.numbers('[', ']').at(0);
          line.want(":"), line.want("!aie.objectfifosubview<");
          const Type type = line.type();
          line.want(">"), line.want("->");
          const Type seen = line.type();
          line.finish();
          const Fifo &f = m_.fifos[c.ports[found->second].fifo];
          if (type.text != f.type.text || seen.text != f.type.text)
            line.fail(diag::other_type, "@" + f.name, f.type.text, type.text != f.type.text ? type.text : seen.text);
          const std::string at = "%htp_at_" + std::to_string(number);
          c.body += at + " = arith.constant " + std::to_string(index) + " : i32\n";
          c.body += "%" + value + " = func.call @htp_view_" + std::to_string(view_of(seen)) + "(%" + handle + ", " +
                    at + ") : (i32, i32) -> " + seen.text + "\n";
        } else {
          line.fail(diag::not_read, line.rest().substr(0, 32));
        }
      } else {
        c.body +=
            bounds_check(line, std::to_string(number)) + std::string(line.rest()) + std::string(line.place()) + "\n";
        note_endless(line.rest(), endless);
        if (outermost && begins_endless_loop(line.rest(), endless)) c.body += "func.call @htp_turn() : () -> ()\n";
      }
    }
    if (!ended) head.fail(diag::missing, "aie.end", "the end of the core");
    if (!acquires) head.fail(diag::never_acquires, tile.text());
    m_.cores.push_back(std::move(c));
  }
  size_t port_of(Core &c, Line &line) {
    Port p;
    p.fifo = fifo_of(line);
    line.want("(");
    p.produces = line.at("Produce");
    if (!line.take("Produce") && !line.take("Consume")) line.missing("Produce");
    line.want(",");
    const Fifo &f = m_.fifos[p.fifo];
    const bool ends = p.produces ? f.producer == c.tile
                                 : std::find(f.consumers.begin(), f.consumers.end(), c.tile) != f.consumers.end();
    if (!ends) line.fail(p.produces ? diag::not_producer : diag::not_consumer, f.name);
    for (size_t k = 0; k < c.ports.size(); ++k)
      if (c.ports[k].fifo == p.fifo && c.ports[k].produces == p.produces) return k;
    c.ports.push_back(p);
    return c.ports.size() - 1;
  }
  size_t view_of(const Type &type) {
    for (size_t k = 0; k < m_.views.size(); ++k)
      if (m_.views[k].text == type.text) return k;
    m_.views.push_back(type);
    return m_.views.size() - 1;
  }

  // ── the runtime sequence ──

  void sequence(Line &head) {
    if (sequence_) head.fail(diag::defined_twice, "the runtime sequence");
    sequence_ = true;
    m_.entry = head.name('@');
    head.want("(");
    if (!head.at(")")) do {
        const std::string name = head.name('%');
        head.want(":");
        m_.arguments.emplace_back(name, head.type());
      } while (head.take(","));
    head.want(")"), head.want("{"), head.finish();
    for (;;) {
      Line line = next();
      if (line.take("}")) return line.finish();
      Order o;
      o.line = line.number();
      if (line.take("aiex.npu.dma_wait")) {
        line.want("{"), line.want("symbol"), line.want("=");
        o.fifo = fifo_of(line);
        line.want("}"), line.finish();
      } else {
        o.transfer = transfer(line);
        o.fifo = o.transfer->fifo;
      }
      m_.sequence.push_back(o);
    }
  }
  Transfer transfer(Line &line) {
    Transfer t;
    t.line = line.number();
    line.want("aiex.npu.dma_memcpy_nd"), line.want("(");
    if (line.at("0")) line.want("0"), line.want(","), line.want("0"), line.want(","); // how 2408 has it
    const std::string name = line.name('%');
    const auto argument =
        std::find_if(m_.arguments.begin(), m_.arguments.end(), [&](const auto &a) { return a.first == name; });
    if (argument == m_.arguments.end()) line.fail(diag::undefined, "%" + name);
    t.argument = static_cast<size_t>(argument - m_.arguments.begin());
    for (auto *part : {&t.offsets, &t.sizes, &t.strides}) {
      const std::vector<int64_t> numbers = line.numbers('[', ']');
      if (numbers.size() != 4) line.fail(diag::four_each, numbers.size());
      std::copy(numbers.begin(), numbers.end(), part->begin());
    }
    line.want(")"), line.want("{"), line.want("metadata"), line.want("=");
    t.fifo = fifo_of(line);
    line.want(","), line.want("id"), line.want("=");
    t.descriptor = line.number_here();
    line.want(":"), line.want("i64");
    if (line.take(",")) line.want("issue_token"), line.want("="), line.want("true"), t.token = true;
    line.want("}"), line.want(":");
    const Type type = line.type();
    line.finish();
    if (type.text != argument->second.text) line.fail(diag::other_type, "%" + name, argument->second.text, type.text);
    if (type.dtype != m_.fifos[t.fifo].type.dtype)
      line.fail(diag::other_type, "@" + m_.fifos[t.fifo].name, m_.fifos[t.fifo].type.text, type.text);
    return t;
  }

  std::vector<Line> lines_;
  size_t at_ = 0;
  Module m_;
  bool sequence_ = false;
  std::set<std::string> names_;
  std::set<std::string, std::less<>> named_; // places, as lines end with them
  std::map<std::string, size_t> handles_;
  std::map<std::pair<size_t, size_t>, int64_t> most_; // what the core of a tile acquires at a time of a fifo
  std::vector<std::pair<size_t, size_t>> called_;     // externals in the core that is read, and the line
};

} // namespace

const DType *dtype_named(std::string_view name) {
  for (const DType &d : dtypes)
    if (d.name == name) return &d;
  return nullptr;
}

int64_t Type::count() const { return layout::product_of(extents); }

Module read_module(const std::string &text) { return ModuleReader(text).read(); }

} // namespace htp::aiesim
