// Instructions of the targets, which write their first operand: those of meanings.def, and those whose meaning depends
// on where or what their operands are.
#include "reader.h"

#include <algorithm>
#include <charconv>

namespace htp::validator {

using namespace htp::sdk;

namespace {

bool is_float(std::string_view dtype) { return dtype.starts_with("f") || dtype.starts_with("bf"); }

} // namespace

std::optional<Value> Reader::of_machine(const std::string &of, const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  if (of == "pto")
    if (const auto done = orders(name, g, n)) return *done;
  if (of == "pto" && events_) touches(name, g, n);
  if (of == "aie" && name == "mmul") {
    no_more(g, {}, n);
    if (positional.size() != 3) fail(n, "a product of what is not known here");
    const int m = memory_of(positional[0]);
    const Term a = term(positional[1]), b = term(positional[2]);
    write(m, t.apply("mmul", {a, b, contents(m, n)}, memories_[static_cast<size_t>(m)].type), n);
    return value(t.symbol("None"));
  }
  const std::string whole = of + "." + name;
  if (const Instruction *i = instruction_named(whole)) return instruction(*i, g, n);
  if (name == "tload" || whole == "aie.load") {
    no_more(g, {"outside"}, n);
    if (positional.size() < 2) fail(n, "a load of nothing");
    const int to = memory_of(positional[0]), from = memory_of(positional[1]);
    const auto outside = g.named.find("outside");
    Term x = load_from(
        from, scalars_.contains(from) ? scalar_index(positional.subspan(1)) : indices(positional.subspan(2), from),
        outside == g.named.end() ? 0 : term(outside->second), n);
    if (of == "aie" &&
        without_ones(t.type_of(x).extents) != without_ones(memories_[static_cast<size_t>(to)].type.extents))
      fail(n, "what is loaded has other extents");
    if (memories_[static_cast<size_t>(to)].layout == "zn") x = function("transpose", {x}, n);
    copy(to, x, n);
    return value(t.symbol("None"));
  }
  if (name == "tstore" || whole == "aie.store") {
    no_more(g, {}, n);
    if (positional.size() < 2) fail(n, "a store of nothing");
    const int m = memory_of(positional[0]);
    const Value source = evaluate(positional[1]);
    Term x = term(positional[1]);
    if (of == "pto" && source.memory >= 0 && memories_[static_cast<size_t>(source.memory)].space == "acc")
      x = cast(x, memories_[static_cast<size_t>(m)].type.dtype, 0, n);
    store(m, x, indices(positional.subspan(2), m), n);
    return value(t.symbol("None"));
  }
  if (name == "texpands" || whole == "aie.fill") {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "a fill of nothing");
    const Term x = term(positional[1]);
    if (!is_number(x) && !t.is_int(x)) fail(n, "a fill with what is not a number");
    write(memory_of(positional[0]), x, n);
    return value(t.symbol("None"));
  }
  if (name == "tmov" || whole == "aie.copy") {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "a copy of nothing");
    const int to = memory_of(positional[0]);
    Term x = term(positional[1]);
    const Type type = t.type_of(x), wanted = memories_[static_cast<size_t>(to)].type;
    const Value source = evaluate(positional[1]);
    if (of == "pto" && source.memory >= 0 && memories_[static_cast<size_t>(source.memory)].space == "acc" &&
        type.known() && memories_[static_cast<size_t>(to)].space == "mat")
      x = cast(x, wanted.dtype, 0, n);
    if (of == "aie" && type.known() && !same_extents(type.extents, wanted.extents) &&
        without_ones(type.extents) != without_ones(wanted.extents))
      x = spread(x, wanted.extents, n);
    copy(to, x, n);
    return value(t.symbol("None"));
  }
  if (whole == "aie.call") {
    if (positional.empty()) fail(n, "a call of nothing");
    const int m = memory_of(positional[0]);
    write(m, apart_call(g, 1, n), n);
    return value(t.symbol("None"));
  }
  if (whole == "aie.iota") {
    no_more(g, {"axis"}, n);
    const auto axis = g.named.find("axis");
    if (positional.empty() || axis == g.named.end()) fail(n, "an iota without an axis");
    const int m = memory_of(positional[0]);
    write(m, counting(memories_[static_cast<size_t>(m)].type.dtype, positional.subspan(1), axis->second, n), n);
    return value(t.symbol("None"));
  }
  if (whole == "aie.unpack") {
    no_more(g, {}, n);
    if (positional.size() != 3) fail(n, "an unpacking of nothing");
    const int m = memory_of(positional[0]);
    const Type wanted = memories_[static_cast<size_t>(m)].type;
    const Term x = term(positional[1]), first = term(positional[2]);
    const auto count = [&](const std::vector<Term> &extents) {
      Term all = t.integer(1);
      for (const Term e : extents) all = t.mul(all, e);
      return all;
    };
    const auto left = t.constant(t.sub(t.sub(count(t.type_of(x).extents), count(wanted.extents)), first));
    if (!same_bits(t.type_of(x).dtype, wanted.dtype) || t.constant(first).value_or(-1) < 0 || left.value_or(-1) < 0)
      fail(n, "an unpacking that is not shown to stay within its block");
    write(m, t.apply("unpack", {x, first, t.make(Op::tuple, "", wanted.extents)}, wanted), n);
    return value(t.symbol("None"));
  }
  if (whole == "aie.cast") {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "a cast of nothing");
    const int m = memory_of(positional[0]);
    write(m, cast(term(positional[1]), memories_[static_cast<size_t>(m)].type.dtype, 0, n), n);
    return value(t.symbol("None"));
  }
  if (whole == "pto.tci") {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "a count of nothing");
    const int m = memory_of(positional[0]);
    const Type type = memories_[static_cast<size_t>(m)].type;
    const auto shape = without_leading_ones(type.extents);
    const Term from = term(positional[1]);
    if (shape.size() != 1 || !t.is_int(from)) fail(n, "a count of more than a row");
    write(m, t.apply("iota", {t.symbol(type.dtype), from, t.integer(-1), shape[0]}, type), n);
    return value(t.symbol("None"));
  }
  if (name == "tcvt") {
    no_more(g, {}, n);
    if (positional.size() != 3) fail(n, "a conversion of nothing");
    const int m = memory_of(positional[0]);
    const Term x = term(positional[1]), mode = term(positional[2]);
    const std::string to = memories_[static_cast<size_t>(m)].type.dtype, from = t.type_of(x).dtype;
    const bool rounds = is_float(from) && !is_float(to);
    if (!rounds && t.at(mode).tag != "NONE" && t.at(mode).tag != "RINT")
      fail(n, "a conversion that has no meaning here");
    write(m, cast(x, to, rounds ? mode : 0, n), n);
    return value(t.symbol("None"));
  }
  if (name == "tcmp" || name == "tcmps") {
    no_more(g, {}, n);
    if (positional.size() != 4) fail(n, "a comparison of nothing");
    const Term mode = term(positional[3]);
    std::string which = t.at(mode).tag;
    std::transform(which.begin(), which.end(), which.begin(), [](char ch) { return static_cast<char>(ch | 0x20); });
    const Term a = term(positional[1]), b = term(positional[2]);
    if (is_number(a) || t.is_int(a) || (is_number(b) || t.is_int(b)) != (name == "tcmps"))
      fail(n, "an operand of a kind that a comparison does not take");
    write(memory_of(positional[0]), function(which, {a, b}, n), n);
    return value(t.symbol("None"));
  }
  if (whole == "pto.value") {
    no_more(g, {}, n);
    if (positional.empty()) fail(n, "a value of nothing");
    const int m = memory_of(positional[0]);
    return value(t.apply("element", {load_from(m, indices(positional.subspan(1), m), 0, n)}, {"int", {}}));
  }
  if (name == "trowexpand" || name == "tcolexpand") {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "an expansion of nothing");
    const int m = memory_of(positional[0]);
    write(m, spread(term(positional[1]), memories_[static_cast<size_t>(m)].type.extents, n), n);
    return value(t.symbol("None"));
  }
  return std::nullopt;
}

Value Reader::instruction(const Instruction &i, const Given &g, Node n) {
  if (!g.named.empty()) fail(n, "`" + c.show(n) + "` has an argument that has no meaning here");
  std::vector<Term> args;
  size_t most = 0;
  const auto at = [&](const std::string &word) {
    size_t k = 0;
    std::from_chars(word.data(), word.data() + word.size(), k);
    if (k >= g.positional.size()) fail(n, "`" + c.show(n) + "` has too few arguments");
    most = std::max(most, k);
    return g.positional[k];
  };
  const int target = memory_of(at("0"));
  for (const std::string &word : words(i.operands)) {
    if (word == "rows" || word == "columns") {
      const auto rank = static_cast<int64_t>(t.type_of(args[0]).extents.size());
      args.push_back(t.integer(word == "rows" ? rank - 1 : rank - 2));
    } else {
      const bool number = word[0] == '#', either = word[0] == '?';
      const Node given_as = at(number || either ? word.substr(1) : word);
      const Term x = term(given_as);
      if (!either && (is_number(x) || t.is_int(x)) != number)
        fail(given_as,
             "`" + c.show(given_as) + "` is not the kind of operand that `" + std::string(i.name) + "` takes");
      args.push_back(x);
    }
  }
  for (const std::string &word : words(i.spoils)) at(word);
  if (most + 1 != g.positional.size()) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  const Function *f = function_named(i.function);
  const auto column = [&](Term x, size_t from_end) {
    const Type type = t.type_of(x);
    return type.extents.size() >= from_end && is_one(type.extents[type.extents.size() - from_end]);
  };
  if (i.name.starts_with("pto.trowexpand") && !column(args[1], 1)) fail(n, "what is expanded is not a column");
  if (i.name.starts_with("pto.tcolexpand") && !column(args[1], 2)) fail(n, "what is expanded is not a row");
  if (i.name.starts_with("pto.t") && !i.name.starts_with("pto.trow") && !i.name.starts_with("pto.tcol") &&
      f->result == Typing::elementwise)
    for (const Term a : args)
      if (!is_number(a) && !t.is_int(a) && !is_number(args[0]) &&
          !same_extents(t.type_of(a).extents, t.type_of(args[0]).extents))
        fail(n, "operands of two shapes");
  const std::string dtype = memories_[static_cast<size_t>(target)].type.dtype;
  const Term result = function(i.function, std::move(args), n, dtype);
  for (const std::string &word : words(i.spoils)) {
    const int work = memory_of(at(word));
    if (work != target) set(work, t.garbage(memories_[static_cast<size_t>(work)].type));
  }
  write(target, result, n);
  return value(t.symbol("None"));
}

} // namespace htp::validator
