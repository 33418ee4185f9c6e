// What `scaled` of external_kernel.py means, for a core: rows of `columns` elements, one after the other.
#include <stdint.h>

extern "C" void scaled(const float *x, const float *by, float *result, int32_t rows, int32_t columns) {
  for (int32_t r = 0; r < rows; ++r)
    for (int32_t c = 0; c < columns; ++c) {
      const float product = x[r * columns + c] * by[c];
      result[r * columns + c] = product < 0 ? 0 : product;
    }
}
