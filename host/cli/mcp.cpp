// htp-host mcp: commands as tools of the Model Context Protocol, JSON-RPC 2.0 over standard input and output, a message
// a line. A tool's input schema is made of the command's options, and each call is a process of its own: whatever
// becomes of it, the server goes on.
#include "host/base/process.h"
#include "host/cli/command.h"
#include "host/diag/utf8.h"
#include "host/editor/rpc.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

namespace htp {

namespace mcp {
namespace {

using rpc::invalid_params, rpc::Json, rpc::Refused;

// The commands that are tools, and what an agent calls them: all that take part in the loop of reading, changing,
// verifying and measuring. None of them changes what is trusted, or anything but what it is told to write.
constexpr std::pair<const char *, const char *> tools[] = {{"compile", "compile"}, {"plan", "plan"},
                                                           {"stages", "stages"},   {"explain", "explain"},
                                                           {"edit", "edit"},       {"verify", "verify"},
                                                           {"diff", "diff"},       {"bisect", "bisect"},
                                                           {"bench", "bench"},     {"run", "run"},
                                                           {"ops", "ops"},         {"ops_show", "ops show"},
                                                           {"report", "report"},   {"policy_check", "policy-check"},
                                                           {"doctor", "doctor"}};
// Options of htp-host itself that a tool takes too.
constexpr std::string_view shared_options[] = {"--plugins", "--plugin-path"};

constexpr int64_t longest_call = 600; // seconds, unless it is asked for otherwise
constexpr size_t longest_message = 8u << 20;
constexpr std::string_view versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"}; // of the protocol, the newest first

using Option = CommandShape::Option;

// "-o,--out" is `out`, "PACKAGE" `package`.
std::string key_of(const Option &option) {
  std::string name = option.names.substr(option.names.rfind(',') + 1);
  name.erase(0, name.find_first_not_of('-'));
  name = name.substr(0, name.find('|'));
  std::replace(name.begin(), name.end(), '-', '_');
  for (char &c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return name;
}

bool is_list(const Option &option) { return option.repeats || option.values > 1 || option.values < 0; }

Json schema_of(const Option &option) {
  Json schema;
  const Json text{{"type", Json::array({"string", "number"})}};
  if (option.values == 0) {
    schema["type"] = "boolean";
  } else if (is_list(option)) {
    schema["type"] = "array";
    schema["items"] = text;
    if (option.values > 1) schema["minItems"] = schema["maxItems"] = option.values;
  } else {
    schema = text;
  }
  schema["description"] = option.positional || option.type.empty() ? option.doc : option.type + ": " + option.doc;
  return schema;
}

const CommandShape *shape_named(const std::vector<CommandShape> &shapes, std::string_view name) {
  for (const CommandShape &shape : shapes)
    if (shape.name == name) return &shape;
  return nullptr;
}

// The options that a tool has, without what is the same for all of them.
std::vector<Option> options_of(const std::vector<CommandShape> &shapes, std::string_view command) {
  std::vector<Option> options = shape_named(shapes, command)->options;
  for (const Option &option : shapes.front().options)
    if (std::find(std::begin(shared_options), std::end(shared_options), option.names) != std::end(shared_options))
      options.push_back(option);
  return options;
}

Json tool_list(const std::vector<CommandShape> &shapes) {
  auto list = Json::array();
  for (const auto &[name, command] : tools) {
    Json properties = Json::object(), required = Json::array();
    for (const Option &option : options_of(shapes, command)) {
      properties[key_of(option)] = schema_of(option);
      if (option.required) required.push_back(key_of(option));
    }
    list.push_back(
        {{"name", name},
         {"description", shape_named(shapes, command)->summary},
         {"inputSchema",
          {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}}});
  }
  return list;
}

std::string word_of(const Json &value, const std::string &key) {
  if (value.is_string()) {
    const auto &text = value.get_ref<const std::string &>();
    if (text.find('\0') != text.npos) throw Refused{invalid_params, "`" + key + "` has a NUL in it"};
    return text;
  }
  if (value.is_number()) return value.dump();
  throw Refused{invalid_params, "`" + key + "` takes a text or a number"};
}

// What a call takes where it names nothing else: by which this server was started.
Json defaults_of(const Arguments &arguments) {
  Json found = Json::object();
  if (!arguments.request.profile.empty()) found["plugins"] = arguments.request.profile;
  if (!arguments.request.plugin_path.empty()) found["plugin_path"] = arguments.request.plugin_path;
  return found;
}

// The command line of a call; values never become options, whatever they begin with.
std::vector<std::string> command_line(const std::vector<CommandShape> &shapes, const std::string &command,
                                      const Json &given) {
  if (!given.is_object()) throw Refused{invalid_params, "`arguments` is to be an object"};
  std::error_code error;
  std::vector<std::string> line{std::filesystem::canonical("/proc/self/exe", error).string()}, behind;
  for (size_t at = 0; at < command.size();) {
    const size_t space = std::min(command.find(' ', at), command.size());
    line.push_back(command.substr(at, space - at));
    at = space + 1;
  }
  const std::vector<Option> options = options_of(shapes, command);
  for (const auto &[key, value] : given.items())
    if (std::none_of(options.begin(), options.end(), [&](const Option &one) { return key_of(one) == key; }))
      throw Refused{invalid_params, "the tool takes no `" + printable(key.substr(0, 80)) + "`"};
  for (const Option &option : options) { // in their order: those without a name go by it
    const std::string key = key_of(option);
    const auto found = given.find(key);
    if (found == given.end()) {
      if (option.required) throw Refused{invalid_params, "the tool needs `" + key + "`"};
      continue;
    }
    std::vector<std::string> values;
    if (option.values == 0) {
      if (!found->is_boolean()) throw Refused{invalid_params, "`" + key + "` is true or false"};
      if (!found->get<bool>()) continue;
    } else if (is_list(option)) {
      if (!found->is_array()) throw Refused{invalid_params, "`" + key + "` takes a list"};
      for (const Json &one : *found) values.push_back(word_of(one, key));
      if (option.values > 1 && values.size() != static_cast<size_t>(option.values))
        throw Refused{invalid_params, fmt::format("`{}` takes {} values", key, option.values)};
    } else {
      values.push_back(word_of(*found, key));
    }
    const std::string name = option.names.substr(option.names.rfind(',') + 1);
    if (option.positional) {
      behind.insert(behind.end(), values.begin(), values.end());
    } else if (option.values > 1) {
      line.push_back(name);
      line.insert(line.end(), values.begin(), values.end());
    } else if (option.values == 0) {
      line.push_back(name);
    } else {
      for (const std::string &value : values)
        line.push_back(name.starts_with("--") ? name + "=" + value : name + value);
    }
  }
  line.emplace_back("--json");
  line.emplace_back("--");
  line.insert(line.end(), behind.begin(), behind.end());
  return line;
}

Json call(const std::vector<CommandShape> &shapes, const Json &defaults, const Json &params,
          std::chrono::seconds limit) {
  if (!params.is_object() || !params.value("name", Json()).is_string())
    throw Refused{invalid_params, "a call has a tool's `name`"};
  const std::string name = params["name"];
  const auto *tool =
      std::find_if(std::begin(tools), std::end(tools), [&](const auto &one) { return name == one.first; });
  if (tool == std::end(tools))
    throw Refused{invalid_params, "there is no tool `" + printable(name.substr(0, 80)) + "`: `tools/list` lists them"};
  ProcessRequest request;
  Json given = params.value("arguments", Json::object());
  if (given.is_object())
    for (const auto &[key, value] : defaults.items())
      if (!given.contains(key)) given[key] = value;
  request.argv = command_line(shapes, tool->second, given);
  request.timeout = limit;
  const auto done = run_process(request);
  Json result{{"content", Json::array()}, {"isError", true}};
  if (!done) {
    result["content"].push_back({{"type", "text"}, {"text", done.error()}});
    return result;
  }
  if (done->timed_out) {
    result["content"].push_back(
        {{"type", "text"}, {"text", fmt::format("it took longer than {} s, and was ended", limit.count())}});
    return result;
  }
  Json answer = Json::parse(done->out, nullptr, false);
  if (answer.is_object()) result["structuredContent"] = answer;
  result["isError"] = done->exit_status != 0;
  result["content"].push_back({{"type", "text"}, {"text", done->out.empty() ? done->err : done->out}});
  return result;
}

Json answer_to(const std::vector<CommandShape> &shapes, const Json &defaults, const std::string &method,
               const Json &params, std::chrono::seconds limit) {
  if (method == "initialize") {
    const Json asked = params.is_object() ? params.value("protocolVersion", Json()) : Json();
    std::string version(versions[0]);
    for (const std::string_view known : versions)
      if (asked.is_string() && asked.get_ref<const std::string &>() == known) version = known;
    return {
        {"protocolVersion", version},
        {"capabilities", {{"tools", {{"listChanged", false}}}}},
        {"serverInfo", {{"name", "htp-host"}, {"version", HTP_VERSION}}},
        {"instructions",
         "Every stage of a package is a Python program. Read one with `stages`, change it with `edit`, ask with `diff` "
         "what that changed and with `verify` whether it still computes the same, and measure with `bench`."}};
  }
  if (method == "ping") return Json::object();
  if (method == "tools/list") return {{"tools", tool_list(shapes)}};
  if (method == "tools/call") return call(shapes, defaults, params, limit);
  throw Refused{rpc::no_method, "there is no method `" + printable(method.substr(0, 80)) + "`"};
}

void send(const Json &message) { answer_bytes(rpc::dumped(message) + "\n"); }

// The calls, one after the other, while messages are read: a client may take one back.
class Calls {
public:
  Calls(const std::vector<CommandShape> &shapes, Json defaults, std::chrono::seconds limit)
      : shapes_(shapes), defaults_(std::move(defaults)), limit_(limit), worker_([this] { work(); }) {}
  ~Calls() { // what was asked for is answered first
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  Calls(const Calls &) = delete;
  Calls &operator=(const Calls &) = delete;

  void ask(Json id, std::string method, Json params) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(id), std::move(method), std::move(params)});
    changed_.notify_all();
  }
  void refuse(const Json &id, const Refused &why) {
    const std::lock_guard lock(mutex_);
    send(rpc::refused(id, why));
  }
  // A call that was taken back is not answered.
  void cancel(const Json &id) {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](const Asked &one) { return one.id == id; });
    if (!running_ || running_->id != id) return;
    running_->cancelled = true;
    kill_running_tools();
  }
  // All of them, as the program ends.
  void cancel_all() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    if (running_) running_->cancelled = true;
    kill_running_tools();
  }

private:
  struct Asked {
    Json id;
    std::string method;
    Json params;
    bool cancelled = false;
  };

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      running_ = std::move(waiting_.front());
      waiting_.pop_front();
      const Asked asked = *running_;
      lock.unlock();
      Json answer;
      try {
        answer = rpc::answered(asked.id, answer_to(shapes_, defaults_, asked.method, asked.params, limit_));
      } catch (const Refused &why) {
        answer = rpc::refused(asked.id, why);
      }
      lock.lock();
      if (!running_->cancelled) send(answer);
      running_.reset();
    }
  }

  const std::vector<CommandShape> &shapes_;
  const Json defaults_;
  const std::chrono::seconds limit_;
  std::mutex mutex_; // of all below, and of what is written
  std::condition_variable changed_;
  std::deque<Asked> waiting_;
  std::optional<Asked> running_;
  bool ends_ = false;
  std::thread worker_;
};

void handle(Calls &calls, const std::string &line) {
  Json id;
  try {
    const rpc::Message message = rpc::read(line, id);
    if (message.answer) return;
    if (!message.notified) return calls.ask(id, message.method, message.params);
    if (message.method == "notifications/cancelled" && message.params.is_object())
      calls.cancel(message.params.value("requestId", Json()));
  } catch (const Refused &why) {
    calls.refuse(id, why);
  }
}

} // namespace
} // namespace mcp

int mcp_command(const Arguments &arguments) {
  const std::vector<CommandShape> shapes = command_shapes();
  if (arguments.list) {
    nlohmann::ordered_json list = mcp::tool_list(shapes);
    std::string text;
    for (const auto &tool : list)
      text += fmt::format("{:<10} {}\n", tool["name"].get<std::string>(), tool["description"].get<std::string>());
    return finish(arguments, {}, text, nlohmann::ordered_json{{"tools", list}});
  }
  mcp::Calls calls(shapes, mcp::defaults_of(arguments),
                   std::chrono::seconds(arguments.seconds.value_or(mcp::longest_call)));
  std::string line;
  bool too_long = false;
  for (int c = 0; (c = std::getchar()) != EOF;) {
    if (c != '\n') {
      if (line.size() < mcp::longest_message)
        line += static_cast<char>(c);
      else
        too_long = true;
      continue;
    }
    if (too_long)
      calls.refuse(nullptr, {rpc::invalid_request, "the message is too long"});
    else if (line.find_first_not_of(" \t\r") != line.npos)
      mcp::handle(calls, line);
    line.clear();
    too_long = false;
    if (interrupted || !answers_written()) break;
  }
  if (interrupted || !answers_written()) calls.cancel_all();
  return exit_done;
}

} // namespace htp
