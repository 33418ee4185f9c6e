// host/python/units.h — extension units that are written in Python: what stands for an interface of the SDK where the
// manifest says `code:`. A unit is a function of (`ast.Module`, `htp.extend.Context`); see docs/decisions/0006.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"
#include "host/python/sources.h"

#include <htp/htp.h>

namespace htp {

// A call of the host's into one unit.
struct PythonCall {
  const Manifest &plugin;
  const Unit &unit;
  const htp_host &host;
  htp_ctx *ctx;
  Store &store;
  Diagnostics &diagnostics;
};

// As the functions of htp_pass, htp_analysis and htp_verifier. What goes wrong in the unit is a fault, told at its line
// with the traceback.
htp_status run_python_pass(const PythonCall &call, htp_node root, htp_node &out);
htp_status run_python_analysis(const PythonCall &call, htp_node root, const htp_sink &sink);
htp_status run_python_verifier(const PythonCall &call, std::string_view term, htp_node root);

// Frees now what Python keeps until later: what units have left in circles, and the names in its cache of attributes.
void release_unit_memory();

// Whether the module of each of the plugin's Python units can be imported and has its function. Runs no unit.
bool check_python_units(const Manifest &plugin, Diagnostics &diagnostics);

} // namespace htp
