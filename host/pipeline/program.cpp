#include "host/pipeline/program.h"

#include "host/ast/rewrite.h"
#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/suggest.h"
#include "host/parse/parse.h"
#include "host/parse/trivia.h"
#include "host/pipeline/registry.h"
#include "host/pipeline/tree.h"

#include <algorithm>
#include <set>

namespace htp {

namespace {

std::vector<uint32_t> body_of(const Store &store, htp_node module) {
  const Slots body = store.items(store.slot(module, HTP_FIELD(Module, body)));
  return {body.begin(), body.end()};
}

bool is_constant_assignment(const Store &store, htp_node s, std::string *name, htp_node *value) {
  htp_node target = HTP_NONE;
  if (store.kind(s) == HTP_Assign) {
    const Slots targets = store.items(store.slot(s, HTP_FIELD(Assign, targets)));
    if (targets.size() != 1) return false;
    target = targets[0];
    *value = store.slot(s, HTP_FIELD(Assign, value));
  } else if (store.kind(s) == HTP_AnnAssign) {
    target = store.slot(s, HTP_FIELD(AnnAssign, target));
    *value = store.slot(s, HTP_FIELD(AnnAssign, value));
  }
  if (!target || !*value || store.kind(target) != HTP_Name) return false;
  *name = std::string(store.text(store.slot(target, HTP_FIELD(Name, id))));
  return true;
}

// The names a module-level statement binds.
std::vector<std::string> bound_by(const Store &store, htp_node s) {
  std::string name;
  htp_node value = HTP_NONE;
  switch (store.kind(s)) {
  case HTP_FunctionDef:
  case HTP_ClassDef: return {std::string(store.text(store.slot(s, HTP_FIELD(FunctionDef, name))))};
  case HTP_Import:
  case HTP_ImportFrom: {
    std::vector<std::string> names;
    const unsigned field = store.kind(s) == HTP_Import ? HTP_FIELD(Import, names) : HTP_FIELD(ImportFrom, names);
    for (const htp_node a : store.items(store.slot(s, field))) {
      const uint32_t as = store.slot(a, HTP_FIELD(alias, asname));
      const std::string_view full = store.text(store.slot(a, HTP_FIELD(alias, name)));
      names.emplace_back(as ? store.text(as) : full.substr(0, full.find('.')));
    }
    return names;
  }
  default: break;
  }
  if (is_constant_assignment(store, s, &name, &value)) return {name};
  std::vector<std::string> names; // `M, N = htp.dim("M"), htp.dim("N")`
  if (store.kind(s) != HTP_Assign) return names;
  for (const htp_node target : store.items(store.slot(s, HTP_FIELD(Assign, targets))))
    if (store.kind(target) == HTP_Tuple)
      for (const htp_node n : store.items(store.slot(target, HTP_FIELD(Tuple, elts))))
        if (store.kind(n) == HTP_Name) names.emplace_back(store.text(store.slot(n, HTP_FIELD(Name, id))));
  return names;
}

// The names that occur in a statement as loaded names.
std::vector<std::string> used_by(const Store &store, htp_node s) {
  std::vector<std::string> names;
  for (const htp_node n : preorder(*store.abi(), s))
    if (store.kind(n) == HTP_Name) names.emplace_back(store.text(store.slot(n, HTP_FIELD(Name, id))));
  return names;
}

// Those of them that are the module's: what a function binds itself is its own, but for its decorators, annotations and
// defaults, which stand outside of it.
std::vector<std::string> read_by(const Store &store, htp_node s) {
  if (store.kind(s) != HTP_FunctionDef) return used_by(store, s);
  std::set<std::string> own;
  std::vector<std::string> names, inside;
  const auto collect = [&](htp_node part, std::vector<std::string> &into) {
    for (std::string &name : used_by(store, part)) into.push_back(std::move(name));
  };
  for (const htp_node d : store.items(store.slot(s, HTP_FIELD(FunctionDef, decorator_list)))) collect(d, names);
  if (const htp_node returns = store.slot(s, HTP_FIELD(FunctionDef, returns))) collect(returns, names);
  collect(store.slot(s, HTP_FIELD(FunctionDef, args)), names);
  for (const htp_node n : preorder(*store.abi(), s)) {
    if (store.kind(n) == HTP_arg) {
      own.emplace(store.text(store.slot(n, HTP_FIELD(arg, arg))));
      if (const htp_node type = store.slot(n, HTP_FIELD(arg, annotation))) collect(type, names);
    } else if (store.kind(n) == HTP_Name && store.slot(n, HTP_FIELD(Name, ctx)) == HTP_STORE) {
      own.emplace(store.text(store.slot(n, HTP_FIELD(Name, id))));
    } else if (store.kind(n) == HTP_FunctionDef && n != s) {
      own.emplace(store.text(store.slot(n, HTP_FIELD(FunctionDef, name))));
    }
  }
  for (const htp_node b : store.items(store.slot(s, HTP_FIELD(FunctionDef, body)))) collect(b, inside);
  for (std::string &name : inside)
    if (!own.contains(name)) names.push_back(std::move(name));
  return names;
}

// The statements of `module` that define `wanted` and what they reach, in their order; `reads` says what one does.
std::vector<htp_node> reachable(const Store &store, htp_node module, const std::set<std::string> &wanted,
                                std::vector<std::string> (*reads)(const Store &, htp_node) = used_by) {
  const std::vector<uint32_t> body = body_of(store, module);
  std::vector<bool> taken(body.size(), false);
  std::vector<std::string> open(wanted.begin(), wanted.end());
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    for (size_t i = 0; i < body.size(); ++i) {
      if (taken[i]) continue;
      const auto names = bound_by(store, body[i]);
      if (std::find(names.begin(), names.end(), name) == names.end()) continue;
      taken[i] = true;
      for (std::string &used : reads(store, body[i])) open.push_back(std::move(used));
    }
  }
  std::vector<htp_node> result;
  for (size_t i = 0; i < body.size(); ++i)
    if (taken[i]) result.push_back(body[i]);
  return result;
}

std::string literal_type(const Store &store, htp_node n) {
  if (store.kind(n) == HTP_UnaryOp) n = store.slot(n, HTP_FIELD(UnaryOp, operand));
  if (store.kind(n) != HTP_Constant) return "an expression";
  switch (store.constant_at(store.slot(n, HTP_FIELD(Constant, value))).type) {
  case HTP_CONST_INT: return "an int";
  case HTP_CONST_FLOAT: return "a float";
  case HTP_CONST_STR: return "a string";
  case HTP_CONST_TRUE:
  case HTP_CONST_FALSE: return "a bool";
  default: return "a constant";
  }
}

bool beyond_64_bits(const Store &store, htp_node n) {
  if (store.kind(n) == HTP_UnaryOp) n = store.slot(n, HTP_FIELD(UnaryOp, operand));
  return store.constant_at(store.slot(n, HTP_FIELD(Constant, value))).u.i < 0;
}

std::string nearest(const std::string &name, const std::set<std::string> &candidates) {
  return std::string(did_you_mean(name, std::vector<std::string>(candidates.begin(), candidates.end())));
}

std::string listed(const std::vector<std::string> &names) {
  std::string all;
  for (const std::string &name : names) all += (all.empty() ? "`" : ", `") + name + "`";
  return all;
}

} // namespace

htp_node parse_program(const SourceRef &source, Diagnostics &diagnostics, Store &store) {
  const htp_node module = parse_tree(source, diagnostics, store);
  if (module) attach_trivia(store, module, *store.span(module).file);
  return module;
}

htp_node read_program(const std::string &path, std::string_view role, Store &store, std::vector<InputFile> &inputs,
                      Diagnostics &diagnostics, const Span &asked, const Unsaved &unsaved) {
  const auto held = unsaved.empty() ? unsaved.end() : unsaved.find(absolute_path(path));
  auto text = held == unsaved.end() ? read_file(path, 64u << 20) : Expected<std::string, IoError>(held->second);
  if (!text) {
    Diagnostic &d = diagnostics.report(diag::io_unreadable, asked, text.error().path, text.error().reason);
    if (is_folder(path) && exists(join_path(path, "manifest.json")))
      d.hint("this is a package: name the program that it was compiled from");
    return HTP_NONE;
  }
  inputs.push_back({path, std::string(role), sha256(*text)});
  return parse_program(std::make_shared<SourceFile>(path, std::move(*text)), diagnostics, store);
}

namespace {

// Takes in what a program imports from files beside it. Each file is read once, so that a definition that is reached in
// two ways is one node.
class Merger {
public:
  Merger(const std::string &folder, Store &store, std::vector<InputFile> &inputs, Diagnostics &diagnostics,
         const Unsaved &unsaved)
      : folder_(folder), store_(store), inputs_(inputs), diagnostics_(diagnostics), unsaved_(unsaved) {}

  htp_node module(htp_node module) {
    std::vector<uint32_t> merged;
    std::set<htp_node> taken;
    bool changed = false;
    for (const htp_node s : body_of(store_, module)) {
      const std::string sibling = sibling_of(s);
      if (sibling.empty()) {
        merged.push_back(s);
        continue;
      }
      changed = true;
      const bool whole = store_.kind(s) == HTP_Import;
      if (whole && !only_of_attributes(module, s, sibling)) continue;
      if (const htp_node other = file(sibling, s))
        for (const htp_node d :
             reachable(store_, other, whole ? attributes(module, s, sibling, other) : wanted(s, sibling, other))) {
          if (whole) leave_alone(module, d, sibling);
          if (taken.insert(d).second) merged.push_back(d);
        }
    }
    if (!changed) return module;
    for (uint32_t &s : merged) s = by_name(s);
    check_names(merged);
    return store_.with(module, HTP_FIELD(Module, body), store_.list(merged));
  }

private:
  // The file beside the program that the statement imports from, without `.py`; empty: none. That there is none is an
  // input too.
  std::string sibling_of(htp_node s) {
    std::string name;
    if (store_.kind(s) == HTP_ImportFrom && store_.slot(s, HTP_FIELD(ImportFrom, module)))
      name = store_.text(store_.slot(s, HTP_FIELD(ImportFrom, module)));
    else if (store_.kind(s) == HTP_Import)
      name =
          store_.text(store_.slot(store_.items(store_.slot(s, HTP_FIELD(Import, names)))[0], HTP_FIELD(alias, name)));
    if (name.empty() || name == "htp" || name == "__future__" || name == "math" || name.find('.') != std::string::npos)
      return {};
    if (exists(path_of(name))) return name;
    inputs_.push_back({path_of(name), "import", ""});
    return {};
  }
  std::string path_of(const std::string &sibling) const { return join_path(folder_, sibling + ".py"); }

  // The file's module with what it imports itself; 0 with a report.
  htp_node file(const std::string &sibling, htp_node import) {
    const auto [known, fresh] = files_.try_emplace(sibling, std::nullopt);
    if (!fresh) {
      if (!known->second) diagnostics_.report(diag::pipeline_import_cycle, store_.span(import), sibling + ".py");
      return known->second.value_or(HTP_NONE);
    }
    htp_node read = read_program(path_of(sibling), "import", store_, inputs_, diagnostics_, {}, unsaved_);
    if (read) read = module(read);
    files_[sibling] = read;
    return read;
  }

  std::set<std::string> wanted(htp_node import, const std::string &sibling, htp_node other) {
    std::set<std::string> result, offered;
    for (const htp_node d : body_of(store_, other))
      for (std::string &name : bound_by(store_, d)) offered.insert(std::move(name));
    for (const htp_node a : store_.items(store_.slot(import, HTP_FIELD(ImportFrom, names)))) {
      const std::string name(store_.text(store_.slot(a, HTP_FIELD(alias, name))));
      if (name == "*") {
        diagnostics_.report(diag::pipeline_import_star, store_.span(a), sibling + ".py");
      } else if (const htp_node renamed = store_.slot(a, HTP_FIELD(alias, asname))) {
        diagnostics_.report(diag::pipeline_import_renamed, store_.span(a), name, sibling + ".py", store_.text(renamed));
      } else if (!offered.contains(name)) {
        Diagnostic &d = diagnostics_.report(diag::pipeline_import_missing, store_.span(a), sibling + ".py", name);
        if (const std::string near = nearest(name, offered); !near.empty()) d.hint("did you mean `" + near + "`?");
      } else {
        result.insert(name);
      }
    }
    return result;
  }

  // ── `import helpers`, of which `helpers.SCALE` is the definition SCALE
  // ──────────────────────────────────────────────

  std::string_view name_of(htp_node n) const {
    return store_.kind(n) == HTP_Name ? store_.text(store_.slot(n, HTP_FIELD(Name, id))) : std::string_view();
  }
  // What the file is called in the program: `helpers`, or `h` of `import helpers as h`.
  std::string local_of(htp_node import) const {
    const htp_node alias = store_.items(store_.slot(import, HTP_FIELD(Import, names)))[0];
    const uint32_t renamed = store_.slot(alias, HTP_FIELD(alias, asname));
    return std::string(store_.text(renamed ? renamed : store_.slot(alias, HTP_FIELD(alias, name))));
  }
  // The name that an attribute of the file reads; empty of anything else.
  std::string_view attribute_of(htp_node n, std::string_view local) const {
    const bool reads = store_.kind(n) == HTP_Attribute && store_.slot(n, HTP_FIELD(Attribute, ctx)) == HTP_LOAD &&
                       name_of(store_.slot(n, HTP_FIELD(Attribute, value))) == local;
    return reads ? store_.text(store_.slot(n, HTP_FIELD(Attribute, attr))) : std::string_view();
  }
  // The names that a function and what is in it bind.
  std::set<std::string> bound_within(htp_node s) const {
    std::set<std::string> names;
    for (const htp_node n : preorder(*store_.abi(), s)) {
      if (store_.kind(n) == HTP_arg) names.emplace(store_.text(store_.slot(n, HTP_FIELD(arg, arg))));
      if (store_.kind(n) == HTP_FunctionDef && n != s)
        names.emplace(store_.text(store_.slot(n, HTP_FIELD(FunctionDef, name))));
      if (store_.kind(n) == HTP_Name && store_.slot(n, HTP_FIELD(Name, ctx)) != HTP_LOAD) names.emplace(name_of(n));
    }
    return names;
  }

  // Whether attributes of it are all that the program reads of the file, and none is a name of the function that it
  // stands in; reported where not.
  bool only_of_attributes(htp_node module, htp_node import, const std::string &sibling) {
    const std::string local = local_of(import);
    const size_t errors = diagnostics_.errors();
    const auto refuse = [&](htp_node n) {
      diagnostics_.report(diag::pipeline_import_form, store_.span(n), sibling + ".py", sibling);
    };
    if (store_.items(store_.slot(import, HTP_FIELD(Import, names))).size() > 1) refuse(import);
    for (const htp_node s : body_of(store_, module)) {
      const std::set<std::string> own = bound_within(s);
      const auto names = bound_by(store_, s);
      if (s != import && std::ranges::find(names, local) != names.end()) refuse(s);
      std::set<htp_node> read;
      for (const htp_node n : preorder(*store_.abi(), s)) {
        const std::string name(attribute_of(n, local));
        if (!name.empty()) read.insert(store_.slot(n, HTP_FIELD(Attribute, value)));
        if (name_of(n) == local && !read.contains(n)) refuse(n);
        if (own.contains(name))
          diagnostics_.report(diag::pipeline_import_clash, store_.span(n), name, sibling + ".py")
              .hint("rename the local `" + name + "`");
      }
      if (own.contains(local) && diagnostics_.errors() == errors) refuse(s);
    }
    names_.emplace(store_.at(import).file, local);
    return diagnostics_.errors() == errors;
  }

  std::set<std::string> attributes(htp_node module, htp_node import, const std::string &sibling, htp_node other) {
    const std::string local = local_of(import);
    std::set<std::string> result, offered;
    for (const htp_node d : body_of(store_, other))
      for (std::string &name : bound_by(store_, d)) offered.insert(std::move(name));
    for (const htp_node n : preorder(*store_.abi(), module)) {
      const std::string name(attribute_of(n, local));
      if (name.empty() || !result.insert(name).second || offered.contains(name)) continue;
      Diagnostic &d = diagnostics_.report(diag::pipeline_import_missing, store_.span(n), sibling + ".py", name);
      if (const std::string near = nearest(name, offered); !near.empty()) d.hint("did you mean `" + near + "`?");
    }
    return result;
  }

  // What comes along from a file gives no other meaning to a name that the program reads as it is: a builtin's.
  void leave_alone(htp_node module, htp_node definition, const std::string &sibling) {
    std::set<std::string> own;
    for (const htp_node s : body_of(store_, module))
      for (std::string &name : bound_by(store_, s)) own.insert(std::move(name));
    for (const std::string &name : bound_by(store_, definition)) {
      if (own.contains(name)) continue; // check_names
      for (const htp_node n : preorder(*store_.abi(), module))
        if (name_of(n) == name)
          return void(diagnostics_.report(diag::pipeline_import_clash, store_.span(n), name, sibling + ".py")
                          .label(store_.span(definition), "the other definition"));
    }
  }

  // The statement with the names of what it reads through its file's imports.
  htp_node by_name(htp_node s) {
    const auto reads = [&](htp_node n) {
      if (store_.kind(n) != HTP_Attribute) return false;
      const std::string local(name_of(store_.slot(n, HTP_FIELD(Attribute, value))));
      return names_.contains({store_.at(s).file, local}) && !attribute_of(n, local).empty();
    };
    if (names_.empty() || std::ranges::none_of(preorder(*store_.abi(), s), reads)) return s;
    RewriteRules rules;
    rules.leave = [&](htp_node n) {
      return reads(n) ? store_.node(HTP_Name, {store_.slot(n, HTP_FIELD(Attribute, attr)), HTP_LOAD}, n) : n;
    };
    return rewrite(store_, s, rules);
  }

  // One name means one thing: what two files bind under one name must be the same import, or the same assignment,
  // `M = htp.dim("M")`, which then stands once.
  void check_names(std::vector<uint32_t> &body) {
    struct Bound {
      htp_node statement;
      std::string meaning; // of an import
    };
    std::map<std::string, Bound> seen;
    const auto bind = [&](const std::string &name, htp_node s, const std::string &meaning) {
      const auto [it, fresh] = seen.emplace(name, Bound{s, meaning});
      if (fresh || store_.at(it->second.statement).file == store_.at(s).file) return;
      if (!meaning.empty() && meaning == it->second.meaning) return;
      diagnostics_
          .report(diag::pipeline_import_clash, store_.span(s), name, store_.span(it->second.statement).file->path)
          .label(store_.span(it->second.statement), "the other definition");
    };
    for (const htp_node s : body) {
      const htp_node alone = store_.node(HTP_Module, {store_.list({s}), store_.list(Slots{})});
      const auto imports = imports_of(store_, alone);
      for (const Imported &i : imports) bind(i.local, s, i.module + ":" + i.name);
      const auto assigned = assignments(s);
      if (!imports.empty()) continue;
      for (const std::string &bound : bound_by(store_, s)) {
        const auto it = std::ranges::find(assigned, bound, &Assigned::name);
        bind(bound, s, it == assigned.end() ? "" : "= " + unparse(*store_.abi(), it->value));
      }
    }
    // Of the same assignments of two files the first stays; a file's own that repeats itself is as it is written.
    std::map<std::string, const SourceFile *> first;
    std::vector<uint32_t> kept;
    for (const uint32_t s : body) {
      const auto assigned = assignments(s);
      const SourceFile *file = store_.span(s).file.get();
      std::vector<uint32_t> names, values;
      for (const Assigned &each : assigned)
        if (first.emplace(each.name, file).first->second == file)
          names.push_back(each.target), values.push_back(each.value);
      if (names.size() == assigned.size())
        kept.push_back(s);
      else if (!names.empty())
        kept.push_back(
            store_.with(store_.with(s, HTP_FIELD(Assign, targets), store_.list({tuple(names, HTP_STORE, s)})),
                        HTP_FIELD(Assign, value), tuple(values, HTP_LOAD, s)));
    }
    body = std::move(kept);
  }

  struct Assigned {
    std::string name;
    htp_node target, value;
  };
  // What an assignment binds: one name, or several of a tuple that is written out.
  std::vector<Assigned> assignments(htp_node s) const {
    std::vector<Assigned> result;
    Assigned one{"", HTP_NONE, HTP_NONE};
    if (is_constant_assignment(store_, s, &one.name, &one.value)) {
      one.target = store_.kind(s) == HTP_Assign ? store_.items(store_.slot(s, HTP_FIELD(Assign, targets)))[0]
                                                : store_.slot(s, HTP_FIELD(AnnAssign, target));
      return {one};
    }
    if (store_.kind(s) != HTP_Assign) return result;
    const Slots targets = store_.items(store_.slot(s, HTP_FIELD(Assign, targets)));
    const htp_node value = store_.slot(s, HTP_FIELD(Assign, value));
    if (targets.size() != 1 || store_.kind(targets[0]) != HTP_Tuple || store_.kind(value) != HTP_Tuple) return result;
    const Slots names = store_.items(store_.slot(targets[0], HTP_FIELD(Tuple, elts))),
                values = store_.items(store_.slot(value, HTP_FIELD(Tuple, elts)));
    if (names.size() != values.size()) return result;
    for (size_t k = 0; k < names.size(); ++k) {
      if (store_.kind(names[k]) != HTP_Name) return {};
      result.push_back({std::string(store_.text(store_.slot(names[k], HTP_FIELD(Name, id)))), names[k], values[k]});
    }
    return result;
  }
  htp_node tuple(const std::vector<uint32_t> &elements, uint32_t context, htp_node origin) {
    return store_.node(HTP_Tuple, {store_.list(elements), context}, origin);
  }

  const std::string &folder_;
  Store &store_;
  std::vector<InputFile> &inputs_;
  Diagnostics &diagnostics_;
  const Unsaved &unsaved_;
  std::map<std::string, std::optional<htp_node>> files_; // nothing: being read
  std::set<std::pair<uint32_t, std::string>> names_;     // of a file: what it calls files that it imports
};

} // namespace

htp_node merge_siblings(htp_node module, const std::string &folder, Store &store, std::vector<InputFile> &inputs,
                        Diagnostics &diagnostics, const Unsaved &unsaved) {
  return Merger(folder, store, inputs, diagnostics, unsaved).module(module);
}

namespace {

bool calls(const Store &store, const std::vector<Imported> &imports, htp_node value, std::string_view name) {
  return store.kind(value) == HTP_Call &&
         qualified_name(store, imports, store.slot(value, HTP_FIELD(Call, func))) == name;
}

// Of `htp.choice(16, 8, 32)` the first; of anything else the expression itself.
htp_node first_choice(const Store &store, const std::vector<Imported> &imports, htp_node value) {
  if (!calls(store, imports, value, "htp.choice")) return value;
  const Slots of = store.items(store.slot(value, HTP_FIELD(Call, args)));
  return of.empty() ? value : of[0];
}

// `M, N = htp.dim("M"), htp.dim("N")` as an assignment of each, where one of them is given a value and none of them
// reads another; the statement itself otherwise.
std::vector<uint32_t> apart(htp_node s, const std::map<std::string, Text> &values, Store &store,
                            const std::vector<Imported> &imports) {
  if (store.kind(s) != HTP_Assign) return {s};
  const Slots targets = store.items(store.slot(s, HTP_FIELD(Assign, targets)));
  const htp_node value = store.slot(s, HTP_FIELD(Assign, value));
  if (targets.size() != 1 || store.kind(targets[0]) != HTP_Tuple || store.kind(value) != HTP_Tuple) return {s};
  const Slots names = store.items(store.slot(targets[0], HTP_FIELD(Tuple, elts))),
              of = store.items(store.slot(value, HTP_FIELD(Tuple, elts)));
  const auto is_given = [&](htp_node name) {
    return store.kind(name) == HTP_Name &&
           values.contains(std::string(store.text(store.slot(name, HTP_FIELD(Name, id)))));
  };
  const auto reads_nothing = [&](htp_node v) {
    return calls(store, imports, v, "htp.dim") || literal_type(store, v) != "an expression";
  };
  if (names.size() != of.size() || std::ranges::none_of(names, is_given) || !std::ranges::all_of(of, reads_nothing))
    return {s};
  const std::vector<uint32_t> left(names.begin(), names.end()), right(of.begin(), of.end());
  std::vector<uint32_t> each;
  for (size_t k = 0; k < left.size(); ++k)
    each.push_back(k == 0 ? store.with(store.with(s, HTP_FIELD(Assign, targets), store.list({left[k]})),
                                       HTP_FIELD(Assign, value), right[k])
                          : store.node(HTP_Assign, {store.list({left[k]}), right[k], 0}, s));
  return each;
}

} // namespace

bool check_dims(htp_node module, const Store &store, Diagnostics &diagnostics) {
  const std::vector<Imported> imports = imports_of(store, module);
  const size_t errors = diagnostics.errors();
  const auto check = [&](htp_node target, htp_node value) {
    if (store.kind(target) != HTP_Name || !calls(store, imports, value, "htp.dim")) return;
    const Slots given = store.items(store.slot(value, HTP_FIELD(Call, args)));
    const std::string_view name = store.text(store.slot(target, HTP_FIELD(Name, id)));
    if (given.size() != 1 || string_of(store, given[0]) != name)
      diagnostics.report(diag::pipeline_dim_name, store.span(value), name);
  };
  for (const htp_node s : body_of(store, module)) {
    if (store.kind(s) != HTP_Assign) continue;
    const Slots targets = store.items(store.slot(s, HTP_FIELD(Assign, targets)));
    const htp_node value = store.slot(s, HTP_FIELD(Assign, value));
    if (targets.size() != 1) continue;
    if (store.kind(targets[0]) != HTP_Tuple || store.kind(value) != HTP_Tuple) {
      check(targets[0], value);
      continue;
    }
    const Slots names = store.items(store.slot(targets[0], HTP_FIELD(Tuple, elts))),
                of = store.items(store.slot(value, HTP_FIELD(Tuple, elts)));
    for (size_t k = 0; k < std::min(names.size(), of.size()); ++k) check(names[k], of[k]);
  }
  return diagnostics.errors() == errors;
}

htp_node only_reached(htp_node module, const std::string &entry, Store &store) {
  std::vector<uint32_t> kept;
  std::set<std::string> used;
  for (const htp_node s : reachable(store, module, {entry}, read_by)) {
    kept.push_back(s);
    for (std::string &name : read_by(store, s)) used.insert(std::move(name));
  }
  for (uint32_t &s : kept) { // `import htp, numpy`
    const bool plain = store.kind(s) == HTP_Import;
    if (!plain && store.kind(s) != HTP_ImportFrom) continue;
    const unsigned field = plain ? HTP_FIELD(Import, names) : HTP_FIELD(ImportFrom, names);
    const Slots all = store.items(store.slot(s, field));
    const std::vector<std::string> names = bound_by(store, s);
    std::vector<uint32_t> left;
    for (size_t k = 0; k < all.size(); ++k)
      if (used.contains(names[k])) left.push_back(all[k]);
    if (left.size() < all.size()) s = store.with(s, field, store.list(left));
  }
  return kept.empty() ? module : store.with(module, HTP_FIELD(Module, body), store.list(kept));
}

htp_node without_jit(htp_node module, Store &store) {
  const std::vector<Imported> imports = imports_of(store, module);
  std::vector<uint32_t> body = body_of(store, module);
  for (uint32_t &s : body) {
    if (store.kind(s) != HTP_FunctionDef) continue;
    const Slots all = store.items(store.slot(s, HTP_FIELD(FunctionDef, decorator_list)));
    std::vector<uint32_t> kept(all.begin(), all.end());
    if (std::erase_if(kept, [&](htp_node d) { return calls(store, imports, d, "htp.jit"); }))
      s = store.with(s, HTP_FIELD(FunctionDef, decorator_list), store.list(kept));
  }
  return store.with(module, HTP_FIELD(Module, body), store.list(body));
}

htp_node set_constants(htp_node module, const std::map<std::string, Text> &values, Store &store,
                       Diagnostics &diagnostics) {
  const std::vector<Imported> imports = imports_of(store, module);
  std::vector<uint32_t> body;
  for (const uint32_t s : body_of(store, module))
    for (const uint32_t one : apart(s, values, store, imports)) body.push_back(one);
  std::set<std::string> done, constants;
  bool changed = false;
  for (uint32_t &s : body) {
    std::string name;
    htp_node value = HTP_NONE;
    if (!is_constant_assignment(store, s, &name, &value)) continue;
    const unsigned field = store.kind(s) == HTP_Assign ? HTP_FIELD(Assign, value) : HTP_FIELD(AnnAssign, value);
    if (const htp_node first = first_choice(store, imports, value); first != value) {
      s = store.with(s, field, first);
      value = first;
      changed = true;
    }
    // `M = htp.dim("M")` takes a size: the program is compiled for that alone then.
    const std::string type = calls(store, imports, value, "htp.dim") ? "an int" : literal_type(store, value);
    if (type == "an expression") continue;
    constants.insert(name);
    const auto it = values.find(name);
    if (it == values.end()) continue;
    Diagnostics quiet;
    const std::string &text = it->second.value;
    htp_node fresh = parse_expression(text, value, quiet, store);
    // A string needs no quotes on the command line.
    if (type == "a string" && (!fresh || literal_type(store, fresh) != type))
      fresh = store.node(HTP_Constant, {store.constant(HTP_CONST_STR, text), 0}, value);
    const bool wide = fresh && type == "an int" && beyond_64_bits(store, fresh);
    if (!fresh || literal_type(store, fresh) != type || wide) {
      diagnostics.report(diag::pipeline_bad_set, it->second.span, name, text, wide ? "an int of 64 bits" : type)
          .label(store.span(value), "the value to replace");
    } else {
      s = store.with(s, field, fresh);
      changed = true;
    }
    done.insert(name);
  }
  for (const auto &[name, value] : values) {
    if (done.contains(name)) continue;
    Diagnostic &d = diagnostics.report(diag::pipeline_unknown_set, value.span, name);
    if (const std::string near = nearest(name, constants); !near.empty()) d.hint("did you mean `" + near + "`?");
  }
  return changed ? store.with(module, HTP_FIELD(Module, body), store.list(body)) : module;
}

namespace {

// Whether a plugin takes the intrinsic for this target; without one, for any.
bool is_handled(const std::vector<const Manifest *> &manifests, const std::string &intrinsic,
                const std::string &target = "") {
  return std::any_of(manifests.begin(), manifests.end(), [&](const Manifest *m) {
    return std::any_of(m->units.begin(), m->units.end(), [&](const Unit &u) {
      return u.kind == UnitKind::handlers &&
             (target.empty() || u.backend == target || u.backend.value.starts_with('$')) &&
             std::any_of(u.members.begin(), u.members.end(), [&](const Text &t) { return t == intrinsic; });
    });
  });
}

// Uses each call of an intrinsic that some manifest declares: use(intrinsic, call, as it is written).
template <class Use>
void each_intrinsic_call(htp_node module, const std::vector<const Manifest *> &manifests, const Store &store, Use use) {
  std::map<std::string, std::string> own_name; // "htp_tile.exp" → "tile.exp"
  for (const Manifest *manifest : manifests)
    for (const Unit &unit : manifest->units)
      if (unit.kind == UnitKind::intrinsics)
        for (const Text &member : unit.members)
          own_name.emplace(manifest->python_module.value + "." + member.value.substr(member.value.rfind('.') + 1),
                           member.value);
  const auto imports = imports_of(store, module);
  for (const htp_node n : preorder(*store.abi(), module)) {
    if (store.kind(n) != HTP_Call) continue;
    const htp_node function = store.slot(n, HTP_FIELD(Call, func));
    if (const auto it = own_name.find(qualified_name(store, imports, function)); it != own_name.end())
      use(it->second, n, "`" + dotted_name(store, function) + "(…)`");
  }
}

} // namespace

std::vector<Need> needs_of(htp_node module, const std::string &target, const std::vector<const Manifest *> &manifests,
                           const Store &store) {
  std::vector<Need> needs;
  std::set<std::string> asked;
  const auto need = [&](const std::string &term, const Span &span, const std::string &phrase) {
    if (!asked.insert(term).second) return;
    Diagnostics none;
    if (auto requirement = parse_requirement(term, span, none))
      needs.push_back({std::move(*requirement), span, phrase});
  };
  for (const Imported &i : imports_of(store, module))
    if (i.module != "htp" && i.module != "__future__" && i.module != "typing" && i.module != "math" &&
        !i.module.starts_with("htp."))
      need("Python.Module(name=\"" + i.module + "\")", store.span(i.statement),
           i.name.empty() ? "`import " + i.module + "`" : "`from " + i.module + " import`");
  // Only a hint to the resolver: a dialect's own passes may take the intrinsic out before any handler is asked for.
  each_intrinsic_call(
      module, manifests, store, [&](const std::string &intrinsic, htp_node call, const std::string &said) {
        if (is_handled(manifests, intrinsic, target))
          need("Intrinsic.Handler(op=\"" + intrinsic + "\", backend=" + target + ")", store.span(call), said);
      });
  return needs;
}

void report_unhandled(htp_node module, const std::string &target, const std::vector<const Manifest *> &manifests,
                      const std::vector<const Unit *> &passes, const Store &store, Diagnostics &diagnostics) {
  std::set<std::string> told;
  for (const Unit *pass : passes)
    for (const Text &intrinsic : pass->takes) told.insert(intrinsic.value);
  each_intrinsic_call(module, manifests, store,
                      [&](const std::string &intrinsic, htp_node call, const std::string &said) {
                        if (is_handled(manifests, intrinsic) && !is_handled(manifests, intrinsic, target) &&
                            told.insert(intrinsic).second)
                          diagnostics.report(diag::pipeline_unhandled, store.span(call), said, target);
                      });
}

// Of the entries those that no other one calls, through what it calls and what that is decorated with.
static std::vector<std::string> not_called(htp_node module, const Store &store,
                                           const std::vector<std::string> &entries) {
  std::map<std::string, std::set<std::string>, std::less<>> names; // function → names in it
  for (const htp_node s : body_of(store, module))
    if (store.kind(s) == HTP_FunctionDef) {
      auto &mentioned = names[std::string(store.text(store.slot(s, HTP_FIELD(FunctionDef, name))))];
      for (const htp_node n : preorder(*store.abi(), s))
        if (store.kind(n) == HTP_Name) mentioned.emplace(store.text(store.slot(n, HTP_FIELD(Name, id))));
    }
  std::vector<std::string> left;
  for (const std::string &entry : entries) {
    const bool called = std::any_of(entries.begin(), entries.end(), [&](const std::string &other) {
      if (other == entry) return false;
      std::vector<std::string> open{other};
      std::set<std::string> seen;
      while (!open.empty()) {
        const std::string function = open.back();
        open.pop_back();
        const auto it = names.find(function);
        if (it == names.end() || !seen.insert(function).second) continue;
        if (function == entry) return true;
        open.insert(open.end(), it->second.begin(), it->second.end());
      }
      return false;
    });
    if (!called) left.push_back(entry);
  }
  return left;
}

namespace {
htp_node star_import(const Store &store, htp_node module) {
  for (const htp_node s : body_of(store, module)) {
    if (store.kind(s) != HTP_ImportFrom) continue;
    for (const htp_node a : store.items(store.slot(s, HTP_FIELD(ImportFrom, names))))
      if (store.text(store.slot(a, HTP_FIELD(alias, name))) == "*") return s;
  }
  return HTP_NONE;
}
} // namespace

std::string choose_entry(htp_node module, const Text &asked, const Registry &registry, const Store &store,
                         Diagnostics &diagnostics) {
  std::vector<std::string> first, others; // by the dialects' main decorator, and by their others
  const auto imports = imports_of(store, module);
  for (const htp_node s : body_of(store, module)) {
    if (store.kind(s) != HTP_FunctionDef) continue;
    for (htp_node decorator : store.items(store.slot(s, HTP_FIELD(FunctionDef, decorator_list)))) {
      if (store.kind(decorator) == HTP_Call) decorator = store.slot(decorator, HTP_FIELD(Call, func));
      const std::string name = qualified_name(store, imports, decorator);
      for (const UnitRef *ref : registry.of(UnitKind::dialect)) {
        const auto *dialect = static_cast<const htp_dialect *>(ref->interface);
        for (const char *const *d = dialect->decorators; *d; ++d)
          if (name == std::string(dialect->module) + "." + *d) {
            // One of two dialects, as a pipeline is that is a kernel by now, is one entry.
            auto &list = d == dialect->decorators ? first : others;
            const std::string_view entry = store.text(store.slot(s, HTP_FIELD(FunctionDef, name)));
            if (list.empty() || list.back() != entry) list.emplace_back(entry);
          }
      }
    }
  }
  const std::string path = store.span(module).file ? store.span(module).file->path : std::string("the program");
  if (!asked.value.empty()) {
    first.insert(first.end(), others.begin(), others.end());
    if (std::find(first.begin(), first.end(), asked.value) != first.end()) return asked.value;
    Diagnostic &d = diagnostics.report(diag::pipeline_unknown_entry, asked.span, asked.value);
    if (const std::string_view near = did_you_mean(asked.value, first); !near.empty())
      d.hint("did you mean `" + std::string(near) + "`?");
    else if (!first.empty())
      d.hint("it has: " + listed(first));
    else if (const htp_node all = star_import(store, module))
      d.label(store.span(all), "a star brings no name that a compile sees")
          .hint("in place of `*`, import each name that is used");
    return {};
  }
  if (first.size() == 1) return first[0];
  if (const auto left = not_called(module, store, first); left.size() == 1) return left[0];
  if (first.empty()) {
    Diagnostic &d = diagnostics.report(diag::pipeline_no_entry, Span{store.span(module).file, 0, 0, 0, 0}, path);
    if (const htp_node all = star_import(store, module))
      d.label(store.span(all), "a star brings no name that a compile sees")
          .hint("in place of `*`, import each name that is used");
    else
      d.hint("mark a function, for instance with `@kernel`");
    return {};
  }
  diagnostics.report(diag::pipeline_which_entry, Span{store.span(module).file, 0, 0, 0, 0}, path, listed(first))
      .hint("give `--entry NAME`");
  return {};
}

} // namespace htp
