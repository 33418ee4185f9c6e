// host/editor/session.h — what a language server knows: its settings, the documents that are open, and what was found
// of them. The methods, a row each in methods.def, are functions of it.
#pragma once

#include "host/editor/analysis.h"
#include "host/editor/job.h"
#include "host/editor/modules.h"
#include "host/editor/program.h"
#include "host/editor/rpc.h"
#include "host/editor/text.h"
#include "host/pipeline/inputs.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace htp::editor {

using rpc::Json;
using rpc::Refused;

struct Document {
  enum class Kind { program, manifest, profile, other } kind = Kind::other;
  std::string uri, path;
  int64_t version = 0;
  Text text;
  std::shared_ptr<const Program> program; // of the last text that was Python
  bool current = false;                   // `program` is of this text
  bool dirty = false;                     // it changed since it was read
  bool asks = false;                      // it was read, and the compiler is to be asked
  Diagnostics own;                        // of its text alone: no Python, a wrong manifest
  std::vector<Unit> units;
  std::map<std::string, Findings> findings;        // by the units' keys
  std::vector<Diagnostic> published;               // with locations in this text
  std::chrono::steady_clock::time_point changed{}; // by the client
};

// A request that is answered later, by a job.
struct Pending {
  Json id;
  Job job;
  std::string answer; // the line that it said: {"result": …} or {"error": {"code": …, "message": …}}
};

struct Session {
  using Send = std::function<void(const Json &message)>;

  CompileRequest request; // the profile and the folders of plugins
  Send send;
  bool initialized = false, ended = false; // ended: `shutdown` was asked for
  std::optional<int> exit;                 // the exit code, once it was asked for
  std::string root;                        // the folder that the client works in; empty: none
  bool refreshes = false;                  // the client takes workspace/inlayHint/refresh
  bool snippets = false;

  std::optional<Inputs> inputs; // nothing: the profile is wrong
  Diagnostics setup;            // why; and of plugins that are left out
  Modules modules;
  std::unique_ptr<Analyst> analyst;

  std::map<std::string, Document> documents; // by uri
  std::vector<Pending> pending;
  int64_t asked = 0; // of the requests to the client

  // Reads the profile and finds the plugins; what was found with others is forgotten.
  void set_up();
  std::string made_of;       // the files that set_up() read, as they were
  std::string files() const; // as they are now
  void notify(const std::string &method, Json params) const;
  // Throws Refused.
  Document &document(const Json &params);
  // The same of a program whose tree is of the text; null where it is not.
  const Program *current(const Document &document) const;
  // Answers the request by what the work says, one line, when it has.
  void later(const Json &id, const std::function<void(const Job::Say &)> &work);
  // The program of a document, compiled as it is in the editor.
  CompileRequest compile_request(const Document &document) const;
  // The unsaved texts of all documents.
  Unsaved unsaved() const;

  // ── the check ──
  struct Check {
    std::string uri;
    Job job;
    SourceRef source;
    std::map<std::string, Unit> units; // that are not found yet, by key
    std::string unit, at;              // the key of what is looked at, and whose code runs
  };
  std::optional<Check> check;
  std::chrono::steady_clock::time_point shown{}; // diagnostics of a check that goes on

  // Each false where there is nothing to do. Reads a text that changed; asks the compiler of one that was read.
  bool look();
  bool ask();
  void read_check();
  // `goes_on`: more will be found. Else the client is told that it was all, by `$/htp/checked`, which it may ignore.
  void publish(Document &document, bool goes_on = false);
  // Of a document's units, what was found, where it stands now.
  std::vector<std::pair<const Unit *, const Findings *>> found(const Document &document) const;
};

// ── the protocol's terms ──

Json to_json(Position position);
Json to_json(Range range);
Position position_of(const Json &json); // throws Refused
Range range_of(const Json &json);
Range range_of(const Document &document, const Stretch &at);
// 1-based line and column in bytes.
std::pair<uint32_t, uint32_t> place_of(const Document &document, Position position);
Json location_in(const std::string &path, const Stretch &at, const Session &session);

std::string uri_of(const std::string &path);
std::string path_of(const std::string &uri);
Document::Kind kind_of(const std::string &path, const std::string &text);

// One row of methods.def: a request's answer, nothing when it comes later; a notification's is not sent.
using Method = std::optional<Json> (*)(Session &session, const Json &id, const Json &params);
#define HTP_METHOD(name, function) std::optional<Json> function(Session &session, const Json &id, const Json &params);
#include "host/editor/methods.def"
#undef HTP_METHOD
Method method_named(std::string_view name); // null: there is none

// The commands of workspace/executeCommand.
std::vector<std::string> command_names();
// What completion offers in a manifest or a profile.
Json complete_yaml(const Document &document, Position position);
void check_yaml(Session &session, Document &document);

} // namespace htp::editor
