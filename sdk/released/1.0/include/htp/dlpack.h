/* htp/dlpack.h — the part of DLPack that arrays cross the boundary in (R17), with DLPack's own names and layout, so
 * that a DLTensor made by anyone can be passed as it is. */
#ifndef HTP_DLPACK_H
#define HTP_DLPACK_H
#include <stdint.h>
#ifndef DLPACK_VERSION
typedef enum { kDLCPU = 1 } DLDeviceType;
typedef struct {
  int32_t device_type;
  int32_t device_id;
} DLDevice;
typedef enum { kDLInt = 0U, kDLUInt = 1U, kDLFloat = 2U, kDLBfloat = 4U, kDLBool = 6U } DLDataTypeCode;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; /* in elements; null = compact row-major */
  uint64_t byte_offset;
} DLTensor;
#endif
#endif
