#include "driver.h"

#include <dlfcn.h>

namespace htp::opencl {

namespace {

template <class Get> std::string text_of(Get get) {
  size_t size = 0;
  if (get(0, nullptr, &size) != 0 || size == 0) return {};
  std::string text(size, '\0');
  if (get(size, text.data(), nullptr) != 0) return {};
  text.resize(std::min(size, text.find('\0')));
  return text;
}

bool find_functions(const Context &c, void *library, Functions &cl) {
  const char *missing = nullptr;
#define FUNCTION(name, result, parameters)                                                                             \
  if (!(cl.name = reinterpret_cast<decltype(cl.name)>(dlsym(library, "cl" #name)))) missing = "cl" #name;
  HTP_OPENCL_FUNCTIONS(FUNCTION)
#undef FUNCTION
  if (missing) c.report(diag::no_library, HTP_NONE, std::string(c.option("library")) + " has no " + missing);
  return !missing;
}

} // namespace

std::string status_name(Status status) {
  switch (status) {
  case -4: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
  case -5: return "CL_OUT_OF_RESOURCES";
  case -6: return "CL_OUT_OF_HOST_MEMORY";
  case -11: return "CL_BUILD_PROGRAM_FAILURE";
  case -42: return "CL_INVALID_BINARY";
  case -46: return "CL_INVALID_KERNEL_NAME";
  case -54: return "CL_INVALID_WORK_GROUP_SIZE";
  case -61: return "CL_INVALID_BUFFER_SIZE";
  default: return "status " + std::to_string(status);
  }
}

Driver::~Driver() {
  if (queue) cl.ReleaseCommandQueue(queue);
  if (context) cl.ReleaseContext(context);
}

std::unique_ptr<Driver> open_driver(const Context &c) {
  auto d = std::make_unique<Driver>();
  // Drivers keep threads that outlive calls: the library stays.
  void *library = dlopen(std::string(c.option("library")).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char *why = dlerror();
    c.report(diag::no_library, HTP_NONE, why ? why : "no reason is given");
    return nullptr;
  }
  Functions &cl = d->cl;
  if (!find_functions(c, library, cl)) return nullptr;
  const std::string wanted(c.option("device"));
  Handle platforms[32];
  uint32_t platform_count = 0;
  if (cl.GetPlatformIDs(32, platforms, &platform_count) != 0) platform_count = 0;
  for (uint32_t p = 0; p < std::min(platform_count, 32u) && !d->device; ++p) {
    const auto about = [&](uint32_t what) {
      return text_of([&](size_t size, void *to, size_t *needed) {
        return cl.GetPlatformInfo(platforms[p], what, size, to, needed);
      });
    };
    const std::string platform = about(platform_name);
    Handle devices[64];
    uint32_t count = 0;
    if (cl.GetDeviceIDs(platforms[p], device_all, 64, devices, &count) != 0) continue;
    for (uint32_t k = 0; k < std::min(count, 64u) && !d->device; ++k) {
      const auto of = [&](uint32_t what) {
        return text_of([&](size_t size, void *to, size_t *needed) {
          return cl.GetDeviceInfo(devices[k], what, size, to, needed);
        });
      };
      d->name = of(device_name);
      if (!wanted.empty() && (platform + " " + d->name).find(wanted) == std::string::npos) continue;
      d->device = devices[k];
      d->identity = platform + "\n" + about(platform_version) + "\n" + d->name + "\n" + of(device_version) + "\n" +
                    of(driver_version);
      cl.GetDeviceInfo(d->device, device_group, sizeof d->most_lanes, &d->most_lanes, nullptr);
    }
  }
  if (!d->device) {
    c.report(diag::no_device, HTP_NONE, wanted.empty() ? std::string() : " called `" + wanted + "`");
    return nullptr;
  }
  Status status = 0;
  d->context = cl.CreateContext(nullptr, 1, &d->device, nullptr, nullptr, &status);
  if (d->context) d->queue = cl.CreateCommandQueue(d->context, d->device, 0, &status);
  if (!d->queue) {
    c.report(diag::call_failed, HTP_NONE, d->context ? "clCreateCommandQueue" : "clCreateContext", status_name(status));
    return nullptr;
  }
  return d;
}

} // namespace htp::opencl
