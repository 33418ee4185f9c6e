// host/api/answer.h — what the entries of the C API share: the package behind a handle, and responses as JSON.
#pragma once

#include "host/bind/bind.h"
#include "host/diag/render.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace htp::api {

using Json = nlohmann::ordered_json;

// What a handle stands for. Functions that were made of it hold it too, and see that it was closed.
struct Opened {
  Cache cache = Cache::from_environment();
  std::unique_ptr<BoundPackage> binding;
  bool closed = false;
};
using Handle = std::shared_ptr<Opened>;

inline std::string response_of(Json response, const Diagnostics &diagnostics) {
  response["diagnostics"] = Json::parse(render_json(diagnostics)).at("diagnostics");
  response["rendered"] = render_text(diagnostics, {});
  return response.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A callable of the running interpreter for an entry, appended to the list `parts`, which holds what it is made of (see
// htp/capi.h); nothing is appended where `htp_api_run` is the only way. False after a report.
bool append_function(const Handle &handle, const std::string &entry, void *parts, Diagnostics &diagnostics);

} // namespace htp::api
