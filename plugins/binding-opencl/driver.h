// plugins/binding-opencl/driver.h — what is used of OpenCL 1.2, by `dlopen`: nothing is needed where a plugin is built
// or loaded.
#pragma once

#include "binding.h"

#include <memory>

namespace htp::opencl {

// OpenCL's own names of its opaque objects, as one; its ints and flags, as the ABI has them.
using Handle = struct Opaque *;
using Status = int32_t;
using Flags = uint64_t;

constexpr Flags device_all = 0xffffffff, memory_read_write = 1 << 0, memory_use_host = 1 << 3, map_read = 1 << 0;
constexpr uint32_t platform_name = 0x0902, platform_version = 0x0901;
constexpr uint32_t device_name = 0x102B, device_version = 0x102F, driver_version = 0x102D, device_group = 0x1004,
                   device_fp_config = 0x101B;
constexpr uint32_t program_sizes = 0x1165, program_binaries = 0x1166, build_log = 0x1183;

// FUNCTION(name, result, parameters)
#define HTP_OPENCL_FUNCTIONS(FUNCTION)                                                                                 \
  FUNCTION(GetPlatformIDs, Status, (uint32_t, Handle *, uint32_t *))                                                   \
  FUNCTION(GetPlatformInfo, Status, (Handle, uint32_t, size_t, void *, size_t *))                                      \
  FUNCTION(GetDeviceIDs, Status, (Handle, Flags, uint32_t, Handle *, uint32_t *))                                      \
  FUNCTION(GetDeviceInfo, Status, (Handle, uint32_t, size_t, void *, size_t *))                                        \
  FUNCTION(CreateContext, Handle, (const intptr_t *, uint32_t, const Handle *, void *, void *, Status *))              \
  FUNCTION(CreateCommandQueue, Handle, (Handle, Handle, Flags, Status *))                                              \
  FUNCTION(CreateProgramWithSource, Handle, (Handle, uint32_t, const char **, const size_t *, Status *))               \
  FUNCTION(CreateProgramWithBinary, Handle,                                                                            \
           (Handle, uint32_t, const Handle *, const size_t *, const unsigned char **, Status *, Status *))             \
  FUNCTION(BuildProgram, Status, (Handle, uint32_t, const Handle *, const char *, void *, void *))                     \
  FUNCTION(GetProgramInfo, Status, (Handle, uint32_t, size_t, void *, size_t *))                                       \
  FUNCTION(GetProgramBuildInfo, Status, (Handle, Handle, uint32_t, size_t, void *, size_t *))                          \
  FUNCTION(CreateKernel, Handle, (Handle, const char *, Status *))                                                     \
  FUNCTION(SetKernelArg, Status, (Handle, uint32_t, size_t, const void *))                                             \
  FUNCTION(CreateBuffer, Handle, (Handle, Flags, size_t, void *, Status *))                                            \
  FUNCTION(                                                                                                            \
      EnqueueNDRangeKernel, Status,                                                                                    \
      (Handle, Handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const Handle *, Handle *))  \
  FUNCTION(EnqueueReadBuffer, Status,                                                                                  \
           (Handle, Handle, uint32_t, size_t, size_t, void *, uint32_t, const Handle *, Handle *))                     \
  FUNCTION(EnqueueWriteBuffer, Status,                                                                                 \
           (Handle, Handle, uint32_t, size_t, size_t, const void *, uint32_t, const Handle *, Handle *))               \
  FUNCTION(EnqueueMapBuffer, void *,                                                                                   \
           (Handle, Handle, uint32_t, Flags, size_t, size_t, uint32_t, const Handle *, Handle *, Status *))            \
  FUNCTION(EnqueueUnmapMemObject, Status, (Handle, Handle, void *, uint32_t, const Handle *, Handle *))                \
  FUNCTION(Finish, Status, (Handle))                                                                                   \
  FUNCTION(ReleaseContext, Status, (Handle))                                                                           \
  FUNCTION(ReleaseCommandQueue, Status, (Handle))                                                                      \
  FUNCTION(ReleaseProgram, Status, (Handle))                                                                           \
  FUNCTION(ReleaseKernel, Status, (Handle))                                                                            \
  FUNCTION(ReleaseMemObject, Status, (Handle))

struct Functions {
#define FUNCTION(name, result, parameters) result(*name) parameters = nullptr;
  HTP_OPENCL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// An error's name in OpenCL: "CL_OUT_OF_RESOURCES".
std::string status_name(Status status);

// A device that was chosen, and what its driver is called with. It stays open: drivers have threads of their own.
class Driver {
public:
  Driver() = default;
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;
  ~Driver();

  Functions cl;
  Handle device = nullptr, context = nullptr, queue = nullptr;
  std::string name;     // of the device
  std::string identity; // of the device, its driver and its platform
  size_t most_lanes = 0;
};
// Nothing after a diagnostic.
std::unique_ptr<Driver> open_driver(const Context &c);

} // namespace htp::opencl
