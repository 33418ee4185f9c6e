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
      return no(Refusal(diag::stage_line, line_text(all_.stage, n.line)));
    }
    if (stage_.kernels.size() != all_.kernels.size())
      return no(Refusal(diag::kernel_count, all_.stage, stage_.kernels.size(), all_.kernels.size()));
    for (size_t k = 0; k < all_.kernels.size(); ++k)
      if (!kernel(all_.kernels[k], stage_.kernels[k], static_cast<int>(k))) return false;
    return entry() && limits() && order() && file("kernel_config.py", config()) && file("golden.py", golden()) &&
           recipe();
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
  bool refuse(const std::string &what) const {
    c.report(diag::registry, HTP_NONE, what);
    return false;
  }

  // ── the registry's form ──

  // An object with these fields, and no others but what may be there.
  bool has(const json &o, const std::string &what, const std::vector<std::string> &fields,
           const std::set<std::string> &perhaps = {}) const {
    if (!o.is_object()) return refuse(what + " is no object");
    for (const std::string &f : fields)
      if (!o.contains(f)) return refuse(what + " lacks `" + f + "`");
    for (const auto &[name, value] : o.items())
      if (std::find(fields.begin(), fields.end(), name) == fields.end() && !perhaps.contains(name))
        return refuse(what + " has no field `" + name + "`");
    return true;
  }
  bool each(const json &list, const std::string &what, const std::vector<std::string> &fields,
            const std::set<std::string> &perhaps = {}) const {
    if (!list.is_array()) return refuse("there is no list of each " + what);
    return std::all_of(list.begin(), list.end(), [&](const json &o) { return has(o, "a " + what, fields, perhaps); });
  }
  bool form() const {
    const json &r = all_.registry;
    if (!has(r, "it", {"schema", "contracts", "entry", "computed", "buffers", "kernels", "tasks"}) ||
        !each(r["contracts"], "contract", {"id", "runtime", "isa", "function", "orchestration"}) ||
        !has(r["entry"], "the entry", {"name", "parameters", "dims", "ints", "limits"}) ||
        !each(r["entry"]["parameters"], "parameter", {"name", "direction", "dtype", "dims"}) ||
        !each(r["entry"]["dims"], "dimension", {"name", "least"}) || !each(r["entry"]["ints"], "int", {"name"}) ||
        !each(r["entry"]["limits"], "limit", {"extent", "least"}, {"most"}) ||
        !each(r["computed"], "int before the tasks", {"name", "value"}) ||
        !each(r["buffers"], "buffer", {"name", "dtype", "dims"}) ||
        !each(r["kernels"], "kernel",
              {"func_id", "name", "core_type", "source", "args", "memory", "indices", "events"}) ||
        !each(r["tasks"], "task", {"func_id"}, {"for", "after"}))
      return false;
    for (const json &t : r["tasks"])
      if (t.contains("for") && !each(t["for"], "loop of tasks", {"part", "stop", "step"}, {"by"})) return false;
    if (r["contracts"].size() != 2) return refuse("it is not made for both contracts");
    constexpr std::pair<const char *, const char *> commits[] = {
#define COMMIT(name, commit) {#name, commit},
#include "commits.def"
    };
    const auto commit = [&](const char *name) {
      return json(std::find_if(std::begin(commits), std::end(commits), [&](auto &one) {
                    return std::string_view(one.first) == name;
                  })->second);
    };
    for (size_t k = 0; k < 2; ++k)
      if (r["contracts"][k]["isa"] != commit("isa_commit") ||
          r["contracts"][k]["runtime"] != commit(k ? "runtime_2026_08" : "runtime_2026_03"))
        return refuse("it is made for other commits of the runtime and of the instruction set");
    for (const json &contract : r["contracts"])
      if (!has(contract["orchestration"], "a contract", {"host_build_graph", "tensormap_and_ringbuffer"})) return false;
    return std::all_of(r["kernels"].begin(), r["kernels"].end(), [&](const json &k) {
      return each(k["args"], "argument", {"name", "kind"}, {"dtype", "direction"}) &&
             each(k["memory"], "place in memory", {"buffer", "space", "offset", "bytes", "first", "last"}) &&
             each(k["indices"], "index", {"line", "tensor", "dimension", "from"}) &&
             each(k["events"], "event", {"source", "destination", "id", "set", "wait"});
    });
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
    if (is.id != number) return refuse("kernel " + std::to_string(number) + " is numbered " + std::to_string(is.id));
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
    return all_.registry["kernels"][static_cast<size_t>(number)]["indices"] == wanted ||
           refuse("the indices of kernel " + std::to_string(number) + " are " + wanted.dump());
  }

  // Which lines of its text a kernel's tiles live in, and set and wait for its flags.
  bool lines(const KernelText &is, int number) const {
    std::vector<std::string> text;
    for (size_t at = 0; at < is.own.size();) {
      const size_t end = std::min(is.own.find('\n', at), is.own.size());
      text.push_back(is.own.substr(at, end - at)), at = end + 1;
    }
    const json &k = all_.registry["kernels"][static_cast<size_t>(number)];
    const std::string name = "kernel " + std::to_string(number);
    for (const json &m : k["memory"]) {
      const std::string buffer = this->text(m, "buffer");
      const auto first = m["first"].get<size_t>(), last = m["last"].get<size_t>();
      size_t named = 0;
      for (size_t n = 0; n < text.size(); ++n)
        if (mentions(text[n], buffer)) named = n + 1;
      if (first == 0 || first >= text.size() || text[first - 1].find("> " + buffer + "(") == std::string::npos ||
          text[first].find("TASSIGN(" + buffer + ",") == std::string::npos || last != named)
        return refuse("`" + buffer + "` of " + name + " lives up to line " + std::to_string(named));
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
           refuse("the events of " + name + " are others than its text sets and waits for");
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
    return earlier || (!between && (of.reads || tensor->direction == "inout")) ? "inout" : "out";
  }
  bool arguments(int number, const StageKernel &wanted_kernel) const {
    for (const json &k : all_.registry["kernels"]) {
      if (k.value("func_id", -1) != number) continue;
      const std::string name = "kernel " + std::to_string(number);
      if (text(k, "core_type") != (wanted_kernel.cube ? "aic" : "aiv"))
        return refuse(name + " runs on `" + text(k, "core_type") + "`, and is made for the other kind of core");
      const json &args = k["args"];
      if (args.size() != wanted_kernel.arguments.size())
        return refuse(name + " takes " + std::to_string(wanted_kernel.arguments.size()) + " arguments, and it names " +
                      std::to_string(args.size()));
      for (size_t a = 0; a < args.size(); ++a) {
        const StageKernel::Argument &is = wanted_kernel.arguments[a];
        if (text(args[a], "name") != is.name || text(args[a], "kind") != (is.tensor ? "tensor" : "scalar") ||
            text(args[a], "dtype") != is.dtype || args[a].size() != (is.tensor ? 4 : 2))
          return refuse("argument " + std::to_string(a) + " of " + name + " is `" + is.name + "`, " +
                        (is.tensor ? "a tensor of " + is.dtype : "a scalar"));
        const std::string registered = text(args[a], "direction"), wanted = direction(static_cast<size_t>(number), is);
        if (registered != wanted)
          return refuse("argument " + std::to_string(a) + " of " + name + ", `" + is.name + "`, is `" + wanted +
                        "`, and it says `" + registered + "`");
      }
    }
    return true;
  }

  // The entry is the program's: its parameters in their order, and its dimensions.
  bool entry() const {
    const Package &p = all_.package;
    if (p.dims != stage_.numbers() || p.ints != stage_.int_parameters.size())
      return refuse("the entry has other dimensions or ints than `" + all_.stage + "`");
    std::vector<StageTensor> parameters, buffers;
    for (const StageTensor &t : stage_.tensors) (t.direction.empty() ? buffers : parameters).push_back(t);
    if (p.parameters.size() != parameters.size()) return refuse("the entry has other parameters than the program");
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Parameter &is = p.parameters[k];
      if (is.name != parameters[k].name || is.direction != parameters[k].direction || is.dtype != parameters[k].dtype ||
          !shaped(all_.registry["entry"]["parameters"][k]["dims"], parameters[k]))
        return refuse("parameter " + std::to_string(k) + " is `" + parameters[k].name + "`, `" +
                      parameters[k].direction + "`, of " + std::to_string(parameters[k].extents.size()) +
                      " extents of " + parameters[k].dtype);
    }
    json ints = json::array();
    for (const StageInt &i : stage_.ints) ints.push_back({{"name", i.name}, {"value", json_of(i.value)}});
    if (all_.registry["computed"] != ints)
      return refuse("the ints before the tasks are others than those of `" + all_.stage + "`");
    const json &registered = all_.registry.contains("buffers") ? all_.registry["buffers"] : json();
    if (!registered.is_array() || registered.size() != buffers.size())
      return refuse("there are other buffers between kernels");
    for (size_t k = 0; k < buffers.size(); ++k)
      if (text(registered[k], "name") != buffers[k].name || text(registered[k], "dtype") != buffers[k].dtype ||
          !shaped(registered[k]["dims"], buffers[k]))
        return refuse("buffer " + std::to_string(k) + " is `" + buffers[k].name + "`, of " +
                      std::to_string(buffers[k].extents.size()) + " extents of " + buffers[k].dtype);
    const json &tasks = all_.registry.contains("tasks") ? all_.registry["tasks"] : json();
    if (!tasks.is_array() || tasks.size() != all_.kernels.size()) return refuse("there are other tasks than kernels");
    for (size_t k = 0; k < tasks.size(); ++k)
      if (tasks[k].value("func_id", -1) != static_cast<int>(k))
        return refuse("task " + std::to_string(k) + " is not of kernel " + std::to_string(k));
    for (size_t k = 0; k < tasks.size(); ++k) {
      json loops = json::array();
      for (const StageLoop &l : stage_.kernels[k].loops) {
        loops.push_back({{"part", l.name}, {"stop", json_of(l.stop)}, {"step", json_of(l.step)}});
        if (l.step.kind == Expr::Kind::name) loops.back()["by"] = l.step.text;
      }
      if (tasks[k].value("for", json::array()) != loops)
        return refuse("its tasks are made in other loops than those of `" + all_.stage + "`");
    }
    return true;
  }

  // Extents are as the program has them.
  bool shaped(const json &dims, const StageTensor &t) const {
    if (!dims.is_array() || dims.size() != t.shape.size()) return false;
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d].dump() != registry_extent(t.shape[d], stage_)) return false;
    return true;
  }
  bool limits() const {
    const json &entry = all_.registry["entry"];
    for (const json &d : entry["dims"])
      if (d["least"] != 0) return refuse("dimension `" + text(d, "name") + "` may be 0");
    std::set<std::string> extents;
    for (const json &l : entry["limits"])
      if (!extents.insert(l["extent"].dump()).second) return refuse("an extent has two limits");
    const auto wrong = wrong_limits(all_.package, stage_);
    return !wrong || refuse("its limits are not those of the kernels: " + *wrong);
  }
  // A task comes behind those whose tensors it reads or writes, and those that read what it writes.
  bool order() const {
    const json &tasks = all_.registry["tasks"];
    for (size_t k = 0; k < tasks.size(); ++k) {
      json wanted = json::array();
      for (size_t n = 0; n < k; ++n)
        if (meets(stage_.kernels[n], stage_.kernels[k])) wanted.push_back(n);
      if (tasks[k].value("after", json::array()) != wanted)
        return refuse("task " + std::to_string(k) + " comes after " + wanted.dump());
    }
    for (size_t k = 0; k < all_.kernels.size(); ++k) {
      const json &kernel = all_.registry["kernels"][k];
      const std::string number = all_.kernels.size() == 1 ? "" : "_" + std::to_string(k + 1);
      if (text(kernel, "name") != all_.package.entry + number)
        return refuse("kernel " + std::to_string(k) + " is called `" + all_.package.entry + number + "`");
    }
    return true;
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
    std::string outputs, cases, sizes, arguments, tensors;
    std::set<std::string> narrow; // dtypes of outputs
    std::map<std::string, std::string> texts;
    for (const StageTensor &t : stage_.tensors) {
      if (t.direction.empty()) continue;
      if (t.direction != "in") add(outputs, quoted(t.name)), narrow.insert(t.dtype);
      std::string extents;
      for (const std::string &e : t.python) add(extents, e);
      texts[t.name] =
          "_elements(tensors[" + quoted(t.name) + "], " + quoted(t.dtype) + ")" + (t.scalar ? ".item()" : "");
      arguments +=
          "        (" + quoted(t.name) + ", _array(generator, (" + extents + ",), " + quoted(t.dtype) + ")),\n";
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
