// The checks of what a library's units say of themselves: data, no call.
#include "host/check/units.h"
#include "host/base/fs.h"
#include "host/check/intrinsic_table.h"
#include "host/parse/parse.h"
#include "host/pipeline/program.h"
#include "host/pipeline/tree.h"

#include <htp/htp.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace htp {

namespace {

bool is_identifier(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool is_expression(std::string_view text) {
  Store store;
  Diagnostics said;
  return parse_expression(text, HTP_NONE, said, store) != HTP_NONE && !said.errors();
}

class UnitChecks {
public:
  UnitChecks(const Subject &subject, const LoadedPlugin &plugin, Findings &findings)
      : subject_(subject), manifest_(subject.manifest), plugin_(plugin), findings_(findings) {}

  void run() {
    diagnostics_table();
    Diagnostics stale;
    check_intrinsics(plugin_, stale);
    // What cannot be read is not compared.
    const auto is_unreadable = [](const Diagnostic &d) { return d.code != diag::check_stale_intrinsic.code; };
    const bool readable = std::none_of(stale.list().begin(), stale.list().end(), is_unreadable);
    for (const Diagnostic &d : stale.list())
      if (readable || is_unreadable(d)) findings_.take(d);
    for (const Unit &unit : manifest_.units) {
      const void *const interface = plugin_.interface(unit.kind, unit.name.value);
      if (!interface) continue;
      switch (unit.kind) {
      case UnitKind::intrinsics: intrinsics(unit, *static_cast<const htp_intrinsics *>(interface)); break;
      case UnitKind::dialect: dialect(unit, *static_cast<const htp_dialect *>(interface)); break;
      case UnitKind::layout: layout(unit, *static_cast<const htp_layout_facet *>(interface)); break;
      case UnitKind::backend: backend(unit, *static_cast<const htp_backend *>(interface)); break;
      case UnitKind::island: island(unit, *static_cast<const htp_island *>(interface)); break;
      default: break;
      }
    }
  }

private:
  void fail(CheckId check, const Unit *unit, std::string message, std::string expected, std::string found) {
    Finding &f = findings_.fail(check, manifest_, unit, std::move(message));
    f.expected = std::move(expected);
    f.found = std::move(found);
  }

  // A code's owner is a word of the plugin's id, or the first word of a unit of it.
  bool owns(std::string_view owner) const {
    if (("." + manifest_.id.value + ".").find("." + std::string(owner) + ".") != std::string::npos) return true;
    if (("-" + manifest_.id.value + "-").find("-" + std::string(owner) + "-") != std::string::npos) return true;
    return std::any_of(manifest_.units.begin(), manifest_.units.end(), [&](const Unit &u) {
      return u.name.value == owner || u.name.value.starts_with(std::string(owner) + ".");
    });
  }

  void diagnostics_table() {
    const htp_entry *const entry = plugin_.entry();
    std::set<std::string> seen;
    for (uint32_t i = 0; entry && i < entry->diag_count; ++i) {
      const htp_diag_info &row = entry->diagnostics[i];
      const std::string code = row.code;
      const size_t dot = code.find('.');
      const auto kebab = [](std::string_view text) {
        return !text.empty() && text.front() != '-' && text.back() != '-' &&
               std::all_of(text.begin(), text.end(),
                           [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; });
      };
      const auto wrong = [&](const std::string &why, std::string expected, std::string found) {
        fail(CheckId::diagnostics_table, nullptr, fmt::format("the diagnostic `{}` {}", code, why), std::move(expected),
             std::move(found));
      };
      if (dot == std::string::npos || !kebab(code.substr(dot + 1)) || !owns(code.substr(0, dot)))
        wrong("is no code of this plugin", "`owner.kebab-name`, the owner a word of `" + manifest_.id.value + "`",
              code);
      else if (!seen.insert(code).second)
        wrong("stands twice in its table", "each code once", "row " + std::to_string(i));
      else if (row.severity < HTP_ERROR || row.severity > HTP_FAULT)
        wrong("has no severity", "an htp_severity", std::to_string(row.severity));
      else if (!*row.summary || !*row.explanation)
        wrong("is not explained", "a summary and an explanation", "nothing");
    }
  }

  void intrinsics(const Unit &unit, const htp_intrinsics &set) {
    std::string prefix = unit.name.value.substr(0, unit.name.value.find('.')) + ".";
    std::replace(prefix.begin(), prefix.end(), '-', '_'); // a name of Python
    const std::string &module = manifest_.python_module.value;
    std::map<std::string, std::string> operators;
    for (const htp_intrinsic &row : std::span(set.rows, set.count)) {
      const std::string name = row.name, python = row.python;
      const size_t dot = python.rfind('.');
      if (!name.starts_with(prefix) || !is_identifier(name.substr(prefix.size())))
        fail(CheckId::intrinsic_names, &unit, fmt::format("the intrinsic `{}` is not named after its unit", name),
             "`" + prefix + "name`", name);
      else if (dot == std::string::npos || python.substr(0, dot) != module)
        fail(CheckId::intrinsic_names, &unit, fmt::format("the intrinsic `{}` is not in the plugin's module", name),
             "`" + module + ".name`", python);
      annotations(unit, row);
      const std::string effects = row.effects;
      static const std::set<std::string_view> effect_words = {"", "read", "write", "read write", "put", "get"};
      if (!effect_words.contains(effects))
        fail(CheckId::intrinsic_effects, &unit, fmt::format("the effects of `{}` are not known", name),
             "nothing, `read`, `write`, `read write`, or of a channel `put` or `get`", effects);
      example(unit, row);
      if (!row.method) continue;
      static const std::set<std::string_view> known = {
          "__add__",     "__sub__",  "__mul__",  "__matmul__", "__truediv__", "__floordiv__", "__mod__", "__pow__",
          "__and__",     "__or__",   "__xor__",  "__lshift__", "__rshift__",  "__neg__",      "__pos__", "__invert__",
          "__abs__",     "__lt__",   "__le__",   "__gt__",     "__ge__",      "__eq__",       "__ne__",  "__getitem__",
          "__setitem__", "__radd__", "__rsub__", "__rmul__",   "__rtruediv__"};
      if (!known.contains(row.method))
        fail(CheckId::operators, &unit, fmt::format("`{}` is no operator that `{}` could stand for", row.method, name),
             "the name of an operator method, as `__add__`", row.method);
      else if (const auto [first, fresh] = operators.emplace(row.method, name); !fresh)
        fail(CheckId::operators, &unit, fmt::format("`{}` and `{}` stand for the same operator", first->second, name),
             "each operator once", row.method);
    }
  }

  void annotations(const Unit &unit, const htp_intrinsic &row) {
    const auto expression = [&](const std::string &what, const char *text) {
      if (text && *text && !is_expression(text))
        fail(CheckId::intrinsic_annotations, &unit, fmt::format("{} of `{}` is no expression", what, row.name),
             "a Python expression", text);
    };
    expression("the result", row.result);
    expression("the cost", row.cost);
    for (uint32_t i = 0; i < row.parameter_count; ++i) {
      expression(fmt::format("the parameter `{}`", row.parameters[i].name), row.parameters[i].annotation);
      expression(fmt::format("the default of `{}`", row.parameters[i].name), row.parameters[i].default_value);
    }
  }

  void example(const Unit &unit, const htp_intrinsic &row) {
    const std::string doc = row.doc;
    const size_t at = doc.find(">>> ");
    Store store;
    Diagnostics said;
    const std::string line = at == std::string::npos ? "" : doc.substr(at + 4, doc.find('\n', at) - at - 4);
    // A line that goes on (`>>> for …:`) is an example too.
    if (at != std::string::npos &&
        (line.ends_with(':') || (parse_statements(line, HTP_NONE, said, store) && !said.errors())))
      return;
    for (const Finding &f : findings_.failed)
      if (f.check == CheckId::intrinsic_examples && f.unit == unit.name.value) return; // one of a set is enough
    fail(CheckId::intrinsic_examples, &unit, fmt::format("the docstring of `{}` has no example", row.name),
         "a line `>>> …` of Python", line.empty() ? "none" : line);
  }

  // Whether the plugin's module, as its text has it, binds the name.
  bool module_has(const std::string &name) const {
    const std::string base = join_path(manifest_.folder, join_path(manifest_.python_path.value, [&] {
                                         std::string path = manifest_.python_module.value;
                                         std::replace(path.begin(), path.end(), '.', '/');
                                         return path;
                                       }()));
    const std::string file = exists(base + "/__init__.py") ? base + "/__init__.py" : base + ".py";
    Store store;
    Diagnostics said;
    std::vector<InputFile> read;
    const htp_node root = read_program(file, "python", store, read, said);
    if (!root) return true; // that is another check's
    for (const htp_node s : store.items(store.slot(root, HTP_FIELD(Module, body)))) {
      switch (store.kind(s)) {
      case HTP_FunctionDef:
        if (store.text(store.slot(s, HTP_FIELD(FunctionDef, name))) == name) return true;
        break;
      case HTP_ClassDef:
        if (store.text(store.slot(s, HTP_FIELD(ClassDef, name))) == name) return true;
        break;
      case HTP_Assign:
        for (const htp_node t : store.items(store.slot(s, HTP_FIELD(Assign, targets))))
          if (dotted_name(store, t) == name) return true;
        break;
      case HTP_AnnAssign:
        if (dotted_name(store, store.slot(s, HTP_FIELD(AnnAssign, target))) == name) return true;
        break;
      case HTP_ImportFrom:
      case HTP_Import:
        for (const htp_node a : store.items(store.slot(
                 s, store.kind(s) == HTP_Import ? HTP_FIELD(Import, names) : HTP_FIELD(ImportFrom, names)))) {
          const uint32_t as = store.slot(a, HTP_FIELD(alias, asname));
          const std::string_view bound = store.text(as ? as : store.slot(a, HTP_FIELD(alias, name)));
          if (bound == name || bound == "*") return true;
        }
        break;
      case HTP_If:
      case HTP_Try: return true; // it may
      default: break;
      }
    }
    return false;
  }

  void dialect(const Unit &unit, const htp_dialect &interface) {
    if (manifest_.python_module.value != interface.module)
      return fail(CheckId::dialect_module, &unit, fmt::format("the dialect's module is `{}`", interface.module),
                  manifest_.python_module.value.empty() ? "`python.module` in the manifest"
                                                        : manifest_.python_module.value,
                  interface.module);
    for (const char *const *name = interface.decorators; *name; ++name)
      if (!module_has(*name))
        fail(CheckId::dialect_decorators, &unit, fmt::format("`{}` has no `{}`", interface.module, *name),
             fmt::format("a function `{}` in `{}`", *name, interface.module), "no such name");
  }

  void layout(const Unit &unit, const htp_layout_facet &facet) {
    const std::string constructor = facet.constructor, &module = manifest_.python_module.value;
    const bool provided = std::any_of(unit.provides.begin(), unit.provides.end(), [&](const Term &term) {
      return term.name == "Layout.Facet" &&
             (term.text().find(std::string("\"") + facet.facet + "\"") != std::string::npos ||
              term.text().find(std::string("=") + facet.facet + ")") != std::string::npos);
    });
    if (!provided)
      fail(CheckId::layout_facet, &unit, fmt::format("its facet `{}` is not what the unit provides", facet.facet),
           fmt::format("`Layout.Facet(kind=\"{}\")` under `provides:`", facet.facet), facet.facet);
    else if (!constructor.starts_with(module + ".") || !is_identifier(constructor.substr(module.size() + 1)))
      fail(CheckId::layout_facet, &unit, fmt::format("its constructor `{}` is not of the plugin's module", constructor),
           "`" + module + ".name`", constructor);
    else if (!module_has(constructor.substr(module.size() + 1)))
      fail(CheckId::layout_constructor, &unit, fmt::format("`{}` is not in the plugin's module", constructor),
           "a function of that name", "no such name");
  }

  void backend(const Unit &unit, const htp_backend &interface) {
    std::set<std::string> members;
    for (const Text &set : unit.target_set)
      for (const Manifest *m : subject_.all)
        for (const Unit &u : m->units)
          if (u.kind == UnitKind::intrinsics && u.name.value == set.value)
            for (const Text &member : u.members) members.insert(member.value);
    const char *last = "";
    for (const char *const *name = interface.target_set; *name; ++name) {
      if (std::strcmp(*name, last) <= 0 && *last)
        fail(CheckId::target_set, &unit, fmt::format("its target set is not in order at `{}`", *name),
             "sorted, each name once", fmt::format("`{}` after `{}`", *name, last));
      else if (!members.contains(*name))
        fail(CheckId::target_set, &unit,
             fmt::format("`{}` of its target set is in no set that the manifest names", *name),
             "an intrinsic of the sets under `target_set:`", *name);
      last = *name;
    }
  }

  void island(const Unit &unit, const htp_island &interface) {
    const std::string suffix = interface.suffix;
    if (suffix.size() < 2 || suffix[0] != '.' || suffix.find_first_of("/\\ ") != std::string::npos)
      fail(CheckId::island_suffix, &unit, fmt::format("`{}` is no suffix of a file", suffix), "as `.mlir`", suffix);
  }

  const Subject &subject_;
  const Manifest &manifest_;
  const LoadedPlugin &plugin_;
  Findings &findings_;
};

} // namespace

void check_units(const Subject &subject, const LoadedPlugin &plugin, Findings &findings) {
  UnitChecks(subject, plugin, findings).run();
}

} // namespace htp
