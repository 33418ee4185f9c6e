// host/editor/rpc.h — JSON-RPC 2.0: messages, what is wrong with those that are none, and the frames that the Language
// Server Protocol puts them in.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace htp::rpc {

using Json = nlohmann::ordered_json;

constexpr size_t longest_message = 64u << 20;

enum Error : int {
  parse_error = -32700,
  invalid_request = -32600,
  no_method = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002,
  request_failed = -32803,
  request_cancelled = -32800
};

struct Refused {
  Error code;
  std::string message;
};

// A request, a notification (no id), or an answer to what this side asked.
struct Message {
  Json id;
  bool notified = false, answer = false;
  std::string method;
  Json params, result;
};
// Throws Refused; `id` is then what the message had for one, as far as that can be told.
Message read(std::string_view text, Json &id);

Json answered(const Json &id, Json result);
Json refused(const Json &id, const Refused &why);
std::string dumped(const Json &message); // bytes that are no UTF-8 as U+FFFD

// The frames of a stream: a header with `Content-Length`, an empty line, and so many bytes.
class Frames {
public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  // The next message's text; nothing when more has to come. Throws Refused for what is no frame, and goes on behind it;
  // `lost()` when it is not known where the next one begins.
  std::optional<std::string> next();
  bool lost() const { return lost_; }
  bool empty() const { return buffer_.empty() && skip_ == 0; }

private:
  std::string buffer_;
  size_t skip_ = 0; // of a message that is too long
  bool lost_ = false;
};
std::string framed(const std::string &text);

} // namespace htp::rpc
