#include "host/pipeline/history.h"

#include "host/ast/kinds.h"
#include "host/ast/walk.h"
#include "host/parse/parse.h"
#include "host/pipeline/stage.h"

#include <nlohmann/json.hpp>

#include <unordered_map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// What `origin.json` says; what is malformed says nothing: it can be deleted, and nothing but history is lost.
Json origin_of(const Package &package, const std::string &path) {
  const std::string *text = package.file(path.substr(0, path.rfind('/') + 1) + "origin.json");
  Json origin = text ? Json::parse(*text, nullptr, false) : Json();
  return origin.is_object() && origin.contains("nodes") && origin["nodes"].is_array() ? origin : Json();
}

// The numbers of the stage before; empty unless there is one for each node.
std::vector<int64_t> numbers_of(const Json &nodes, size_t count, size_t before) {
  std::vector<int64_t> numbers;
  const auto add = [&](int64_t n) { numbers.push_back(n >= 0 && static_cast<uint64_t>(n) < before ? n : -1); };
  for (const Json &one : nodes) {
    if (one.is_number_integer()) {
      add(one.get<int64_t>());
    } else if (one.is_array() && one.size() == 2 && one[0].is_number_integer() && one[1].is_number_integer()) {
      const auto first = one[0].get<int64_t>(), many = one[1].get<int64_t>();
      if (many < 0 || static_cast<uint64_t>(many) > count - std::min(count, numbers.size())) return {};
      for (int64_t k = 0; k < many; ++k) add(first < 0 ? -1 : first + k);
    } else {
      return {};
    }
    if (numbers.size() > count) return {};
  }
  return numbers.size() == count ? numbers : std::vector<int64_t>();
}

std::vector<std::optional<History::Source>> sources_of(const Json &origin, size_t count) {
  std::vector<std::optional<History::Source>> sources;
  const Json files = origin.value("files", Json::array());
  for (const Json &one : origin.is_object() ? origin["nodes"] : Json::array()) {
    auto &source = sources.emplace_back();
    if (!one.is_array() || one.size() != 5) continue;
    uint32_t n[5];
    for (size_t k = 0; k < 5; ++k) n[k] = one[k].is_number_unsigned() ? one[k].get<uint32_t>() : 0;
    if (files.is_array() && n[0] < files.size() && files[n[0]].is_string())
      source = {files[n[0]].get<std::string>(), {n[1], n[2], n[3], n[4]}};
  }
  sources.resize(count);
  return sources;
}

} // namespace

std::optional<size_t> HistoryStage::statement_at(uint32_t line) const {
  std::optional<size_t> found;
  for (size_t k = 0; k < nodes.size(); ++k) {
    const HistoryNode &n = nodes[k];
    if (!n.statement || n.at.line > line || n.at.end_line < line) continue;
    found = k; // the innermost so far
    if (n.at.line == line) break;
  }
  return found;
}

std::optional<History::Source> History::source_of(size_t stage, size_t node) const {
  for (; stage > 0; --stage) {
    const int64_t before = stages[stage].nodes[node].before;
    if (before < 0) return std::nullopt;
    node = static_cast<size_t>(before);
  }
  return sources[node];
}

std::optional<History> read_history(const Package &package, Diagnostics &diagnostics) {
  History history;
  for (const PackageManifest::Stage &kept : package.manifest.stages) {
    const std::string &text = *package.file(kept.path);
    Store store;
    const auto source = std::make_shared<SourceFile>(kept.path, text);
    const htp_node module = parse_tree(source, diagnostics, store);
    const auto parsed = module ? take_header(store, module, source, diagnostics) : std::nullopt;
    if (!parsed) return std::nullopt;
    HistoryStage &stage = history.stages.emplace_back();
    stage = {kept.id, kept.pass, kept.path, lines_of(text), {}, parsed->header.holds};
    const std::vector<htp_node> order = preorder(*store.abi(), parsed->root);
    std::unordered_map<htp_node, uint32_t> numbers;
    for (const htp_node n : order) numbers.emplace(n, static_cast<uint32_t>(numbers.size()));
    stage.nodes.resize(order.size());
    for (size_t k = 0; k < order.size(); ++k) {
      const Span span = store.span(order[k]);
      HistoryNode &node = stage.nodes[k];
      node.kind = kind_info(store.kind(order[k])).name;
      node.statement = kind_info(store.kind(order[k])).group == HTP_GROUP_STMT;
      if (span) node.at = {span.line, span.col, span.end_line, span.end_col};
      for_each_child(*store.abi(), order[k], [&](htp_node child) {
        if (const auto of = numbers.find(child); of != numbers.end())
          stage.nodes[of->second].parent = static_cast<uint32_t>(k);
      });
    }
    const Json origin = origin_of(package, kept.path);
    if (history.stages.size() == 1) {
      history.sources = sources_of(origin, order.size());
    } else if (origin.is_object() && origin.value("before", Json()) == history.stages[history.stages.size() - 2].id) {
      const auto before =
          numbers_of(origin["nodes"], order.size(), history.stages[history.stages.size() - 2].nodes.size());
      for (size_t k = 0; k < before.size(); ++k) stage.nodes[k].before = before[k];
    }
  }
  return history;
}

} // namespace htp
