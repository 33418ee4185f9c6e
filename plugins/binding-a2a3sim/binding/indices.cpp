#include "indices.h"

#include "interpret.h"
#include "registry.h"

#include <cstring>
#include <map>
#include <set>

namespace htp::a2a3sim {

namespace {

using nlohmann::json;

constexpr const char *inside = "HTP_INSIDE";

bool holds_index(const std::vector<Statement> &body) {
  return std::any_of(body.begin(), body.end(), [](const Statement &s) {
    const bool here =
        s.kind == Statement::Kind::expression && s.value.kind == Expr::Kind::call && s.value.children[0].text == inside;
    return here || holds_index(s.body) || holds_index(s.otherwise);
  });
}
// What indices are made of, and nothing else.
std::vector<Statement> sliced(const std::vector<Statement> &body) {
  std::vector<Statement> out;
  for (const Statement &s : body) {
    const bool compound = s.kind == Statement::Kind::loop || s.kind == Statement::Kind::branch;
    const bool number = s.kind == Statement::Kind::declare && (s.type.text == "int64_t" || s.type.pointer);
    if (!number && !holds_index({s})) continue;
    out.push_back(s);
    if (compound) out.back().body = sliced(s.body), out.back().otherwise = sliced(s.otherwise);
  }
  return out;
}

void names_in(const Expr &e, std::set<std::string> &all) {
  if (e.kind == Expr::Kind::name) all.insert(e.text);
  for (const Expr &part : e.children) names_in(part, all);
}

struct Outside { // an index that is
  Refusal why;
};

class IndexRun : public Interpreter {
public:
  IndexRun(const Unit &unit, const std::string &path, const std::vector<int64_t> &values,
           const std::map<int64_t, uint64_t> &bytes)
      : Interpreter(unit, path), values_(values), bytes_(bytes) {
    most_steps_ = UINT64_MAX;
  }

private:
  // Where an int comes from: what a call gives, whether it is that itself, and of which tensor of several it is an
  // element.
  struct Origin {
    std::set<std::string> why;
    bool itself = false;
    std::string tensor = {};
  };
  bool named(const std::string &, Value &) override { return false; }
  bool constructed(std::string_view, std::vector<Value> &, int, Value &) override { return false; }
  // A loop's variable is what its bounds are.
  void begins(const Statement &s) override {
    if (!s.first.empty()) origins_[s.first[0].name] = {why({&s.value}), false};
  }
  void calling(const Expr &call) override {
    if (call.children[0].text == inside) inside_ = &call;
    if (call.children[0].text == "HTP_VALUE") value_ = &call;
  }
  // What an int that is read from a tensor is.
  void declared(const Statement &s, const Value &value) override {
    if (s.arguments.size() != 1 || value.kind != Value::Kind::integer) return;
    const Expr &e = s.arguments[0];
    if (e.kind == Expr::Kind::call && e.children[0].text == "HTP_VALUE")
      origins_[s.name] = {{"`" + e.children[1].text + (single_ ? "` is " : "` holds ") + std::to_string(value.integer) +
                           (single_ ? "" : " at element " + std::to_string(element_))},
                          true,
                          single_ ? "" : e.children[1].text};
    else if (e.kind == Expr::Kind::call && e.children[0].text == "HTP_SCALAR")
      origins_[s.name] = {{"`" + s.name + "` is " + std::to_string(value.integer)}, true};
    else
      origins_[s.name] = {why({&e}), false};
  }
  bool called(const std::string &name, const std::vector<Value> &, std::vector<Value> &a, int line,
              Value &result) override {
    if (name == "HTP_SCALAR" || name == "HTP_TENSOR") {
      const int64_t k = a.back().integer;
      if (k < 0 || static_cast<size_t>(k) >= values_.size()) throw NotRun{line, "an argument that is not given"};
      result = Value::of(values_[static_cast<size_t>(k)]);
      if (name == "HTP_TENSOR") result.kind = Value::Kind::pointer, result.type = a[0].type;
      return true;
    }
    if (name == "HTP_VALUE" && a.size() == 2) return value(a, line, result);
    if (name == inside && a.size() == 5) return index(a), true;
    return false;
  }
  bool value(const std::vector<Value> &a, int line, Value &result) {
    const uint64_t size = bytes_of(a[0].type);
    const auto memory = bytes_.find(a[0].integer);
    element_ = a[1].integer;
    if (memory == bytes_.end() || (size != 4 && size != 8)) throw NotRun{line, "an element of no input of integers"};
    if (element_ < 0 || static_cast<uint64_t>(element_) >= memory->second / size)
      throw Outside{Refusal(diag::outside_element, element_, value_->children[1].text, memory->second / size)};
    single_ = memory->second == size;
    const auto *address = reinterpret_cast<const uint8_t *>(a[0].integer) + static_cast<uint64_t>(element_) * size;
    int32_t four = 0;
    int64_t eight = 0;
    if (size == 4) std::memcpy(&four, address, sizeof four);
    if (size == 8) std::memcpy(&eight, address, sizeof eight);
    result = Value::of(size == 4 ? four : eight);
    return true;
  }
  void index(const std::vector<Value> &a) const {
    const int64_t start = a[2].integer, stop = a[3].integer, size = a[4].integer;
    if (start >= stop || (start >= 0 && stop <= size)) return; // or it moves nothing
    std::string reasons;
    for (const std::string &one : why({&inside_->children[3], &inside_->children[4]})) reasons += one + ", ";
    if (!reasons.empty()) reasons += "and ";
    const std::string tensor = inside_->children[1].text;
    const auto origin = origins_.find(inside_->children[3].text);
    const bool plain = inside_->children[3].kind == Expr::Kind::name && stop - start <= size &&
                       origin != origins_.end() && origin->second.itself;
    Refusal why = stop - start == 1
                      ? Refusal(diag::outside, reasons, start, a[1].integer, tensor, size)
                      : Refusal(diag::outside_indices, reasons, start, stop - 1, a[1].integer, tensor, size);
    if (plain) why.hint = inner(origin->second, stop - start, size);
    throw Outside{std::move(why)};
  }

  // What would do instead of an int that is an index itself.
  std::string inner(const Origin &origin, int64_t count, int64_t size) const {
    const std::string last = std::to_string(size - count);
    if (origin.tensor.empty()) return "give 0 to " + last;
    const Expr &extent = inside_->children[5];
    return "let `" + origin.tensor + "` hold 0 to " + last + ", or keep it inside: `p = min(max(index(" +
           origin.tensor + "[b]), 0), " +
           (extent.kind == Expr::Kind::name ? extent.text + " - " + std::to_string(count) : last) + ")`";
  }
  // What the names of expressions are made of.
  std::set<std::string> why(std::initializer_list<const Expr *> expressions) const {
    std::set<std::string> names, all;
    for (const Expr *e : expressions) names_in(*e, names);
    for (const std::string &name : names)
      if (const auto it = origins_.find(name); it != origins_.end())
        all.insert(it->second.why.begin(), it->second.why.end());
    return all;
  }

  const std::vector<int64_t> &values_;
  const std::map<int64_t, uint64_t> &bytes_; // of inputs, by their addresses
  std::map<std::string, Origin> origins_;
  const Expr *inside_ = nullptr, *value_ = nullptr; // the last of each
  int64_t element_ = 0;                             // that was read last
  bool single_ = false;                             // of one
};

} // namespace

Indices::Indices(const Context &c) {
  if (!read_package_file(c, "registry.json", registry_)) return;
  const json registry = json::parse(registry_, nullptr, false);
  for (const json &k : registry.value("kernels", json::array())) {
    Kernel kernel{k.value("source", ""), k.value("func_id", -1), {}, {}};
    std::string text, header;
    if (!k.contains("args") || !read_package_file(c, kernel.path, text) || text.find(inside) == std::string::npos ||
        !read_package_file(c, "kernels/htp_kernel.h", header))
      continue;
    for (const json &a : k["args"]) kernel.arguments.push_back(a.value("name", ""));
    try {
      read_unit(header, kernel.unit);
      read_unit(text, kernel.unit);
    } catch (const NotRead &) {
      continue; // the verifier tells
    }
    for (Function &f : kernel.unit.functions)
      if (f.name == "kernel_entry") f.body = sliced(f.body);
    kernels_.push_back(std::move(kernel));
  }
}

bool Indices::hold(const Context &c, const Package &package, const Arguments &arguments) const {
  if (kernels_.empty()) return true;
  const json registry = json::parse(registry_, nullptr, false);
  const std::vector<int64_t> dims(arguments.dims.begin(), arguments.dims.end());
  std::map<std::string, int64_t> addresses;
  std::map<int64_t, uint64_t> bytes;
  for (size_t k = 0; k < package.parameters.size(); ++k) {
    const auto address = reinterpret_cast<int64_t>(arguments.tensors[k].data);
    addresses[package.parameters[k].name] = address;
    if (package.parameters[k].direction == "in") bytes[address] = arguments.tensors[k].spread.bytes;
  }
  for (const Kernel &kernel : kernels_) {
    const auto loops = loops_of(package, registry, kernel.id, dims);
    if (!loops) continue;
    int64_t tasks = 1;
    for (const TaskLoop &l : *loops) tasks *= l.rounds();
    for (int64_t number = 0; number < tasks && !c.cancelled(); ++number) {
      Value args;
      std::vector<int64_t> values;
      for (const std::string &name : kernel.arguments) {
        const auto tensor = addresses.find(name);
        values.push_back(tensor != addresses.end()
                             ? tensor->second
                             : scalar_of(package, registry, name, kernel.id, number, dims).value_or(0));
      }
      try {
        IndexRun(kernel.unit, kernel.path, values, bytes).call("kernel_entry", {args});
      } catch (const Outside &o) {
        o.why.report(c, HTP_NONE);
        return false;
      } catch (const NotRun &) {
        break; // the simulator looks
      }
    }
  }
  return true;
}

} // namespace htp::a2a3sim
