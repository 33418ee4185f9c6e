#include "host/base/running.h"

#include "host/base/working_folder.h"

namespace htp {

thread_local constinit const Running *Running::now_ = nullptr;

Running::~Running() {
  now_ = before_;
  if (!is_copy()) return_to_working_folder();
}

} // namespace htp
