#include "host/pipeline/names.h"

#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/base/suggest.h"
#include "host/parse/parse.h"

#include <htp_cpp/constants.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>

namespace htp {

namespace {

// Every name that is bound anywhere below the node; nothing when that cannot be told (`import *`).
std::optional<std::set<std::string>> bound_in(const Store &store, htp_node root) {
  std::set<std::string> names;
  const auto add = [&](uint32_t text) {
    if (text) names.emplace(store.text(text));
  };
  for (const htp_node n : preorder(*store.abi(), root)) {
    switch (store.kind(n)) {
    case HTP_FunctionDef:
    case HTP_AsyncFunctionDef:
    case HTP_ClassDef: add(store.slot(n, HTP_FIELD(FunctionDef, name))); break;
    case HTP_Name:
      if (store.slot(n, HTP_FIELD(Name, ctx)) == HTP_STORE) add(store.slot(n, HTP_FIELD(Name, id)));
      break;
    case HTP_Global:
      for (const uint32_t name : store.items(store.slot(n, HTP_FIELD(Global, names)))) add(name);
      break;
    case HTP_ExceptHandler: add(store.slot(n, HTP_FIELD(ExceptHandler, name))); break;
    case HTP_MatchAs: add(store.slot(n, HTP_FIELD(MatchAs, name))); break;
    case HTP_MatchStar: add(store.slot(n, HTP_FIELD(MatchStar, name))); break;
    case HTP_MatchMapping: add(store.slot(n, HTP_FIELD(MatchMapping, rest))); break;
    case HTP_alias: {
      if (store.slot(n, HTP_FIELD(alias, asname))) {
        add(store.slot(n, HTP_FIELD(alias, asname)));
        break;
      }
      const std::string_view whole = store.text(store.slot(n, HTP_FIELD(alias, name)));
      if (whole == "*") return std::nullopt;
      names.emplace(whole.substr(0, whole.find('.')));
      break;
    }
    default: break;
    }
  }
  return names;
}

std::optional<std::set<std::string>> bound_in(const std::string &path) {
  auto text = read_file(path, 1u << 24);
  if (!text) return std::nullopt;
  Store store;
  Diagnostics none;
  const htp_node root = parse_tree(std::make_shared<SourceFile>(path, std::move(*text)), none, store);
  return root ? bound_in(store, root) : std::nullopt;
}

std::string nearest(const std::string &wanted, const std::set<std::string> &names) {
  const std::vector<std::string> candidates(names.begin(), names.end());
  return std::string(did_you_mean(wanted, candidates));
}

bool is_function(uint32_t kind) {
  return kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef || kind == HTP_Lambda;
}

// Names read when a statement of the module runs: everything below it but the bodies of functions, and annotations too
// when they are strings to be read later.
void each_read(const Store &store, htp_node n, bool annotations, const std::function<void(htp_node)> &read) {
  const uint32_t kind = store.kind(n);
  if (kind == HTP_Name) {
    if (store.slot(n, HTP_FIELD(Name, ctx)) == HTP_LOAD) read(n);
    return;
  }
  const auto go = [&](htp_node child) {
    if (child) each_read(store, child, annotations, read);
  };
  if (kind == HTP_Lambda) return go(store.slot(n, HTP_FIELD(Lambda, args)));
  if (kind == HTP_arg || kind == HTP_AnnAssign) {
    if (annotations) go(store.slot(n, kind == HTP_arg ? HTP_FIELD(arg, annotation) : HTP_FIELD(AnnAssign, annotation)));
    if (kind == HTP_AnnAssign) go(store.slot(n, HTP_FIELD(AnnAssign, value)));
    return;
  }
  if (is_function(kind)) {
    for (const htp_node d : store.items(store.slot(n, HTP_FIELD(FunctionDef, decorator_list)))) go(d);
    go(store.slot(n, HTP_FIELD(FunctionDef, args)));
    if (annotations) go(store.slot(n, HTP_FIELD(FunctionDef, returns)));
    return;
  }
  for_each_child(*store.abi(), n, go);
}

// What every module finds bound, in Python 3.11 to 3.14.
constexpr std::string_view builtins[] = {"ArithmeticError",
                                         "AssertionError",
                                         "AttributeError",
                                         "BaseException",
                                         "BaseExceptionGroup",
                                         "BlockingIOError",
                                         "BrokenPipeError",
                                         "BufferError",
                                         "BytesWarning",
                                         "ChildProcessError",
                                         "ConnectionAbortedError",
                                         "ConnectionError",
                                         "ConnectionRefusedError",
                                         "ConnectionResetError",
                                         "DeprecationWarning",
                                         "EOFError",
                                         "Ellipsis",
                                         "EncodingWarning",
                                         "EnvironmentError",
                                         "Exception",
                                         "ExceptionGroup",
                                         "False",
                                         "FileExistsError",
                                         "FileNotFoundError",
                                         "FloatingPointError",
                                         "FutureWarning",
                                         "GeneratorExit",
                                         "IOError",
                                         "ImportError",
                                         "ImportWarning",
                                         "IndentationError",
                                         "IndexError",
                                         "InterruptedError",
                                         "IsADirectoryError",
                                         "KeyError",
                                         "KeyboardInterrupt",
                                         "LookupError",
                                         "MemoryError",
                                         "ModuleNotFoundError",
                                         "NameError",
                                         "None",
                                         "NotADirectoryError",
                                         "NotImplemented",
                                         "NotImplementedError",
                                         "OSError",
                                         "OverflowError",
                                         "PendingDeprecationWarning",
                                         "PermissionError",
                                         "ProcessLookupError",
                                         "RecursionError",
                                         "ReferenceError",
                                         "ResourceWarning",
                                         "RuntimeError",
                                         "RuntimeWarning",
                                         "StopAsyncIteration",
                                         "StopIteration",
                                         "SyntaxError",
                                         "SyntaxWarning",
                                         "SystemError",
                                         "SystemExit",
                                         "TabError",
                                         "TimeoutError",
                                         "True",
                                         "TypeError",
                                         "UnboundLocalError",
                                         "UnicodeDecodeError",
                                         "UnicodeEncodeError",
                                         "UnicodeError",
                                         "UnicodeTranslateError",
                                         "UnicodeWarning",
                                         "UserWarning",
                                         "ValueError",
                                         "Warning",
                                         "ZeroDivisionError",
                                         "__build_class__",
                                         "__builtins__",
                                         "__debug__",
                                         "__doc__",
                                         "__file__",
                                         "__import__",
                                         "__loader__",
                                         "__name__",
                                         "__package__",
                                         "__spec__",
                                         "abs",
                                         "aiter",
                                         "all",
                                         "anext",
                                         "any",
                                         "ascii",
                                         "bin",
                                         "bool",
                                         "breakpoint",
                                         "bytearray",
                                         "bytes",
                                         "callable",
                                         "chr",
                                         "classmethod",
                                         "compile",
                                         "complex",
                                         "delattr",
                                         "dict",
                                         "dir",
                                         "divmod",
                                         "enumerate",
                                         "eval",
                                         "exec",
                                         "filter",
                                         "float",
                                         "format",
                                         "frozenset",
                                         "getattr",
                                         "globals",
                                         "hasattr",
                                         "hash",
                                         "help",
                                         "hex",
                                         "id",
                                         "input",
                                         "int",
                                         "isinstance",
                                         "issubclass",
                                         "iter",
                                         "len",
                                         "list",
                                         "locals",
                                         "map",
                                         "max",
                                         "memoryview",
                                         "min",
                                         "next",
                                         "object",
                                         "oct",
                                         "open",
                                         "ord",
                                         "pow",
                                         "print",
                                         "property",
                                         "range",
                                         "repr",
                                         "reversed",
                                         "round",
                                         "set",
                                         "setattr",
                                         "slice",
                                         "sorted",
                                         "staticmethod",
                                         "str",
                                         "sum",
                                         "super",
                                         "tuple",
                                         "type",
                                         "vars",
                                         "zip"};

bool is_builtin(std::string_view name) { return std::binary_search(std::begin(builtins), std::end(builtins), name); }

const Manifest *owner_of(const std::string &module, const std::vector<const Manifest *> &manifests) {
  for (const Manifest *manifest : manifests)
    if (!module.empty() && manifest->python_module.value == module) return manifest;
  return nullptr;
}

} // namespace

void check_imports(const Store &store, htp_node module, const std::vector<const Manifest *> &manifests,
                   Diagnostics &diagnostics) {
  for (const htp_node s : store.items(store.slot(module, HTP_FIELD(Module, body)))) {
    if (store.kind(s) != HTP_ImportFrom) continue;
    const uint32_t from = store.slot(s, HTP_FIELD(ImportFrom, module));
    const std::string name = from ? std::string(store.text(from)) : std::string();
    const Manifest *owner = owner_of(name, manifests);
    if (!owner) continue;
    const std::string path = join_path(join_path(owner->folder, owner->python_path.value), name);
    const auto names = bound_in(is_folder(path) ? path + "/__init__.py" : path + ".py");
    if (!names) continue;
    for (const htp_node a : store.items(store.slot(s, HTP_FIELD(ImportFrom, names)))) {
      const std::string wanted(store.text(store.slot(a, HTP_FIELD(alias, name))));
      if (wanted == "*" || names->contains(wanted)) continue;
      Diagnostic &d = diagnostics.report(diag::pipeline_unknown_import, store.span(a), name, wanted);
      const std::string near = nearest(wanted, *names);
      d.hint(near.empty() ? "`htp-host plugins show " + owner->id.value + "` tells what it brings"
                          : "did you mean `" + near + "`?");
    }
  }
}

void check_bound(const Store &store, htp_node module, Diagnostics &diagnostics) {
  const Slots body = store.items(store.slot(module, HTP_FIELD(Module, body)));
  std::set<std::string> bound;
  bool annotations = true;
  for (const htp_node s : body) {
    if (store.kind(s) == HTP_ImportFrom) {
      const uint32_t from = store.slot(s, HTP_FIELD(ImportFrom, module));
      for (const htp_node a : store.items(store.slot(s, HTP_FIELD(ImportFrom, names))))
        if (from && store.text(from) == "__future__" &&
            store.text(store.slot(a, HTP_FIELD(alias, name))) == "annotations")
          annotations = false;
    }
    auto own = bound_in(store, s);
    if (!own) return;
    // What a statement binds counts as bound for all of it (a loop's names, a comprehension's), but for the targets of
    // an assignment.
    const auto within = store.kind(s) == HTP_Assign ? bound_in(store, store.slot(s, HTP_FIELD(Assign, value))) : own;
    std::set<std::string> told;
    each_read(store, s, annotations, [&](htp_node n) {
      const std::string name(store.text(store.slot(n, HTP_FIELD(Name, id))));
      if (is_builtin(name) || bound.contains(name) || within->contains(name) || !told.insert(name).second) return;
      std::set<std::string> known = bound;
      known.insert(within->begin(), within->end());
      Diagnostic &d = diagnostics.report(diag::pipeline_undefined_name, store.span(n), name);
      if (const std::string near = nearest(name, known); !near.empty())
        d.hint("did you mean `" + near + "`?");
      else
        d.hint("bind it above this line, or import it");
    });
    bound.merge(*own);
  }
}

namespace {

// Whether Python's `float` or `int` takes a text: digits, which `_` may stand between, or what is no number or
// infinite.
bool is_number(std::string text, bool real) {
  const auto blank = [](char ch) { return std::string_view(" \t\n\r\f\v").find(ch) != std::string_view::npos; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  const auto begin = std::find_if_not(text.begin(), text.end(), blank);
  text.erase(text.begin(), begin);
  for (size_t at = 1; at + 1 < text.size(); ++at)
    if (text[at] == '_' && std::isdigit(static_cast<unsigned char>(text[at - 1])) &&
        std::isdigit(static_cast<unsigned char>(text[at + 1])))
      text.erase(at--, 1);
  char *end = nullptr;
  if (real)
    std::strtod(text.c_str(), &end);
  else
    std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && text.find_first_of("xX(") == std::string::npos;
}

} // namespace

void check_numbers(const Store &store, htp_node module, Diagnostics &diagnostics) {
  const sdk::Reader reader(store.abi());
  const sdk::Constants constants(reader, module);
  const auto report = [&](htp_node n, std::string_view why) {
    diagnostics.report(diag::pipeline_no_number, store.span(n), unparse(*store.abi(), n), why);
  };
  reader.each(module, [&](htp_node n) {
    if (is_function(store.kind(n))) return false;
    if (const auto sum = reader.as<sdk::ast::BinOp>(n)) {
      const auto by = constants.number(sum.right());
      const bool divides = sum.op() == HTP_Div || sum.op() == HTP_FloorDiv || sum.op() == HTP_Mod;
      if (divides && by && by->as_double() == 0 && constants.number(sum.left())) report(n, "it divides by 0");
    }
    const auto call = reader.as<sdk::ast::Call>(n);
    const std::string_view called = call ? reader.name_of(call.func()) : std::string_view();
    std::string_view text;
    if ((called == "float" || called == "int") && call.args().size() == 1 && reader.string(call.args()[0], &text) &&
        !is_number(std::string(text), called == "float"))
      report(n, "the text is no number");
    return true;
  });
}

} // namespace htp
