// host/ast/store.h — the tree of one compile: an append-only store in the ABI's own layout (htp/ast.h), and its
// builder.
#pragma once

#include "host/ast/kinds.h"
#include "host/ast/reserved.h"
#include "host/base/source.h"

#include <htp/ast.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

using Slots = std::span<const uint32_t>;

// Where a node stands in a file of the store; all zero: nowhere.
struct NodeLocation {
  uint32_t line = 0, col = 0, end_line = 0, end_col = 0;
};

// How much of each a store may hold: address space is kept for all of it, memory is used only for what is there.
struct StoreLimits {
  size_t nodes = size_t{1} << 27, slots = size_t{1} << 29, constants = size_t{1} << 25, strings = size_t{1} << 26,
         bytes = size_t{1} << 31, trivia = size_t{1} << 25, files = size_t{1} << 16;

  // These; where the process's address space is limited, in so far as they take an eighth of what is left of it.
  static StoreLimits here();
};

class Store {
public:
  explicit Store(const StoreLimits &limits = StoreLimits::here());
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  // The same address for life; its counts follow what is built.
  const htp_store *abi() const { return &abi_; }
  // Makes what `abi` gives what it was, should anyone have written into it; whether anyone had.
  bool restore();
  // Shows another table of node kinds, as that of a newer host, until its own is shown again.
  void show_kinds(const htp_kind_info *kinds, uint32_t count);

  // ── building: what host.h promises plugins ────────────────────────────────────────────────────────────────────────
  // Each answers 0 when the store is full or the input is not of its type; `reason()` then says why.

  htp_node node(uint32_t kind, Slots slots, htp_node origin = HTP_NONE);
  htp_node node(uint32_t kind, std::initializer_list<uint32_t> slots, htp_node origin = HTP_NONE) {
    return node(kind, Slots(slots.begin(), slots.size()), origin);
  }
  // A copy with other slots: span, trivia and literal form stay (the form only while what it spells is unchanged); its
  // origin is `n`. Equal slots give `n` itself: a rewrite that changes nothing costs nothing.
  htp_node with(htp_node n, Slots slots);
  // The same with one slot changed.
  htp_node with(htp_node n, unsigned field, uint32_t value);
  uint32_t list(Slots items);
  uint32_t list(std::initializer_list<uint32_t> items) { return list(Slots(items.begin(), items.size())); }
  uint32_t string(std::string_view text);
  // Constants are interned. An int comes as its decimal digits, or as `i` when `text` is empty.
  uint32_t constant(uint32_t type, std::string_view text = {}, int64_t i = 0, double f = 0);
  // A statement equal to `n` with leading comment lines (`text` without `#`) before the ones it has.
  htp_node comment(htp_node n, std::string_view text);

  const std::string &reason() const { return reason_; }

  // ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────

  const htp_record &at(htp_node n) const { return records_[n]; }
  uint16_t kind(htp_node n) const { return records_[n].kind; }
  // Whether a list begins at this index; that it was made as one cannot be told.
  bool is_list(uint32_t list) const { return list < slots_.size() && slots_[list] < slots_.size() - list; }
  bool is_node(uint32_t n) const { return n != 0 && n < records_.size(); }
  Slots slots(htp_node n) const { return {slots_.data() + at(n).slots, kind_info(kind(n)).field_count}; }
  uint32_t slot(htp_node n, unsigned field) const { return slots_[at(n).slots + field]; }
  Slots items(uint32_t list) const { return list ? Slots(slots_.data() + list + 1, slots_[list]) : Slots(); }
  std::string_view text(uint32_t string) const {
    return {bytes_.data() + strings_[string].offset, strings_[string].size};
  }
  size_t string_count() const { return strings_.size(); }
  const htp_const &constant_at(uint32_t constant) const { return consts_[constant]; }
  const htp_trivia &trivia_at(uint32_t trivia) const { return trivia_[trivia]; }
  const SourceRef &file(uint16_t file) const { return sources_[file]; }
  // The node's location in its source; no file when it was made by a pass and stands for nothing.
  Span span(htp_node n) const;
  // Bytes that hold data, of all arrays together.
  size_t bytes_used() const;

  // ── import: for whoever fills the store from a source, before anyone else sees the nodes ─────────────────────────

  // The index of the file; its text must be UTF-8 with `\n` as newlines. 0 when there are too many.
  uint16_t add_file(SourceRef source);
  // A node whose slots are all 0, to be filled with `set_slot`. Not checked.
  htp_node open_node(uint16_t kind, uint16_t file, const NodeLocation &location);
  // A list of `count` zeros; 0 for an empty one.
  uint32_t open_list(size_t count);
  // `index` counts through the whole slot array: at(n).slots + field, or list + 1 + item.
  void set_slot(uint32_t index, uint32_t value) { slots_[index] = value; }
  void set_location(htp_node n, uint16_t file, const NodeLocation &location);
  void set_origin(htp_node n, htp_node origin) { records_[n].origin = origin; }
  // Of a statement or module: an index from `add_trivia`; of a Constant or JoinedStr: the string id of its literal
  // form.
  void set_note(htp_node n, uint32_t note) { records_[n].note = note; }
  uint32_t add_trivia(const htp_trivia &trivia);
  // Whether `nodes` more nodes with `slots` slots, lists included, would fit.
  bool has_room(size_t nodes, size_t slots);

private:
  // Open addressing over ids; 0 is a free slot.
  struct Index {
    std::vector<uint32_t> slots;
    uint32_t count = 0;
  };
  template <class Hash, class Same> uint32_t *find(Index &index, uint64_t hash, const Hash &hash_of, const Same &same);
  uint32_t fail(std::string reason);
  uint32_t fail_full() { return fail("the tree's store is full"); }
  bool fits(uint32_t kind, unsigned field, uint32_t value);
  bool check(uint32_t kind, Slots slots);
  htp_node append(uint32_t kind, Slots slots, const htp_record &like, htp_node origin, uint32_t note);
  void publish();

  htp_store abi_{}; // of which plugins have the address
  htp_store own_{}; // the same
  Reserved<htp_record> records_;
  Reserved<uint32_t> slots_;
  Reserved<htp_const> consts_;
  Reserved<htp_string> strings_;
  Reserved<char> bytes_;
  Reserved<htp_trivia> trivia_;
  Reserved<htp_file_info> files_;
  std::vector<SourceRef> sources_;
  Index string_index_, const_index_;
  std::string reason_;
};

} // namespace htp
