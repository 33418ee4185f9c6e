/* htp/abi.h — what every HTP interface is made of: strings, heads, visibility, versions.
 *
 * The boundary between the host and a plugin is C11 data and functions. No C++ type, exception, allocation or
 * STL object crosses it. Everything a plugin receives is borrowed until the call returns, unless the comment
 * beside it says otherwise; everything it hands over is copied by the host before the host function returns.
 *
 * Threads: the host never calls one compile (one `htp_ctx`) from two threads at once; two compiles may run at
 * once in one process, so a plugin has no mutable globals. A thread tag stands after each function:
 *   [any]      callable from any thread      [compile]  only on the thread that runs this compile
 */
#ifndef HTP_ABI_H
#define HTP_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define HTP_EXTERN_C extern "C"
#define HTP_BEGIN extern "C" {
#define HTP_END }
#else
#define HTP_EXTERN_C
#define HTP_BEGIN
#define HTP_END
#endif

/* The ABI's own version. A plugin built with another major version is refused, with both versions named; a
 * plugin with a newer minor version than the host's is refused too (it may need what this host has not). */
#define HTP_ABI_MAJOR 1
#define HTP_ABI_MINOR 1

/* The only symbol a plugin exports (link with sdk's version script). */
#define HTP_EXPORT __attribute__((visibility("default")))

HTP_BEGIN

/* Borrowed UTF-8 text, not NUL-terminated. `data` may be null only when `size` is 0. */
typedef struct htp_str {
  const char *data;
  size_t size;
} htp_str;

/* The first member of every struct that may grow. `size` is sizeof the struct as its writer knew it, `version`
 * the revision in the interface's id ("htp.pass/1" → 1), `layout` the generated hash of its field offsets
 * (htp/layout_hash.h). A reader must not touch members that lie beyond `size`. */
typedef struct htp_head {
  uint32_t size;
  uint32_t version;
  uint64_t layout;
} htp_head;

/* What a plugin's callback answers. Anything but HTP_OK means: at least one error diagnostic was reported. */
typedef enum htp_status {
  HTP_OK = 0,
  HTP_FAILED = 1,    /* the input was refused; diagnostics say why                            */
  HTP_CANCELLED = 2, /* the host asked to stop (htp_host.cancelled)                           */
  HTP_INTERNAL = 3   /* the plugin itself is at fault: an exception stopped at the SDK's shim */
} htp_status;

typedef struct htp_ctx htp_ctx;     /* one compile, opaque; see htp/host.h */
typedef struct htp_host htp_host;   /* the host's function table           */
typedef struct htp_store htp_store; /* the tree, plain data; see ast.h     */

typedef uint32_t htp_node; /* a node of a store; 0 is no node      */
#define HTP_NONE 0u

HTP_END
#endif
