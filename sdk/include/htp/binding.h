/* htp/binding.h — from a package to results: five verbs. The package is read through host->read_file with paths
 * relative to the package; what is built goes to the content cache. */
#ifndef HTP_BINDING_H
#define HTP_BINDING_H
#include "htp/dlpack.h"
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_BINDING "htp.binding/1"

/* One argument of a run: a tensor (borrowed; DLPack) or a scalar held in `i` or `f`. */
typedef struct htp_argument {
  const char *name;
  const DLTensor *tensor; /* null for a scalar                                                    */
  int64_t i;
  double f;
} htp_argument;

/* Receives trace events (microseconds since the run began). */
typedef struct htp_trace_sink {
  void *to;
  void (*event)(void *to, htp_str name, htp_str track, double begin_us, double duration_us);
} htp_trace_sink;

/* An entry as a function that the host calls itself, as often as it likes, without asking the plugin. Lives as long as
 * what `load` gave. */
typedef struct htp_direct {
  void *self;
  /* `tensors`: the addresses of the arguments' first elements, in the order of the parameters; `dims`: their sizes. 0
   * when it is done; else what `failed` reports. From several threads at once.                                 [any] */
  int (*call)(void *self, void *const *tensors, const int64_t *dims);
  const htp_str *dims; /* the dims of the signature that it wants the sizes of, in this order */
  uint32_t dim_count;
} htp_direct;

typedef struct htp_binding {
  htp_head head;
  /* Is this package whole and of a contract this binding speaks? Diagnostics say what is wrong.       [compile] */
  htp_status (*validate)(const htp_host *host, htp_ctx *ctx);
  /* Runs the recipe; the result lies in the content cache. `*built` names the folder, borrowed until the call ends. */
  htp_status (*build)(const htp_host *host, htp_ctx *ctx, htp_str *built);
  /* Opens what was built; `*loaded` is the plugin's own handle, given back to run, trace and unload.             */
  htp_status (*load)(const htp_host *host, htp_ctx *ctx, htp_str built, void **loaded);
  /* Runs `entry`, which the package's manifest has; outputs are written in place. The host has held the arguments
   * against the entry's typed signature: there is one for each parameter, in their order, in this machine's memory, of
   * the parameter's dtype, rank and extents (a dim has one size in all of them), contiguous, aligned to its elements,
   * and what is written shares no memory with another. What only the target limits is the binding's to check. A
   * parameter of a type that is not a dtype, or subscripted by one and extents, is given as it came. */
  htp_status (*run)(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                    uint32_t count);
  /* The same, with events: here, or by host->event where a statement is known. */
  htp_status (*trace)(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                      uint32_t count, const htp_trace_sink *sink);
  void (*unload)(void *loaded); /* [any] */
  /* Since 1.1; both may be null. `direct` gives an entry as a function, or leaves `found->call` null where `run` is the
   * only way. The host holds arguments against the signature as it does for `run`. */
  htp_status (*direct)(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, htp_direct *found);
  /* Reports why a direct call of this entry, the last on this thread, returned `code`. */
  htp_status (*failed)(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, int code);
} htp_binding;

HTP_END
#endif
