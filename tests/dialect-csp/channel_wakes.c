// Who frees one slot of many owes the writer a wake; who owes and has to wait elsewhere, or ends, wakes it first.
// Prints what is wrong.
enum { htp_no_memory = 1, htp_stuck = 16, htp_left = 64 };
#include "htp_channel.h"

#include <stdio.h>
#include <time.h>

static htp_crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER};
static htp_channel items, done;

static void put(htp_channel *channel) {
  htp_channel_claim(channel, 0);
  htp_channel_publish(channel, 0);
}
static void get(htp_channel *channel) {
  htp_channel_front(channel, 0, 0);
  htp_channel_release(channel, 0);
}

// Fills the channel, and sleeps for room.
static void writer(void *context, int64_t place) {
  (void)context;
  for (int k = 0; k < 9; ++k) put(&items);
  if (place) put(&done);
}

// Frees one slot when the writer sleeps, and then waits for what the writer does behind that.
static void reader(void *context, int64_t place) {
  (void)context;
  while (!atomic_load(&items.writer.sleeps)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  get(&items);
  if (!place) return; // and ends
  get(&done);
  for (int k = 0; k < 8; ++k) get(&items);
}

int main(void) {
  for (int64_t waits = 0; waits < 2; ++waits) {
    crew.channels = NULL;
    crew.stuck = false;
    crew.asleep = 0;
    if (!htp_channel_open(&items, &crew, 8, 8, 1) || !htp_channel_open(&done, &crew, 8, 1, 1)) return 1;
    const htp_process processes[] = {{writer, NULL, waits}, {reader, NULL, waits}};
    const int wrong = htp_crew_run(&crew, processes, 2) != (waits ? 0 : htp_left);
    if (wrong)
      printf("%s: the writer was never woken\n", waits ? "a reader that waits elsewhere" : "a reader that ends");
    htp_channel_close(&items);
    htp_channel_close(&done);
    if (wrong) return 1;
  }
  return 0;
}
