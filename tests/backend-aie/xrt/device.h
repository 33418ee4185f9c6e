// What host programs use of XRT, without a device: a kernel writes what it was given to the file KERNEL, and hands its
// first tensor's room on to its last one's. What was in each is in ROOM0 and so on.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#define XCL_BO_FLAGS_CACHEABLE 1
#define XRT_BO_FLAGS_HOST_ONLY 2
#define XCL_BO_SYNC_BO_TO_DEVICE 1
#define XCL_BO_SYNC_BO_FROM_DEVICE 2

namespace xrt {
struct uuid {};
struct xclbin {
  explicit xclbin(const std::string &path) : path(path) {}
  uuid get_uuid() const { return {}; }
  std::string path;
};
struct device {
  explicit device(unsigned) {}
  void register_xclbin(const xclbin &) {}
};
struct hw_context {
  hw_context(const device &, const uuid &) {}
};
// Two sides: what the host sees, and what the device does; `sync` copies.
struct bo {
  bo(const device &, std::size_t size, unsigned flags, int group) : sides(std::make_shared<Sides>()) {
    *sides = {std::vector<char>(size), std::vector<char>(size, 'x'), flags, group};
  }
  template <typename P> P map() { return reinterpret_cast<P>(sides->host.data()); }
  void sync(int direction) {
    (direction == XCL_BO_SYNC_BO_TO_DEVICE ? sides->device : sides->host) =
        direction == XCL_BO_SYNC_BO_TO_DEVICE ? sides->host : sides->device;
  }
  struct Sides {
    std::vector<char> host, device;
    unsigned flags;
    int group;
  };
  std::shared_ptr<Sides> sides;
};
struct run {
  void wait() {}
};
struct kernel {
  kernel(const hw_context &, const std::string &name) : name(name) {}
  int group_id(int argument) const { return argument; }
  template <typename... Rooms>
  run operator()(unsigned opcode, const bo &code, std::size_t words, const Rooms &...rooms) {
    const bo all[] = {rooms...};
    std::ofstream told("KERNEL");
    told << name << " " << opcode << " " << code.sides->group << " " << code.sides->flags << " " << words;
    for (std::size_t k = 0; k < words; ++k) {
      std::uint32_t word = 0;
      std::memcpy(&word, code.sides->device.data() + k * sizeof word, sizeof word);
      told << " " << word;
    }
    for (const bo &room : all)
      told << "\n" << room.sides->group << " " << room.sides->flags << " " << room.sides->device.size();
    for (std::size_t k = 0; k < sizeof...(rooms); ++k)
      std::ofstream("ROOM" + std::to_string(k), std::ios::binary)
          .write(all[k].sides->device.data(), static_cast<std::streamsize>(all[k].sides->device.size()));
    const bo &from = all[0], &to = all[sizeof...(rooms) - 1];
    to.sides->device = from.sides->device;
    std::ofstream("SEEN", std::ios::binary)
        .write(from.sides->device.data(), static_cast<std::streamsize>(from.sides->device.size()));
    return {};
  }
  std::string name;
};
} // namespace xrt
