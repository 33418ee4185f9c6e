// What `multiplied` and `narrowed` of external_product.py mean, for a core: `sums` stay where they are and get more.
#include <stdint.h>

extern "C" void multiplied(const int8_t *a, const int8_t *b, int32_t *sums, int32_t rows, int32_t depth,
                           int32_t columns) {
  for (int32_t r = 0; r < rows; ++r)
    for (int32_t d = 0; d < depth; ++d)
      for (int32_t c = 0; c < columns; ++c) sums[r * columns + c] += a[r * depth + d] * b[d * columns + c];
}

extern "C" void narrowed(const int32_t *sums, int32_t by, int8_t *low, int32_t *most, int32_t rows, int32_t columns) {
  for (int32_t r = 0; r < rows; ++r) {
    most[r] = sums[r * columns];
    for (int32_t c = 0; c < columns; ++c) {
      const int32_t sum = sums[r * columns + c];
      low[r * columns + c] = (int8_t)(sum >> by);
      if (sum > most[r]) most[r] = sum;
    }
  }
}
