/* htp/capi.h — libhtp from C, and so from anything: what `htp.compile_program` and `htp.bind` call. Requests and
 * responses are JSON, UTF-8 and NUL-terminated; arrays cross as DLTensor. libhtp is not linked to libpython: load it
 * into a process that has CPython's symbols (a Python interpreter, or htp-host). The caller holds the interpreter's
 * lock.
 *
 * Each function returns the exit code of the same command (0 done, 1 refused, 2 the request is not of its form, 3 a
 * tool or plugin failed) and leaves in
 * `*response` a JSON object to be freed with htp_api_free:
 *   {"diagnostics": […], "rendered": "…", …}                                                                    [any]
 */
#ifndef HTP_CAPI_H
#define HTP_CAPI_H
#include "htp/abi.h"
#include "htp/dlpack.h"
HTP_BEGIN

/* {"program", "profile", "entry", "out", "set": {}, "plugin_path": [], "stages": "changed" or "last"}
 * → {"package", "digest", "changed"}. With "only_entry": true the rest of the program's file may be any Python. With
 * "keep": true in place of "out" the package lies in the content cache.
 * With "sizes": {"M": 64} nothing is written: {"estimate": {"by", "seconds"}} is what the target's cost model, an
 * analysis that provides Cost.Model, says of the last stage; `by` is empty where the target has none. */
HTP_EXPORT int htp_api_compile(const char *request, char **response);
/* {"profile", "plugin_path": []} → {"intrinsics": […]}, as `htp-host --json ops` has them */
HTP_EXPORT int htp_api_operations(const char *request, char **response);
/* The layout algebra, htp_cpp/layout: {"operation", "layouts": [expressions], …} → {"layout": expression}. Layouts are
 * constructor expressions in any notation; answers are canonical. Beside the layouts take
 *   compose, product    nothing                      blocked    "outer_shape", "inner_shape"
 *   slice               "shape", "starts", "extents", "steps"   permute    "shape", "order"
 *   invert              "axes" → also {"space": {axis: places}}
 *   relayout            "shape", "bytes" of an element → {"steps": [{"kind", "text", "bytes", "before", "after"}]}
 *   strided, cute       "shape" → {"notation": expression}, as do linear with "shape" and "units", shard with "shape"
 *                       and "mesh": {axis: devices}, and levels with nothing
 * What cannot be said answers 1 and {"refused": why}, without diagnostics. */
HTP_EXPORT int htp_api_layout(const char *request, char **response);
/* {"package", "profile", "plugin_path": []} → {"entries": [{"name", "parameters": [{"name", "direction", "type"}]}],
 * "modules": [folders with the Python packages of what made the package]}; the handle is closed with htp_api_close. */
HTP_EXPORT int htp_api_open(const char *request, void **handle, char **response);
/* {"entry", "arguments": [names]}, with one array for each name; outputs are written in place. With "trace": true the
 * response has {"events": [{"name", "track", "begin_us", "duration_us"}]}. With "times": n it is run so often, and the
 * response has {"seconds": [of each run]}. One run at a time for each handle. */
HTP_EXPORT int htp_api_run(void *handle, const char *request, DLTensor **arrays, unsigned count, char **response);
/* {"bytes"} → {"flops", "read", "copy"}: what one core of this machine does in a second, measured now: operations of
 * multiply-add on f32, two for each; bytes read of a memory of so many; bytes read and written of one of so many. */
HTP_EXPORT int htp_api_roof(const char *request, char **response);
/* For Python. {"entry"} → the entry, built and opened, as a callable of the running interpreter that is appended to
 * `parts`, a list of: a callable that does the same for whatever arguments, and is asked for all that this one does not
 * take; one that is given the response of a call that failed, and raises; `numpy.empty`; the dtypes of the parameters;
 * the class of refusals, whose tracebacks begin with the caller; the parameters' names, interned. Nothing is appended
 * where htp_api_run is the only way. */
HTP_EXPORT int htp_api_function(void *handle, const char *request, void *parts, char **response);
/* What htp_api_function made of the handle refuses from now on. */
HTP_EXPORT void htp_api_close(void *handle);
HTP_EXPORT void htp_api_free(char *response);

HTP_END
#endif
