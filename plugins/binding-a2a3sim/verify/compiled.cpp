#include "compiled.h"

#include "sizes.h"
#include "stage.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace htp::a2a3sim {

namespace {

using nlohmann::json;

constexpr char config_form[] =
#include "kernel_config.py.in.inc"
    ;
constexpr char golden_form[] =
#include "golden.py.in.inc"
    ;

// Of golden.py, where a parameter does not lie row-major.
constexpr const char *lying_text = R"(def _lying(values, steps):  # in memory of its own, which it is handed over as
    memory = torch.zeros(1 + sum((n - 1) * step for n, step in zip(values.shape, steps)), dtype=values.dtype)
    memory.as_strided(values.shape, steps).copy_(values)
    return memory

)";

class Holder {
public:
  Holder(const Context &context, const Compiled &compiled) : c(context), all_(compiled) {}

  bool run() {
    if (!form()) return false;
    std::string header;
    if (!read_package_file(c, "kernels/htp_kernel.h", header) || !known("kernels/htp_kernel.h", header))
      return no(Refusal(diag::foreign_header, "kernels/htp_kernel.h"));
    if (all_.kernels.empty()) return true;
    try {
      stage_ = read_stage(all_.program, all_.package.entry, all_.kernels[0].header);
    } catch (const NotRead &n) {
      Refusal(diag::stage_line, line_text(all_.stage, n.line)).report(c, HTP_NONE, n.what);
      return false;
    }
    if (stage_.kernels.size() != all_.kernels.size())
      return no(Refusal(diag::kernel_count, all_.stage, stage_.kernels.size(), all_.kernels.size()));
    for (size_t k = 0; k < all_.kernels.size(); ++k)
      if (!kernel(all_.kernels[k], stage_.kernels[k], static_cast<int>(k))) return false;
    return entry() && limits() && file("kernel_config.py", config()) && file("golden.py", golden()) && recipe();
  }

private:
  json json_of(const Expr &e) const {
    if (e.kind == Expr::Kind::integer) return e.integer;
    if (e.kind == Expr::Kind::unary) return json::array({"-", 0, json_of(e.children[0])});
    if (e.kind == Expr::Kind::binary) return json::array({e.text, json_of(e.children[0]), json_of(e.children[1])});
    if (e.kind == Expr::Kind::call && e.children.size() == 3)
      return json::array({e.children[0].text, json_of(e.children[1]), json_of(e.children[2])});
    return e.text;
  }
  bool no(const Refusal &why) const {
    why.report(c, HTP_NONE);
    return false;
  }
  // Whether what the registry says at this path is what the last stage says: the first value that is not is reported.
  bool same(const std::string &path, const json &is, const json &wanted) const {
    if (is == wanted) return true;
    if (is.is_object() && wanted.is_object()) {
      for (const auto &[name, value] : wanted.items())
        if (!is.contains(name)) return no(Refusal(diag::registry_lacks, path + "." + name));
      for (const auto &[name, value] : is.items())
        if (!wanted.contains(name)) return no(Refusal(diag::registry_unknown, path + "." + name));
      return std::all_of(is.items().begin(), is.items().end(),
                         [&](const auto &one) { return same(path + "." + one.key(), one.value(), wanted[one.key()]); });
    }
    if (is.is_array() && wanted.is_array() && is.size() == wanted.size()) {
      for (size_t k = 0; k < is.size(); ++k)
        if (!same(path + "[" + std::to_string(k) + "]", is[k], wanted[k])) return false;
      return true;
    }
    return no(Refusal(diag::registry_differs, path, written(is), all_.stage, written(wanted)));
  }
  static std::string written(const json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }
  static std::string kernel_path(int number, const char *field) {
    return "kernels[" + std::to_string(number) + "]." + field;
  }

  // ── the registry's form ──

  // An object with these fields, and no others but what may be there.
  bool has(const json &o, const std::string &path, const std::vector<std::string> &fields,
           const std::set<std::string> &perhaps = {}) const {
    if (!o.is_object()) return no(Refusal(diag::registry_kind, path, "object"));
    const std::string inside = path.empty() ? "" : path + ".";
    for (const std::string &f : fields)
      if (!o.contains(f)) return no(Refusal(diag::registry_lacks, inside + f));
    for (const auto &[name, value] : o.items())
      if (std::find(fields.begin(), fields.end(), name) == fields.end() && !perhaps.contains(name))
        return no(Refusal(diag::registry_unknown, inside + name));
    return true;
  }
  bool each(const json &list, const std::string &path, const std::vector<std::string> &fields,
            const std::set<std::string> &perhaps = {}) const {
    if (!list.is_array()) return no(Refusal(diag::registry_kind, path, "list"));
    for (size_t k = 0; k < list.size(); ++k)
      if (!has(list[k], path + "[" + std::to_string(k) + "]", fields, perhaps)) return false;
    return true;
  }
  bool form() const {
    const json &r = all_.registry;
    if (!has(r, "", {"schema", "contracts", "entry", "computed", "buffers", "kernels", "tasks"}) ||
        !each(r["contracts"], "contracts", {"id", "runtime", "isa", "function", "orchestration"}) ||
        !has(r["entry"], "entry", {"name", "parameters", "dims", "ints", "limits"}) ||
        !each(r["entry"]["parameters"], "entry.parameters", {"name", "direction", "dtype", "dims"}, {"steps"}) ||
        !each(r["entry"]["dims"], "entry.dims", {"name", "least"}) ||
        !each(r["entry"]["ints"], "entry.ints", {"name"}) ||
        !each(r["entry"]["limits"], "entry.limits", {"extent", "least"}, {"most"}) ||
        !each(r["computed"], "computed", {"name", "value"}) ||
        !each(r["buffers"], "buffers", {"name", "dtype", "dims"}) ||
        !each(r["kernels"], "kernels",
              {"func_id", "name", "core_type", "source", "args", "memory", "indices", "events"}) ||
        !each(r["tasks"], "tasks", {"func_id"}, {"for", "after"}))
      return false;
    for (size_t k = 0; k < r["tasks"].size(); ++k)
      if (const json &t = r["tasks"][k]; t.contains("for") && !each(t["for"], "tasks[" + std::to_string(k) + "].for",
                                                                    {"part", "stop", "step"}, {"by"}))
        return false;
    if (r["contracts"].size() != 2) return no(Refusal(diag::registry_contracts, r["contracts"].size()));
    for (size_t k = 0; k < 2; ++k) {
      const json &contract = r["contracts"][k];
      const std::string path = "contracts[" + std::to_string(k) + "].";
      if (!commit(contract, path, "isa", "isa_commit") ||
          !commit(contract, path, "runtime", k ? "runtime_2026_08" : "runtime_2026_03") ||
          !has(contract["orchestration"], path + "orchestration", {"host_build_graph", "tensormap_and_ringbuffer"}))
        return false;
    }
    for (size_t k = 0; k < r["kernels"].size(); ++k) {
      const json &kernel = r["kernels"][k];
      const auto path = [&](const char *field) { return kernel_path(static_cast<int>(k), field); };
      if (!each(kernel["args"], path("args"), {"name", "kind"}, {"dtype", "direction"}) ||
          !each(kernel["memory"], path("memory"), {"buffer", "space", "offset", "bytes", "first", "last"}) ||
          !each(kernel["indices"], path("indices"), {"line", "tensor", "dimension", "from"}) ||
          !each(kernel["events"], path("events"), {"source", "destination", "id", "set", "wait"}))
        return false;
    }
    return true;
  }
  bool commit(const json &contract, const std::string &path, const char *field, std::string_view of) const {
    constexpr std::pair<std::string_view, std::string_view> commits[] = {
#define COMMIT(name, commit) {#name, commit},
#include "commits.def"
    };
    const auto &wanted =
        std::find_if(std::begin(commits), std::end(commits), [&](auto &one) { return one.first == of; });
    return contract[field] == wanted->second ||
           no(Refusal(diag::registry_commit, path + field, written(contract[field]), wanted->second));
  }

  bool kernel(const KernelText &is, const StageKernel &wanted_kernel, int number) const {
    // Lines of the preprocessor are not read: there are no others than these.
    const std::set<std::string> includes{"#include <cstdint>", "#include <pto/pto-inst.hpp>",
                                         "#include \"../htp_kernel.h\""};
    int line = 0;
    for (size_t at = 0; at < is.own.size(); ++line) {
      const size_t end = std::min(is.own.find('\n', at), is.own.size());
      const std::string text = is.own.substr(at, end - at);
      at = end + 1;
      const size_t first = text.find_first_not_of(" \t");
      if (first != std::string::npos && text[first] == '#' && !includes.contains(text))
        return no(Refusal(diag::kernel_line, line_text(is.path, line + 1), text));
      if (text.find('\\') != std::string::npos) return no(Refusal(diag::joined_lines, line_text(is.path, line + 1)));
    }
    if (is.unit.functions.size() != is.header.functions.size() + 1 ||
        is.unit.aliases.size() != is.header.aliases.size() || is.unit.functions.back().name != "kernel_entry" ||
        is.unit.functions.back().parameters != std::vector<std::string>{"args"})
      return no(Refusal(diag::more_functions, is.path));
    if (!same(kernel_path(number, "func_id"), is.id, number)) return false;
    const Function &f = is.unit.functions.back();
    if (const auto d = difference(f.body, wanted_kernel))
      return no(d->wanted.text.empty()
                    ? Refusal(diag::further_line, line_text(is.path, d->is), line_text(all_.stage, d->wanted.line))
                    : Refusal(diag::other_line, line_text(is.path, d->is), line_text(all_.stage, d->wanted.line),
                              d->wanted.text));
    return cites(is, f.body, wanted_kernel.body, wanted_kernel) && arguments(number, wanted_kernel) &&
           lines(is, number) && indices(is, wanted_kernel, number);
  }

  // The indices that only a call knows: each is held against its dimension on a line of the text.
  bool indices(const KernelText &is, const StageKernel &wanted_kernel, int number) const {
    json wanted = json::array();
    size_t line = 1;
    for (size_t at = 0; at < is.own.size(); ++line) {
      const size_t end = std::min(is.own.find('\n', at), is.own.size());
      if (is.own.substr(at, end - at).find("HTP_INSIDE(") != std::string::npos &&
          wanted.size() < wanted_kernel.indices.size()) {
        const StageKernel::Index &i = wanted_kernel.indices[wanted.size()];
        wanted.push_back({{"line", line}, {"tensor", i.tensor}, {"dimension", i.dimension}, {"from", i.from}});
      }
      at = end + 1;
    }
    return same(kernel_path(number, "indices"), all_.registry["kernels"][static_cast<size_t>(number)]["indices"],
                wanted);
  }

  // Which lines of its text a kernel's tiles live in, and set and wait for its flags.
  bool lines(const KernelText &is, int number) const {
    std::vector<std::string> text;
    for (size_t at = 0; at < is.own.size();) {
      const size_t end = std::min(is.own.find('\n', at), is.own.size());
      text.push_back(is.own.substr(at, end - at)), at = end + 1;
    }
    const json &k = all_.registry["kernels"][static_cast<size_t>(number)];
    for (const json &m : k["memory"]) {
      const std::string buffer = this->text(m, "buffer");
      const auto first = m["first"].get<size_t>(), last = m["last"].get<size_t>();
      size_t named = 0;
      for (size_t n = 0; n < text.size(); ++n)
        if (mentions(text[n], buffer)) named = n + 1;
      if (first == 0 || first >= text.size() || text[first - 1].find("> " + buffer + "(") == std::string::npos ||
          text[first].find("TASSIGN(" + buffer + ",") == std::string::npos || last != named)
        return no(Refusal(diag::tile_live, buffer, number, named, first, last));
    }
    using Key = std::tuple<std::string, std::string, int64_t>;
    std::map<Key, std::array<std::vector<size_t>, 2>> wanted, registered;
    for (size_t n = 0; n < text.size(); ++n)
      for (size_t what = 0; what < 2; ++what) {
        const std::string call = what ? "wait_flag(PIPE_" : "set_flag(PIPE_";
        const size_t at = text[n].find(call), comma = text[n].find(", PIPE_", at), event = text[n].find("EVENT_ID", at);
        if (at == std::string::npos || comma == std::string::npos || event == std::string::npos) continue;
        const std::string from = text[n].substr(at + call.size(), comma - at - call.size()),
                          to = text[n].substr(comma + 7, text[n].find(',', comma + 1) - comma - 7);
        const int64_t id = text[n][event + 8] - '0';
        if (to == "S" && id == 7) continue; // the drain
        wanted[{from, to, id}][what].push_back(n + 1);
        if (text[n].find(" + ", event) < text[n].find(')', event)) wanted[{from, to, id + 1}][what].push_back(n + 1);
      }
    for (const json &e : k["events"]) {
      auto &at = registered[{this->text(e, "source"), this->text(e, "destination"), e["id"].get<int64_t>()}];
      at = {e["set"].get<std::vector<size_t>>(), e["wait"].get<std::vector<size_t>>()};
    }
    return (registered == wanted && registered.size() == k["events"].size()) ||
           no(Refusal(diag::registry_events, number));
  }
  static bool mentions(const std::string &text, const std::string &name) {
    const auto letter = [](char ch) { return ch == '_' || std::isalnum(static_cast<unsigned char>(ch)); };
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
      if ((at == 0 || !letter(text[at - 1])) && (at + name.size() >= text.size() || !letter(text[at + name.size()])))
        return true;
    return false;
  }

  // Each statement cites the line that says it.
  bool cites(const KernelText &is, const std::vector<Statement> &body, const std::vector<Statement> &wanted,
             const StageKernel &wanted_kernel) const {
    for (size_t k = 0; k < body.size(); ++k) {
      const int cited = is.cited.at(body[k].line).line,
                wanted_line = wanted_kernel.rows[static_cast<size_t>(wanted[k].line) - 2].line;
      if (cited != wanted_line)
        return no(Refusal(diag::cited_line, line_text(is.path, body[k].line), cited, all_.stage, wanted_line));
      if (!cites(is, body[k].body, wanted[k].body, wanted_kernel) ||
          !cites(is, body[k].otherwise, wanted[k].otherwise, wanted_kernel))
        return false;
    }
    return true;
  }

  static std::string text(const json &o, const char *key) {
    return o.is_object() && o.contains(key) && o[key].is_string() ? o[key].get<std::string>() : std::string();
  }
  // How a kernel's task is given a tensor: by what the kernel does with it, and both ways where another kernel's task
  // must not write it meanwhile, since a runtime orders two that write by that they read, too.
  std::string direction(size_t number, const StageKernel::Argument &of) const {
    if (!of.tensor) return {};
    bool earlier = false, rewritten = false;
    for (size_t k = 0; k < stage_.kernels.size(); ++k)
      for (const StageKernel::Argument &a : stage_.kernels[k].arguments) {
        earlier = earlier || (k < number && a.name == of.name);
        rewritten = rewritten || (k > number && a.name == of.name && a.writes);
      }
    if (!of.writes) return rewritten ? "inout" : "in";
    const auto tensor = std::find_if(stage_.tensors.begin(), stage_.tensors.end(),
                                     [&](const StageTensor &t) { return t.name == of.name; });
    const bool between = tensor->direction.empty(); // of which the first task reads what it wrote itself alone
    // Tasks of one family come one behind the other where those of another need what they write.
    const StageKernel &own = stage_.kernels[number];
    const bool across =
        !own.loops.empty() && std::any_of(stage_.kernels.begin(), stage_.kernels.end(), [&](const StageKernel &k) {
          return k.group != own.group && std::any_of(k.arguments.begin(), k.arguments.end(),
                                                     [&](const auto &a) { return a.tensor && a.name == of.name; });
        });
    return across || earlier || (!between && (of.reads || tensor->direction == "inout")) ? "inout" : "out";
  }
  bool arguments(int number, const StageKernel &wanted_kernel) const {
    json wanted = json::array();
    for (const StageKernel::Argument &a : wanted_kernel.arguments) {
      wanted.push_back({{"name", a.name}, {"kind", a.tensor ? "tensor" : "scalar"}});
      if (a.tensor) wanted.back()["dtype"] = a.dtype, wanted.back()["direction"] = direction(number, a);
    }
    for (const json &k : all_.registry["kernels"])
      if (k.value("func_id", -1) == number &&
          (!same(kernel_path(number, "core_type"), k["core_type"], wanted_kernel.cube ? "aic" : "aiv") ||
           !same(kernel_path(number, "args"), k["args"], wanted)))
        return false;
    return true;
  }

  // The entry is the program's: its parameters in their order, and its dimensions.
  bool entry() const {
    const Package &p = all_.package;
    const json &r = all_.registry, numbers = stage_.numbers();
    json dims = json::array();
    for (const std::string &d : p.dims) dims.push_back(d);
    if (!same("entry.dims", dims, numbers) || !same("entry.ints", p.ints, stage_.int_parameters.size())) return false;
    json parameters = json::array(), buffers = json::array(), ints = json::array(), tasks = json::array();
    for (const StageTensor &t : stage_.tensors) {
      json one = {{"name", t.name}, {"dtype", t.dtype}, {"dims", json::array()}};
      for (const auto &extent : t.shape) one["dims"].push_back(json::parse(registry_extent(extent, stage_)));
      if (!t.direction.empty()) one["direction"] = t.direction;
      if (!t.steps.empty()) one["steps"] = t.steps;
      (t.direction.empty() ? buffers : parameters).push_back(std::move(one));
    }
    for (const StageInt &i : stage_.ints) ints.push_back({{"name", i.name}, {"value", json_of(i.value)}});
    for (size_t k = 0; k < all_.kernels.size(); ++k) {
      json one = {{"func_id", k}}, loops = json::array(), after = json::array();
      for (const StageLoop &l : stage_.kernels[k].loops) {
        loops.push_back({{"part", l.name}, {"stop", json_of(l.stop)}, {"step", json_of(l.step)}});
        if (l.step.kind == Expr::Kind::name) loops.back()["by"] = l.step.text;
      }
      // A task comes behind those whose tensors it reads or writes, and those that read what it writes.
      for (size_t n = 0; n < k; ++n)
        if (meets(stage_.kernels[n], stage_.kernels[k])) after.push_back(n);
      if (!loops.empty()) one["for"] = std::move(loops);
      if (!after.empty()) one["after"] = std::move(after);
      tasks.push_back(std::move(one));
    }
    if (!same("entry.parameters", r["entry"]["parameters"], parameters) || !same("computed", r["computed"], ints) ||
        !same("buffers", r["buffers"], buffers) || !same("tasks", r["tasks"], tasks))
      return false;
    for (size_t k = 0; k < all_.kernels.size(); ++k) {
      const std::string number = all_.kernels.size() == 1 ? "" : "_" + std::to_string(k + 1);
      if (!same(kernel_path(static_cast<int>(k), "name"), r["kernels"][k]["name"], p.entry + number)) return false;
    }
    return true;
  }

  bool limits() const {
    const json &entry = all_.registry["entry"];
    for (size_t k = 0; k < entry["dims"].size(); ++k)
      if (!same("entry.dims[" + std::to_string(k) + "].least", entry["dims"][k]["least"], 0)) return false;
    std::set<std::string> extents;
    for (const json &l : entry["limits"])
      if (!extents.insert(l["extent"].dump()).second) return no(Refusal(diag::limit_twice, written(l["extent"])));
    const auto wrong = wrong_limits(all_.package, stage_);
    if (wrong) wrong->why.report(c, HTP_NONE, wrong->note);
    return !wrong;
  }
  static bool meets(const StageKernel &earlier, const StageKernel &later) {
    for (const StageKernel::Argument &a : earlier.arguments)
      for (const StageKernel::Argument &b : later.arguments)
        if (a.tensor && b.tensor && a.name == b.name && (a.writes || b.writes)) return true;
    return false;
  }

  // ── files that are the same, and those that are but for some names ──

  bool known(std::string_view path, std::string_view text) const {
    constexpr std::pair<std::string_view, std::string_view> texts[] = {
#define TEXT(path, digest) {path, digest},
#include "texts.def"
    };
    const std::pair is(path, view(c.host()->sha256(c.ctx(), str(text))));
    return std::find(std::begin(texts), std::end(texts), is) != std::end(texts);
  }

  static std::string filled(std::string text, const std::map<std::string, std::string> &names) {
    for (const auto &[name, value] : names)
      for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
        text.replace(at, name.size(), value);
    return text;
  }
  static std::string quoted(const std::string &s) { return "\"" + s + "\""; }
  static void add(std::string &list, const std::string &one) { list += (list.empty() ? "" : ", ") + one; }
  bool file(const std::string &path, const std::string &wanted) const {
    std::string is;
    if (!read_package_file(c, path, is)) return no(Refusal(diag::missing_file, path));
    if (is == wanted) return true;
    size_t line = 1, at = 0;
    for (; at < std::min(is.size(), wanted.size()) && is[at] == wanted[at]; ++at) line += is[at] == '\n';
    return no(Refusal(diag::made_otherwise, line_text(path, static_cast<int>(line)), all_.stage));
  }
  bool recipe() const {
    htp_str is{};
    return (c.host()->read_file(c.ctx(), str("build/build.sh"), &is) == HTP_OK && known("build/build.sh", view(is))) ||
           no(Refusal(diag::foreign_recipe, "build/build.sh"));
  }
  std::string config() const {
    std::string kernels;
    for (const KernelText &k : all_.kernels)
      kernels += "    {\"func_id\": " + std::to_string(k.id) + ", \"source\": str(_HERE / " + quoted(k.path) +
                 "), \"core_type\": " + quoted(stage_.kernels[static_cast<size_t>(k.id)].cube ? "aic" : "aiv") + "},\n";
    return filled(config_form, {{"<name>", all_.package.entry}, {"<kernels>", kernels}});
  }
  std::string golden() const {
    std::string outputs, cases, sizes, arguments, tensors, helper;
    std::set<std::string> narrow; // dtypes of outputs
    std::map<std::string, std::string> texts;
    for (const StageTensor &t : stage_.tensors) {
      if (t.direction.empty()) continue;
      if (t.direction != "in") add(outputs, quoted(t.name)), narrow.insert(t.dtype);
      std::string extents;
      for (const std::string &e : t.python) add(extents, e);
      const auto tuple = [](const std::vector<int64_t> &of) {
        std::string text;
        for (const int64_t n : of) add(text, std::to_string(n));
        return "(" + text + (of.size() == 1 ? ",)" : ")");
      };
      const bool lies = !t.steps.empty();
      const std::string view = t.sizes.size() == 1 && lies
                                   ? ".as_strided(" + tuple(t.sizes) + ", " + tuple(t.steps) + ")"
                                   : "",
                        array = "_array(generator, (" + extents + ",), " + quoted(t.dtype) + ")";
      texts[t.name] = "_elements(tensors[" + quoted(t.name) + "]" + view + ", " + quoted(t.dtype) + ")" +
                      (t.scalar ? ".item()" : "");
      arguments += "        (" + quoted(t.name) + ", " +
                   (lies ? "_lying(" + array + ", " + tuple(t.steps) + ")" : array) + "),\n";
      if (lies) helper = lying_text;
    }
    for (const std::string &d : stage_.dims) add(cases, quoted(d) + ": 64");
    for (const std::string &name : stage_.int_parameters) {
      int64_t least = 1;
      for (const Limit &l : all_.package.limits)
        if (l.extent.op.empty() && l.extent.fixed < 0 && all_.package.dims[l.extent.dim] == name)
          least = std::max(least, l.least);
      add(cases, quoted(name) + ": " + std::to_string(least)), texts[name] = "params[" + quoted(name) + "]";
    }
    for (const std::string &name : stage_.signature) add(tensors, texts[name]);
    for (const std::string &name : stage_.numbers()) {
      sizes += "    " + name + " = params[" + quoted(name) + "]\n";
      arguments += "        (" + quoted(name) + ", ctypes.c_int64(" + name + ")),\n";
    }
    return filled(golden_form, {{"<name>", all_.package.entry},
                                {"<outputs>", outputs},
                                {"<tolerance>", narrow.contains("bf16")  ? "1e-2"
                                                : narrow.contains("f16") ? "1e-3"
                                                                         : "1e-4"},
                                {"<cases>", cases},
                                {"<sizes>", sizes},
                                {"<lying>", helper},
                                {"<arguments>", arguments},
                                {"<tensors>", tensors}});
  }

  const Context &c;
  const Compiled &all_;
  Stage stage_;
};

} // namespace

bool hold(const Context &c, const Compiled &compiled) { return Holder(c, compiled).run(); }

} // namespace htp::a2a3sim
