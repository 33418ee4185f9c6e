// plugins/binding-opencl/loaded.h — what `load` opened.
#pragma once

#include "driver.h"

#include <mutex>

namespace htp::opencl {

struct Loaded {
  Package package;
  std::unique_ptr<Driver> driver;
  Handle program = nullptr;
  std::map<std::string, Handle> kernels;
  std::mutex one_run; // a kernel has one set of arguments

  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded() {
    for (const auto &[name, kernel] : kernels) driver->cl.ReleaseKernel(kernel);
    if (program) driver->cl.ReleaseProgram(program);
  }
};

} // namespace htp::opencl
