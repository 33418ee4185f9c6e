#include "elements.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

namespace htp::aie {

std::string View::type() const {
  std::vector<int64_t> all = extents;
  if (!first.empty()) all[0] = in_memory;
  if (offset == 0) return memref(all, *dtype);
  std::vector<int64_t> strides(all.size(), 1);
  for (size_t d = all.size(); d-- > 1;) strides[d - 1] = strides[d] * all[d];
  std::string text = memref(all, *dtype);
  text.pop_back();
  return text + ", strided<[" + join(strides, ", ", [](int64_t n) { return std::to_string(n); }) +
         "], offset: " + std::to_string(offset) + ">>";
}

View Elements::collapse(const View &view, const std::vector<size_t> &groups) {
  if (groups.size() == view.extents.size()) return view;
  View made{fresh("%flat"), {}, view.dtype};
  made.offset = view.offset;
  int64_t rows = 1; // of the new first dimension to one of the old
  for (size_t k = 1; k < groups[0]; ++k) rows *= view.extents[k];
  if (!view.first.empty()) {
    made.first = rows == 1 ? view.first : op("arith.muli", {view.first, number(rows)}, "index");
    made.in_memory = view.in_memory * rows;
  }
  std::string text;
  size_t dim = 0;
  for (const size_t group : groups) {
    int64_t extent = 1;
    text += text.empty() ? "[" : ", [";
    for (size_t k = 0; k < group; ++k, ++dim) {
      extent *= view.extents[dim];
      text += (k ? ", " : "") + std::to_string(dim);
    }
    text += "]";
    made.extents.push_back(extent);
  }
  w_.line(made.value, " = memref.collapse_shape ", view.value, " [", text, "] : ", view.type(), " into ", made.type());
  return made;
}

Index Elements::placed(const View &view, Index index) {
  if (!view.first.empty()) index[0] = op("arith.addi", {view.first, index[0]}, "index");
  return index;
}

std::string Elements::load(const View &view, const Index &at, int64_t lanes) {
  const Index index = placed(view, at);
  const std::string v = fresh();
  if (lanes == 1)
    w_.line(v, " = memref.load ", view.value, "[", list(index), "] : ", view.type());
  else
    w_.line(v, " = vector.load ", view.value, "[", list(index), "] : ", view.type(), ", ",
            Lanes{view.dtype, lanes}.text());
  return v;
}

void Elements::store(const std::string &value, const View &view, const Index &at, int64_t lanes) {
  const Index index = placed(view, at);
  if (lanes == 1)
    w_.line("memref.store ", value, ", ", view.value, "[", list(index), "] : ", view.type());
  else
    w_.line("vector.store ", value, ", ", view.value, "[", list(index), "] : ", view.type(), ", ",
            Lanes{view.dtype, lanes}.text());
}

std::string Elements::op(std::string_view name, const std::vector<std::string> &operands, const std::string &type) {
  const std::string v = fresh();
  w_.line(v, " = ", name, " ", list(operands), " : ", type);
  return v;
}

std::string Elements::convert(std::string_view name, const std::string &x, const std::string &from,
                              const std::string &to) {
  const std::string v = fresh();
  w_.line(v, " = ", name, " ", x, " : ", from, " to ", to);
  return v;
}

std::string literal_of(double value, const DType &d) {
  std::string text;
  const auto single = static_cast<float>(value); // of what is beyond its range, infinity
  if (d.real && std::isfinite(single)) {
    char buffer[64];
    text.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, single, std::chars_format::scientific).ptr);
    if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
  } else if (d.real) {
    text = value > 0 ? "0x7F80" : value < 0 ? "0xFF80" : "0x7FC0";
    if (d.bytes == 4) text += "0000";
  } else {
    text = std::to_string(static_cast<int64_t>(value));
  }
  return text;
}
std::string Elements::constant(double value, const Lanes &lanes) {
  const DType &d = *lanes.dtype;
  std::string text = literal_of(value, d);
  if (&d == &held(*dtype_named("bool_"))) text = value != 0 ? "true" : "false";
  return constant((lanes.count == 1 ? text : "dense<" + text + ">") + " : " + lanes.text());
}
std::string Elements::constant(const std::string &value_and_type) {
  auto &all = needs_.constants;
  const auto found = std::find(all.begin(), all.end(), value_and_type);
  const auto number = static_cast<size_t>(found - all.begin());
  if (found == all.end()) all.push_back(value_and_type);
  return "%k" + std::to_string(number);
}

const DType &held(const DType &dtype) {
  static constexpr DType bit{"bit", "i1", 1, false};
  return dtype.name == "bool_" ? bit : dtype;
}
std::string Elements::bits_of(const std::string &x, const Lanes &lanes) {
  if (lanes.dtype->name != "bool_") return x;
  return op("arith.cmpi ne,", {x, constant(lanes.count == 1 ? "0 : i8" : "dense<0> : " + lanes.text())}, lanes.text());
}
std::string Elements::bytes_of(const std::string &x, const Lanes &lanes) {
  return lanes.dtype->name != "bool_" ? x : convert("arith.extui", x, bits(lanes), lanes.text());
}

std::string Elements::spread(const std::string &x, const Lanes &lanes) {
  return lanes.count == 1 ? x : convert("vector.broadcast", x, std::string(lanes.dtype->text), lanes.text());
}

std::string Elements::deal(const std::string &x, const Lanes &lanes, const std::vector<int64_t> &from) {
  const std::string v = fresh();
  w_.line(v, " = vector.shuffle ", x, ", ", x, " [", join(from, ", ", [](int64_t n) { return std::to_string(n); }),
          "] : ", lanes.text(), ", ", lanes.text());
  return v;
}

std::string Elements::cast(const std::string &x, const Lanes &from, const DType &to) {
  const DType &d = *from.dtype;
  if (&d == &to) return x;
  if (to.name == "bit") return compare("ne", {x, constant(0, from)}, from);
  const Lanes goal = from.of(to);
  const DType &f32 = *dtype_named("f32"), &i32 = *dtype_named("i32");
  if (d.name == "bit" && to.real && to.bytes < 4) return cast(cast(x, from, f32), from.of(f32), to);
  if (d.name == "bit") return convert(to.real ? "arith.uitofp" : "arith.extui", x, from.text(), goal.text());
  if (d.real && to.real)
    return convert(d.bytes < to.bytes ? "arith.extf" : "arith.truncf", x, from.text(), goal.text());
  if (d.real && d.bytes < 4) return cast(cast(x, from, f32), from.of(f32), to);
  if (to.real && to.bytes < 4) return cast(cast(x, from, f32), from.of(f32), to);
  if (to.real) return convert("arith.sitofp", x, from.text(), goal.text());
  if (!d.real) return convert(d.bytes < to.bytes ? "arith.extsi" : "arith.trunci", x, from.text(), goal.text());
  // What is below -2³¹ is at most the float below it; a narrow type's limits have floats on both sides.
  const double above = std::ldexp(1, static_cast<int>(8 * to.bytes - 1)), below = to.bytes == 4 ? -above : -above - 1;
  const std::string high = op("arith.cmpf oge,", {x, constant(above, from)}, from.text()),
                    low = op(to.bytes == 4 ? "arith.cmpf olt," : "arith.cmpf ole,", {x, constant(below, from)},
                             from.text()),
                    nan = op("arith.cmpf uno,", {x, x}, from.text());
  const std::string out = op("arith.ori", {op("arith.ori", {high, low}, bits(from)), nan}, bits(from));
  std::string whole =
      convert("arith.fptosi", select(out, constant(0, from), x, from), from.text(), from.of(i32).text());
  if (&to != &i32) whole = cast(whole, from.of(i32), to);
  whole = select(high, constant(above - 1, goal), whole, goal);
  return select(low, constant(-above, goal), whole, goal);
}

std::string Elements::select(const std::string &bit, const std::string &yes, const std::string &no,
                             const Lanes &lanes) {
  return op("arith.select", {bit, yes, no}, (lanes.count == 1 ? "" : bits(lanes) + ", ") + lanes.text());
}

std::string Elements::compare(std::string_view operation, const std::vector<std::string> &o, const Lanes &lanes) {
  const DType &d = *lanes.dtype;
  if (const DType &inside = computes_in(d); &inside != &d)
    return compare(operation, {cast(o[0], lanes, inside), cast(o[1], lanes, inside)}, lanes.of(inside));
  const bool same = operation == "eq" || operation == "ne"; // how cmpi spells the others: slt, sle, …
  const std::string sign = same ? "" : d.name == "bit" ? "u" : "s";
  const std::string how =
      d.real ? (operation == "ne" ? "une" : "o" + std::string(operation)) : sign + std::string(operation);
  return op((d.real ? "arith.cmpf " : "arith.cmpi ") + how + ",", o, lanes.text());
}

std::string Elements::choose(const std::vector<std::string> &o, const Lanes &lanes) {
  return select(o[0], o[1], o[2], lanes);
}

std::string Elements::call(std::string_view function, const std::vector<std::string> &operands, const Lanes &lanes) {
  if (lanes.count == 1) {
    needs_.functions.emplace(function);
    const std::string v = fresh(), types = join(operands, ", ", [&](const std::string &) { return lanes.text(); });
    w_.line(v, " = func.call @htp_", function, "(", list(operands), ") : (", types, ") -> ", lanes.text());
    return v;
  }
  std::map<std::string, std::string, std::less<>> names; // of the function's values
  const auto renamed = [&](std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
      size_t end = at + 1;
      if (text[at] == '%')
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
      const std::string_view part = text.substr(at, end - at);
      out += text[at] == '%' ? names.at(std::string(part)) : std::string(part);
      at = end;
    }
    return out;
  };
  const auto parts_of = [](std::string_view text) { // what stands behind each `%`
    std::vector<std::string> found;
    for (size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1))
      found.emplace_back(text.substr(at, text.find_first_of(" ,:)", at) - at));
    return found;
  };
  std::string result;
  for (std::string_view rest = function_text(function); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("func.func")) {
      const auto parameters = parts_of(line);
      for (size_t k = 0; k < parameters.size(); ++k) names[parameters[k]] = operands.at(k);
      continue;
    }
    if (line.starts_with("return")) return names.at(parts_of(line).at(0));
    const size_t equals = line.find(" = ");
    const std::string name(line.substr(0, equals));
    line.remove_prefix(equals + 3);
    if (line.starts_with("func.call @htp_")) {
      std::vector<std::string> given;
      for (const std::string &one : parts_of(line)) given.push_back(names.at(one));
      names[name] = call(line.substr(15, line.find('(') - 15), given, lanes);
    } else if (const std::string wide = for_lanes(line, lanes.count); wide.starts_with("arith.constant ")) {
      names[name] = constant(wide.substr(15));
    } else {
      const std::string v = fresh();
      w_.line(v, " = ", renamed(wide));
      names[name] = v;
    }
  }
  return result;
}

std::string Elements::compute(std::string_view name, const std::vector<std::string> &o, const Lanes &lanes) {
  const DType &d = *lanes.dtype;
  if (name == "fill" || name == "copy") return o[0];
  if (const DType &inside = computes_in(d); &inside != &d) {
    std::vector<std::string> wide;
    for (const std::string &x : o) wide.push_back(cast(x, lanes, inside));
    return cast(compute(name, wide, lanes.of(inside)), lanes.of(inside), d);
  }
  const auto arith = [&](std::string_view real, std::string_view integer) {
    return op(d.real ? real : integer, o, lanes.text());
  };
  if (name == "add") return arith("arith.addf", "arith.addi");
  if (name == "sub") return arith("arith.subf", "arith.subi");
  if (name == "mul") return arith("arith.mulf", "arith.muli");
  if (name == "div") return op("arith.divf", o, lanes.text());
  if (name == "maximum" || name == "minimum") {
    const bool most = name == "maximum";
    return d.real ? call(name, o, lanes) : op(most ? "arith.maxsi" : "arith.minsi", o, lanes.text());
  }
  if (name == "bit_and") return op("arith.andi", o, lanes.text());
  if (name == "bit_or") return op("arith.ori", o, lanes.text());
  if (name == "bit_xor") return op("arith.xori", o, lanes.text());
  if (name == "shl") return op("arith.shli", o, lanes.text());
  if (name == "shr") return op("arith.shrsi", o, lanes.text());
  if (name == "bit_not") return op("arith.xori", {o[0], constant(d.name == "bit" ? 1 : -1, lanes)}, lanes.text());
  if (name == "neg")
    return d.real ? op("arith.negf", o, lanes.text()) : op("arith.subi", {constant(0, lanes), o[0]}, lanes.text());
  if (name == "absolute" && !d.real)
    return op("arith.maxsi", {o[0], op("arith.subi", {constant(0, lanes), o[0]}, lanes.text())}, lanes.text());
  return call(name, o, lanes);
}

std::string Elements::limit(std::string_view operation, const std::string &x, const std::string &number, bool negative,
                            const Lanes &lanes) {
  // Where both are zeros the one is taken that is right whatever the sign of x.
  const bool most = operation == "maximum", equal = most != negative;
  const std::string how = std::string("arith.cmpf o") + (most ? "l" : "g") + (equal ? "e," : "t,");
  return select(op(how, {x, number}, lanes.text()), number, x, lanes);
}

std::string Elements::combine(std::string_view operation, const std::string &x, const Lanes &lanes) {
  if (lanes.count == 1) return x;
  const bool real = lanes.dtype->real;
  const std::string_view kind = operation == "add"       ? "add"
                                : operation == "maximum" ? (real ? "maximumf" : "maxsi")
                                                         : (real ? "minimumf" : "minsi");
  const std::string v = fresh();
  w_.line(v, " = vector.reduction <", kind, ">, ", x, " : ", lanes.text(), " into ", lanes.dtype->text);
  return v;
}

} // namespace htp::aie
