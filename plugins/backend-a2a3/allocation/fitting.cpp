// What a program does where a memory is too small for its tiles: smaller blocks, rows one by one, or rows in parts.
#include "allocation/memory.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

class Fitting {
public:
  using Blocks = std::map<std::string, BlockSize, std::less<>>;
  using Sizes = std::map<std::string, int64_t, std::less<>>; // of the blocks of loops, by their variables

  Fitting(const Context &context, const Names &names, Node kernel, const std::vector<Kept> &tiles, const Blocks &blocks,
          const std::function<bool(Node)> &attempt, const Memory &memory)
      : c(context), names_(names), kernel_(kernel), tiles_(tiles), blocks_(blocks), attempt_(attempt), memory_(memory) {
  }

  std::string run() {
    std::string found = smaller();
    if (found.empty() && tiles_[0].space == spaces) found = one_row();
    if (found.empty() && tiles_[0].space == spaces) found = parts_of_rows();
    return found;
  }

private:
  // What the program's loop over a block goes over; empty of one that the compiler has made.
  std::string range_of(std::string_view variable) const {
    const auto block = blocks_.find(variable);
    const std::string of = block == blocks_.end() ? std::string() : block->second.of;
    const bool made = blocks_.contains(of) || variable.starts_with("columns") || variable.starts_with("k_part");
    return made ? "" : of;
  }
  bool fits(const Sizes &sizes) const {
    return attempt_(rewrite(
        c, kernel_, [](Node n) { return n; },
        [&](Node n, std::vector<uint32_t> &out) {
          auto l = c.as<ast::For>(n);
          const auto size = l ? sizes.find(c.name_of(l.target())) : sizes.end();
          if (size == sizes.end()) return false;
          auto range = c.get<ast::Call>(loop_forms(c, names_, l.iter()).range);
          const Node iter = c.call(c.dotted(range.func()), {range.args()[0], c.integer_node(size->second, n)}, n);
          out.push_back(with_slot(c, n, HTP_FIELD(For, iter), iter));
          return true;
        }));
  }
  std::string text_of(const Sizes &sizes) const {
    std::string all;
    for (const auto &[variable, size] : sizes)
      all += (all.empty() ? "`for " : ", `for ") + variable + " in tiles(" + range_of(variable) + ", " +
             std::to_string(size) + ")`";
    return all;
  }

  std::string smaller() const {
    Sizes sizes;
    std::vector<std::string> order; // those first that the largest tiles have
    for (const Kept &t : tiles_)
      for (const Node valid : {t.rows_valid, t.columns_valid})
        for (const auto &[variable, block] : blocks_)
          if (c.name_of(valid) == block.count && !range_of(variable).empty() &&
              sizes.emplace(variable, block.most).second)
            order.push_back(variable);
    for (const std::string &variable : order)
      for (int64_t size = power_below(sizes[variable]); size >= 8; size /= 2)
        if (fits({{variable, size}})) return text_of({{variable, size}}) + " would fit";
    // Several of them, by halves of the largest one.
    for (Sizes all = sizes; all.size() > 1;) {
      const auto most =
          std::max_element(all.begin(), all.end(), [](const auto &x, const auto &y) { return x.second < y.second; });
      if (most->second <= 8) break;
      most->second = power_below(most->second);
      if (!fits(all)) continue;
      std::erase_if(all, [&](const auto &one) { return one.second == sizes[one.first]; });
      return text_of(all) + " would fit together";
    }
    return "";
  }

  // The tiles as they are, without places.
  Memory as_it_is() const {
    static_cast<void>(attempt_(kernel_));
    return memory_;
  }
  // Blocks of several rows have as many as a column of them, eight of f32: one row is less. What asks where its block
  // begins, or is a block of columns too, has blocks of one as it has others.
  std::string one_row() const {
    Memory memory = as_it_is();
    const std::string rows = c.show(tiles_[0].rows_valid);
    if (tiles_[0].kind != Kind::matrix) return "";
    std::string variable, extent = rows;
    for (const auto &[name, block] : blocks_)
      if (block.count == rows) variable = name, extent = range_of(name);
    bool apart = !extent.empty();
    c.each(kernel_, [&](Node n) {
      auto a = c.as<ast::Attribute>(n);
      apart &= !a || variable.empty() || c.name_of(a.value()) != variable;
    });
    for (Kept &t : memory.tiles) {
      apart &= t.kind != Kind::matrix || c.show(t.columns_valid) != rows;
      if (c.show(t.rows_valid) != rows) continue;
      if (t.kind == Kind::matrix) t.kind = Kind::row;
      t.rows = {1};
    }
    if (!apart || memory.assign() == Memory::Fit::none) return "";
    const std::string loop = " in tiles(" + extent + ", 1)`";
    return variable.empty() ? "go row by row, with `i` for the rows: `for i" + loop
                            : "`for " + variable + loop + " would fit";
  }
  // With half of it for what is made of the slices.
  std::string parts_of_rows() const {
    int64_t width = 0;
    if ((!c.integer(tiles_[0].columns_valid, &width) && !c.integer(tiles_[0].rows_valid, &width)) ||
        c.show(tiles_[0].columns_valid) == c.show(tiles_[0].rows_valid))
      return "";
    const std::string all = std::to_string(width);
    Memory memory = as_it_is();
    for (int64_t size = power_below(width); size >= 64; size /= 2) {
      for (Kept &t : memory.tiles) {
        if (c.show(t.columns_valid) == all) t.columns = {size};
        if (c.show(t.rows_valid) == all) t.rows = {size};
      }
      if (memory.assign() != Memory::Fit::none)
        return "go over `" + all + "` in parts, `for j in tiles(" + all + ", " + std::to_string(size / 2) +
               ")`, and keep in a tile what goes on from one to the next: `best = maximum(best, …)`";
    }
    return "";
  }

  const Context &c;
  const Names &names_;
  Node kernel_;
  const std::vector<Kept> &tiles_;
  const Blocks &blocks_;
  const std::function<bool(Node)> &attempt_;
  const Memory &memory_;
};

} // namespace

std::string what_fits(const Context &c, const Names &names, Node kernel, const std::vector<Kept> &tiles,
                      const std::map<std::string, BlockSize, std::less<>> &blocks,
                      const std::function<bool(Node)> &attempt, const Memory &memory) {
  return Fitting(c, names, kernel, tiles, blocks, attempt, memory).run();
}

} // namespace htp::a2a3
