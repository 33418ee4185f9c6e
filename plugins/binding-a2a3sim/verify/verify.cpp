// Whether a package's files are right: its kernels and orchestrations, read as text, are run on sizes that make every
// loop go round and end in a rest, and what the registry says of them is compared with what they did.
#include "package.h"

#include "compiled.h"
#include "registry.h"
#include "stage.h"
#include "verify.h"

#include "interpret.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <map>
#include <set>

namespace htp::a2a3sim {

namespace {

using nlohmann::json;

constexpr uint64_t most_bytes = uint64_t{256} << 20;

struct Text { // of a file, with the package's own headers before it
  std::string path, own;
  Unit unit;
  Unit header = {}; // what of it is not its own
  Cited cited = {};
};
struct Orchestration {
  Contract contract;
  std::string function;
  Text text;
};

class Verifier {
public:
  Verifier(const Context &context, const Package &package) : c(context), p_(package) {}

  bool run() {
    if (!read_all()) return unread_; // what is not read is reported, and refuses nothing
    for (const std::vector<int64_t> &dims : sizes())
      for (const Orchestration &o : orchestrations_)
        if (!once(o, dims)) return unread_;
    return ran_ == 0 || (places() && events());
  }

  // One run of the contract that is run, with these sizes; and when the others' tasks, which take as long, would run.
  bool measure(const std::vector<int64_t> &dims, Timeline &timeline, std::map<std::string, Timeline> &others) {
    if (!read_all()) return false;
    // The package's first source is the orchestration of its contract, which the registry names.
    const auto of = std::find_if(orchestrations_.begin(), orchestrations_.end(),
                                 [&](const Orchestration &o) { return o.text.path == p_.sources[0].path; });
    return once(*of, dims, &timeline) && ran_ > 0 &&
           std::all_of(orchestrations_.begin(), orchestrations_.end(),
                       [&](const Orchestration &o) { return once(o, dims, &others[o.text.path], &timeline); });
  }

private:
  bool refuse(const Refusal &why) {
    why.report(c, HTP_NONE);
    return false;
  }
  bool not_read(const std::string &path, int line, const std::string &what) {
    if (compiled_) { // the compiler writes nothing that is not read
      c.report(diag::unread_line, HTP_NONE, line_text(path, line)).note(what);
      return false;
    }
    c.report(diag::unverified, HTP_NONE, path + ":" + std::to_string(line)).note(what);
    unread_ = true;
    return false;
  }

  // ── the files ────────────────────────────────────────────────────────────────────────────────────────────────────

  bool read(const std::string &path, Text &t) {
    t.path = path;
    if (!read_package_file(c, path, t.own)) return refuse(Refusal(diag::missing_file, path));
    std::string header;
    for (size_t at = 0; (at = t.own.find("#include \"", at)) != std::string::npos;) {
      const size_t begin = at + 10, end = t.own.find('"', begin);
      at = begin;
      std::string name = t.own.substr(begin, end - begin);
      while (name.rfind("../", 0) == 0) name.erase(0, 3);
      if (name.rfind("htp_", 0) != 0) continue; // the runtime's
      if (read_package_file(c, "kernels/" + name, header) && !parse("kernels/" + name, header, t.unit)) return false;
    }
    t.header = t.unit;
    return parse(path, t.own, t.unit);
  }
  bool parse(const std::string &path, const std::string &text, Unit &unit) {
    try {
      read_unit(text, unit);
      return true;
    } catch (const NotRead &n) {
      if (!n.broken) return not_read(path, n.line, n.what);
      Fault{n.broken, {}, line_text(path, n.line)}.report(c);
      return false;
    }
  }
  bool read_all() {
    std::string bytes;
    read_package_file(c, "registry.json", bytes);
    registry_ = json::parse(bytes, nullptr, false);
    std::string stage, program;
    if (!read_program(c, stage, program)) return false;
    compiled_ = program.find("\nhtp.stage(") != std::string::npos; // not a few lines to cite
    for (const Source &s : p_.sources) {
      if (s.orchestration) continue;
      Text &t = kernels_[s.func_id];
      if (!read(s.path, t)) return false;
      t.cited = Cited(stage, program, t.own);
    }
    if (compiled_ && !hold(c, {stage, program, p_, registry_, kernel_texts()})) return false;
    for (const json &k : registry_["contracts"]) {
      const bool old = k.value("id", "") == "pto-runtime/2026-03";
      std::set<std::string> seen;
      const json paths =
          k.contains("orchestration") && k["orchestration"].is_object() ? k["orchestration"] : json::object();
      for (const auto &[runtime, path] : paths.items()) {
        if (!path.is_string() || !seen.insert(path.get<std::string>()).second) continue;
        const bool host = old && runtime == "host_build_graph";
        Orchestration o{!old   ? Contract::submit_2026_08
                        : host ? Contract::host_build_graph_2026_03
                               : Contract::tensormap_2026_03,
                        k.value("function", host ? "build_graph" : "aicpu_orchestration_entry"),
                        {}};
        if (old && !host) o.function = "aicpu_orchestration_entry";
        if (!read(path.get<std::string>(), o.text)) return false;
        if (compiled_ && !kernels_.empty() && !helpers(o.text)) return false;
        for (const Function &f : o.text.unit.functions)
          if (f.name == o.function && !same_loops(registry_, f.body))
            return refuse(Refusal(diag::task_loops, o.text.path));
        orchestrations_.push_back(std::move(o));
      }
    }
    return true;
  }

  // Functions that kernels have too are theirs.
  bool helpers(const Text &t) {
    for (const Function &f : t.unit.functions)
      for (const Function &own : kernels_.begin()->second.header.functions)
        if (f.name == own.name && (f.parameters != own.parameters || !alike(f.body, own.body)))
          return refuse(Refusal(diag::helper_differs, f.name, t.path));
    return true;
  }
  std::vector<KernelText> kernel_texts() const {
    std::vector<KernelText> all;
    for (const auto &[id, t] : kernels_) all.push_back({id, t.path, t.own, t.header, t.unit, t.cited});
    return all;
  }

  // ── sizes ────────────────────────────────────────────────────────────────────────────────────────────────────────

  static void names(const Expr &e, std::set<std::string> &out, bool &divides) {
    if (e.kind == Expr::Kind::name)
      out.insert(e.text), divides = divides || e.text == "htp_floordiv" || e.text == "htp_mod";
    for (const Expr &p : e.children) names(p, out, divides);
  }
  // The numbers that a step may be: one, or the larger of such; `htp_min(…, 1) * 64` may be 64.
  void numbers_of(const Expr &e, std::set<int64_t> &out) const {
    const auto named = e.kind == Expr::Kind::name ? ints_.find(e.text) : ints_.end();
    if (named != ints_.end()) return numbers_of(*named->second, out);
    if (e.kind == Expr::Kind::integer && e.integer > 0) out.insert(e.integer);
    if (e.kind == Expr::Kind::call && e.children.size() == 3 && e.children[0].text == "htp_max")
      numbers_of(e.children[1], out), numbers_of(e.children[2], out);
    if (e.kind == Expr::Kind::binary && e.text == "*" && e.children[0].kind == Expr::Kind::call &&
        e.children[0].children[0].text == "htp_min")
      numbers_of(e.children[1], out);
  }
  // The sizes whose rests an int asks for.
  void rests(const Expr &e, std::set<std::string> &out) const {
    bool divides = false;
    if (e.kind == Expr::Kind::call && e.children[0].text == "htp_mod") names(e.children[1], out, divides);
    for (const Expr &p : e.children) rests(p, out);
  }
  // An index of so many from a place that data tell; what it needs of the dimension.
  void asked(const Expr &e) {
    if (e.kind != Expr::Kind::call || e.children[0].text != "HTP_INSIDE" || e.children.size() != 6) return;
    const Expr &start = e.children[3], &stop = e.children[4];
    if (stop.kind == Expr::Kind::binary && stop.text == "+" && start.kind == Expr::Kind::name &&
        stop.children[0].text == start.text && stop.children[1].kind == Expr::Kind::integer)
      asked_.emplace_back(&e.children[5], stop.children[1].integer);
  }
  void loops(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      asked(s.value);
      bool divides = false;
      std::set<std::string> named;
      for (const Expr &a : s.arguments) names(a, named, divides);
      names(s.value, named, divides);
      const bool is_int = s.kind == Statement::Kind::declare && s.arguments.size() == 1 && outside_;
      if (is_int) ints_.emplace(s.name, &s.arguments[0]), rests(s.arguments[0], even_);
      if (divides && !is_int) even_.insert(named.begin(), named.end());
      if (s.kind == Statement::Kind::loop) {
        const Expr *step = &s.step;
        while (step->kind == Expr::Kind::binary && step->text == ",") step = &step->children[0];
        if (step->kind == Expr::Kind::assign && step->text == "+=")
          for (const std::string &name : named) numbers_of(step->children[1], steps_[name]);
      }
      loops(s.body), loops(s.otherwise);
    }
  }
  static bool uses(const Extents &e, size_t dim, bool divided) {
    if (e.op.empty()) return divided && e.fixed < 0 && e.dim == dim;
    const bool now = divided || e.op == "//" || e.op == "%";
    return uses(e.of[0], dim, now) || uses(e.of[1], dim, now);
  }

  std::vector<std::vector<int64_t>> sizes() {
    for (const auto &[id, text] : kernels_)
      for (const Function &f : text.unit.functions) loops(f.body);
    outside_ = true;
    for (const Orchestration &o : orchestrations_)
      for (const Function &f : o.text.unit.functions) loops(f.body);
    std::vector<std::vector<int64_t>> all;
    const bool divides = std::any_of(p_.dims.begin(), p_.dims.end(), [&](auto &d) { return even_.contains(d); });
    for (int kind = 0; kind < (divides ? 4 : 3); ++kind) {
      // Dimensions of different sizes, where that is allowed: one that stands for another is seen.
      std::vector<int64_t> dims = sizes_of_kind(kind, 1);
      if (!ints_of_kind(kind, dims)) dims = sizes_of_kind(kind, 0), ints_of_kind(kind, dims);
      if (fits(dims) && std::find(all.begin(), all.end(), dims) == all.end()) all.push_back(std::move(dims));
      if (p_.dims.empty()) break;
    }
    return all;
  }
  // Large ones, small ones with a rest, less than a step, and, where something is divided, what leaves no rest.
  std::vector<int64_t> sizes_of_kind(int kind, int64_t apart) const {
    std::vector<int64_t> dims;
    for (size_t d = 0; d + p_.ints < p_.dims.size(); ++d) {
      int64_t least = 1, most = INT64_MAX;
      for (const Limit &l : p_.limits)
        if (l.extent.op.empty() && l.extent.fixed < 0 && l.extent.dim == d)
          least = std::max(least, l.least), most = std::min(most, l.most);
      for (const auto &[size, count] : asked_) // and two more
        if (size->kind == Expr::Kind::name && size->text == p_.dims[d])
          least = std::min(std::max(least, count + 2), most);
      auto found = steps_.find(p_.dims[d]);
      if (found != steps_.end() && found->second.empty()) found = steps_.end();
      bool whole = even_.contains(p_.dims[d]), loose = true; // loose: no parameter's extent divides it
      for (const Parameter &q : p_.parameters)
        for (const Extents &e : q.dims) whole = whole || uses(e, d, false), loose = loose && !uses(e, d, false);
      if (kind == 3 && even_.contains(p_.dims[d])) {
        constexpr int64_t multiple = 64;
        const int64_t step =
            found == steps_.end() ? multiple : (*found->second.rbegin() + multiple - 1) / multiple * multiple;
        dims.push_back(std::clamp(step + step * static_cast<int64_t>(d) * apart, least, most));
        continue;
      }
      int64_t size = kind == 0 ? (most <= 8192 ? most : 40) : kind % 2 ? 37 : 2;
      if (found != steps_.end()) {
        const int64_t large = *found->second.rbegin(), small = *found->second.begin(),
                      rest = std::min<int64_t>(kind % 2 ? 1 : 5, small - 1);
        size = kind == 0  ? large + 3 * small + rest
               : kind % 2 ? (large > small ? large : 0) + 2 * small + rest
                          : rest + 1;
      }
      size += static_cast<int64_t>(d) * apart;
      if (whole && (kind % 2 == 0 || !loose)) size = (size + 15) / 16 * 16 + 16 * static_cast<int64_t>(d) * apart;
      dims.push_back(std::clamp(size, least, most));
    }
    return dims;
  }
  // Ints that fit these sizes: small ones, else what the limits name. False where there are none.
  bool ints_of_kind(int kind, std::vector<int64_t> &dims) const {
    constexpr int64_t first[] = {5, 2, 0, 4};
    std::vector<int64_t> candidates{first[kind], 2, 1, 0, 3, -1};
    for (const Limit &l : p_.limits) {
      candidates.push_back(l.least);
      if (l.most != INT64_MAX) candidates.push_back(l.most);
    }
    if (dims.size() == p_.dims.size()) return fits(dims);
    for (const int64_t n : candidates) {
      dims.push_back(n);
      if (ints_of_kind(kind, dims)) return true;
      dims.pop_back();
    }
    return false;
  }
  bool fits(const std::vector<int64_t> &dims) const {
    if (dims.size() != p_.dims.size()) return false;
    for (const Limit &l : p_.limits)
      if (const auto value = value_of(l.extent, dims); !value || *value < l.least || *value > l.most) return false;
    uint64_t bytes = 0;
    for (const Parameter &q : p_.parameters) {
      uint64_t size = dtype_row(q.dtype)->bits / 8u;
      for (const Extents &e : q.dims) {
        const auto value = value_of(e, dims);
        if (!value || *value <= 0) return false;
        size *= static_cast<uint64_t>(*value);
        if (size >= most_bytes) return false;
      }
      if (!q.steps.empty() && (size = spread_of(q, dims).bytes) >= most_bytes) return false;
      bytes += size;
    }
    return bytes < most_bytes;
  }

  // ── a run ────────────────────────────────────────────────────────────────────────────────────────────────────────

  // Integers that a kernel may index with, and count to: 0, 1, 2 in turn, as far as every dimension has such an index.
  void small_numbers(std::vector<uint8_t> &data, uint64_t size, const std::vector<int64_t> &dims) const {
    int64_t most = 3;
    for (size_t d = 0; d < dims.size() - p_.ints; ++d) most = std::clamp<int64_t>(dims[d], 1, most);
    for (const auto &[extent, count] : asked_) {
      const auto d = static_cast<size_t>(std::find(p_.dims.begin(), p_.dims.end(), extent->text) - p_.dims.begin());
      if (extent->kind == Expr::Kind::integer)
        most = std::clamp<int64_t>(extent->integer - count + 1, 1, most);
      else if (extent->kind == Expr::Kind::name && d < dims.size())
        most = std::clamp<int64_t>(dims[d] - count + 1, 1, most);
    }
    for (uint64_t k = 0; k * size < data.size(); ++k)
      data[k * size] = static_cast<uint8_t>(k % static_cast<uint64_t>(most));
  }

  bool once(const Orchestration &o, const std::vector<int64_t> &dims, Timeline *timeline = nullptr,
            const Timeline *measured = nullptr) {
    std::map<int, Kernel> kernels;
    std::string running;
    const auto shapes = shapes_of(p_, registry_, dims);
    std::map<std::string, std::vector<int64_t>> steps;
    for (const Parameter &q : p_.parameters)
      if (!q.steps.empty()) steps[q.name] = q.steps;
    for (const Source &s : p_.sources) {
      if (s.orchestration) continue;
      Kernel &k = kernels[s.func_id];
      k.name = s.name, k.vector = s.vector;
      k.run = [this, &running, &shapes, &steps, id = s.func_id](Core &core, std::vector<int64_t> &values) {
        const Text &t = kernels_.at(id);
        running = t.path;
        run_kernel(t.unit, t.path, core, values, found_[id], {t.cited, shapes, steps});
      };
    }
    running = o.text.path;
    Tasks tasks(kernels);
    std::vector<std::vector<uint8_t>> host;
    std::vector<Memory *> staged;
    std::vector<Argument> arguments;
    const bool copies = o.contract == Contract::host_build_graph_2026_03;
    for (const Parameter &q : p_.parameters) {
      const DTypeRow &row = *dtype_row(q.dtype);
      Argument a{nullptr, {}, row.data_type};
      for (const Extents &e : q.dims) a.shape.push_back(value_of(e, dims).value_or(0));
      const Spread spread = spread_of(q, dims);
      if (!q.steps.empty()) a.shape = {static_cast<int64_t>(spread.bytes / spread.element)};
      host.emplace_back(spread.bytes);
      if (q.direction == "in" && row.code == kDLInt && row.bits >= 32) small_numbers(host.back(), row.bits / 8u, dims);
      if (copies) {
        tasks.host(q.name, host.back().data(), spread, q.direction != "out");
        a.data = host.back().data();
      } else {
        staged.push_back(&tasks.tensor(q.name, spread, q.direction == "out" ? nullptr : host.back().data()));
        a.data = staged.back()->data;
      }
      arguments.push_back(std::move(a));
    }
    try {
      const std::vector<uint64_t> sizes(dims.begin(), dims.end());
      if (copies && !timeline) reports_failures(o.text.unit, o.text.path, o.function, arguments, sizes);
      run_orchestration(o.text.unit, o.text.path, o.function, o.contract, arguments, sizes, tasks.orchestra());
      if (measured) return tasks.schedule(*measured, *timeline), true;
      tasks.run(0, timeline, false);
      tasks.finish();
      for (size_t k = 0; k < staged.size(); ++k)
        if (p_.parameters[k].direction != "in") Tasks::hold_output(p_.parameters[k].name, *staged[k]);
    } catch (const Fault &fault) {
      std::string at;
      for (size_t d = 0; d < dims.size(); ++d) at += (d ? ", " : "") + p_.dims[d] + " = " + std::to_string(dims[d]);
      std::string note = at.empty() ? "" : "verified with " + at + ", and " + "`" + o.text.path + "`";
      for (const auto &[id, kernel] : kernels_)
        if (kernel.cited.first() > 0)
          note += (note.empty() ? "`" : "; `") + kernel.path + "` is made of `" + kernel.cited.path() + ":" +
                  std::to_string(kernel.cited.first()) + "` and what follows";
      fault.report(c, note);
      return false;
    } catch (const NotRun &n) {
      return not_read(running, n.line, n.what);
    }
    ++ran_;
    return given(tasks, o.text.path, dims) && counts(tasks, dims);
  }
  // The name of a direction by what it means.
  static std::string direction(const htp_sim::TaskTensor &t) {
    return t.reads && t.writes ? "inout" : t.reads ? "in" : t.writes ? "out" : "neither read nor written";
  }
  // Each task is given the tensors and scalars that the registry names, in their order and for what it names.
  bool given(Tasks &tasks, const std::string &path, const std::vector<int64_t> &dims) {
    Refusal wrong;
    std::set<std::string> parameters;
    for (const Parameter &q : p_.parameters) parameters.insert(q.name);
    std::map<int, int64_t> before; // tasks of a kernel
    tasks.each_task([&](int id, int count, const std::vector<int64_t> &values, const auto &declared) {
      const int64_t number = before[id]++;
      for (const json &kernel : registry_["kernels"]) {
        if (kernel.value("func_id", -1) != id || !kernel.contains("args")) continue;
        if (kernel["args"].size() != static_cast<size_t>(count))
          wrong = Refusal(diag::given_count, path, id, count, kernel["args"].size());
        for (size_t k = 0; k < std::min(values.size(), kernel["args"].size()); ++k) {
          const std::string name = kernel["args"][k].value("name", ""), is = kernel["args"][k].value("direction", "");
          // Tensors come first; the first task that writes to memory between kernels may be who allocates it.
          const bool allocates = number == 0 && !parameters.contains(name) && is == "inout" && declared.size() > k &&
                                 direction(declared[k]) == "out";
          if (k < declared.size() && !is.empty() && is != direction(declared[k]) && !allocates && !wrong)
            wrong = Refusal(diag::given_direction, path, id, name, direction(declared[k]), is);
          const auto scalar = kernel["args"][k].value("kind", "") == "scalar"
                                  ? scalar_of(p_, registry_, name, id, number, dims)
                                  : std::nullopt;
          if (scalar && *scalar != values[k] && !wrong)
            wrong = Refusal(diag::given_scalar, path, id, values[k], name, *scalar);
        }
      }
    });
    std::map<const Memory *, std::string> called; // what lies between kernels
    tasks.each_tensor([&](int id, size_t k, const Memory &memory) {
      for (const json &kernel : registry_["kernels"]) {
        if (kernel.value("func_id", -1) != id || !kernel.contains("args") || k >= kernel["args"].size()) continue;
        const std::string name = kernel["args"][k].value("name", "");
        if (kernel["args"][k].value("kind", "") == "tensor" && parameters.contains(name) && memory.name != name &&
            !wrong)
          wrong = Refusal(diag::given_tensor, path, id, memory.name, name);
        auto wanted = bytes_of_buffer(p_, registry_, name, dims);
        if (const auto [it, fresh] = called.try_emplace(&memory, name); wanted && it->second != name && !wrong)
          wrong = Refusal(diag::given_tensor, path, id, it->second, name);
        for (const Parameter &q : p_.parameters)
          if (q.name == name) wanted = std::max<uint64_t>(1, spread_of(q, dims).bytes);
        if (wanted && *wanted != std::max<uint64_t>(1, memory.size) && !wrong)
          wrong = Refusal(diag::buffer_bytes, path, memory.size, name, *wanted);
      }
    });
    return !wrong || refuse(wrong);
  }
  // As many tasks as the registry says.
  bool counts(const Tasks &tasks, const std::vector<int64_t> &dims) {
    if (!registry_.contains("tasks") || !registry_["tasks"].is_array()) return true;
    std::map<int, int64_t> wanted;
    for (const json &t : registry_["tasks"]) {
      const int id = t.value("func_id", 0);
      const auto loops = loops_of(p_, registry_, id, dims);
      if (!loops) return refuse(Refusal(diag::task_iterations, id));
      int64_t n = 1;
      for (const TaskLoop &l : *loops) n *= l.rounds();
      wanted[id] += n;
    }
    for (const auto &[id, n] : wanted)
      if (tasks.tasks_of(id) != static_cast<uint64_t>(n))
        return refuse(Refusal(diag::task_count, id, tasks.tasks_of(id), n));
    return true;
  }

  // ── what the registry says ───────────────────────────────────────────────────────────────────────────────────────

  static std::string line_of(const std::string &text, int line) {
    size_t at = 0;
    for (int n = 1; n < line && at != std::string::npos; ++n) at = text.find('\n', at), at += at != std::string::npos;
    return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
  }
  static bool mentions(const std::string &line, const std::string &name) {
    const auto part = [](char ch) { return std::isalnum(static_cast<unsigned char>(ch)) || ch == '_'; };
    for (size_t at = 0; (at = line.find(name, at)) != std::string::npos; ++at)
      if ((at == 0 || !part(line[at - 1])) && (at + name.size() == line.size() || !part(line[at + name.size()])))
        return true;
    return false;
  }
  static const char *space_name(Space space) {
    constexpr const char *names[] = {"ub", "mat", "left", "right", "acc", "bias", "scaling"};
    return names[static_cast<size_t>(space)];
  }

  // Whether a line of the text that was not come by puts the buffer there: `TASSIGN(b, 512);`, or `TASSIGN(b, 512 +
  // turn * 64);` of two places.
  static bool could_put(const std::string &text, const std::string &buffer, uint64_t offset) {
    const auto number = [](std::string_view digits, uint64_t &value) {
      return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
    };
    const std::string head = "TASSIGN(" + buffer + ", ";
    for (size_t at = 0; (at = text.find(head, at)) != std::string::npos; ++at) {
      const size_t end = text.find(");", at);
      if (end == std::string::npos) return false;
      const std::string_view place = std::string_view(text).substr(at + head.size(), end - at - head.size());
      const size_t times = place.rfind("* ");
      uint64_t first = 0, each = 0;
      number(place, first); // `turn * 64` begins at 0
      if (times != std::string::npos && !number(place.substr(times + 2), each)) continue;
      if (offset == first || (each && offset == first + each)) return true;
    }
    return false;
  }
  bool places() {
    for (const json &k : registry_["kernels"]) {
      if (!k.contains("memory") || !k["memory"].is_array()) continue;
      const Text &t = kernels_.at(k["func_id"].get<int>());
      if (k.contains("args"))
        for (const Found::Read &r : found_[k["func_id"].get<int>()].reads) {
          const std::string name = static_cast<size_t>(r.number) < k["args"].size()
                                       ? k["args"][static_cast<size_t>(r.number)].value("name", "")
                                       : "";
          if (name.empty() || !mentions(line_of(t.own, r.line), name))
            return refuse(Refusal(diag::argument_name, line_text(t.path, r.line), r.number, name));
        }
      using Row = std::tuple<std::string, std::string, uint64_t, uint64_t>;
      std::set<Row> registered, done;
      for (const json &m : k["memory"]) {
        const std::string name = m.value("buffer", "");
        registered.insert({name, m.value("space", ""), m.value("offset", uint64_t{0}), m.value("bytes", uint64_t{0})});
      }
      for (const Found::Place &f : found_[k["func_id"].get<int>()].places) {
        const std::string line = line_of(t.own, f.line);
        const size_t begin = line.find("TASSIGN(") + 8;
        done.insert({line.substr(begin, line.find(',', begin) - begin), space_name(f.space), f.offset, f.bytes});
      }
      for (const Row &row : done)
        if (!registered.contains(row))
          return refuse(Refusal(diag::tile_unregistered, t.path, std::get<0>(row), std::get<3>(row), std::get<2>(row),
                                std::get<1>(row)));
      for (const Row &row :
           registered) { // a loop of one round uses one of two places, and a branch that is not taken none
        if (done.contains(row)) continue;
        const auto &[name, space, offset, bytes] = row;
        const auto is_tile = [&, &tile = name](const Row &one) { return std::get<0>(one) == tile; };
        const auto is_alike = [&, &in = space, many = bytes](const Row &one) {
          return is_tile(one) && std::get<1>(one) == in && std::get<3>(one) == many;
        };
        if ((std::any_of(done.begin(), done.end(), is_tile) && std::none_of(done.begin(), done.end(), is_alike)) ||
            !could_put(t.own, name, offset))
          return refuse(Refusal(diag::tile_registered, name, bytes, offset, space, t.path));
      }
    }
    return true;
  }
  static std::set<int> lines(const json &row, const char *key) {
    std::set<int> out;
    if (!row.contains(key)) return out;
    if (row[key].is_number_integer()) out.insert(row[key].get<int>());
    if (row[key].is_array())
      for (const json &n : row[key]) out.insert(n.get<int>());
    return out;
  }
  bool events() {
    for (const json &k : registry_["kernels"]) {
      if (!k.contains("events") || !k["events"].is_array()) continue;
      const Text &t = kernels_.at(k["func_id"].get<int>());
      for (const bool set : {true, false}) {
        std::map<std::tuple<std::string, std::string, int>, std::set<int>> done;
        for (const Found::Event &e : found_[k["func_id"].get<int>()].events)
          if (e.set == set)
            done[{name_of(static_cast<Pipe>(e.from)), name_of(static_cast<Pipe>(e.to)), e.id}].insert(e.line);
        for (const json &row : k["events"]) {
          const std::tuple key{row.value("source", ""), row.value("destination", ""), row.value("id", -1)};
          const std::set<int> registered = lines(row, set ? "set" : "wait"), &is = done[key];
          // A loop of one round uses one of two flags: what was not done must stand there all the same.
          const std::string call = std::string(set ? "set_flag(PIPE_" : "wait_flag(PIPE_") + std::get<0>(key) +
                                   ", PIPE_" + std::get<1>(key) + ",";
          const char *lines_of_it = set ? "set" : "wait";
          const bool complete = row.contains(lines_of_it) && row[lines_of_it].is_array();
          const bool there = std::all_of(registered.begin(), registered.end(), [&](int line) {
            return line_of(t.own, line).find(call) != std::string::npos;
          });
          if (!there || (complete && !std::includes(registered.begin(), registered.end(), is.begin(), is.end())))
            return refuse(Refusal(set ? diag::set_lines : diag::wait_lines, t.path, std::get<2>(key), std::get<0>(key),
                                  std::get<1>(key)));
        }
      }
    }
    return true;
  }

  const Context &c;
  const Package &p_;
  json registry_;
  std::map<int, Text> kernels_;
  std::vector<Orchestration> orchestrations_;
  std::map<std::string, std::set<int64_t>> steps_;      // of loops up to a dimension
  std::map<std::string, const Expr *> ints_;            // of orchestrations
  std::vector<std::pair<const Expr *, int64_t>> asked_; // a dimension, and how many an index of it has
  bool outside_ = false;                                // of kernels
  std::set<std::string> even_;                          // dimensions that are divided
  std::map<int, Found> found_;
  unsigned ran_ = 0;
  bool unread_ = false;
  bool compiled_ = false; // it has the stages that it was made of
};

} // namespace

bool verify(const Context &c, const Package &package) { return Verifier(c, package).run(); }

bool measure(const Context &c, const Package &package, const std::vector<int64_t> &dims, Timeline &timeline,
             std::map<std::string, Timeline> &others) {
  return Verifier(c, package).measure(dims, timeline, others);
}

} // namespace htp::a2a3sim
