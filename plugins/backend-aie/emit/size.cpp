#include "size.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace htp::aie {

namespace {

constexpr struct {
  std::string_view begin;
  int64_t bytes;
} sizes[] = {
#define SIZE(...) {__VA_ARGS__},
#include "size.def"
};

// How many registers' worth of elements the last vector in a line has; of a number one.
double registers_in(std::string_view line, int64_t *elements) {
  const size_t at = line.rfind("vector<");
  *elements = 1;
  if (at == line.npos) return 1;
  for (std::string_view rest = line.substr(at + 7); !rest.empty();) {
    int64_t n = 0;
    const auto done = std::from_chars(rest.data(), rest.data() + rest.size(), n);
    if (done.ec != std::errc()) {
      const DType *of = dtype_named(rest.substr(0, rest.find('>')));
      return std::max(1.0, static_cast<double>(*elements * (of ? of->bytes : 1)) / register_bytes);
    }
    *elements *= n;
    rest.remove_prefix(static_cast<size_t>(done.ptr - rest.data()) + 1);
  }
  return 1;
}

class CoreSize {
public:
  CoreSize(const Context &context, const Program &program, const Core &core, Functions &functions, bool repeats,
           ProductForm products)
      : c(context), p(program), functions_(functions), repeats_(repeats), products_(products),
        registers_(in_registers(core)) {
    size_.bytes = of(core.body, 1) * repeated(core.body, INT64_MAX) + called_;
  }
  Size size_;

private:
  // How often a compiler writes a loop's body down.
  int64_t repeated(const std::vector<Statement> &body, int64_t times) const {
    const int64_t factor = std::min(repeats_ ? std::max<int64_t>(unrolled_by(body), 1) : 1, times);
    return factor + times % factor;
  }
  int64_t of(const std::vector<Statement> &body, int64_t around) {
    int64_t bytes = 0;
    std::vector<const Statement *> run;
    const auto call = [&] {
      if (products_ == ProductForm::in_place && in_place(run)) {
        Needs needs;
        Writer text;
        Locations none;
        Lines lines(text, none);
        Computing(lines, needs, c, p, registers_, turns_).block(run);
        bytes += size_of(text.text());
      } else if (std::any_of(run.begin(), run.end(),
                             [](const Statement *s) { return s->kind != Statement::Kind::buffer; })) {
        const Functions::Call &f = functions_.of(run, registers_);
        bytes += 32 + 8 * static_cast<int64_t>(f.tiles.size() + f.turns.size());
        if (counted_.insert(f.name).second) called_ += functions_.bytes(f.name);
      }
      run.clear();
    };
    for (const Statement &s : body) {
      if (only_computes(s)) {
        run.push_back(&s);
        continue;
      }
      if (s.kind != Statement::Kind::acquire) call();
      if (s.kind == Statement::Kind::loop) {
        const int64_t copies = repeated(s.body, s.times);
        turns_[s.name] = "%c0";
        if (copies > 1 && around * copies > size_.times) {
          size_.loop = &s, size_.times = around * copies;
          size_.streams.clear();
          for (const Statement &inner : s.body)
            if (inner.kind == Statement::Kind::acquire &&
                std::find(size_.streams.begin(), size_.streams.end(), inner.stream) == size_.streams.end())
              size_.streams.push_back(inner.stream);
        }
        bytes += 32 + of(s.body, around * copies) * copies;
      } else {
        bytes += s.kind == Statement::Kind::acquire ? 32 : s.kind == Statement::Kind::release ? 16 : 64;
      }
    }
    call();
    return bytes;
  }

  const Context &c;
  const Program &p;
  Functions &functions_;
  const bool repeats_;
  const ProductForm products_;
  const std::set<const Tile *> registers_;
  std::map<std::string, std::string> turns_;
  std::set<std::string> counted_;
  int64_t called_ = 0;
};

} // namespace

int64_t size_of(std::string_view text) {
  int64_t bytes = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.starts_with("//") || line.starts_with("}") || line.starts_with("func.func")) continue;
    const size_t equals = line.find(" = ");
    const std::string_view op = line.starts_with("%") && equals != line.npos ? line.substr(equals + 3) : line;
    const auto *row =
        std::find_if(std::begin(sizes), std::end(sizes), [&](const auto &one) { return op.starts_with(one.begin); });
    int64_t elements = 1;
    const double registers = registers_in(line, &elements);
    // Where no unit multiplies blocks, each number of the first is spread and multiplied by a row of the second.
    const double times = op.starts_with("arith.divf")        ? static_cast<double>(elements)
                         : op.starts_with("vector.contract") ? 4 * registers
                                                             : registers;
    bytes += static_cast<int64_t>(static_cast<double>(row->bytes) * times);
  }
  return bytes;
}

int64_t unrolled_by(const std::vector<Statement> &body) {
  int64_t factor = 0;
  const auto meets = [&](int64_t other) { factor = factor && other ? std::lcm(factor, other) : factor + other; };
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::acquire) meets(s.stream->depth);
    if (s.kind != Statement::Kind::loop) continue;
    const int64_t inside = unrolled_by(s.body);
    if (inside && (rounds_kept(s) < s.times || s.times % inside)) meets(inside);
  }
  return factor;
}

int64_t rounds_kept(const Statement &loop) {
  const int64_t factor = unrolled_by(loop.body);
  if (loop.times < 2 * factor) return 0;
  const int64_t rest = factor ? loop.times % factor : 0;
  return rest < 2 ? loop.times : loop.times - rest;
}

Size size_of(const Context &c, const Program &p, const Core &core, Functions &functions, bool repeats,
             ProductForm products) {
  return CoreSize(c, p, core, functions, repeats, products).size_;
}

} // namespace htp::aie
