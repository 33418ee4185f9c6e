// host/api/barrier.h — what stands at every entry of the C API: no exception goes to the caller, who may be C.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace htp {

// The status of `f()`, which writes the response. 2 where there is nowhere to respond to; 3, with what `failed` gives
// for the cause, after an exception.
template <class F, class G> int guarded(char **response, F f, G failed) noexcept {
  if (!response) return 2;
  *response = nullptr;
  const auto say = [&](const char *cause) noexcept {
    std::free(*response);
    *response = nullptr;
    try {
      *response = strdup(std::string(failed(cause)).c_str());
    } catch (...) { // no memory even for that: the status says it
    }
    return 3;
  };
  try {
    return f();
  } catch (const std::bad_alloc &) {
    return say("there is too little memory");
  } catch (const std::exception &e) {
    return say(e.what());
  } catch (...) {
    return say("of an exception that is not of the C++ library");
  }
}

} // namespace htp
