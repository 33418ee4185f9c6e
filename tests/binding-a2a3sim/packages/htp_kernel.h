// htp_kernel.h — a kernel's arguments in either contract: addresses, or descriptors of tensors; scalars follow the
// tensors.
#pragma once

#include <cstdint>
#include <pto/pto-inst.hpp>

#if HTP_CONTRACT == 202603
#define HTP_TENSOR(T, i) reinterpret_cast<__gm__ T *>(args[i])
#else
#include "tensor.h"
#define HTP_TENSOR(T, i)                                                                                               \
  (reinterpret_cast<__gm__ T *>(reinterpret_cast<__gm__ ChipTensor *>(args[i])->buffer.addr) +                         \
   reinterpret_cast<__gm__ ChipTensor *>(args[i])->start_offset)
#endif
#define HTP_SCALAR(T, i, tensors) static_cast<T>(args[(tensors) + (i)])
