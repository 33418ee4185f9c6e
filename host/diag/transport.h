// host/diag/transport.h — diagnostics as data that goes from one process to another, or into the cache. What comes out
// of a process that ran foreign code is validated here: it is a diagnostic with locations in sources that are known, or
// nothing.
#pragma once

#include "host/diag/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>

namespace htp {

// The source of that path; null: there is none, and what is said of it stands nowhere.
using SourceOf = std::function<SourceRef(const std::string &path)>;
// Sources read from their files, each once.
SourceOf sources_read();

nlohmann::ordered_json to_json(const Span &span);
nlohmann::ordered_json to_json(const Diagnostic &diagnostic);

// Nowhere when it is no location of a known source.
Span span_of(const nlohmann::ordered_json &json, const SourceOf &sources);
// Nothing when it is none: the bytes are not trusted.
std::optional<Diagnostic> diagnostic_of(const nlohmann::ordered_json &json, const SourceOf &sources);

} // namespace htp
