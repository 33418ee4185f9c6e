// pipe_sync.h — the end of a kernel: the scalar pipe waits for what was stored.
#pragma once

static inline void pipe_sync(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
#if defined(__DAV_CUBE__)
  const int pipe = PIPE_FIX;
#else
  const int pipe = PIPE_MTE3;
#endif
  set_flag(pipe, PIPE_S, EVENT_ID7, file, line);
  wait_flag(pipe, PIPE_S, EVENT_ID7, file, line);
}
