#include "types.h"

namespace htp::cpu {

namespace {
constexpr DType dtypes[] = {
#define DTYPE(name, memory, c, bytes, kind) {#name, memory, c, bytes, Class::kind},
#include "dtypes.def"
};
} // namespace

const DType *dtype_named(std::string_view name) {
  for (const DType &d : dtypes)
    if (d.name == name) return &d;
  return nullptr;
}

const DType *boolean_dtype() { return &dtypes[0]; }

const DType *integer_of(Class kind, unsigned bytes) {
  for (const DType &d : dtypes)
    if (d.kind == kind && d.bytes == bytes) return &d;
  return nullptr;
}

Type read_type(const Reader &t, const Names &names, Node annotation) {
  Type type;
  auto scalar = [&](Node n) {
    const std::string q = names.qualified(n);
    if (q.rfind("htp.", 0) != 0) return false;
    type.dtype = dtype_named(std::string_view(q).substr(4));
    type.dtype_node = n;
    return true;
  };
  auto subscript = t.as<ast::Subscript>(annotation);
  if (!subscript) {
    if (annotation && scalar(annotation)) type.form = Type::Form::scalar;
    return type;
  }
  const std::string q = names.qualified(subscript.value());
  if (q == "htp.In" || q == "htp.Out" || q == "htp.InOut") {
    type = read_type(t, names, subscript.slice());
    type.direction = q == "htp.In" ? Direction::in : q == "htp.Out" ? Direction::out : Direction::inout;
    return type;
  }
  const bool tile = q == "htp_tile.Tile" || q == "htp.Tile";
  if (!tile && q != "htp_tile.Tensor" && q != "htp.Tensor") return type;
  Nodes items;
  if (auto tuple = t.as<ast::Tuple>(subscript.slice())) {
    items = tuple.elts();
  } else {
    return type;
  }
  if (items.empty() || !scalar(items.front())) return type;
  type.form = tile ? Type::Form::tile : Type::Form::tensor;
  type.constructor = subscript.value();
  // After the extents a type may name a layout (a call) and a memory space (an imported name).
  size_t end = 1;
  while (end < items.size() && !t.is(items[end], HTP_Call) && names.qualified(items[end]).empty()) ++end;
  type.dims = items.subspan(1, end - 1);
  for (const Node n : items.subspan(end)) (names.called(n) == "htp.space" ? type.space : type.layout) = n;
  return type;
}

Node clone(const Tree &t, Node n) {
  const htp_kind_info &k = t.info(n);
  std::vector<uint32_t> slots(k.field_count);
  for (unsigned i = 0; i < k.field_count; ++i) {
    const uint32_t s = slots[i] = t.slot(n, i);
    if (!s) continue;
    if (k.fields[i].type == HTP_FIELD_NODE || k.fields[i].type == HTP_FIELD_OPT) {
      slots[i] = clone(t, s);
    } else if (k.fields[i].type == HTP_FIELD_LIST || k.fields[i].type == HTP_FIELD_LISTN) {
      std::vector<uint32_t> items;
      for (const Node c : t.list(s)) items.push_back(c ? clone(t, c) : c);
      slots[i] = t.make_list(items);
    }
  }
  return t.host()->node(t.ctx(), t.kind(n), slots.data(), static_cast<uint32_t>(slots.size()), n);
}

std::vector<Parameter> parameters_of(const Reader &t, const Names &names, Node function) {
  std::vector<Parameter> result;
  auto a = t.get<ast::arguments>(t.get<ast::FunctionDef>(function).args());
  for (const Node n : a.args()) {
    auto p = t.get<ast::arg>(n);
    Type type = read_type(t, names, p.annotation());
    if (t.name_of(p.annotation()) == "int" && type.form == Type::Form::none)
      type.form = Type::Form::integer, type.dtype = dtype_named("i64");
    if (type.form != Type::Form::none && type.form != Type::Form::tile)
      result.push_back({std::string(p.arg()), n, type});
  }
  return result;
}

std::string_view cpu_intrinsic(const std::string &qualified) {
  const std::string_view q = qualified;
  return q.rfind("htp_cpu.", 0) == 0 ? q.substr(8) : std::string_view();
}

} // namespace htp::cpu
