extern "C" void doubled(const float *x, float *to, int rows) {
  for (int n = 0; n < rows * 16; ++n) to[n] = x[n] + x[n];
}

extern "C" void split(const float *x, float *sum, float *square, int rows) {
  for (int n = 0; n < rows * 16; ++n) sum[n] = x[n] + x[n], square[n] = x[n] * x[n];
}
