extern "C" void doubled(float *x, int rows) {
  for (int n = 0; n < rows * 16; ++n) x[n] += x[n];
}
