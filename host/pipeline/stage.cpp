#include "host/pipeline/stage.h"

#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/hash.h"
#include "host/pipeline/tree.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::vector<uint32_t> body_of(const Store &store, htp_node module) {
  const Slots body = store.items(store.slot(module, HTP_FIELD(Module, body)));
  return {body.begin(), body.end()};
}

htp_node with_body(Store &store, htp_node module, const std::vector<uint32_t> &body) {
  return store.with(module, HTP_FIELD(Module, body), store.list(body));
}

bool is_docstring(const Store &store, htp_node s) {
  return store.kind(s) == HTP_Expr && string_of(store, store.slot(s, HTP_FIELD(Expr, value)));
}
bool is_future_import(const Store &store, htp_node s) {
  return store.kind(s) == HTP_ImportFrom && store.slot(s, HTP_FIELD(ImportFrom, module)) &&
         store.text(store.slot(s, HTP_FIELD(ImportFrom, module))) == "__future__";
}
bool imports_htp(const Store &store, htp_node s) {
  if (store.kind(s) != HTP_Import) return false;
  for (const htp_node a : store.items(store.slot(s, HTP_FIELD(Import, names))))
    if (store.text(store.slot(a, HTP_FIELD(alias, name))) == "htp" && !store.slot(a, HTP_FIELD(alias, asname)))
      return true;
  return false;
}

htp_node make_string(Store &store, std::string_view text) {
  return store.node(HTP_Constant, {store.constant(HTP_CONST_STR, text), 0});
}
htp_node make_strings(Store &store, const std::vector<std::string> &texts) {
  std::vector<uint32_t> items;
  for (const std::string &text : texts) items.push_back(make_string(store, text));
  return store.node(HTP_List, {store.list(items), HTP_LOAD});
}
htp_node make_header(Store &store, const StageHeader &header) {
  const htp_node htp = store.node(HTP_Name, {store.string("htp"), HTP_LOAD});
  const htp_node function = store.node(HTP_Attribute, {htp, store.string("stage"), HTP_LOAD});
  std::vector<uint32_t> keywords;
  const auto keyword = [&](std::string_view name, htp_node value) {
    keywords.push_back(store.node(HTP_keyword, {store.string(name), value}));
  };
  keyword("number", store.node(HTP_Constant, {store.constant(HTP_CONST_INT, {}, header.number), 0}));
  keyword("after", make_string(store, header.after));
  keyword("holds", make_strings(store, header.holds));
  keyword("then", make_strings(store, header.then));
  keyword("entry", make_string(store, header.entry));
  keyword("target", make_string(store, header.target));
  return store.node(HTP_Expr, {store.node(HTP_Call, {function, 0, store.list(keywords)})});
}

bool is_header(const Store &store, htp_node s) {
  if (store.kind(s) != HTP_Expr) return false;
  const htp_node call = store.slot(s, HTP_FIELD(Expr, value));
  return store.kind(call) == HTP_Call && dotted_name(store, store.slot(call, HTP_FIELD(Call, func))) == "htp.stage";
}

} // namespace

std::string Stage::id() const { return fmt::format("{:02}", header.number); }
std::string Stage::folder() const { return "ir/stages/" + id() + "-" + header.after; }

htp_node with_import(Store &store, htp_node module) {
  std::vector<uint32_t> body = body_of(store, module);
  if (std::any_of(body.begin(), body.end(), [&](htp_node s) { return imports_htp(store, s); })) return module;
  size_t at = 0;
  if (at < body.size() && is_docstring(store, body[at])) ++at;
  while (at < body.size() && is_future_import(store, body[at])) ++at;
  const htp_node alias = store.node(HTP_alias, {store.string("htp"), 0});
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), store.node(HTP_Import, {store.list({alias})}));
  return with_body(store, module, body);
}

htp_node with_header(Store &store, htp_node root, const StageHeader &header) {
  const htp_node module = with_import(store, root);
  std::vector<uint32_t> body = body_of(store, module);
  const auto import = std::find_if(body.begin(), body.end(), [&](htp_node s) { return imports_htp(store, s); });
  body.insert(import + 1, make_header(store, header));
  return with_body(store, module, body);
}

std::string render_stage(Store &store, htp_node root, const StageHeader &header, UnparseFailure *failure) {
  UnparseOptions options;
  options.trivia = true;
  options.failure = failure;
  return unparse(*store.abi(), with_header(store, root, header), options);
}

std::optional<ParsedStage> take_header(Store &store, htp_node module, const SourceRef &source,
                                       Diagnostics &diagnostics) {
  std::vector<uint32_t> body = body_of(store, module);
  const auto at = std::find_if(body.begin(), body.end(), [&](htp_node s) { return is_header(store, s); });
  if (at == body.end()) {
    diagnostics.report(diag::pipeline_no_header, Span{source, 1, 0, 1, 0}, source->path)
        .hint("resume from a stage's folder in a package: OUT/ir/stages/NN-<pass>");
    return std::nullopt;
  }
  const htp_node call = store.slot(*at, HTP_FIELD(Expr, value));
  ParsedStage result;
  result.header.span = store.span(call);
  bool good = true;
  const auto refuse = [&](std::string_view what) {
    diagnostics.report(diag::pipeline_bad_header, store.span(call), what);
    good = false;
  };
  const auto text = [&](const char *name, std::string &to) {
    if (auto value = string_of(store, keyword_of(store, call, name)))
      to = std::move(*value);
    else
      refuse("no string `" + std::string(name) + "=`");
  };
  const auto texts = [&](const char *name, std::vector<std::string> &to) {
    if (auto value = strings_of(store, keyword_of(store, call, name)))
      to = std::move(*value);
    else
      refuse("no list of strings `" + std::string(name) + "=`");
  };
  if (const htp_node number = keyword_of(store, call, "number")) {
    const std::string digits = unparse(*store.abi(), number);
    const char *end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, result.header.number);
    if (read.ec != std::errc() || read.ptr != end) refuse("no stage number as `number=`");
  }
  text("after", result.header.after);
  texts("holds", result.header.holds);
  texts("then", result.header.then);
  text("entry", result.header.entry);
  text("target", result.header.target);
  if (!good) return std::nullopt;
  body.erase(at);
  result.root = with_body(store, module, body);
  return result;
}

// ── the files for tools ─────────────────────────────────────────────────────────────────────────────────────────────

namespace {

std::string definition_name(const Store &store, htp_node s) {
  switch (store.kind(s)) {
  case HTP_FunctionDef:
  case HTP_AsyncFunctionDef:
  case HTP_ClassDef: return std::string(store.text(store.slot(s, HTP_FIELD(FunctionDef, name))));
  default: return {};
  }
}

// Which place nodes have in an order; their ids are dense.
class Numbers {
public:
  explicit Numbers(const std::vector<htp_node> &order) {
    const auto last = std::ranges::max_element(order);
    places_.assign(last == order.end() ? 0 : *last + size_t{1}, 0);
    for (size_t k = 0; k < order.size(); ++k) places_[order[k]] = static_cast<uint32_t>(k) + 1;
  }
  std::optional<size_t> of(htp_node n) const {
    return n < places_.size() && places_[n] ? std::optional<size_t>(places_[n] - 1) : std::nullopt;
  }

private:
  std::vector<uint32_t> places_; // from 1 on; 0: it is not there
};

// Where each module-level definition and loop stands in the stage's own tree.
Json describe_state(const Store &store, const Stage &stage, const std::vector<htp_node> &order) {
  Json state;
  state["schema"] = "htp.state/1";
  state["stage"] = stage.id();
  state["entry"] = stage.header.entry;
  state["holds"] = stage.header.holds;
  const auto imports = imports_of(store, stage.root);
  Json modules = Json::array();
  std::set<std::string> seen;
  for (const Imported &i : imports)
    if (seen.insert(i.module).second) modules.push_back(i.module);
  state["imports"] = modules;
  const Numbers number(order);
  Json definitions = Json::array();
  for (const htp_node s : body_of(store, stage.root)) {
    const std::string name = definition_name(store, s);
    if (name.empty()) continue;
    Json calls = Json::object();
    std::map<std::string, size_t> counts;
    std::unordered_map<uint64_t, size_t *> known; // the counts of names
    size_t statements = 0, loops = 0;
    for (const htp_node n : preorder(*store.abi(), s)) {
      const uint16_t kind = store.kind(n);
      statements += kind_info(kind).group == HTP_GROUP_STMT;
      loops += kind == HTP_For;
      if (kind != HTP_Call) continue;
      const htp_node function = store.slot(n, HTP_FIELD(Call, func));
      const uint64_t key = name_key(store, function);
      const auto [of, fresh] = known.try_emplace(key, nullptr);
      if (fresh || !key) {
        const std::string called = qualified_name(store, imports, function);
        of->second = called.empty() ? nullptr : &counts[called];
      }
      if (of->second) ++*of->second;
    }
    for (const auto &[called, count] : counts) calls[called] = count;
    definitions.push_back({{"name", name},
                           {"node", stage.id() + ":" + std::to_string(number.of(s).value_or(0))},
                           {"statements", statements - 1},
                           {"loops", loops},
                           {"calls", calls}});
  }
  state["definitions"] = definitions;
  return state;
}

// The node of the stage before that `n` stands for, by number; -1 if none.
int64_t origin_in(const Store &store, htp_node n, const Numbers &numbers) {
  for (; n; n = store.at(n).origin)
    if (const auto number = numbers.of(n)) return static_cast<int64_t>(*number);
  return -1;
}

} // namespace

std::vector<PackageFile> stage_files(const Store &store, const Stage &stage, const Stage *previous) {
  const std::vector<htp_node> order = preorder(*store.abi(), stage.root);
  Json about;
  about["schema"] = "htp.stage/1";
  about["id"] = stage.id();
  about["after"] = stage.header.after;
  about["entry"] = stage.header.entry;
  about["target"] = stage.header.target;
  about["nodes"] = order.size();
  about["program"] = {{"path", "program.py"}, {"sha256", sha256(stage.text)}};

  Json origin;
  origin["schema"] = "htp.origin/2";
  origin["stage"] = stage.id();
  std::string nodes; // as many as the stage has: written as text, not as values first
  const auto add = [&](std::string_view one) { nodes.append(nodes.empty() ? "" : ",").append(one); };
  if (previous) {
    origin["before"] = previous->id();
    const Numbers numbers(preorder(*store.abi(), previous->root));
    // A number: the node of the stage before, or -1. [first, count]: so many stand for `first`, `first + 1`, …, or for
    // -1.
    for (size_t k = 0; k < order.size();) {
      const int64_t first = origin_in(store, order[k], numbers);
      size_t end = k + 1;
      const auto next = [&] { return first < 0 ? first : first + static_cast<int64_t>(end - k); };
      while (end < order.size() && origin_in(store, order[end], numbers) == next()) ++end;
      add(end - k == 1 ? std::to_string(first) : fmt::format("[{},{}]", first, end - k));
      k = end;
    }
  } else {
    std::vector<std::string> files;
    std::unordered_map<const SourceFile *, size_t> known; // their numbers in `files`
    for (const htp_node n : order) {
      const Span span = store.span(n);
      if (!span || !span.line) {
        add("null");
        continue;
      }
      const auto [file, fresh] = known.try_emplace(span.file.get(), 0);
      if (fresh) {
        const std::string name = span.file->path.substr(span.file->path.rfind('/') + 1);
        auto it = std::find(files.begin(), files.end(), name);
        if (it == files.end()) it = files.insert(files.end(), name);
        file->second = static_cast<size_t>(it - files.begin());
      }
      // nodes[k]: [file, line, column, end line, end column]
      add(fmt::format("[{},{},{},{},{}]", file->second, span.line, span.col, span.end_line, span.end_col));
    }
    origin["files"] = files;
  }
  std::string origins = origin.dump(-1, ' ', false, Json::error_handler_t::replace);
  origins.back() = ',';
  origins.append("\"nodes\":[").append(nodes).append("]}\n");
  const std::string folder = stage.folder() + "/";
  return {{folder + "program.py", "stage", stage.text},
          {folder + "stage.json", "stage-info", about.dump() + "\n"},
          {folder + "state.json", "stage-info", describe_state(store, stage, order).dump() + "\n"},
          {folder + "origin.json", "stage-info", std::move(origins)}};
}

StageChange change_between(const Store &store, htp_node before, htp_node after) {
  StageChange change;
  const auto old_nodes = preorder(*store.abi(), before), new_nodes = preorder(*store.abi(), after);
  const Numbers old(old_nodes);
  change.before = old_nodes.size();
  change.after = new_nodes.size();
  change.kept = static_cast<size_t>(
      std::count_if(new_nodes.begin(), new_nodes.end(), [&](htp_node n) { return old.of(n).has_value(); }));
  for (const htp_node s : body_of(store, after))
    if (const std::string name = definition_name(store, s); !name.empty() && !old.of(s))
      change.functions.push_back(name);
  return change;
}

} // namespace htp
