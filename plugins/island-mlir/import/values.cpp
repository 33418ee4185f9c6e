#include "import/values.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace htp::mlir {

namespace {

constexpr unsigned longest = 500; // operations in an expression

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || (ch & 0x80);
  });
}

constexpr std::string_view index_operations[] = {"arith.addi",  "arith.subi",       "arith.muli",      "arith.minsi",
                                                 "arith.maxsi", "arith.floordivsi", "arith.ceildivsi", "memref.dim"};
bool is_index_operation(std::string_view name) {
  return std::find(std::begin(index_operations), std::end(index_operations), name) != std::end(index_operations);
}
// What is read of an operation below is there.
void check(const Operation &op, bool last) {
  struct Shape {
    std::string_view name;
    size_t operands, results;
  };
  constexpr Shape shapes[] = {{"arith.addi", 2, 1},       {"arith.subi", 2, 1},   {"arith.muli", 2, 1},
                              {"arith.minsi", 2, 1},      {"arith.maxsi", 2, 1},  {"arith.floordivsi", 2, 1},
                              {"arith.ceildivsi", 2, 1},  {"memref.dim", 2, 1},   {"arith.cmpi", 2, 1},
                              {"arith.cmpf", 2, 1},       {"arith.andi", 2, 1},   {"arith.ori", 2, 1},
                              {"arith.xori", 2, 1},       {"arith.select", 3, 1}, {"arith.constant", 0, 1},
                              {"arith.index_cast", 1, 1}, {"arith.sitofp", 1, 1}};
  for (const Shape &s : shapes)
    if (s.name == op.name &&
        (op.operands.size() != s.operands || op.results.size() != s.results || !op.regions.empty()))
      malformed(op);
  const auto types = [&](size_t from, size_t to) {
    return std::all_of(op.operand_types.begin() + static_cast<std::ptrdiff_t>(from),
                       op.operand_types.begin() + static_cast<std::ptrdiff_t>(to),
                       [](const std::string &t) { return t == "index"; });
  };
  if (op.name == "memref.load" || op.name == "memref.store") {
    const size_t memory = op.name == "memref.load" ? 0 : 1;
    const bool enough = op.operands.size() > memory && op.results.size() == 1 - memory;
    const std::string &of = enough ? op.operand_types[memory] : op.name;
    const std::string &element = !enough ? op.name : memory ? op.operand_types[0] : op.result_types[0];
    const auto extents = static_cast<size_t>(std::count(of.begin(), of.end(), 'x'));
    if (!enough || !of.starts_with("memref<") || !of.ends_with("x" + element + ">") ||
        op.operands.size() != memory + 1 + extents || !types(memory + 1, op.operands.size()))
      malformed(op);
  }
  if (op.name == "memref.alloc" && (op.results.size() != 1 || !op.result_types[0].starts_with("memref<") ||
                                    !op.result_types[0].ends_with(">") || !types(0, op.operands.size())))
    malformed(op);
  if (op.name == "scf.for" &&
      (op.operands.size() < 3 || op.regions.size() != 1 || op.results.size() + 3 != op.operands.size() ||
       op.regions[0].arguments.size() != op.results.size() + 1 || !types(0, 3)))
    malformed(op);
  if (op.name == "scf.if" && (op.operands.size() != 1 || op.regions.size() != 2 || op.operand_types[0] != "i1" ||
                              !op.regions[0].arguments.empty() || !op.regions[1].arguments.empty()))
    malformed(op);
  if (!op.regions.empty() && op.name != "scf.for" && op.name != "scf.if") refuse(op, diag::no_python, op.name);
  if ((op.name == "scf.yield" || op.name == "func.return") && !last) malformed(op);
}

bool is_truth_operation(std::string_view name) {
  return name == "arith.cmpi" || name == "arith.andi" || name == "arith.ori" || name == "arith.xori";
}

std::string count(size_t n, const char *what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }
[[noreturn]] void changed(const Operation &function, const std::string &went, const std::string &came) {
  const auto name = string_of(attribute(function, "sym_name"));
  refuse(function, diag::other_function, name.value_or(""), went, came);
}

} // namespace

std::string_view attribute(const Operation &op, std::string_view key) {
  const auto at = op.attributes.find(key);
  if (at == op.attributes.end()) refuse(op, diag::bad_attribute, op.name, key);
  return at->second;
}

Place place_of(const Operation &op) {
  Place place;
  const std::string_view text = op.place;
  const size_t colon = text.find(':');
  size_t number = 0;
  if (colon == std::string_view::npos || colon > 9) return place;
  const auto read = std::from_chars(text.data(), text.data() + colon, number);
  if (read.ptr != text.data() + colon || colon == 0) return place;
  place.number = number;
  for (std::string_view rest = text.substr(colon + 1); !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    place.names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return place;
}

size_t Values::add(Value v) {
  v.group = values_.size();
  members_.push_back({values_.size()});
  values_.push_back(std::move(v));
  return values_.size() - 1;
}

Values::Values(const Program &program, const Operation &function, const std::vector<std::string> &inputs,
               const std::vector<std::string> &results)
    : p(program), results_(results) {
  if (function.regions.size() != 1) changed(function, "a body", "none");
  const Region &region = function.regions[0];
  if (region.arguments.size() != inputs.size())
    changed(function, count(inputs.size(), "parameter"), count(region.arguments.size(), "parameter"));
  Scope scope;
  std::vector<size_t> arguments;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Symbol &s = *p.symbol(inputs[k]);
    if (s.type != region.types[k])
      changed(function, "`" + inputs[k] + "` of `" + s.type + "`", "`" + region.types[k] + "`");
    Value v;
    v.type = s.type;
    v.sort = s.sort;
    v.name = inputs[k];
    v.fixed = true;
    v.kept = s.parameter || std::find(results.begin(), results.end(), inputs[k]) == results.end();
    arguments.push_back(add(std::move(v)));
    if (!scope.emplace(region.arguments[k], arguments.back()).second)
      refuse(function, diag::repeated, region.arguments[k]);
  }
  body_ = read(region.operations, arguments, std::move(scope));
  if (body_.steps.empty() || body_.steps.back().operation->name != "func.return") malformed(function);
  if (const size_t given = body_.steps.back().operands.size(); given != results.size())
    changed(function, count(results.size(), "result"), count(given, "result"));
  absorb();
  for (const size_t v : arguments)
    if (values_[v].kept) values_[v].last = position_ + 4;
  live(body_);
  join(body_);
  call(p.context());
}

Block Values::read(const std::vector<Operation> &operations, std::vector<size_t> arguments, Scope scope) {
  Block block;
  block.number = parents_.size();
  parents_.push_back(block_);
  const size_t outside = std::exchange(block_, block.number);
  block.arguments = std::move(arguments);
  for (const Operation &op : operations) {
    Step step;
    step.operation = &op;
    step.at = position_ += 4;
    for (size_t k = 0; k < op.operands.size(); ++k) {
      const auto at = scope.find(op.operands[k]);
      if (at == scope.end()) refuse(op, diag::undefined, op.operands[k], op.name);
      if (values_[at->second].type != op.operand_types[k])
        refuse(op, diag::other_type, op.operands[k], op.operand_types[k], values_[at->second].type);
      step.operands.push_back(at->second);
      ++values_[at->second].uses;
    }
    const Place place = place_of(op);
    const bool loop = op.name == "scf.for";
    check(op, &op == &operations.back());
    for (const Region &region : op.regions) {
      Scope inside = scope;
      std::vector<size_t> own;
      for (size_t k = 0; k < region.arguments.size(); ++k) {
        Value v;
        v.type = region.types[k];
        v.from = &op;
        v.argument = true;
        v.defined = step.at;
        v.block = parents_.size();
        v.sort = k == 0 || v.type == "index" ? Symbol::Sort::integer : values_[step.operands[k + 2]].sort;
        if (k == 0 ? v.type != "index" : v.type != values_[step.operands[k + 2]].type) malformed(op);
        if (k < place.names.size() && place.names.size() == region.arguments.size()) v.wanted = place.names[k];
        if (k == 0 && !place.names.empty()) v.wanted = place.names[0];
        own.push_back(add(std::move(v)));
        if (!inside.emplace(region.arguments[k], own.back()).second) refuse(op, diag::repeated, region.arguments[k]);
      }
      step.blocks.push_back(read(region.operations, std::move(own), std::move(inside)));
      const Block &body = step.blocks.back();
      const Operation *end = body.steps.empty() ? nullptr : body.steps.back().operation;
      const bool yields = end && end->name == "scf.yield";
      if ((end && end->name == "func.return") ||
          (yields ? end->operand_types : std::vector<std::string>()) != op.result_types)
        malformed(op);
    }
    step.end = op.regions.empty() ? step.at : position_ += 4;
    for (size_t k = 0; k < op.results.size(); ++k) {
      Value v;
      v.type = op.result_types[k];
      v.from = &op;
      v.operands = step.operands;
      v.defined = step.end;
      v.block = block.number;
      if (loop) {
        v.sort = values_[step.operands[k + 3]].sort;
        v.wanted = values_[step.blocks[0].arguments[k + 1]].wanted;
        if (v.type != values_[step.operands[k + 3]].type) malformed(op);
      } else if (op.name == "scf.if") {
        const size_t yielded = step.blocks[0].steps.back().operands[k];
        v.sort = values_[yielded].sort;
        if (v.type != values_[yielded].type) malformed(op);
        if (place.names.size() == op.results.size()) v.wanted = place.names[k];
      } else {
        sort_of(v, step);
        if (place.names.size() == 1 && op.results.size() == 1) v.wanted = place.names[0];
        // An index that a pass computes for a load stands where the load did.
        if (const Symbol *known = p.symbol(v.wanted); known && known->sort != v.sort) v.wanted.clear();
      }
      for (const size_t x : step.operands) v.weight += values_[x].weight;
      if (op.name == "arith.xori") v.weight *= 2; // of conditions it is written by `and` and `or`
      v.weight = is_index_operation(op.name) || v.sort == Symbol::Sort::truth ? std::min(v.weight + 1, 2 * longest) : 0;
      if (v.sort == Symbol::Sort::truth && v.weight > longest) refuse(op, diag::long_condition, op.name, longest);

      step.results.push_back(add(std::move(v)));
      if (!scope.emplace(op.results[k], step.results.back()).second) refuse(op, diag::repeated, op.results[k]);
    }
    block.steps.push_back(std::move(step));
  }
  block_ = outside;
  return block;
}

void Values::sort_of(Value &v, const Step &step) {
  const std::string &name = step.operation->name;
  const auto of = [&](size_t k) { return values_[step.operands[k]].sort; };
  if (v.type == "index") {
    v.sort = Symbol::Sort::integer;
  } else if (v.type.starts_with("memref<")) {
    v.sort = Symbol::Sort::memory;
  } else if (v.type == "i1" && name == "cpu.holds") {
    v.sort = Symbol::Sort::truth;
  } else if (v.type == "i1" && name == "arith.cmpi" && !step.operands.empty() && of(0) == Symbol::Sort::integer) {
    v.sort = Symbol::Sort::truth;
  } else if (v.type == "i1" && name == "arith.select" && step.operands.size() == 3) {
    v.sort = of(1);
  } else if (v.type == "i1" && is_truth_operation(name) && name != "arith.cmpi") {
    for (size_t k = 0; k < step.operands.size(); ++k)
      if (of(k) == Symbol::Sort::truth) v.sort = Symbol::Sort::truth;
  }
}

bool Values::inlined(size_t number) const {
  const Value &v = values_[number];
  if (!v.from || v.argument || v.from->name == "scf.for" || v.from->name == "scf.if") return false;
  if (v.from->name == "arith.constant" || v.absorbed) return true;
  if (v.sort == Symbol::Sort::truth) return is_truth_operation(v.from->name);
  if (v.sort != Symbol::Sort::integer || !is_index_operation(v.from->name)) return false;
  return v.wanted.empty() && v.weight <= longest && (v.weight < 2 || v.uses < 2);
}

bool Values::is_remainder(const Value &v) const {
  if (!v.from || v.from->name != "arith.subi" || v.type != "index") return false;
  const Value &whole = values_[v.operands[1]];
  if (!whole.from || whole.from->name != "arith.muli") return false;
  const Value &quotient = values_[whole.operands[0]];
  return quotient.from && quotient.from->name == "arith.floordivsi" && quotient.operands[0] == v.operands[0] &&
         quotient.operands[1] == whole.operands[1];
}

// What is a part of another expression. Those of `a % b` are no uses of a, unless somebody else wants them too.
void Values::absorb() {
  for (const Value &v : values_) {
    // An int as a float goes by way of an i64.
    if (v.from && v.from->name == "arith.sitofp" && !v.argument) {
      Value &wide = values_[v.operands[0]];
      wide.absorbed = wide.uses == 1 && wide.from && wide.from->name == "arith.index_cast" && wide.type == "i64";
    }
    if (!is_remainder(v)) continue;
    const size_t whole = v.operands[1], quotient = values_[whole].operands[0];
    if (values_[whole].uses == 1 && values_[quotient].uses == 1) --values_[v.operands[0]].uses;
  }
}

bool Values::is_branch(const Step &step) const {
  return step.operation->name == "arith.select" && step.operands.size() == 3 &&
         (values_[step.operands[0]].sort == Symbol::Sort::truth ||
          values_[step.results[0]].sort != Symbol::Sort::scalar);
}

void Values::use(size_t number, size_t at) {
  Value &v = values_[number];
  if (inlined(number)) {
    for (const size_t x : std::vector<size_t>(v.operands)) use(x, at);
    return;
  }
  v.last = std::max(v.last, at);
  // What stands before a loop is there in all its iterations.
  for (const Step *loop : loops_)
    if (v.defined < loop->at) v.last = std::max(v.last, loop->end);
}

void Values::live(const Block &block) {
  for (const Step &step : block.steps) {
    const bool loop = step.operation->name == "scf.for";
    for (size_t k = 0; k < step.operands.size(); ++k)
      if (step.results.empty() || !inlined(step.results[0])) {
        // A choice that is no `cpu.where` is an assignment and a branch, which reads behind it; a loop's range and a
        // branch's condition are read behind the assignments that stand before them.
        const bool late = loop ? k < 3 : step.operation->name == "scf.if" || (k < 2 && is_branch(step));
        use(step.operands[k], step.at + (late ? 1 : 0));
      }
    if (loop) loops_.push_back(&step);
    if (loop) values_[step.blocks[0].arguments[0]].last = step.end;
    std::vector<size_t> before; // the last uses when a branch's other side begins
    for (const Block &inside : step.blocks) {
      live(inside);
      if (!loop && before.empty())
        for (const Value &v : values_) before.push_back(v.last);
    }
    if (!loop && step.blocks.size() == 2 && !step.blocks[0].steps.empty()) {
      const size_t middle = step.blocks[0].steps.back().end;
      for (size_t v = 0; v < values_.size(); ++v) {
        Value &x = values_[v];
        if (x.defined >= step.at || before[v] > middle || x.last <= middle || x.last > step.end) continue;
        // Within the first side it is read no more behind a branch there: then not on any way from it.
        for (Gap &gap : x.gaps)
          if (gap.begin >= step.at && before[v] <= gap.branch_end) gap.branch_end = step.end;
        x.gaps.push_back({std::max(before[v], step.at), middle, step.end});
      }
    }
    if (loop) loops_.pop_back();
    for (const size_t v : step.results) values_[v].last = std::max(values_[v].last, values_[v].defined);
  }
}

// Whether w lives on the one side of a branch, and v, there, on the other alone.
bool Values::in_gap(const Value &w, const Value &v) {
  return std::any_of(v.gaps.begin(), v.gaps.end(), [&](const Gap &gap) {
    return v.last <= gap.branch_end && w.defined >= gap.begin && w.last <= gap.end;
  });
}

// Whether two groups never hold values at the same time.
bool Values::apart(size_t a, size_t b) const {
  for (const size_t x : members_[a])
    for (const size_t y : members_[b]) {
      const Value &v = values_[x], &w = values_[y];
      if (v.defined == w.defined && v.from && v.from == w.from) return false;
      if (!(v.last <= w.defined || w.last <= v.defined || in_gap(v, w) || in_gap(w, v))) return false;
    }
  return true;
}

bool Values::merge(size_t a, size_t b) {
  if (inlined(a) || inlined(b) || values_[a].type != values_[b].type || values_[a].sort != values_[b].sort)
    return false;
  a = values_[a].group, b = values_[b].group;
  if (a == b) return true;
  if (values_[a].kept || values_[b].kept || !apart(a, b)) return false;
  if (values_[a].fixed && values_[b].fixed && values_[a].name != values_[b].name) return false;
  if (values_[b].fixed) std::swap(a, b);
  for (const size_t v : members_[b]) {
    values_[v].group = a;
    members_[a].push_back(v);
  }
  members_[b].clear();
  return true;
}

void Values::join(const Block &block) {
  for (const Step &step : block.steps) {
    for (const Block &inside : step.blocks) join(inside);
    const bool loop = step.operation->name == "scf.for";
    for (size_t k = 0; k < step.results.size() && !step.blocks.empty(); ++k) {
      const size_t result = step.results[k];
      if (loop) {
        const size_t argument = step.blocks[0].arguments[k + 1];
        merge(argument, result);
        merge(argument, step.operands[k + 3]);
        merge(argument, step.blocks[0].steps.back().operands[k]);
      } else {
        for (const Block &side : step.blocks) merge(result, side.steps.back().operands[k]);
      }
    }
    if (step.operation->name == "func.return")
      for (size_t k = 0; k < step.operands.size(); ++k) {
        Value target; // where what follows the part looks for it
        const Value &v = values_[step.operands[k]];
        target.type = v.type;
        target.sort = v.sort;
        target.name = results_[k];
        target.fixed = true;
        target.defined = step.at;
        target.last = step.at + 4 + k;
        merge(add(std::move(target)), step.operands[k]);
      }
  }
}

void Values::call(const Context &c) {
  std::vector<size_t> groups;
  for (size_t g = 0; g < members_.size(); ++g)
    if (!members_[g].empty() && !inlined(g)) groups.push_back(g);
  const auto first = [&](size_t g) {
    size_t at = SIZE_MAX;
    for (const size_t v : members_[g]) at = std::min(at, values_[v].defined);
    return at;
  };
  std::stable_sort(groups.begin(), groups.end(), [&](size_t a, size_t b) {
    return std::pair(!values_[a].fixed, first(a)) < std::pair(!values_[b].fixed, first(b));
  });
  const auto around = [&](size_t block, size_t inner) {
    while (inner != block && inner != 0) inner = parents_[inner];
    return inner == block;
  };
  std::map<std::string, std::vector<size_t>> called;
  std::map<std::string, std::string> fresh; // by their stems
  for (const size_t g : groups) {
    Value &v = values_[g];
    if (!v.fixed) {
      std::string stem;
      for (const size_t m : members_[g])
        if (stem.empty() && is_identifier(values_[m].wanted)) stem = values_[m].wanted;
      // What a pass makes several times over has one name as well.
      if (const auto known = fresh.find(stem); known != fresh.end()) stem = known->second;
      const Symbol *s = p.symbol(stem);
      const auto others = called.find(stem);
      bool fits = s ? !s->parameter && s->sort == v.sort && s->type == v.type : others != called.end();
      if (fits && others != called.end())
        for (const size_t other : others->second) {
          fits = fits && apart(g, other) && values_[other].type == v.type && values_[other].sort == v.sort;
          // An int that is bound twice where both are seen is one that changes.
          if (v.sort == Symbol::Sort::integer)
            for (const size_t x : members_[g])
              for (const size_t y : members_[other])
                fits =
                    fits && !around(values_[x].block, values_[y].block) && !around(values_[y].block, values_[x].block);
        }
      if (stem.empty()) {
        const std::string_view name = v.from ? std::string_view(v.from->name) : "value";
        stem = v.sort == Symbol::Sort::integer ? "at" : std::string(name.substr(name.find('.') + 1));
        if (const Intrinsic *w = v.from ? intrinsic_of(v.from->name, v.type) : nullptr) stem = std::string(w->name);
        if (!is_identifier(stem)) stem = "value";
      }
      v.name = fits ? stem : c.fresh(stem);
      if (!fits && !s) fresh.emplace(stem, v.name);
    }
    called[v.name].push_back(g);
  }
}

} // namespace htp::mlir
