/* every.c — the promised interface as a library: one object of each struct, one pointer to each function, so that its
 * debug information has all of it. sdk/abi/gate.py compares it with what was released. */
#include "htp/capi.h"
#include "htp/htp.h"

#define HTP_STRUCT(s, size) s every_##s;
#define HTP_MEMBER(s, m, offset)
#define HTP_UNION(s, m, offset)
#include "layout.def"

__typeof__(&htp_api_compile) every_htp_api_compile;
__typeof__(&htp_api_open) every_htp_api_open;
__typeof__(&htp_api_run) every_htp_api_run;
__typeof__(&htp_api_close) every_htp_api_close;
__typeof__(&htp_api_free) every_htp_api_free;

#define ENUM(e) e every_##e;
ENUM(htp_status)
ENUM(htp_severity)
ENUM(htp_group)
ENUM(htp_field_type)
ENUM(htp_expr_ctx)
ENUM(htp_op)
ENUM(htp_const_type)
ENUM(htp_order)
ENUM(htp_value_type)
ENUM(DLDeviceType)
ENUM(DLDataTypeCode)
enum htp_kind every_htp_kind;
