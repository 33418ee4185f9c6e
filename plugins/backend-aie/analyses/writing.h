// plugins/backend-aie/analyses/writing.h — statements of a stage that are written as text.
#pragma once

#include "aie.h"

namespace htp::aie {

class Writing {
protected:
  explicit Writing(const Context &context) : context_(context) {}

  // `aie.release(x_in, core)`
  Node call(const std::string &text, Node origin) const {
    return context_.statement(context_.parse(text, origin), origin);
  }
  // `x_tile = aie.acquire(x_in, core)`
  Node assign(const std::string &name, const std::string &text, Node origin) const {
    return context_.assign(name, HTP_NONE, context_.parse(text, origin), origin);
  }
  // `for i in range(times):`
  Node counted(const std::string &name, int64_t times, std::vector<uint32_t> body, Node origin) const {
    return context_.make(make::For{.target = context_.name(name, origin, HTP_STORE),
                                   .iter = context_.parse("range(" + std::to_string(times) + ")", origin),
                                   .body = std::move(body)},
                         origin);
  }

private:
  const Context &context_;
};

} // namespace htp::aie
