// Loops: over one element at a time, over vectors of them, and with copies ahead.
#include "printer.h"

#include <algorithm>

namespace htp::cpu::ready {

std::string Printer::range(const Statement &s, const std::string &start, const std::string &condition_,
                           const std::string &step) {
  const std::string &q = name(s.name);
  return "for (int64_t " + q + " = " + start + "; " + q + condition_ + "; " + q + step + ") {" + cite(s.node);
}

std::string Printer::once(Node bound, const std::string &stem, int level) {
  bool fixed = true;
  c.each(bound, [&](Node n) {
    fixed = fixed && !live_.reassigned.contains(c.name_of(n)) && !unproved_.divisions.contains(n) &&
            !unproved_.overflows.contains(n);
  });
  if (fixed) return index(bound, level);
  auto [it, fresh] = c_names_.try_emplace("bound " + std::to_string(bound)); // no Python name has a space
  if (fresh) it->second = names_.claim(stem);
  const std::string &own = it->second;
  w_.line("const int64_t ", own, " = ", index(bound), ";");
  return own;
}

bool Printer::transposes(const Statement &s) {
  const auto plain = [&](const Statement &loop) {
    return loop.kind == Statement::Kind::loop && !loop.start && !loop.step && loop.depth == 1 && !loop.parallel &&
           !loop.vectorized && !loop.unrolled && !unproved_.far.contains(loop.node) &&
           !unproved_.overflows_in(c, loop.stop);
  };
  if (!plain(s) || s.body.size() != 1 || !plain(s.body[0]) || s.body[0].body.size() != 2) return false;
  const Statement &inner = s.body[0], &get = inner.body[0], &put = inner.body[1];
  if (get.kind != Statement::Kind::get || put.kind != Statement::Kind::put || !get.operands.empty() || !get.declares ||
      live_.reassigned.contains(get.target->name) || get.memory == put.memory ||
      get.memory->dtype != put.memory->dtype || get.memory->scalar || put.memory->scalar ||
      put.operands[0].scalar != get.target || mentions(c, inner.stop, s.name))
    return false;
  // The dimension along which a loop goes by one, where the other stands still.
  const auto along = [&](const Statement &access, const std::string &variable) -> std::optional<size_t> {
    std::optional<size_t> found;
    for (size_t d = 0; d < access.index.size(); ++d) {
      if (unproved_.indices.contains(access.index[d]) || unproved_.overflows_in(c, access.index[d]))
        return std::nullopt;
      if (!mentions(c, access.index[d], variable)) continue;
      if (found || !unit_stride(c, access.index[d], variable)) return std::nullopt;
      found = d;
    }
    return found;
  };
  const auto from_row = along(get, s.name), from_column = along(get, inner.name), to_row = along(put, inner.name),
             to_column = along(put, s.name);
  if (!from_row || !from_column || !to_row || !to_column || from_row == from_column || to_row == to_column ||
      !get.memory->unit(*from_column) || !put.memory->unit(*to_column))
    return false;
  const auto step = [&](const Memory &memory, size_t dimension) {
    if (!memory.by_call.empty()) return index(memory.by_call[dimension], 2);
    if (!memory.steps.empty()) return std::to_string(memory.steps[dimension]);
    std::string product;
    for (size_t d = dimension + 1; d < memory.extents.size(); ++d)
      product += (product.empty() ? "" : " * ") + index(memory.extents[d], 2);
    return product;
  };
  const std::string rows = index(s.stop), columns = index(inner.stop);
  const auto outer_name = c_names_.try_emplace(s.name, "").first,
             inner_name = c_names_.try_emplace(inner.name, "").first;
  const auto outer_before = std::exchange(outer_name->second, "0"),
             inner_before = std::exchange(inner_name->second, "0");
  const std::string from = element(get, Mode{}, 0), to = element(put, Mode{}, 0);
  outer_name->second = outer_before, inner_name->second = inner_before;
  if (outer_before.empty()) c_names_.erase(s.name);
  if (inner_before.empty()) c_names_.erase(inner.name);
  line(s.node, h.transpose(get.memory->dtype) + "(&" + to + ", " + step(*put.memory, *to_row) + ", &" + from + ", " +
                   step(*get.memory, *from_row) + ", " + rows + ", " + columns + ");");
  return true;
}

void Printer::loop(const Statement &s, const Mode &m) {
  if (!m.plan && transposes(s)) return;
  const std::string start = s.start ? index(s.start) : "0";
  if (s.vectorized && !m.plan && !unproved_.far.contains(s.node)) {
    if (const auto plan = plan_vectors(c, unproved_, s, widest_vector)) {
      name(s.name);
      return vectors(s, *plan);
    }
  }
  const std::string stop = once(s.stop, identifier(s.name) + "_stop", 1),
                    step = s.step ? once(s.step, identifier(s.name) + "_step", 0) : "";
  name(s.name);
  const bool checked = s.step && unproved_.steps.contains(s.step);
  if (checked) {
    auto steps = w_.block("}", "if (", h.guard("steps"), "(", step, ", ", status("step", s.step, s.node), ")) {");
    return counted(s, m, start, stop, step);
  }
  counted(s, m, start, stop, step);
}

void Printer::counted(const Statement &s, const Mode &m, const std::string &start, const std::string &stop,
                      const std::string &step) {
  // What may come near the last int is stepped up to it and not beyond, and stops where an int was too large, or an
  // index outside.
  const bool far = unproved_.far.contains(s.node), saturates = far && s.step;
  const bool outermost = s.parallel && !in_parallel_ && !saturates && !unproved_.overflows_in(c, s.stop);
  const bool stops = far && !outermost && (!unproved_.overflows.empty() || !unproved_.indices.empty());
  if (outermost) {
    w_.line("#pragma omp parallel for");
    in_parallel_ = parallel_ = true;
  }
  // A loop that is cut among threads is not unrolled, nor one whose iterations cannot be counted here.
  Value v;
  const bool counts = (!s.start || constants_.number(s.start, v)) && constants_.number(s.stop, v) &&
                      (!s.step || constants_.number(s.step, v));
  if (s.unrolled && !outermost)
    w_.line(counts ? h.unroll() : h.unroll_some());
  else if (m.plan && s.body.size() * m.copies > 16)
    w_.line(h.rolled());
  {
    const std::string limit = (s.down ? " > " : " < ") + stop + (stops ? " && !failed.why" : "");
    if (stops) fails_ = fails_any_ = true, h.guard("fail");
    auto body = w_.block("}", range(s, start, limit,
                                    saturates ? " = " + h.next() + "(" + name(s.name) + ", " + step + ")"
                                    : s.step  ? " += " + step
                                              : "++"));
    const int64_t frame = frame_;
    const auto around = std::exchange(allocated_, std::nullopt);
    if (s.depth > 1) ahead(s, step);
    block(s.body, m);
    allocated_ = around;
    frame_ = frame;
  }
  if (outermost) in_parallel_ = false;
}

void Printer::ahead(const Statement &loop, const std::string &step) {
  // Loop variables stand for where they begin. Others hold on to what names are called, so each is put back in place.
  std::map<std::string, std::optional<std::string>> before;
  const auto stands_for = [&](const std::string &variable, std::string text) {
    const auto it = c_names_.find(variable);
    before.try_emplace(variable, it == c_names_.end() ? std::nullopt : std::optional(it->second));
    c_names_[variable] = std::move(text);
  };
  const std::string by = loop.depth == 2 ? (step.empty() ? "1" : step)
                                         : std::to_string(loop.depth - 1) + " * (" + (step.empty() ? "1" : step) + ")";
  stands_for(loop.name, "(" + name(loop.name) + " + " + by + ")");
  std::set<std::string> written, inside; // what it reads; names that have no value yet where that is asked for
  const auto is_known = [&](Node n) {
    bool known = !unproved_.overflows_in(c, n);
    c.each(n, [&](Node e) { known = known && !inside.contains(std::string(c.name_of(e))); });
    return known;
  };
  const auto visit = [&](auto &&self, const std::vector<Statement> &body) -> void {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) inside.insert(s.name);
      if (s.kind == Statement::Kind::loop) {
        if (!s.start || is_known(s.start)) {
          stands_for(s.name, s.start ? "(" + index(s.start) + ")" : "0");
          inside.erase(s.name);
        } else {
          inside.insert(s.name);
        }
      }
      if (s.kind == Statement::Kind::get && s.memory->direction != Direction::none) {
        bool moves = false;
        for (const Node n : s.index) c.each(n, [&](Node e) { moves |= c.name_of(e) == loop.name; });
        const bool known = std::ranges::all_of(s.index, is_known);
        const std::string element_text = moves && known ? element(s, Mode{}, 0) : std::string();
        const size_t bracket = element_text.find('[');
        if (bracket != std::string::npos && written.insert(element_text).second)
          w_.line(h.ahead(), "(", element_text.substr(0, bracket), ", ",
                  element_text.substr(bracket + 1, element_text.size() - bracket - 2), ");");
      }
      self(self, s.body);
      self(self, s.orelse);
    }
  };
  visit(visit, loop.body);
  for (auto &[variable, text] : before)
    if (text)
      c_names_[variable] = std::move(*text);
    else
      c_names_.erase(variable);
}

void Printer::vectors(const Statement &s, const VectorPlan &plan) {
  Value first, last;
  first.i = 0;
  const bool known = (!s.start || constants_.number(s.start, first)) && constants_.number(s.stop, last);
  const int64_t total = known ? std::max<int64_t>(last.i - first.i, 0) : -1;
  const int64_t lanes = plan.lanes;
  const std::string start = s.start ? index(s.start) : "0", stop = index(s.stop, 1), &q = name(s.name);
  if (known && total < lanes * narrowest_vector / widest_vector) return elements(s, start, stop);
  const std::optional<int64_t> usual = known ? total : s.start ? std::nullopt : most(s.stop);
  const auto at_most = [&](unsigned vectors) {
    return usual ? static_cast<unsigned>(std::clamp<int64_t>(*usual / lanes, 1, vectors)) : vectors;
  };
  // Two that leave none over are better than three.
  const auto without_rest = [&](unsigned vectors) {
    return usual && vectors == 3 && *usual / lanes % 3 != 0 && *usual / lanes % 2 == 0 ? 2 : vectors;
  };
  const unsigned copies = without_rest(at_most(plan.copies)), few = without_rest(at_most(plan.few));
  // Of so many elements no vector is left over, however wide it is.
  const auto even = [&](unsigned vectors) { return known && total % (lanes * vectors) == 0; };
  const std::string count = known     ? std::to_string(total)
                            : s.start ? "(" + stop + " - " + index(s.start, 1) + ")"
                                      : stop;
  // Where the loop that takes so many vectors at a time ends.
  const auto after = [&](unsigned vectors) {
    const std::string of = elements_of(plan.lanes, vectors), width = vectors > 1 ? "(" + of + ")" : of;
    return (s.start ? index(s.start, 1) + " + " : "") + count + " / " + width + " * " + width;
  };
  const std::string one = elements_of(plan.lanes, 1), many = "HTP_REGISTERS >= 32";
  const std::string rest =
      copies == few ? after(copies) : many + " ? " + after(copies) + " : " + (few > 1 ? after(few) : start);
  const auto loop_of = [&](unsigned in_flight, const std::string &from, const std::string &where) {
    const std::string width = elements_of(plan.lanes, in_flight);
    auto body = w_.block("}", "for (int64_t ", q, " = ", from, "; ", where, q, " + ", width, " <= ", stop, "; ", q,
                         " += ", width, ") {", cite(s.node));
    block(s.body, Mode{&plan, s.name, in_flight});
  };
  const auto main_loop = [&] {
    loop_of(copies, start, copies == few ? "" : many + " && ");
    if (copies != few && few > 1) loop_of(few, start, "HTP_REGISTERS < 32 && ");
  };
  if (plan.repeatable && plan.reductions.empty() && !even(1)) {
    // The last vector ends where the loop does, and computes again what the one before it has.
    const std::string from = stop + " - " + one;
    const auto overlapped = [&] {
      main_loop();
      if (copies > 1) {
        auto body = w_.block("}", range(s, rest, " < " + stop, " += " + one));
        w_.line(q, " = ", h.index("min"), "(", q, ", ", from, ");");
        return block(s.body, Mode{&plan, s.name, 1});
      }
      auto last_one = w_.block("}", "if (", count, " % ", one, " != 0) {");
      w_.line("const int64_t ", q, " = ", from, ";");
      block(s.body, Mode{&plan, s.name, 1});
    };
    if (known && total >= lanes) return overlapped();
    {
      auto enough = w_.block("", "if (", count, " >= ", one, ") {");
      overlapped();
    }
    auto fewer = w_.block("}", "} else {");
    return elements(s, start, stop);
  }
  open_reductions(plan, copies);
  main_loop();
  if (copies > 1 && (copies != few || !even(copies))) loop_of(1, rest, "");
  const bool has_last = plan.repeatable && !even(1) && (!known || total >= lanes) && each_once(plan);
  if (has_last) {
    auto enough = known ? w_.block("}", "if (", count, " % ", one, " != 0) {")
                        : w_.block("}", "if (", count, " >= ", one, " && ", count, " % ", one, " != 0) {");
    w_.line("const int64_t ", q, " = ", stop, " - ", one, ";");
    last_of_reductions(s, plan, copies, count + " % " + one);
  }
  close_reductions(plan, copies);
  if (!even(1) && !(has_last && known))
    elements(s, has_last ? count + " >= " + one + " ? " + stop + " : " + start : after(1), stop);
}

bool Printer::each_once(const VectorPlan &plan) {
  return std::ranges::all_of(plan.reductions, [](const Reduction &r) {
    if (r.again()) return true;
    const Class kind = computed(r.scalar->dtype)->kind;
    return kind == Class::floating || kind == Class::integer || kind == Class::natural;
  });
}

void Printer::last_of_reductions(const Statement &s, const VectorPlan &plan, unsigned copies, const std::string &rest) {
  const Mode m{&plan, {}, copies};
  std::vector<std::string> before;
  for (const Reduction &r : plan.reductions) {
    if (r.again()) continue;
    const std::string sum = scalar_name(r.scalar, m, 0);
    auto [it, fresh] = c_names_.try_emplace("before " + sum); // no Python name has a space
    if (fresh) it->second = names_.claim(sum + "_before");
    before.push_back(it->second);
    w_.line("const ", value_type(computed(r.scalar->dtype), plan.lanes), " ", before.back(), " = ", sum, ";");
  }
  block(s.body, Mode{&plan, s.name, 1});
  auto kept = before.begin();
  for (const Reduction &r : plan.reductions) {
    if (r.again()) continue;
    const std::string sum = scalar_name(r.scalar, m, 0);
    w_.line(sum, " = ", h.late(computed(r.scalar->dtype), plan.lanes), "(", sum, ", ", *kept++, ", ", rest, ");");
  }
}

void Printer::elements(const Statement &s, const std::string &start, const std::string &stop) {
  auto body = w_.block("}", range(s, start, " < " + stop, "++"));
  block(s.body, Mode{});
}

Value Printer::identity(const Reduction &r) const {
  Value v;
  const DType *d = r.scalar->dtype;
  if (r.operation == "mul") v.i = 1;
  if (r.operation != "maximum" && r.operation != "minimum") return v;
  const bool lowest = r.operation == "maximum";
  if (d->kind == Class::floating) {
    v.real = true;
    v.f = lowest ? -__builtin_inf() : __builtin_inf();
  } else if (d->kind == Class::integer) {
    v.i = lowest ? INT64_MIN >> (64 - d->bytes * 8) : INT64_MAX >> (64 - d->bytes * 8);
  } else if (!lowest) {
    v.digits = std::to_string(~uint64_t{0} >> (64 - d->bytes * 8));
  }
  return v;
}

void Printer::open_reductions(const VectorPlan &plan, unsigned copies) {
  const Mode m{&plan, {}, copies};
  for (const Reduction &r : plan.reductions)
    for (unsigned copy = 0; copy < copies; ++copy) {
      h.vector(computed(r.scalar->dtype), plan.lanes);
      w_.line(value_type(r.scalar->dtype, plan.lanes), " ", scalar_name(r.scalar, m, copy), " = ",
              h.splat(r.scalar->dtype, plan.lanes), "(", literal(identity(r), r.scalar->dtype), ");");
      if (r.apart() && copy + 1 == copies)
        w_.line(value_type(r.scalar->dtype, plan.lanes), " ", unordered(r, m), " = ",
                h.splat(r.scalar->dtype, plan.lanes), "(0);");
    }
}

std::string Printer::unordered(const Reduction &r, const Mode &m) {
  const std::string sum = scalar_name(r.scalar, m, 0);
  auto [it, fresh] = c_names_.try_emplace("unordered " + sum); // no Python name has a space
  if (fresh) it->second = names_.claim(sum + "_nan");
  return it->second;
}

void Printer::extreme(const Statement &s, const Reduction &r, const Mode &m) {
  const DType *d = computed(r.scalar->dtype);
  const bool self_first = s.operands[0].kind == Value::Kind::scalar && s.operands[0].scalar == s.target;
  std::vector<std::string> of;
  for (unsigned copy = 0; copy < m.copies; ++copy) {
    of.push_back(operand(s.operands[self_first ? 1 : 0], d, m, copy, true));
    line(s.node, scalar_name(s.target, m, copy) + " = " +
                     beside(r, m.lanes(), scalar_name(s.target, m, copy), of.back()) + ";");
  }
  for (unsigned copy = 0; copy < m.copies; copy += 2) {
    const std::string nan = unordered(r, m), &other = of[std::min(copy + 1, m.copies - 1)];
    line(s.node, nan + " = htp_ordered_" + suffix(d, m.lanes()) + "(" + nan + ", " + of[copy] + ", " + other + ");");
  }
}

// The lower or the upper of two, of which neither is NaN.
std::string Printer::beside(const Reduction &r, unsigned lanes, const std::string &a, const std::string &b) {
  const DType *d = computed(r.scalar->dtype);
  h.function(r.operation, d, lanes);
  return (r.operation == "minimum" ? "htp_lower_" : "htp_upper_") + suffix(d, lanes) + "(" + a + ", " + b + ")";
}

void Printer::close_reductions(const VectorPlan &plan, unsigned copies) {
  const Mode m{&plan, {}, copies};
  for (const Reduction &r : plan.reductions) {
    const DType *d = r.scalar->dtype;
    const std::string first = scalar_name(r.scalar, m, 0), &one = name(r.scalar->name);
    for (unsigned copy = 1; copy < copies; ++copy)
      w_.line(first, " = ",
              r.apart() ? beside(r, plan.lanes, first, scalar_name(r.scalar, m, copy))
                        : combined(r.operation, d, plan.lanes, first, scalar_name(r.scalar, m, copy)),
              ";");
    if (const std::string nan = r.apart() ? unordered(r, m) : ""; r.apart())
      w_.line(first, " = htp_ordered_", suffix(computed(d), plan.lanes), "(", first, ", ", nan, ", ", nan, ");");
    w_.line(one, " = ", combined(r.operation, d, 1, one, h.fold(r.operation, d, plan.lanes) + "(" + first + ")"), ";");
  }
}

std::string Printer::combined(const std::string &operation, const DType *d, unsigned lanes, const std::string &a,
                              const std::string &b) {
  if (d->kind == Class::floating && (operation == "add" || operation == "mul"))
    return a + (operation == "add" ? " + " : " * ") + b;
  return h.function(operation, d, lanes) + "(" + a + ", " + b + ")";
}

} // namespace htp::cpu::ready
