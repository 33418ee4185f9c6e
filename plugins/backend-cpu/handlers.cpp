#include "cpu.h"

#include "htp_cpp/edit.h"

namespace htp::cpu {

namespace {
constexpr std::string_view target_words[] = {
#define HANDLER(from, to) to,
#include "handlers.def"
};
} // namespace

// Every portable intrinsic is in the target set under one word, with the same parameters: only the callee changes.
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  const auto word = target_words[&row - handler_rows];
  auto callee = c.read<ast::Call>(call.call);
  callee.func = c.path("cpu." + std::string(word), callee.func);
  const Node value = c.with(call.call, callee);
  return {with_value(c, call.statement, value)};
}

} // namespace htp::cpu
