// The methods that begin and end a session, and those that tell of documents.
#include "host/base/fs.h"
#include "host/editor/session.h"

#include <algorithm>

namespace htp::editor {

namespace {

// Whether `json` has what stands at this path, and it is true.
bool offers(const Json &json, std::initializer_list<const char *> path) {
  const Json *at = &json;
  for (const char *key : path) {
    if (!at->is_object()) return false;
    const auto found = at->find(key);
    if (found == at->end()) return false;
    at = &*found;
  }
  return at->is_boolean() && at->get<bool>();
}

// {"profile": "…", "pluginPath": ["…"], "set": {"M": 1024}}, of initializationOptions or of the section `htp` of the
// settings.
bool take_settings(Session &session, const Json &given) {
  if (!given.is_object()) return false;
  const Json &settings = given.contains("htp") ? given["htp"] : given;
  if (!settings.is_object()) return false;
  bool changed = false;
  if (const auto profile = settings.find("profile"); profile != settings.end() && profile->is_string()) {
    std::string asked = *profile;
    if (!asked.empty() && asked.find('/') != asked.npos && !asked.starts_with('/') && !session.root.empty())
      asked = join_path(session.root, asked);
    asked = profile_file(asked);
    if (!asked.empty() && asked != session.request.profile) {
      session.request.profile = asked;
      changed = true;
    }
  }
  if (const auto path = settings.find("pluginPath"); path != settings.end() && path->is_array()) {
    std::vector<std::string> folders;
    for (const Json &one : *path)
      if (one.is_string()) folders.push_back(one);
    if (folders != session.request.plugin_path && !folders.empty()) {
      session.request.plugin_path = folders;
      changed = true;
    }
  }
  if (const auto set = settings.find("set"); set != settings.end() && set->is_object()) {
    std::map<std::string, std::string> values;
    for (const auto &[name, value] : set->items())
      if (value.is_string() || value.is_number())
        values[name] = value.is_string() ? value.get<std::string>() : value.dump();
    changed = changed || values != session.request.set;
    session.request.set = std::move(values);
  }
  return changed;
}

void warn_of_setup(Session &session) {
  if (session.inputs && !session.inputs->profile.target.value.empty()) return;
  std::string why = "no profile is set";
  for (const Diagnostic &d : session.setup.list())
    if (is_error(d.severity)) why = d.message;
  session.notify("window/showMessage", {{"type", 1}, {"message", "HTP: " + why}});
}

void look_at(Document &document, std::string text, int64_t version) {
  document.text = Text(std::move(text));
  document.version = version;
  document.dirty = true;
  document.changed = std::chrono::steady_clock::now();
}

int64_t version_of(const Json &json) { return json.is_number_integer() ? json.get<int64_t>() : 0; }

} // namespace

std::optional<Json> initialize(Session &session, const Json &, const Json &params) {
  if (session.initialized) throw Refused{rpc::invalid_request, "it is initialized already"};
  if (!params.is_object()) throw Refused{rpc::invalid_params, "`initialize` takes an object"};
  session.initialized = true;
  const Json root = params.value("rootUri", Json());
  if (root.is_string()) session.root = path_of(root);
  const Json capabilities = params.value("capabilities", Json());
  session.refreshes = offers(capabilities, {"workspace", "inlayHint", "refreshSupport"});
  session.snippets = offers(capabilities, {"textDocument", "completion", "completionItem", "snippetSupport"});
  take_settings(session, params.value("initializationOptions", Json()));
  session.set_up();
  return Json{{"capabilities",
               {{"positionEncoding", "utf-16"},
                {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
                {"hoverProvider", true},
                {"inlayHintProvider", true},
                {"completionProvider", {{"triggerCharacters", {".", "@"}}, {"resolveProvider", false}}},
                {"definitionProvider", true},
                {"referencesProvider", true},
                {"documentHighlightProvider", true},
                {"documentSymbolProvider", true},
                {"renameProvider", {{"prepareProvider", true}}},
                {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
                {"codeLensProvider", {{"resolveProvider", false}}},
                {"documentFormattingProvider", true},
                {"executeCommandProvider", {{"commands", command_names()}}}}},
              {"serverInfo", {{"name", "htp-host"}, {"version", HTP_VERSION}}}};
}

std::optional<Json> initialized(Session &session, const Json &, const Json &) {
  warn_of_setup(session);
  return std::nullopt;
}

std::optional<Json> shut_down(Session &session, const Json &, const Json &) {
  session.ended = true;
  session.check.reset();
  session.pending.clear();
  return Json(nullptr);
}

std::optional<Json> exit_asked(Session &session, const Json &, const Json &) {
  session.exit = session.ended ? 0 : 1;
  return std::nullopt;
}

std::optional<Json> ignored(Session &, const Json &, const Json &) { return std::nullopt; }

std::optional<Json> cancel_request(Session &session, const Json &, const Json &params) {
  const Json &id = params.at("id");
  std::erase_if(session.pending, [&](const Pending &one) {
    if (one.id != id) return false;
    session.send(rpc::refused(one.id, {rpc::request_cancelled, "it was cancelled"}));
    return true;
  });
  return std::nullopt;
}

std::optional<Json> did_change_configuration(Session &session, const Json &, const Json &params) {
  if (take_settings(session, params.value("settings", Json()))) {
    session.set_up();
    warn_of_setup(session);
  }
  return std::nullopt;
}

std::optional<Json> did_change_files(Session &session, const Json &, const Json &params) {
  bool setup = false;
  for (const Json &change : params.at("changes")) {
    const std::string path = path_of(change.at("uri").get<std::string>());
    setup = setup || path.ends_with(".yaml") || path.ends_with(".so");
  }
  if (setup) session.set_up();
  for (auto &[uri, document] : session.documents) document.dirty = true;
  return std::nullopt;
}

std::optional<Json> did_open(Session &session, const Json &, const Json &params) {
  const Json &item = params.at("textDocument");
  const std::string uri = item.at("uri"), text = item.at("text");
  Document &document = session.documents[uri];
  document = Document();
  document.uri = uri;
  document.path = path_of(uri);
  document.kind = kind_of(document.path, text);
  const Json language = item.value("languageId", Json());
  if (language == "python") document.kind = Document::Kind::program;
  look_at(document, text, version_of(item.value("version", Json())));
  return std::nullopt;
}

std::optional<Json> did_change(Session &session, const Json &, const Json &params) {
  Document &document = session.document(params);
  // All of it is read before any of it is done.
  std::vector<std::pair<std::optional<Range>, std::string>> changes;
  for (const Json &change : params.at("contentChanges"))
    changes.emplace_back(change.contains("range") && !change["range"].is_null()
                             ? std::optional(range_of(change["range"]))
                             : std::nullopt,
                         change.at("text").get<std::string>());
  for (const auto &[range, text] : changes)
    if (range)
      document.text.replace(*range, text);
    else
      document.text = Text(text);
  document.version = version_of(params["textDocument"].value("version", Json()));
  document.dirty = true;
  document.changed = std::chrono::steady_clock::now();
  return std::nullopt;
}

std::optional<Json> did_save(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  if (document.kind == Document::Kind::manifest || document.kind == Document::Kind::profile) session.set_up();
  return std::nullopt;
}

std::optional<Json> did_close(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  const std::string uri = document.uri;
  session.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
  if (session.check && session.check->uri == uri) session.check.reset();
  session.documents.erase(uri);
  return std::nullopt;
}

} // namespace htp::editor
