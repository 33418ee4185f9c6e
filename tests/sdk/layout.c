/* layout.c — the structs as C11 sees them, against the table. */
#include "htp/htp.h"

#define HTP_STRUCT(s, size) _Static_assert(sizeof(s) == size, "sizeof(" #s ")");
#define HTP_MEMBER(s, m, offset) _Static_assert(offsetof(s, m) == offset, "offsetof(" #s ", " #m ")");
#define HTP_UNION HTP_MEMBER
#include "layout.def"
