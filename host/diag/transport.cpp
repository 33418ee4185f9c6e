#include "host/diag/transport.h"

#include "host/base/fs.h"
#include "host/diag/location.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// More than that no diagnostic has.
constexpr size_t longest_text = 1u << 16, most_parts = 1000, longest_code = 200;

struct Unfit {};

std::string text_of(const Json &json) {
  const auto *const text = json.get_ptr<const std::string *>();
  if (!text || text->size() > longest_text) throw Unfit{};
  return *text;
}

const Json &list_of(const Json &json, const char *key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_array() || at->size() > most_parts) throw Unfit{};
  return *at;
}

std::vector<std::string> texts_of(const Json &json, const char *key) {
  std::vector<std::string> texts;
  for (const Json &text : list_of(json, key)) texts.push_back(text_of(text));
  return texts;
}

// Of the host's own table; null: of none.
const DiagInfo *row_of(std::string_view code) {
  for (const DiagInfo &row : host_diagnostics())
    if (row.code == code) return &row;
  return nullptr;
}

bool is_code(std::string_view text) {
  return !text.empty() && text.size() <= longest_code && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  });
}

Json to_json(const std::vector<FixIt> &fixes) {
  Json list = Json::array();
  for (const FixIt &fix : fixes) {
    Json edits = Json::array();
    for (const Edit &edit : fix.edits) edits.push_back(Json::array({htp::to_json(edit.span), edit.text}));
    list.push_back({{"title", fix.title}, {"edits", edits}});
  }
  return list;
}

std::vector<FixIt> fixes_of(const Json &json, const char *key, const SourceOf &sources) {
  std::vector<FixIt> fixes;
  for (const Json &fix : list_of(json, key)) {
    FixIt one{text_of(fix.at("title")), {}};
    for (const Json &edit : list_of(fix, "edits")) {
      one.edits.push_back({span_of(edit.at(0), sources), text_of(edit.at(1))});
      if (!one.edits.back().span) throw Unfit{};
    }
    fixes.push_back(std::move(one));
  }
  return fixes;
}

} // namespace

SourceOf sources_read() {
  return [files = std::map<std::string, SourceRef>()](const std::string &path) mutable {
    auto [at, fresh] = files.try_emplace(path);
    if (fresh) {
      auto text = read_file(path, 1u << 24);
      at->second = std::make_shared<SourceFile>(path, text ? std::move(*text) : std::string());
    }
    return at->second;
  };
}

Json to_json(const Span &span) {
  if (!span.file) return nullptr;
  return Json::array({span.file->path, span.line, span.col, span.end_line, span.end_col});
}

Json to_json(const Diagnostic &d) {
  Json labels = Json::array();
  for (const Label &label : d.labels) labels.push_back(Json::array({to_json(label.span), label.text}));
  return {{"code", d.code},
          {"severity", static_cast<int>(d.severity)},
          {"message", d.message},
          {"span", to_json(d.span)},
          {"labels", labels},
          {"notes", d.notes},
          {"hints", row_of(d.code) ? d.hints : hints_of(d)}, // its row's is found again
          {"fixits", to_json(d.fixits)},
          {"alternatives", to_json(d.alternatives)}};
}

Span span_of(const Json &json, const SourceOf &sources) {
  if (!json.is_array() || json.size() != 5 || !json[0].is_string()) return {};
  if (!std::all_of(json.begin() + 1, json.end(), [](const Json &n) { return n.is_number_unsigned(); })) return {};
  Span span{sources(json[0].get<std::string>()), json[1], json[2], json[3], json[4]};
  if (!span.file || span.line > span.file->line_count()) return {};
  return span;
}

std::optional<Diagnostic> diagnostic_of(const Json &json, const SourceOf &sources) {
  try {
    if (!json.is_object()) return std::nullopt;
    Diagnostic d;
    d.code = text_of(json.at("code"));
    const Json &severity = json.at("severity");
    if (!is_code(d.code) || !severity.is_number_integer() || severity < 1 || severity > 4) return std::nullopt;
    d.severity = static_cast<Severity>(severity.get<int>());
    d.message = text_of(json.at("message"));
    d.span = span_of(json.at("span"), sources);
    for (const Json &label : list_of(json, "labels")) d.label(span_of(label.at(0), sources), text_of(label.at(1)));
    d.notes = texts_of(json, "notes");
    d.hints = texts_of(json, "hints");
    if (const DiagInfo *row = row_of(d.code)) d.usual_hint = row->hint;
    d.fixits = fixes_of(json, "fixits", sources);
    d.alternatives = fixes_of(json, "alternatives", sources);
    return d;
  } catch (const Json::exception &) {
    return std::nullopt;
  } catch (const Unfit &) {
    return std::nullopt;
  }
}

} // namespace htp
