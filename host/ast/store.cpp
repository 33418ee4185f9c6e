#include "host/ast/store.h"

#include "host/base/memory.h"

#include <htp/layout_hash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace htp {

namespace {

__extension__ using Wide = unsigned __int128;

uint64_t mix(uint64_t a, uint64_t b) {
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t hash_text(std::string_view text) {
  uint64_t hash = text.size();
  const char *at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mix(hash, word);
  }
  uint64_t word = 0;
  if (left != 0) std::memcpy(&word, at, left);
  return mix(hash, word);
}

uint64_t hash_const(const htp_const &c) { return mix(mix(c.type, c.text), static_cast<uint64_t>(c.u.i)); }

bool holds_list(uint8_t type) {
  return type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN || type == HTP_FIELD_STRS || type == HTP_FIELD_OPS;
}

std::string quoted(uint32_t kind) {
  std::string name = "`";
  return name.append(kind_info(kind).name).append("`");
}

constexpr auto TypeWords = std::to_array<std::string_view>(
    {"", "a node", "a node or none", "a list of nodes", "a list of nodes or none", "a string", "a string or none",
     "a list of strings", "an integer", "an operator", "a list of operators", "a context", "a constant"});

} // namespace

StoreLimits StoreLimits::here() {
  StoreLimits limits;
  const std::pair<size_t *, size_t> all[] = {{&limits.nodes, sizeof(htp_record)},
                                             {&limits.slots, sizeof(uint32_t)},
                                             {&limits.constants, sizeof(htp_const)},
                                             {&limits.strings, sizeof(htp_string)},
                                             {&limits.bytes, 1},
                                             {&limits.trivia, sizeof(htp_trivia)},
                                             {&limits.files, sizeof(htp_file_info)}};
  uint64_t bytes = 0;
  for (const auto &[count, size] : all) bytes += *count * size;
  const uint64_t share = address_space_left() / 8;
  for (const auto &[count, size] : all)
    if (share < bytes)
      *count =
          static_cast<size_t>(static_cast<double>(*count) * static_cast<double>(share) / static_cast<double>(bytes));
  return limits;
}

Store::Store(const StoreLimits &limits)
    : records_(limits.nodes), slots_(limits.slots), consts_(limits.constants), strings_(limits.strings),
      bytes_(limits.bytes), trivia_(limits.trivia), files_(limits.files) {
  abi_.head = {sizeof(htp_store), 1, HTP_LAYOUT_STORE};
  abi_.records = records_.data();
  abi_.record_stride = sizeof(htp_record);
  abi_.slots = slots_.data();
  abi_.consts = consts_.data();
  abi_.strings = strings_.data();
  abi_.bytes = bytes_.data();
  abi_.trivia = trivia_.data();
  abi_.files = files_.data();
  abi_.kinds = kind_table();
  abi_.kind_count = HTP_KIND_LIMIT;
  // Number 0 of everything means none.
  if (records_.has_room(1)) records_.grow(1);
  if (slots_.has_room(1)) slots_.grow(1);
  if (consts_.has_room(1)) consts_.grow(1);
  if (strings_.has_room(1)) strings_.grow(1);
  if (trivia_.has_room(1)) trivia_.grow(1);
  if (files_.has_room(1)) files_.grow(1);
  sources_.emplace_back();
  std::memcpy(&own_, &abi_, sizeof own_);
  publish();
}

void Store::show_kinds(const htp_kind_info *kinds, uint32_t count) {
  abi_.kinds = own_.kinds = kinds;
  abi_.kind_count = own_.kind_count = count;
}

Store::~Store() = default;

void Store::publish() {
  abi_.record_count = own_.record_count = records_.size();
  abi_.file_count = own_.file_count = files_.size();
}

bool Store::restore() {
  if (std::memcmp(&abi_, &own_, sizeof abi_) == 0) return false;
  std::memcpy(&abi_, &own_, sizeof abi_);
  return true;
}

uint32_t Store::fail(std::string reason) {
  reason_ = std::move(reason);
  return 0;
}

// ── interning ───────────────────────────────────────────────────────────────────────────────────────────────────────

// The slot of the entry that is the `same`, or the free slot where it belongs.
template <class Hash, class Same>
uint32_t *Store::find(Index &index, uint64_t hash, const Hash &hash_of, const Same &same) {
  if ((index.count + 1) * 4 > index.slots.size() * 3) {
    std::vector<uint32_t> grown(std::max<size_t>(256, index.slots.size() * 2));
    const size_t mask = grown.size() - 1;
    for (const uint32_t id : index.slots) {
      if (id == 0) continue;
      size_t at = hash_of(id) & mask;
      while (grown[at] != 0) at = (at + 1) & mask;
      grown[at] = id;
    }
    index.slots = std::move(grown);
  }
  const size_t mask = index.slots.size() - 1;
  size_t at = hash & mask;
  while (index.slots[at] != 0 && !same(index.slots[at])) at = (at + 1) & mask;
  return &index.slots[at];
}

uint32_t Store::string(std::string_view text) {
  uint32_t *slot = find(
      string_index_, hash_text(text), [&](uint32_t id) { return hash_text(this->text(id)); },
      [&](uint32_t id) { return this->text(id) == text; });
  if (*slot != 0) return *slot;
  if (!strings_.has_room(1) || !bytes_.has_room(text.size())) return fail_full();
  const htp_string row{bytes_.size(), static_cast<uint32_t>(text.size())};
  if (!text.empty()) std::memcpy(bytes_.grow(text.size()), text.data(), text.size());
  *slot = strings_.size();
  ++string_index_.count;
  strings_.push(row);
  return *slot;
}

uint32_t Store::constant(uint32_t type, std::string_view text, int64_t i, double f) {
  htp_const made{};
  made.type = type;
  std::array<char, 24> digits; // `text` may come to stand in them
  switch (type) {
  case HTP_CONST_NONE:
  case HTP_CONST_TRUE:
  case HTP_CONST_FALSE:
  case HTP_CONST_ELLIPSIS: break;
  case HTP_CONST_INT: {
    if (text.empty()) {
      if (i < 0) return fail("an integer constant is never negative: use a `UnaryOp` of `USub`");
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), i).ptr;
      text = {digits.data(), static_cast<size_t>(end - digits.data())};
    }
    if (text.find_first_not_of("0123456789") != text.npos || (text.size() > 1 && text[0] == '0'))
      return fail("an integer constant is given by its decimal digits");
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), made.u.i);
    if (parsed.ec != std::errc()) made.u.i = -1;
    break;
  }
  case HTP_CONST_FLOAT:
  case HTP_CONST_COMPLEX: made.u.f = f; break;
  case HTP_CONST_STR:
  case HTP_CONST_BYTES: break;
  default: return fail("no type of constant has the number " + std::to_string(type));
  }
  if (type == HTP_CONST_INT || type == HTP_CONST_STR || type == HTP_CONST_BYTES) {
    made.text = string(text);
    if (made.text == 0) return 0;
  }
  uint32_t *slot = find(
      const_index_, hash_const(made), [&](uint32_t id) { return hash_const(consts_[id]); },
      [&](uint32_t id) {
        const htp_const &c = consts_[id];
        return c.type == made.type && c.text == made.text && c.u.i == made.u.i;
      });
  if (*slot != 0) return *slot;
  if (!consts_.has_room(1)) return fail_full();
  *slot = consts_.size();
  ++const_index_.count;
  consts_.push(made);
  return *slot;
}

// ── building ────────────────────────────────────────────────────────────────────────────────────────────────────────

uint32_t Store::list(Slots items) {
  if (items.empty()) return 0;
  const uint32_t made = open_list(items.size());
  if (made != 0) std::copy(items.begin(), items.end(), slots_.data() + made + 1);
  return made;
}

bool Store::fits(uint32_t kind, unsigned field, uint32_t value) {
  const uint8_t type = kind_fields(kind)[field].type;
  const auto child = [&](uint32_t n) { return is_node(n) && kind_accepts(kind, field, this->kind(n)); };
  const auto string = [&](uint32_t s) { return s != 0 && s < strings_.size(); };
  if (holds_list(type)) {
    if (value == 0) return true;
    if (!is_list(value)) return false;
    const Slots all = items(value);
    switch (type) {
    case HTP_FIELD_LIST: return std::all_of(all.begin(), all.end(), child);
    case HTP_FIELD_LISTN: return std::all_of(all.begin(), all.end(), [&](uint32_t n) { return n == 0 || child(n); });
    case HTP_FIELD_STRS: return std::all_of(all.begin(), all.end(), string);
    default: return std::all_of(all.begin(), all.end(), [&](uint32_t op) { return kind_accepts_op(kind, op); });
    }
  }
  switch (type) {
  case HTP_FIELD_NODE: return child(value);
  case HTP_FIELD_OPT: return value == 0 || child(value);
  case HTP_FIELD_STR: return string(value);
  case HTP_FIELD_STRN: return value == 0 || string(value);
  case HTP_FIELD_OP: return kind_accepts_op(kind, value);
  case HTP_FIELD_CTX: return value >= HTP_LOAD && value <= HTP_DEL;
  case HTP_FIELD_CONST: return value != 0 && value < consts_.size();
  default: return true;
  }
}

bool Store::check(uint32_t kind, Slots slots) {
  const htp_kind_info &info = kind_info(kind);
  if (!info.name) return fail("no kind of node has the number " + std::to_string(kind));
  const std::string name = quoted(kind);
  if (slots.size() != info.field_count)
    return fail(name + " has " + std::to_string(info.field_count) + " fields, not " + std::to_string(slots.size()));
  for (unsigned f = 0; f < slots.size(); ++f) {
    if (fits(kind, f, slots[f])) continue;
    std::string reason = "field `" + std::string(info.fields[f].name) + "` of " + name + " is not " +
                         std::string(TypeWords[info.fields[f].type]);
    if (is_node(slots[f]) && info.fields[f].type <= HTP_FIELD_OPT)
      reason += " that may stand there: " + quoted(this->kind(slots[f]));
    return fail(std::move(reason));
  }
  return true;
}

htp_node Store::append(uint32_t kind, Slots slots, const htp_record &like, htp_node origin, uint32_t note) {
  if (!has_room(1, slots.size())) return fail_full();
  const uint32_t first = slots_.size();
  std::copy(slots.begin(), slots.end(), slots_.grow(slots.size()));
  htp_record made = like;
  made.kind = static_cast<uint16_t>(kind);
  made.slots = first;
  made.origin = origin;
  made.note = note;
  records_.push(made);
  publish();
  return records_.size() - 1;
}

htp_node Store::node(uint32_t kind, Slots slots, htp_node origin) {
  if (origin != 0 && !is_node(origin)) return fail("the origin is not a node");
  if (!check(kind, slots)) return 0;
  return append(kind, slots, at(origin), origin, 0);
}

htp_node Store::with(htp_node n, Slots given) {
  if (!is_node(n)) return fail("not a node");
  const uint16_t kind = this->kind(n);
  if (!check(kind, given)) return 0;
  const auto fields = kind_fields(kind);
  std::array<uint32_t, 8> slots;
  bool same = true;
  for (unsigned f = 0; f < given.size(); ++f) {
    const uint32_t old = slot(n, f);
    const Slots a = holds_list(fields[f].type) ? items(old) : Slots(),
                b = holds_list(fields[f].type) ? items(given[f]) : Slots();
    const bool equal =
        holds_list(fields[f].type) ? std::equal(a.begin(), a.end(), b.begin(), b.end()) : old == given[f];
    slots[f] = equal ? old : given[f];
    same &= equal;
  }
  if (same) return n;
  const bool literal = kind == HTP_Constant || kind == HTP_JoinedStr;
  const htp_record like = at(n);
  return append(kind, {slots.data(), given.size()}, like, n, literal ? 0 : like.note);
}

htp_node Store::with(htp_node n, unsigned field, uint32_t value) {
  if (!is_node(n)) return fail("not a node");
  std::array<uint32_t, 8> slots;
  const Slots old = this->slots(n);
  if (field >= old.size()) return fail(quoted(kind(n)) + " has no field " + std::to_string(field));
  std::copy(old.begin(), old.end(), slots.begin());
  slots[field] = value;
  return with(n, Slots(slots.data(), old.size()));
}

htp_node Store::comment(htp_node n, std::string_view text) {
  if (!is_node(n) || kind_info(kind(n)).group != HTP_GROUP_STMT) return fail("a comment stands before a statement");
  std::vector<uint32_t> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    std::string comment = line.empty() ? "#" : "# ";
    lines.push_back(string(comment.append(line)));
    begin = end + 1;
  }
  htp_trivia trivia = trivia_at(at(n).note);
  const Slots before = items(trivia.leading);
  lines.insert(lines.end(), before.begin(), before.end());
  trivia.leading = list(lines);
  const uint32_t note = add_trivia(trivia);
  if (trivia.leading == 0 || note == 0) return fail_full();
  const htp_record like = at(n);
  const std::vector<uint32_t> slots(this->slots(n).begin(), this->slots(n).end());
  return append(like.kind, slots, like, n, note);
}

// ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

Span Store::span(htp_node n) const {
  if (!is_node(n)) return {};
  const htp_record &r = at(n);
  return {sources_[r.file], r.line, r.col, r.end_line, r.end_col};
}

size_t Store::bytes_used() const {
  return records_.size() * sizeof(htp_record) + slots_.size() * sizeof(uint32_t) + consts_.size() * sizeof(htp_const) +
         strings_.size() * sizeof(htp_string) + bytes_.size() + trivia_.size() * sizeof(htp_trivia) +
         (string_index_.slots.size() + const_index_.slots.size()) * sizeof(uint32_t);
}

// ── import ──────────────────────────────────────────────────────────────────────────────────────────────────────────

uint16_t Store::add_file(SourceRef source) {
  if (!files_.has_room(1) || files_.size() > UINT16_MAX)
    return static_cast<uint16_t>(fail("too many files in one program"));
  files_.push({{source->path.data(), source->path.size()}, {source->text.data(), source->text.size()}});
  sources_.push_back(std::move(source));
  publish();
  return static_cast<uint16_t>(files_.size() - 1);
}

htp_node Store::open_node(uint16_t kind, uint16_t file, const NodeLocation &location) {
  const size_t count = kind_info(kind).field_count;
  if (!has_room(1, count)) return fail_full();
  const uint32_t first = slots_.size();
  slots_.grow(count);
  records_.push({kind, file, first, location.line, location.col, location.end_line, location.end_col, 0, 0});
  publish();
  return records_.size() - 1;
}

uint32_t Store::open_list(size_t count) {
  if (count == 0) return 0;
  if (!slots_.has_room(count + 1)) return fail_full();
  const uint32_t made = slots_.size();
  *slots_.grow(count + 1) = static_cast<uint32_t>(count);
  return made;
}

void Store::set_location(htp_node n, uint16_t file, const NodeLocation &location) {
  htp_record &r = records_[n];
  r.file = file;
  r.line = location.line;
  r.col = location.col;
  r.end_line = location.end_line;
  r.end_col = location.end_col;
}

uint32_t Store::add_trivia(const htp_trivia &trivia) {
  if (!trivia_.has_room(1)) return fail_full();
  trivia_.push(trivia);
  return trivia_.size() - 1;
}

bool Store::has_room(size_t nodes, size_t slots) { return records_.has_room(nodes) && slots_.has_room(slots); }

} // namespace htp
