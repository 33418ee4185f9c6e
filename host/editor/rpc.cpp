#include "host/editor/rpc.h"

#include <algorithm>
#include <charconv>

namespace htp::rpc {

namespace {

constexpr int deepest = 64;
constexpr size_t longest_header = 4096;

// Whether a text nests no deeper than any message does: a parser would go as deep as it says.
bool shallow(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t k = 0; k < text.size(); ++k) {
    if (quoted) {
      if (text[k] == '\\')
        ++k;
      else if (text[k] == '"')
        quoted = false;
    } else if (text[k] == '"') {
      quoted = true;
    } else if (text[k] == '[' || text[k] == '{') {
      if (++depth > deepest) return false;
    } else if (text[k] == ']' || text[k] == '}') {
      --depth;
    }
  }
  return true;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  });
}

// The length that a header gives; nothing when it gives none.
std::optional<size_t> length_in(std::string_view header) {
  constexpr std::string_view name = "Content-Length:";
  std::optional<size_t> length;
  while (!header.empty()) {
    const size_t end = std::min(header.find('\n'), header.size());
    std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.size() < name.size() || !same_letters(line.substr(0, name.size()), name)) continue;
    line.remove_prefix(name.size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    size_t value = 0;
    const auto [at, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || at != line.data() + line.size()) return std::nullopt;
    length = value;
  }
  return length;
}

} // namespace

Message read(std::string_view text, Json &id) {
  id = nullptr;
  Json json = shallow(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
  if (json.is_discarded()) throw Refused{parse_error, "this is no JSON"};
  if (json.is_object())
    if (const auto found = json.find("id"); found != json.end() && (found->is_string() || found->is_number()))
      id = *found;
  Message message;
  message.id = id;
  if (!json.is_object() || json.value("jsonrpc", Json()) != "2.0")
    throw Refused{invalid_request, "a message is an object with `jsonrpc`, which is \"2.0\", and a `method`"};
  if (!json.contains("method") && json.contains("id") && (json.contains("result") || json.contains("error"))) {
    message.answer = true;
    message.result = json.value("result", Json());
    return message;
  }
  if (!json.value("method", Json()).is_string())
    throw Refused{invalid_request, "a message is an object with `jsonrpc`, which is \"2.0\", and a `method`"};
  message.method = json["method"];
  message.params = json.value("params", Json());
  message.notified = !json.contains("id");
  return message;
}

Json answered(const Json &id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

Json refused(const Json &id, const Refused &why) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", why.code}, {"message", why.message}}}};
}

std::string dumped(const Json &message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::optional<std::string> Frames::next() {
  if (lost_) return std::nullopt;
  const size_t skipped = std::min(skip_, buffer_.size());
  buffer_.erase(0, skipped);
  skip_ -= skipped;
  if (skip_) return std::nullopt;
  const size_t crlf = buffer_.find("\r\n\r\n"), lf = buffer_.find("\n\n");
  const size_t end = std::min(crlf, lf);
  if (end > longest_header) { // npos too
    if (buffer_.size() <= longest_header) return std::nullopt;
    lost_ = true;
    buffer_.clear();
    throw Refused{parse_error, "this is no header of a message"};
  }
  const size_t body = end + (crlf < lf ? 4 : 2);
  const auto length = length_in(std::string_view(buffer_).substr(0, end));
  if (!length) { // perhaps the next header is one
    buffer_.erase(0, body);
    throw Refused{parse_error, "the header has no `Content-Length`"};
  }
  if (*length > longest_message) {
    buffer_.erase(0, body);
    skip_ = *length;
    throw Refused{invalid_request, "the message is too long"};
  }
  if (buffer_.size() - body < *length) return std::nullopt;
  std::string text = buffer_.substr(body, *length);
  buffer_.erase(0, body + *length);
  return text;
}

std::string framed(const std::string &text) {
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

} // namespace htp::rpc
