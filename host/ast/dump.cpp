#include "host/ast/dump.h"

#include "host/ast/kinds.h"
#include "host/ast/unparse_literals.h"

#include <cmath>
#include <vector>

namespace htp {

namespace {

// What is still to be written, a stack: nodes and lists with the step that comes next, so that no depth of a tree is
// too deep.
struct Frame {
  htp_node node; // 0: the list `list`
  uint32_t list;
  uint8_t item_type; // of the list's items
  uint32_t step = 0; // the next field or item
  uint32_t shown = 0;
  unsigned level = 0;
  bool one_line = false;
};

class Dumper {
public:
  Dumper(const htp_store &store, const DumpOptions &options) : store_(store), options_(options) {}

  std::string run(htp_node root) {
    open_node(root, 0);
    while (!stack_.empty()) {
      Frame &frame = stack_.back();
      if (frame.node ? !next_field(frame) : !next_item(frame)) stack_.pop_back();
    }
    return std::move(out_);
  }

private:
  static bool is_list(uint8_t type) {
    return type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN || type == HTP_FIELD_STRS || type == HTP_FIELD_OPS;
  }

  // None in a field whose default is None, and fields the version has not, are left out.
  bool shows(const htp_field_info &field, uint32_t value) const {
    if (field.since > options_.python) return false;
    return value != 0 || (field.type != HTP_FIELD_OPT && field.type != HTP_FIELD_STRN);
  }
  bool has_location(htp_node n) const { return options_.attributes && htp_at(&store_, n)->line != 0; }

  uint32_t shown_count(htp_node n) const {
    uint32_t count = has_location(n) ? 4 : 0;
    const auto fields = kind_fields(htp_kind_of(&store_, n));
    for (unsigned f = 0; f < fields.size(); ++f) count += shows(fields[f], htp_slot(&store_, n, f));
    return count;
  }
  // `ast.dump` keeps a node on one line when it has at most three arguments and none of them has arguments itself.
  bool fits_one_line(htp_node n) const {
    if (shown_count(n) > 3) return false;
    const auto fields = kind_fields(htp_kind_of(&store_, n));
    for (unsigned f = 0; f < fields.size(); ++f) {
      const uint32_t value = htp_slot(&store_, n, f);
      if (!shows(fields[f], value) || value == 0) continue;
      if (is_list(fields[f].type)) return false;
      if (fields[f].type <= HTP_FIELD_OPT && shown_count(value) != 0) return false;
    }
    return true;
  }

  void open_node(htp_node n, unsigned level) {
    out_ += kind_info(htp_kind_of(&store_, n)).name;
    out_ += '(';
    stack_.push_back({.node = n, .list = 0, .item_type = 0, .level = level + 1, .one_line = fits_one_line(n)});
  }

  void separate(Frame &frame) {
    const bool first = frame.shown++ == 0;
    if (!options_.indent || frame.one_line) {
      if (!first) out_ += ", ";
      return;
    }
    out_ += first ? "\n" : ",\n";
    out_.append(size_t{*options_.indent} * frame.level, ' ');
  }

  // False when the node is done. May push, which invalidates `frame`.
  bool next_field(Frame &frame) {
    const htp_node n = frame.node;
    const auto fields = kind_fields(htp_kind_of(&store_, n));
    while (frame.step < fields.size()) {
      const htp_field_info &field = fields[frame.step];
      const uint32_t value = htp_slot(&store_, n, frame.step++);
      if (!shows(field, value)) continue;
      separate(frame);
      out_ += field.name;
      out_ += '=';
      if (write(field.type, value, frame.level)) return true;
    }
    if (has_location(n)) {
      const htp_record &r = *htp_at(&store_, n);
      attribute(frame, "lineno=", r.line);
      attribute(frame, "col_offset=", r.col);
      attribute(frame, "end_lineno=", r.end_line);
      attribute(frame, "end_col_offset=", r.end_col);
    }
    out_ += ')';
    return false;
  }

  void attribute(Frame &frame, const char *name, uint32_t value) {
    separate(frame);
    out_ += name;
    out_ += std::to_string(value);
  }

  bool next_item(Frame &frame) {
    while (frame.step < htp_list_size(&store_, frame.list)) {
      const uint32_t value = htp_list_items(&store_, frame.list)[frame.step++];
      separate(frame);
      if (write(frame.item_type, value, frame.level)) return true;
    }
    out_ += ']';
    return false;
  }

  // Writes a value, or pushes what is left of it: true then.
  bool write(uint8_t type, uint32_t value, unsigned level) {
    if (is_list(type)) {
      out_ += value ? "[" : "[]";
      if (value == 0) return false;
      const uint8_t item = type == HTP_FIELD_STRS  ? HTP_FIELD_STR
                           : type == HTP_FIELD_OPS ? HTP_FIELD_OP
                                                   : HTP_FIELD_OPT;
      stack_.push_back({.node = 0, .list = value, .item_type = item, .level = level + 1});
      return true;
    }
    switch (type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT:
      if (value == 0) break;
      open_node(value, level);
      return true;
    case HTP_FIELD_STR:
    case HTP_FIELD_STRN: append_str(out_, text(value)); return false;
    case HTP_FIELD_INT: out_ += std::to_string(static_cast<int32_t>(value)); return false;
    case HTP_FIELD_OP:
      out_ += op_name(value);
      out_ += "()";
      return false;
    case HTP_FIELD_CTX: out_ += value == HTP_LOAD ? "Load()" : value == HTP_STORE ? "Store()" : "Del()"; return false;
    default: constant(store_.consts[value]); return false;
    }
    out_ += "None";
    return false;
  }

  std::string_view text(uint32_t string) const {
    const htp_str s = htp_text(&store_, string);
    return {s.data, s.size};
  }

  void constant(const htp_const &c) {
    switch (c.type) {
    case HTP_CONST_TRUE: out_ += "True"; break;
    case HTP_CONST_FALSE: out_ += "False"; break;
    case HTP_CONST_ELLIPSIS: out_ += "Ellipsis"; break;
    case HTP_CONST_INT: out_ += text(c.text); break;
    case HTP_CONST_FLOAT: std::isinf(c.u.f) ? void(out_ += "inf") : append_float(out_, c.u.f); break;
    case HTP_CONST_COMPLEX: std::isinf(c.u.f) ? void(out_ += "infj") : append_imaginary(out_, c.u.f); break;
    case HTP_CONST_STR: append_str(out_, text(c.text)); break;
    case HTP_CONST_BYTES: append_bytes(out_, text(c.text)); break;
    default: out_ += "None"; break;
    }
  }

  const htp_store &store_;
  const DumpOptions options_;
  std::string out_;
  std::vector<Frame> stack_;
};

} // namespace

std::string dump(const htp_store &store, htp_node root, const DumpOptions &options) {
  return Dumper(store, options).run(root);
}

} // namespace htp
