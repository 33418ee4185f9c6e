// plugins/island-mlir/lower/lowering.h — what the files of lowered.h share: what is written, what is known of the
// values in it, and where views and vectors lie.
//   lowered.cpp   maps, memory, loops and branches     vectors.cpp   loops over vectors → over strips and lanes
//   generic.cpp   `linalg.generic` → nests of loops
#pragma once

#include "export/affine.h"
#include "import/values.h"

namespace htp::mlir {

inline bool is_vector(std::string_view type) { return type.starts_with("vector<"); }

// The numbers in `array<i32: 1, 2>`, `dense<[1, 2]> : …`, `dense<1> : …`, `[1, 8]` or `8 : index`.
std::vector<int64_t> numbers(const Operation &op, std::string_view key);

class Lowering {
public:
  Operation function(const Operation &op);

private:
  using Operations = std::vector<Operation>;

  // Writes elsewhere while it lives; what is known there is known nowhere else.
  class Inside {
  public:
    Inside(Lowering &lowering, Operations &to)
        : lowering_(lowering), outside_(std::exchange(lowering.out_, &to)), before_(lowering.here_.size()) {}
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    ~Inside() {
      for (; lowering_.here_.size() > before_; lowering_.here_.pop_back())
        lowering_.known_.erase(lowering_.here_.back());
      lowering_.out_ = outside_;
    }

  private:
    Lowering &lowering_;
    Operations *outside_;
    size_t before_;
  };

  // ── what is written ───────────────────────────────────────────────────────────────────────────────────────────────

  Operations block(const std::vector<Operation> &operations);
  // What stands in a region that ends with `affine.yield` or the like.
  Region region(const Region &r);
  void one(const Operation &op);

  std::string fresh() { return "%+" + std::to_string(++made_); } // MLIR has no such name
  static Operation operation(const Operation &from, std::string name, std::vector<std::string> operands,
                             std::vector<std::string> types);
  std::string constant(const Operation &from, int64_t n);
  std::string result(Operation op, const std::string &type, const std::string &name = {});
  std::string index(const Operation &from, const char *name, const std::string &l, const std::string &r);

  // ── maps ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  std::string expand(const Operation &from, const AffineMap &m, const AffineExpression &e,
                     const std::vector<std::string> &operands);
  std::vector<std::string> expand(const Operation &from, const AffineMap &m, const std::vector<std::string> &operands);
  // The least or the greatest of these.
  std::string chosen(const Operation &from, const std::vector<std::string> &all, const char *function);

  // ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────

  // What stands for a value of MLIR's.
  std::string value(const std::string &name) const;
  std::vector<std::string> values(const Operation &op, size_t from, size_t to) const;
  std::vector<std::string> values(const Operation &op, size_t from = 0) const {
    return values(op, from, op.operands.size());
  }
  // How an index is computed, to tell whether two are one.
  std::string spelled(const std::string &name) const;
  std::string spelled(const Operation &op) const;
  void remember(const Operation &op);

  // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

  struct View {
    std::string memory, type;
    std::vector<std::string> offsets, sizes; // along the memory's extents
    std::vector<size_t> kept;                // those that the view has
  };
  // `memory[indices]`, the lane added at a dimension where that is given; writes a load or a store.
  void access(const Operation &op, std::string memory, std::string type, std::vector<std::string> indices,
              std::optional<size_t> lane_at, const std::string *stored);
  void memory(const Operation &op);
  void view(const Operation &op);

  // ── loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  struct Bounds {
    std::string low, high;
    int64_t step = 1;
  };
  void loop(const Operation &op);
  // A nest of loops, the outermost of which is parallel.
  void nest(const Operation &op, const std::vector<Bounds> &bounds);
  void affine_parallel(const Operation &op);
  void scf_parallel(const Operation &op);
  void branch(const Operation &op);

  // ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────────────

  // The scalar that a vector's element is, where a vector has a meaning: in a loop over strips, or the same in all
  // lanes.
  std::string scalar(const Operation &op, const std::string &type) const;
  // By how much an int grows from strip to strip, for each lane of one; nothing where that is not known.
  std::optional<int64_t> slope(const std::string &name, unsigned depth) const;
  // Refuses what neighbouring lanes do not find side by side, and notes what they touch.
  void touch(const Operation &op, const std::string &memory, const std::vector<std::string> &indices,
             std::optional<size_t> lane_at, bool stored);
  // Whether a loop goes from vector to vector: by as many as they have lanes, and no loop in it does.
  static bool is_strips(const Operation &op, int64_t step);
  // One iteration of a loop over vectors, as a loop over lanes; `end`: where the last strip ends, empty when all are
  // whole.
  Region strip(const Operation &op, int64_t step, const std::string &end);

  // ── nests of linalg ───────────────────────────────────────────────────────────────────────────────────────────────

  // How many iterations a loop of the nest has: as many as the view has elements along it.
  std::string extent(const Operation &op, const std::vector<AffineMap> &all, size_t loop);
  void generic(const Operation &op);

  struct Touched {
    std::string memory, key;
    bool stored = false;
    const Operation *by = nullptr;
  };

  struct Definition {
    std::string name;
    std::vector<std::string> operands;
    std::optional<int64_t> number; // of a constant
  };

  Operations *out_ = nullptr;
  size_t made_ = 0;
  std::map<std::string, std::string> same_, spelled_, known_; // known_: from how it is spelled, where it is seen
  std::vector<std::string> here_;                             // of known_, in their order
  std::map<std::string, Definition> definitions_;             // of ints
  std::map<std::string, View> views_;
  int64_t lanes_ = 0; // of the loop over vectors that is looked at
  std::string lane_, strip_;
  std::vector<Touched> touched_; // in that
};

} // namespace htp::mlir
