// A hardware model says in `spaces.NAME.holds` what a program may put there (`parameters`, `buffers`, `tiles`; buffers
// where it says nothing), and in `layouts.parameters` and `layouts.buffers` in which orders they may lie: `strided`, or
// `placed`, in any way that is in one memory, or row-major where it says nothing. So a target that says nothing ignores
// nothing.
#include "verify/target.h"

#include "diagnostics.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

#include <algorithm>
#include <charconv>

namespace htp::tile {
namespace {

using Names = std::vector<std::string>;

bool has(const Names &names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }
std::string listed(const Names &names) {
  return join(names, ", ", [](const std::string &n) { return "`" + n + "`"; });
}

// What a name is, as a hardware model calls them all.
enum class Kind : uint8_t { parameter, buffer, tile };
constexpr std::string_view plural[] = {"parameters", "buffers", "tiles"}, singular[] = {"parameter", "buffer", "tile"};

class Target {
public:
  Target(const Module &module, Node function) : m_(module), c(module.c), function_(function) {}

  void check() {
    const size_t errors = c.errors();
    auto f = c.get<ast::FunctionDef>(function_);
    c.each(f.args(), [&](Node n) {
      if (auto p = c.as<ast::arg>(n)) type(Kind::parameter, p.arg(), p.annotation());
    });
    for (const Node s : f.body())
      c.each(s, [&](Node n) {
        if (auto a = c.as<ast::AnnAssign>(n)) type(std::nullopt, c.name_of(a.target()), a.annotation());
        if (auto call = c.as<ast::Call>(n); call && m_.path(call.func()) == "htp_tile.relayout") relayout(call);
      });
    if (c.errors() == errors) note_devices();
  }

private:
  // What leads to a level: a value is not dealt out to cores or lanes.
  void relayout(const ast::Call &call) {
    const Nodes arguments = call.args();
    const auto layout = arguments.size() < 2 ? std::nullopt : std::optional(read(arguments[1]));
    if (layout && *layout) spread_over_level(arguments[1], c.show(arguments[0]), layout::units_of(**layout));
  }
  bool spread_over_level(Node at, std::string_view name, const Names &units) {
    const Names levels = c.hardware_names("levels");
    const auto level = std::ranges::find_if(units, [&](const std::string &axis) { return has(levels, axis); });
    if (level == units.end()) return false;
    c.report(diag::level_layout, at, name, *level, c.target());
    return true;
  }

  void type(std::optional<Kind> kind, std::string_view name, Node annotation) {
    const auto type = read_type(c, annotation);
    if (!type || (type->form != "Tensor" && type->form != "Tile")) return;
    if (!kind) kind = type->form == "Tile" ? Kind::tile : Kind::buffer;
    if (type->layout) layout(*kind, name, *type);
    if (type->space) space(*kind, name, *type);
  }

  // ── layouts ───────────────────────────────────────────────────────────────────────────────────────────────────────

  layout::Result<layout::Layout> read(Node layout) const {
    return read_layout_by_facet(c, m_.names, layout, [&](Node n) { return m_.integer(n); });
  }
  void layout(Kind kind, std::string_view name, const Type &type) {
    if (kind == Kind::parameter && sdk::run_time_steps(c, type.layout, [&](Node n) { return m_.integer(n); })) {
      if (c.hardware("layouts.steps") == "bound") return;
      auto report = c.report(diag::unsupported_layout, type.layout, name, c.show(type.layout), c.target(),
                             "parameters whose steps are numbers");
      report.hint("give the dims their values when it is compiled: `--set`");
      return;
    }
    const auto layout = read(type.layout);
    if (!layout) { // a notation that the core algebra has no form of
      c.report(diag::unsupported_layout, type.layout, name, c.show(type.layout), c.target(), plural[int(kind)])
          .note(layout.reason());
      return;
    }
    const Names units = layout::units_of(*layout);
    if (kind == Kind::tile) { // as the tensors that it is made of, or refused where it is written
      if (!units.empty()) tiles_.push_back({type.layout, std::string(name), units});
      return;
    }
    if (spread_over_level(type.layout, name, units)) return;
    std::vector<int64_t> shape;
    for (const Extent &e : type.extents) shape.push_back(m_.integer(write_extent(c, e, type.layout)).value_or(0));
    if (layout::is_row_major(*layout)) { // what is done anyway
      if (!units.empty()) devices_.push_back({type.layout, std::string(name), units});
      return;
    }
    // A manifest says the steps of an array in HTP's own notation.
    const bool own = m_.names.called(type.layout).starts_with("htp.layout");
    const auto steps = layout::array_steps(*layout, shape);
    const std::string_view follows = own ? c.hardware(("layouts." + std::string(plural[int(kind)])).c_str()) : "";
    const bool placed = follows == "placed", strided = placed || follows == "strided";
    if (strided && steps) return;
    const auto places = layout::Places::of(*layout, shape);
    if (placed && places && shape.size() > 1) return;
    auto report = c.report(diag::unsupported_layout, type.layout, name, layout::write(*layout), c.target(),
                           std::string(plural[int(kind)]) +
                               (placed && !places ? " whose elements lie in one memory, from the first on"
                                : strided         ? " with one step along each dimension"
                                                  : " row-major"));
    if (strided) report.note(placed && !places ? places.reason() : steps.reason());
    if (kind == Kind::buffer) report.hint("leave the layout out: a buffer is the kernel's own");
  }

  // Of one device no axis is more than a name.
  void note_devices() {
    if (devices_.empty() && !tiles_.empty()) devices_ = {tiles_.front()};
    if (devices_.empty()) return;
    const auto &[at, name, axes] = devices_.front();
    auto report = c.report(diag::one_device, at, name, join(axes, "`, `", [](const std::string &axis) { return axis; }),
                           c.target());
    for (size_t k = 1; k < devices_.size(); ++k) report.label(devices_[k].at, "and this");
  }

  // ── memory spaces ─────────────────────────────────────────────────────────────────────────────────────────────────

  void space(Kind kind, std::string_view name, const Type &type) {
    auto call = c.as<ast::Call>(type.space);
    std::string_view text;
    if (!call || call.args().size() != 1 || !c.string(call.args()[0], &text)) return;
    const std::string space(text);
    const Names spaces = c.hardware_names("spaces");
    if (!has(spaces, space)) {
      c.report(diag::unknown_space, type.space, c.target(), space)
          .hint(spaces.empty() ? "leave the space out" : "it has: " + listed(spaces));
      return;
    }
    if (!holds(space, kind)) {
      Names others;
      std::ranges::copy_if(spaces, std::back_inserter(others), [&](const auto &s) { return holds(s, kind); });
      c.report(diag::space_of, type.space, name, singular[int(kind)], c.target(), space)
          .hint(others.empty() ? "leave the space out: the target chooses it"
                               : std::string(plural[int(kind)]) + " may lie in " + listed(others));
      return;
    }
    int64_t capacity = 0;
    const std::string_view limit = c.hardware(("spaces." + space + ".capacity").c_str());
    std::from_chars(limit.data(), limit.data() + limit.size(), capacity);
    if (capacity == 0) return; // it has no end
    const auto bytes = bytes_of(type);
    auto &used = used_[space];
    if (!bytes)
      c.report(diag::space_size, type.space, name, space, capacity);
    else if (__builtin_add_overflow(used, *bytes, &used) || used > capacity)
      c.report(diag::space_full, type.space, name, *bytes, space, capacity, used - *bytes);
  }
  bool holds(const std::string &space, Kind kind) const {
    const Names kinds = c.hardware_names(("spaces." + space + ".holds").c_str());
    return kinds.empty() ? kind == Kind::buffer : has(kinds, plural[int(kind)]);
  }
  // Nothing where an extent has no known size; of a block it is the largest.
  std::optional<int64_t> bytes_of(const Type &type) const {
    const size_t digits = type.dtype.find_first_of("0123456789");
    int64_t bytes = 1;
    if (digits != std::string::npos) {
      std::from_chars(type.dtype.data() + digits, type.dtype.data() + type.dtype.size(), bytes);
      bytes /= 8;
    }
    for (const Extent &e : type.extents) {
      const auto size = m_.integer(write_extent(c, e, type.space));
      const auto most = size ? size : block_size(e.name);
      if (!most || __builtin_mul_overflow(bytes, *most, &bytes)) return std::nullopt;
    }
    return bytes;
  }
  std::optional<int64_t> block_size(std::string_view block) const {
    std::optional<int64_t> size;
    c.each(function_, [&](Node n) {
      auto f = c.as<ast::For>(n);
      if (!f || c.name_of(f.target()) != block) return;
      auto tiles = c.as<ast::Call>(loop_forms(c, m_.names, f.iter()).range);
      if (tiles && m_.path(tiles.func()) == "htp_tile.tiles" && tiles.args().size() == 2)
        size = m_.integer(tiles.args()[1]);
    });
    return size;
  }

  struct Spread {
    Node at;
    std::string name;
    Names axes;
  };

  const Module &m_;
  const Context &c;
  const Node function_;
  std::vector<Spread> devices_, tiles_;
  std::map<std::string, int64_t> used_; // bytes of a space
};

} // namespace

void check_target(const Module &module, Node function) { Target(module, function).check(); }

bool lays_out_tiles(const Context &c) { return !c.hardware("layouts.tiles").empty(); }

} // namespace htp::tile
