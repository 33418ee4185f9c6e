#include "host/check/intrinsic_table.h"

#include "host/ast/unparse.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/parse/parse.h"
#include "host/pipeline/program.h"
#include "host/pipeline/tree.h"

#include <htp/htp.h>

#include <algorithm>
#include <map>
#include <set>

namespace htp {

namespace {

class Collector {
public:
  Collector(const Store &store, std::string module, Diagnostics &diagnostics)
      : store_(store), module_(std::move(module)), diagnostics_(diagnostics) {}

  // Nothing when the statement declares no intrinsic.
  std::optional<IntrinsicDecl> declaration(htp_node s, const std::vector<Imported> &imports) {
    if (store_.kind(s) != HTP_FunctionDef) return std::nullopt;
    for (const htp_node decorator : store_.items(store_.slot(s, HTP_FIELD(FunctionDef, decorator_list)))) {
      if (store_.kind(decorator) != HTP_Call) continue;
      if (qualified_name(store_, imports, store_.slot(decorator, HTP_FIELD(Call, func))) != "htp.intrinsic") continue;
      return describe(s, decorator);
    }
    return std::nullopt;
  }

private:
  IntrinsicDecl describe(htp_node function, htp_node decorator) {
    IntrinsicDecl d;
    d.span = store_.span(function);
    d.line = store_.at(function).line;
    d.python = module_ + "." + std::string(store_.text(store_.slot(function, HTP_FIELD(FunctionDef, name))));
    std::set<std::string_view> unread;
    for (const auto &[key, field] : {std::pair{"name", &d.name},
                                     {"method", &d.method},
                                     {"rule", &d.rule},
                                     {"effects", &d.effects},
                                     {"spaces", &d.spaces},
                                     {"cost", &d.cost}}) {
      const htp_node value = keyword_of(store_, decorator, key);
      if (!value) continue;
      if (auto text = string_of(store_, value))
        *field = std::move(*text);
      else if (show(value) != "None" && unread.insert(key).second)
        diagnostics_.report(diag::check_intrinsic_literal, store_.span(value), key);
    }
    for (const auto &[key, text] : {std::pair{"name", &d.name}, {"rule", &d.rule}})
      if (text->empty() && !unread.contains(key))
        diagnostics_.report(diag::check_intrinsic_lacks, store_.span(decorator), key);
    const htp_node returns = store_.slot(function, HTP_FIELD(FunctionDef, returns));
    if (returns)
      d.result = show(returns);
    else
      diagnostics_.report(diag::check_intrinsic_untyped, store_.span(function), "the result");
    parameters(store_.slot(function, HTP_FIELD(FunctionDef, args)), d);
    const Slots body = store_.items(store_.slot(function, HTP_FIELD(FunctionDef, body)));
    if (store_.kind(body[0]) == HTP_Expr)
      if (auto doc = string_of(store_, store_.slot(body[0], HTP_FIELD(Expr, value)))) d.doc = dedent(*doc);
    if (d.doc.empty()) diagnostics_.report(diag::check_intrinsic_lacks, store_.span(function), "docstring");
    d.digest = sha256(show(function));
    return d;
  }

  void parameters(htp_node args, IntrinsicDecl &d) {
    std::vector<htp_node> positional;
    for (const unsigned field : {HTP_FIELD(arguments, posonlyargs), HTP_FIELD(arguments, args)})
      for (const htp_node a : store_.items(store_.slot(args, field))) positional.push_back(a);
    const Slots defaults = store_.items(store_.slot(args, HTP_FIELD(arguments, defaults)));
    for (size_t i = 0; i < positional.size(); ++i) {
      const size_t first = positional.size() - defaults.size();
      parameter(positional[i], "", i >= first ? defaults[i - first] : HTP_NONE, false, d);
    }
    if (const htp_node rest = store_.slot(args, HTP_FIELD(arguments, vararg))) parameter(rest, "*", HTP_NONE, false, d);
    const Slots names = store_.items(store_.slot(args, HTP_FIELD(arguments, kwonlyargs)));
    const Slots values = store_.items(store_.slot(args, HTP_FIELD(arguments, kw_defaults)));
    for (size_t i = 0; i < names.size(); ++i) parameter(names[i], "", values[i], true, d);
  }

  void parameter(htp_node arg, const std::string &prefix, htp_node default_value, bool keyword_only, IntrinsicDecl &d) {
    IntrinsicDecl::Parameter p;
    p.name = prefix + std::string(store_.text(store_.slot(arg, HTP_FIELD(arg, arg))));
    if (const htp_node annotation = store_.slot(arg, HTP_FIELD(arg, annotation)))
      p.annotation = show(annotation);
    else
      diagnostics_.report(diag::check_intrinsic_untyped, store_.span(arg), fmt::format("the parameter `{}`", p.name));
    if (default_value) p.default_value = show(default_value);
    p.keyword_only = keyword_only;
    d.parameters.push_back(std::move(p));
  }

  std::string show(htp_node n) const { return unparse(*store_.abi(), n); }

  // A docstring as people read it: the indentation of its further lines taken off.
  static std::string dedent(const std::string &text) {
    size_t indent = std::string::npos;
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      const size_t word = text.find_first_not_of(' ', at + 1);
      if (word != std::string::npos && text[word] != '\n') indent = std::min(indent, word - at - 1);
    }
    std::string result;
    for (size_t at = 0; at < text.size(); ++at) {
      result += text[at];
      if (text[at] != '\n' || indent == std::string::npos) continue;
      for (size_t k = 0; k < indent && at + 1 < text.size() && text[at + 1] == ' '; ++k) ++at;
    }
    while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) result.pop_back();
    return result;
  }

  const Store &store_;
  std::string module_;
  Diagnostics &diagnostics_;
};

// The declarations of a plugin's Python module, by name.
std::map<std::string, IntrinsicDecl> declared_by(const Manifest &manifest, Diagnostics &diagnostics) {
  std::map<std::string, IntrinsicDecl> result;
  if (manifest.python_module.value.empty()) return result;
  std::string module = manifest.python_module.value;
  std::replace(module.begin(), module.end(), '.', '/');
  const std::string base = join_path(join_path(manifest.folder, manifest.python_path.value), module);
  std::vector<std::string> files;
  if (const auto found = list_tree(base))
    for (const FolderEntry &file : *found)
      if (file.kind == FolderEntry::Kind::file && file.name.ends_with(".py"))
        files.push_back(join_path(base, file.name));
  if (exists(base + ".py")) files.push_back(base + ".py");
  for (const std::string &file : files)
    for (IntrinsicDecl &d : read_intrinsics(file, "", diagnostics)) result.emplace(d.name, std::move(d));
  return result;
}

std::string signature(const IntrinsicDecl &d) {
  std::string text;
  for (const auto &p : d.parameters)
    text += (text.empty() ? "" : ", ") + std::string(p.keyword_only ? "keyword " : "") + p.name + ": " + p.annotation +
            (p.default_value ? " = " + *p.default_value : "");
  return "(" + text + ") -> " + d.result;
}

IntrinsicDecl declaration_of(const htp_intrinsic &row) {
  IntrinsicDecl d;
  d.name = row.name, d.python = row.python, d.method = row.method ? row.method : "", d.rule = row.rule;
  d.effects = row.effects, d.spaces = row.spaces, d.cost = row.cost, d.result = row.result;
  d.doc = row.doc, d.digest = row.digest, d.line = row.line;
  for (uint32_t i = 0; i < row.parameter_count; ++i) {
    const htp_parameter &p = row.parameters[i];
    d.parameters.push_back({p.name, p.annotation, {}, p.keyword_only != 0});
    if (p.default_value) d.parameters.back().default_value = p.default_value;
  }
  return d;
}

// The first thing in which they differ, as a sentence; empty when they are the same.
std::string difference(const IntrinsicDecl &python, const IntrinsicDecl &library) {
  const auto differ = [](std::string_view what, const std::string &there, const std::string &here) {
    const auto show = [](const std::string &text) { return text.empty() ? "nothing" : "`" + text + "`"; };
    return there == here ? std::string()
                         : fmt::format("{}: {} in Python, {} in the library", what, show(there), show(here));
  };
  std::string found = differ("signature", signature(python), signature(library));
  for (const auto &[what, member] : {std::pair{"Python name", &IntrinsicDecl::python},
                                     {"method", &IntrinsicDecl::method},
                                     {"rule", &IntrinsicDecl::rule},
                                     {"effects", &IntrinsicDecl::effects},
                                     {"spaces", &IntrinsicDecl::spaces},
                                     {"cost", &IntrinsicDecl::cost}})
    if (found.empty()) found = differ(what, python.*member, library.*member);
  if (found.empty() && python.doc != library.doc) found = "the docstring is another";
  if (found.empty() && python.digest != library.digest) found = "the body, which is its meaning, is another";
  return found;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n\"\n    \"";
    else
      result += c;
  }
  return result + "\"";
}

} // namespace

std::vector<IntrinsicDecl> read_intrinsics(const std::string &path, std::string module, Diagnostics &diagnostics) {
  Store store;
  std::vector<InputFile> inputs;
  const htp_node root = read_program(path, "intrinsics", store, inputs, diagnostics);
  if (!root) return {};
  if (module.empty()) {
    const std::string folder = absolute_path(path).substr(0, absolute_path(path).rfind('/'));
    module = folder.substr(folder.rfind('/') + 1);
  }
  Collector collector(store, module, diagnostics);
  const auto imports = imports_of(store, root);
  std::vector<IntrinsicDecl> result;
  for (const htp_node s : store.items(store.slot(root, HTP_FIELD(Module, body))))
    if (auto d = collector.declaration(s, imports)) result.push_back(std::move(*d));
  return result;
}

void check_intrinsics(const LoadedPlugin &plugin, Diagnostics &diagnostics) {
  const Manifest &manifest = plugin.manifest();
  std::vector<const Unit *> sets;
  for (const Unit &unit : manifest.units)
    if (unit.kind == UnitKind::intrinsics) sets.push_back(&unit);
  if (sets.empty()) return;
  auto declared = declared_by(manifest, diagnostics);
  const auto report = [&](const Span &span, const std::string &name, const std::string &why) {
    diagnostics.report(diag::check_stale_intrinsic, span, name, manifest.library.value, why)
        .hint("build the plugin again: `htp_add_plugin(… INTRINSICS FILE.py)` makes the table from the Python file");
  };
  for (const Unit *unit : sets) {
    const auto &set = *static_cast<const htp_intrinsics *>(plugin.interface(unit->kind, unit->name.value));
    for (uint32_t i = 0; i < set.count; ++i) {
      const auto python = declared.find(set.rows[i].name);
      if (python == declared.end()) {
        report(unit->name.span, set.rows[i].name, "no Python file of the plugin declares it");
        continue;
      }
      if (const std::string why = difference(python->second, declaration_of(set.rows[i])); !why.empty())
        report(python->second.span, set.rows[i].name, why);
      declared.erase(python);
    }
  }
  for (const auto &[name, python] : declared) report(python.span, name, "the library has it not");
}

std::string intrinsic_table(const std::vector<IntrinsicDecl> &declarations) {
  std::string text = "// Generated by `htp-host plugins intrinsics`; do not edit.\n";
  size_t k = 0;
  for (const IntrinsicDecl &d : declarations) {
    if (!d.parameters.empty()) {
      text += "constexpr htp_parameter intrinsic_parameters_" + std::to_string(k) + "[] = {\n";
      for (const auto &p : d.parameters)
        text += "  {" + quoted(p.name) + ", " + quoted(p.annotation) + ", " +
                (p.default_value ? quoted(*p.default_value) : "nullptr") + ", " + (p.keyword_only ? "1" : "0") + "},\n";
      text += "};\n";
    }
    ++k;
  }
  text += "constexpr htp_intrinsic intrinsic_rows[] = {\n";
  k = 0;
  for (const IntrinsicDecl &d : declarations) {
    text += "  {" + quoted(d.name) + ", " + quoted(d.python) + ", " +
            (d.method.empty() ? "nullptr" : quoted(d.method)) + ", " + quoted(d.rule) + ", " + quoted(d.effects) +
            ", " + quoted(d.spaces) + ", " + quoted(d.cost) + ", " + quoted(d.result) + ",\n    " + quoted(d.doc) +
            ",\n    " + (d.parameters.empty() ? "nullptr" : "intrinsic_parameters_" + std::to_string(k)) + ", " +
            std::to_string(d.parameters.size()) + ", " + std::to_string(d.line) + ", " + quoted(d.digest) + "},\n";
    ++k;
  }
  text += "};\n";
  std::vector<std::string> names;
  for (const IntrinsicDecl &d : declarations) names.push_back(d.name);
  std::sort(names.begin(), names.end());
  text += "constexpr const char *intrinsic_names[] = {\n";
  for (const std::string &name : names) text += "  " + quoted(name) + ",\n";
  return text + "  nullptr,\n};\n";
}

} // namespace htp
