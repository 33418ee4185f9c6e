// host/api/api.cpp — the C API (htp/capi.h): JSON in, the same phases as the commands, JSON out.
#include "host/api/answer.h"
#include "host/api/barrier.h"
#include "host/api/kept.h"
#include "host/base/environment.h"
#include "host/base/roof.h"
#include "host/log/log.h"
#include "host/pipeline/compilation.h"
#include "host/pipeline/operations.h"

#include <htp/capi.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace htp;

namespace {

using api::Handle;
using api::Json;

int respond(Json response, const Diagnostics &diagnostics, int status, char **to) {
  *to = strdup(api::response_of(std::move(response), diagnostics).c_str());
  return status;
}

int status_code(CompileOutcome::Status status) {
  switch (status) {
  case CompileOutcome::Status::done: return 0;
  case CompileOutcome::Status::refused: return 1;
  case CompileOutcome::Status::failed: return 3;
  case CompileOutcome::Status::cancelled: return 130;
  }
  return 3;
}

CompileRequest request_from(const Json &json) {
  CompileRequest request;
  request.program = json.value("program", "");
  request.profile = profile_file(json.value("profile", ""));
  request.entry = json.value("entry", "");
  request.out = json.value("out", "");
  request.verify_each = json.value("verify_each", false);
  request.only_entry = json.value("only_entry", false);
  request.stages = json.value("stages", "");
  if (!request.stages.empty() && request.stages != "changed" && request.stages != "last")
    throw std::invalid_argument("`stages` is `" + request.stages + "`, which is none of changed, last");
  if (json.contains("set")) request.set = json.at("set").get<std::map<std::string, std::string>>();
  if (json.contains("plugin_path")) request.plugin_path = json.at("plugin_path").get<std::vector<std::string>>();
  return request;
}

// Runs f with the parsed request; a request that is not of the form is told in the response.
template <class F> int answer(const char *request, char **response, F f) {
  return guarded(
      response,
      [&] {
        static std::once_flag logging; // where this is no part of htp-host, which has its own
        std::call_once(logging, [] {
          const char *asked = environment("HTP_LOG");
          if (!asked || logs(LogLevel::error)) return;
          if (const auto settings = log_settings(asked)) open_log(*settings);
        });
        Diagnostics diagnostics;
        const auto bad = [&](const char *why) {
          diagnostics.report(diag::api_bad_request, {}, why);
          return respond(Json::object(), diagnostics, 2, response);
        };
        if (!request) return bad("there is none");
        try {
          return f(Json::parse(request), diagnostics);
        } catch (const Json::exception &e) {
          return bad(e.what());
        } catch (const std::invalid_argument &e) {
          return bad(e.what());
        }
      },
      [](const char *cause) {
        Diagnostics diagnostics;
        diagnostics.report(diag::api_failed, {}, cause);
        return Json{{"diagnostics", Json::parse(render_json(diagnostics)).at("diagnostics")},
                    {"rendered", render_text(diagnostics, {})}}
            .dump(-1, ' ', false, Json::error_handler_t::replace);
      });
}

} // namespace

int htp_api_compile(const char *request, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    Cache cache = Cache::from_environment();
    if (json.contains("sizes")) {
      const auto found =
          estimate(request_from(json), json.at("sizes").get<std::map<std::string, int64_t>>(), cache, diagnostics);
      if (!found) return respond(Json::object(), diagnostics, diagnostics.faults() ? 3 : 1, response);
      return respond({{"estimate", {{"by", found->by}, {"seconds", found->seconds}}}}, diagnostics, 0, response);
    }
    const bool kept = json.value("keep", false);
    const CompileOutcome outcome = kept ? api::compile_kept(request_from(json), std::move(cache), diagnostics)
                                        : compile(request_from(json), cache, diagnostics);
    return respond({{"package", outcome.package}, {"digest", outcome.digest}, {"changed", outcome.changed}},
                   diagnostics, status_code(outcome.status), response);
  });
}

int htp_api_operations(const char *request, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    Cache cache = Cache::from_environment();
    const auto set = load_set(request_from(json), cache, diagnostics);
    if (!set) return respond(Json::object(), diagnostics, diagnostics.faults() ? 3 : 1, response);
    const Registry registry(set->plugins, {});
    Json list = Json::array();
    for (const Operation &operation : operations_of(registry)) list.push_back(describe(operation));
    return respond({{"intrinsics", list}}, diagnostics, 0, response);
  });
}

int htp_api_open(const char *request, void **handle, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    if (!handle) throw std::invalid_argument("there is no place for the handle");
    auto opened = std::make_shared<api::Opened>();
    opened->binding = BoundPackage::open(json.value("package", ""), request_from(json), opened->cache, diagnostics);
    if (!opened->binding) return respond(Json::object(), diagnostics, diagnostics.faults() ? 3 : 1, response);
    Json entries = Json::array();
    for (const auto &entry : opened->binding->package().manifest.entries) {
      Json parameters = Json::array();
      for (const auto &p : entry.parameters)
        parameters.push_back({{"name", p.name}, {"direction", p.direction}, {"type", p.type}});
      entries.push_back({{"name", entry.name}, {"parameters", parameters}, {"returns", entry.returns}});
    }
    const Json modules = opened->binding->python_path();
    *handle = new Handle(std::move(opened));
    return respond({{"entries", entries}, {"modules", modules}}, diagnostics, 0, response);
  });
}

int htp_api_run(void *handle, const char *request, DLTensor **arrays, unsigned count, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    const auto names = json.at("arguments").get<std::vector<std::string>>();
    if (names.size() != count) throw std::invalid_argument("as many arrays as arguments are needed");
    if (!handle) throw std::invalid_argument("the handle is null");
    if (count > 0 && !arrays) throw std::invalid_argument("the arrays are null");
    std::vector<htp_argument> arguments;
    for (unsigned i = 0; i < count; ++i) arguments.push_back({names[i].c_str(), arrays[i], 0, 0});
    if (const unsigned runs = json.value("times", 0u)) {
      const auto seconds =
          (*static_cast<Handle *>(handle))->binding->time(json.value("entry", ""), arguments, runs, diagnostics);
      const bool good = !seconds.empty();
      return respond({{"seconds", seconds}}, diagnostics, good ? 0 : diagnostics.faults() ? 3 : 1, response);
    }
    std::vector<TraceEvent> events;
    const bool trace = json.value("trace", false);
    const bool good = (*static_cast<Handle *>(handle))
                          ->binding->run(json.value("entry", ""), arguments, trace ? &events : nullptr, diagnostics);
    Json result = Json::object();
    if (trace) {
      result["events"] = Json::array();
      for (const TraceEvent &e : events) {
        Json &one = result["events"].emplace_back(
            Json{{"name", e.name}, {"track", e.track}, {"begin_us", e.begin_us}, {"duration_us", e.duration_us}});
        if (e.at.line) one["file"] = e.at.file->path, one["line"] = e.at.line;
      }
    }
    return respond(std::move(result), diagnostics, good ? 0 : diagnostics.faults() ? 3 : 1, response);
  });
}

int htp_api_roof(const char *request, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    const Roof roof = measure_roof(json.value("bytes", uint64_t{0}));
    return respond({{"flops", roof.flops}, {"read", roof.read}, {"copy", roof.copy}}, diagnostics, 0, response);
  });
}

int htp_api_function(void *handle, const char *request, void *parts, char **response) {
  return answer(request, response, [&](const Json &json, Diagnostics &diagnostics) {
    if (!handle || !parts) throw std::invalid_argument("the handle or the list is null");
    const bool good = api::append_function(*static_cast<Handle *>(handle), json.value("entry", ""), parts, diagnostics);
    return respond(Json::object(), diagnostics, good ? 0 : diagnostics.faults() ? 3 : 1, response);
  });
}

void htp_api_close(void *handle) {
  const std::unique_ptr<Handle> held(static_cast<Handle *>(handle));
  if (held) (*held)->closed = true;
}
void htp_api_free(char *response) { std::free(response); }
