#include "host/editor/session.h"

#include "host/base/fs.h"
#include "host/log/log.h"
#include "host/python/python.h"

#include <algorithm>
#include <cctype>

#include <sys/stat.h>

namespace htp::editor {

namespace {

constexpr std::chrono::milliseconds longest_request{120000};

constexpr char digits[] = "0123456789ABCDEF";

} // namespace

// ── the protocol's terms ──

Json to_json(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Json to_json(Range range) { return {{"start", to_json(range.begin)}, {"end", to_json(range.end)}}; }

Position position_of(const Json &json) {
  constexpr int64_t most = 0x7fffffff;
  const auto number = [&](const char *key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (!json.is_object() || found == json.end() || !found->is_number_integer() || *found < 0)
      throw Refused{rpc::invalid_params, "a position has a `line` and a `character`, whole numbers from 0"};
    return static_cast<uint32_t>(
        found->is_number_unsigned() && found->get<uint64_t>() > uint64_t{most} ? most : found->get<int64_t>());
  };
  return {number("line"), number("character")};
}

Range range_of(const Json &json) { return {position_of(json.at("start")), position_of(json.at("end"))}; }

Range range_of(const Document &document, const Stretch &at) {
  if (!at.line) return {{0, 0}, {0, 0}};
  return {document.text.position(at.line - 1, at.col), document.text.position(at.end_line - 1, at.end_col)};
}

std::pair<uint32_t, uint32_t> place_of(const Document &document, Position position) {
  const size_t offset = document.text.offset(position);
  const uint32_t line = std::min(position.line, document.text.line_count() - 1);
  return {line + 1, static_cast<uint32_t>(offset - document.text.offset({line, 0}))};
}

std::string uri_of(const std::string &path) {
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("/-._~").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return uri;
}

std::string path_of(const std::string &uri) {
  constexpr std::string_view file = "file://";
  std::string_view rest = uri;
  if (rest.starts_with(file)) {
    rest.remove_prefix(file.size());
    rest.remove_prefix(std::min(rest.find('/'), rest.size())); // the host
  } else {                                                     // `untitled:Untitled-1`: as if it lay where one works
    rest.remove_prefix(std::min(rest.find(':') + 1, rest.size()));
  }
  std::string path;
  for (size_t k = 0; k < rest.size(); ++k) {
    const auto digit = [&](size_t at) -> int {
      if (at >= rest.size() || !std::isxdigit(static_cast<unsigned char>(rest[at]))) return -1;
      const char c = static_cast<char>(std::toupper(static_cast<unsigned char>(rest[at])));
      return c <= '9' ? c - '0' : c - 'A' + 10;
    };
    if (rest[k] == '%' && digit(k + 1) >= 0 && digit(k + 2) >= 0) {
      path += static_cast<char>(digit(k + 1) * 16 + digit(k + 2));
      k += 2;
    } else {
      path += rest[k];
    }
  }
  std::erase(path, '\0');
  return absolute_path(path.empty() ? "untitled" : path);
}

Document::Kind kind_of(const std::string &path, const std::string &text) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == manifest_name) return Document::Kind::manifest;
  if (name.ends_with(".yaml") || name.ends_with(".yml"))
    return text.starts_with("htp_profile:") || text.find("\nhtp_profile:") != text.npos ? Document::Kind::profile
                                                                                        : Document::Kind::other;
  if (name.ends_with(".py") || name.ends_with(".pyi") || name.find('.') == name.npos) return Document::Kind::program;
  return Document::Kind::other;
}

Json location_in(const std::string &path, const Stretch &at, const Session &session) {
  Document other;
  const auto open = session.documents.find(uri_of(path));
  if (open == session.documents.end()) {
    auto text = read_file(path, 4u << 20);
    other.text = Text(text ? std::move(*text) : std::string());
  }
  const Document &document = open == session.documents.end() ? other : open->second;
  return {{"uri", uri_of(path)}, {"range", to_json(range_of(document, at))}};
}

Method method_named(std::string_view name) {
#define HTP_METHOD(row, function)                                                                                      \
  if (name == row) return function;
#include "host/editor/methods.def"
#undef HTP_METHOD
  return nullptr;
}

// ── the session ──

void Session::set_up() {
  setup = {};
  CompileRequest asked = request;
  asked.program.clear();
  inputs = gather(asked, false, setup);
  modules = Modules(inputs ? *inputs : Inputs{}, python_folders());
  analyst = std::make_unique<Analyst>();
  made_of = files();
  check.reset();
  for (auto &[uri, document] : documents) {
    document.findings.clear();
    document.dirty = true;
  }
}

std::string Session::files() const {
  std::string text;
  const auto add = [&](const std::string &path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0)
      text += path + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
              std::to_string(status.st_mtim.tv_nsec) + "\n";
  };
  add(request.profile);
  if (!inputs) return text;
  for (const Manifest &manifest : inputs->manifests) {
    add(manifest.source->path);
    if (!manifest.library.value.empty()) add(join_path(manifest.folder, manifest.library.value));
  }
  return text;
}

void Session::notify(const std::string &method, Json params) const {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

Document &Session::document(const Json &params) {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  const auto found = documents.find(uri);
  if (found == documents.end()) throw Refused{rpc::invalid_params, "no document of that `uri` is open"};
  return found->second;
}

const Program *Session::current(const Document &document) const {
  return document.current && !document.dirty ? document.program.get() : nullptr;
}

Unsaved Session::unsaved() const {
  Unsaved texts;
  for (const auto &[uri, document] : documents)
    if (document.kind == Document::Kind::program) texts[document.path] = document.text.bytes();
  return texts;
}

CompileRequest Session::compile_request(const Document &document) const {
  CompileRequest asked = request;
  asked.program = document.path;
  asked.unsaved = unsaved();
  return asked;
}

void Session::later(const Json &id, const std::function<void(const Job::Say &)> &work) {
  auto job = Job::start(work, longest_request);
  if (!job) throw Refused{rpc::internal_error, "there is no process to be had"};
  pending.push_back({id, std::move(*job), {}});
}

} // namespace htp::editor
