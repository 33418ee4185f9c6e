// plugins/binding-aiesim/wrong.h — what is wrong with a module, or with a run of it, as a row of the table.
#pragma once

#include "htp_cpp/refusal.h"

#include <cstddef>
#include <stdexcept>

namespace htp::aiesim {

namespace diag {
using sdk::DiagKind;
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

struct Wrong : std::runtime_error {
  template <class... A> Wrong(const sdk::DiagKind &row, size_t at, const A &...arguments)
      : Wrong(sdk::Refusal(row, arguments...), at) {}
  Wrong(sdk::Refusal refused, size_t at) : std::runtime_error(refused.message), why(std::move(refused)), line(at) {}
  sdk::Refusal why;
  size_t line;     // 0: no line of the module
  size_t node = 0; // of the last stage, counted from 1, where it is known otherwise
};

} // namespace htp::aiesim
