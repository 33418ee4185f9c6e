#include "host/check/python.h"

#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/check/watch.h"
#include "host/pipeline/program.h"
#include "host/pipeline/tree.h"
#include "host/python/python.h"
#include "host/python/units.h"

#include <algorithm>
#include <set>

namespace htp {

namespace {

std::string base_of(const Manifest &m) {
  std::string module = m.python_module.value;
  std::replace(module.begin(), module.end(), '.', '/');
  return join_path(join_path(m.folder, m.python_path.value), module);
}

std::vector<std::string> files_of(const Manifest &m) {
  const std::string base = base_of(m);
  std::vector<std::string> files;
  if (exists(base + ".py")) files.push_back(base + ".py");
  if (const auto tree = list_tree(base))
    for (const FolderEntry &entry : *tree)
      if (entry.kind == FolderEntry::Kind::file && entry.name.ends_with(".py"))
        files.push_back(join_path(base, entry.name));
  return files;
}

std::string top_of(std::string_view module) { return std::string(module.substr(0, module.find('.'))); }

// Every module that an import anywhere in the file names: whole names, at their nodes.
std::vector<std::pair<std::string, htp_node>> modules_in(const Store &store, htp_node root) {
  std::vector<std::pair<std::string, htp_node>> result;
  for (const htp_node n : preorder(*store.abi(), root)) {
    if (store.kind(n) == HTP_Import)
      for (const htp_node a : store.items(store.slot(n, HTP_FIELD(Import, names))))
        result.emplace_back(store.text(store.slot(a, HTP_FIELD(alias, name))), n);
    if (store.kind(n) == HTP_ImportFrom && store.slot(n, HTP_FIELD(ImportFrom, module)) &&
        store.slot(n, HTP_FIELD(ImportFrom, level)) == 0)
      result.emplace_back(store.text(store.slot(n, HTP_FIELD(ImportFrom, module))), n);
  }
  return result;
}

} // namespace

void check_python_files(const Subject &subject, Findings &findings) {
  const Manifest &m = subject.manifest;
  if (m.python_module.value.empty()) {
    for (const CheckId id : {CheckId::python_there, CheckId::python_parses, CheckId::python_modules_known,
                             CheckId::python_imports, CheckId::python_quiet, CheckId::python_units})
      findings.not_asked(id, "it has no Python module");
    return;
  }
  const std::string base = base_of(m);
  findings.answer({CheckId::python_there});
  if (!exists(base + "/__init__.py") && !exists(base + ".py")) {
    Finding &f = findings.fail(CheckId::python_there, m, nullptr,
                               fmt::format("the Python module `{}` is not there", m.python_module.value));
    f.diagnostic.span = m.python_module.span;
    f.expected = base + "/__init__.py";
    f.found = "no such file";
    return;
  }
  findings.answer({CheckId::python_parses, CheckId::python_modules_known});
  std::set<std::string> known = {"htp", "numpy", "__future__"};
  for (const Manifest *other : subject.all) known.insert(top_of(other->python_module.value));
  Diagnostics said;
  if (const auto names = call_python("htp.plugin_check", "standard_modules", "", python_folders(), said)) {
    for (size_t at = 0, end; at < names->size(); at = end + 1) {
      end = std::min(names->find('\n', at), names->size());
      known.insert(names->substr(at, end - at));
    }
  }
  for (const std::string &file : files_of(m)) {
    Store store;
    std::vector<InputFile> read;
    Diagnostics parsing;
    const htp_node root = read_program(file, "python", store, read, parsing);
    if (!root) {
      Finding &f = findings.fail(CheckId::python_parses, m, nullptr, fmt::format("`{}` is no Python", file));
      if (!parsing.empty()) {
        f.found = parsing.list().front().message;
        f.diagnostic.span = parsing.list().front().span;
      }
      continue;
    }
    if (said.errors()) continue;
    for (const auto &[module, node] : modules_in(store, root)) {
      if (known.contains(top_of(module))) continue;
      Finding &f = findings.fail(CheckId::python_modules_known, m, nullptr,
                                 fmt::format("it imports `{}`, which no plugin found brings", module));
      f.diagnostic.span = store.span(node);
      f.expected = "the standard library, numpy, htp, or a plugin's module";
      f.found = module;
    }
  }
}

void check_python_import(const Subject &subject, Findings &findings) {
  const Manifest &m = subject.manifest;
  std::vector<std::string> path;
  for (const Manifest *other : subject.all)
    if (!other->python_module.value.empty()) path.push_back(join_path(other->folder, other->python_path.value));
  for (const std::string &folder : python_folders()) path.push_back(folder);
  Diagnostics said;
  call_python("htp.plugin_check", "standard_modules", "", path, said); // the interpreter is up, and numpy with it
  said = {};
  const Watch watch;
  findings.answer({CheckId::python_imports});
  const auto answer = call_python("htp.plugin_check", "import_quietly", m.python_module.value, path, said);
  if (!answer || !answer->empty()) {
    Finding &f = findings.fail(CheckId::python_imports, m, nullptr,
                               fmt::format("the Python module `{}` cannot be imported", m.python_module.value));
    f.diagnostic.span = m.python_module.span;
    f.found = answer ? *answer : said.list().empty() ? "no answer" : said.list().front().message;
    return;
  }
  findings.answer({CheckId::python_quiet, CheckId::python_units});
  for (const Watch::Change &change : watch.changes()) {
    if (change.check == CheckId::closes_files || change.check == CheckId::ends_threads)
      continue; // the interpreter's own
    Finding &f = findings.fail(CheckId::python_quiet, m, nullptr,
                               fmt::format("after the import of `{}` {}", m.python_module.value, change.what));
    f.diagnostic.span = m.python_module.span;
    f.expected = change.expected;
    f.found = change.found;
  }
  Diagnostics units;
  check_python_units(m, units);
  for (const Diagnostic &d : units.list()) findings.take(d);
}

} // namespace htp
