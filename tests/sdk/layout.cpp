// layout.cpp — the structs as C++20 sees them, against the table; each is plain data.
#include "htp/htp.h"

#include <type_traits>

#define HTP_STRUCT(s, size)                                                                                            \
  static_assert(sizeof(s) == size, "sizeof(" #s ")");                                                                  \
  static_assert(std::is_trivial_v<s> && std::is_standard_layout_v<s>, #s " is not plain data");
#define HTP_MEMBER(s, m, offset) static_assert(offsetof(s, m) == offset, "offsetof(" #s ", " #m ")");
#define HTP_UNION HTP_MEMBER
#include "layout.def"
