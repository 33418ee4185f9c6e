// Channels under load, for the sanitizers: every capacity, with two readers; and crews that get stuck, which end and
// say so. `channel_probe ITEMS`; prints what is wrong.
enum { htp_no_memory = 1, htp_stuck = 16, htp_left = 64 };
#include "htp_channel.h"

#include <stdio.h>

static htp_channel numbers, doubled, back;
static long items, sums[2];

static void count(void *context, int64_t place) {
  (void)context, (void)place;
  for (long i = 0; i < items; ++i) {
    *(long *)htp_channel_claim(&numbers, 0) = i;
    htp_channel_publish(&numbers, 0);
  }
}

static void twice(void *context, int64_t place) {
  (void)context, (void)place;
  for (long i = 0; i < items; ++i) {
    const long number = *(const long *)htp_channel_front(&numbers, 0, 0);
    htp_channel_release(&numbers, 0);
    *(long *)htp_channel_claim(&doubled, 0) = number * 2;
    htp_channel_publish(&doubled, 0);
  }
}

static void add(void *context, int64_t place) {
  (void)context;
  long sum = 0;
  for (long i = 0; i < items; ++i) {
    sum += *(const long *)htp_channel_front(&doubled, (size_t)place, 0);
    htp_channel_release(&doubled, (size_t)place);
  }
  sums[place] = sum;
}

// Each of these two gets before it puts.
static void one(void *context, int64_t place) {
  (void)context, (void)place;
  (void)htp_channel_front(&back, 0, 0);
  htp_channel_release(&back, 0);
  (void)htp_channel_claim(&numbers, 0);
  htp_channel_publish(&numbers, 0);
}

static void other(void *context, int64_t place) {
  (void)context, (void)place;
  (void)htp_channel_front(&numbers, 0, 0);
  htp_channel_release(&numbers, 0);
  (void)htp_channel_claim(&back, 0);
  htp_channel_publish(&back, 0);
}

static const htp_crew no_crew = {.lock = PTHREAD_MUTEX_INITIALIZER};

int main(int count_of, char **arguments) {
  items = count_of > 1 ? strtol(arguments[1], NULL, 10) : 20000;
  int wrong = 0;
  for (uint64_t capacity = 0; capacity < 6; ++capacity) {
    htp_crew crew = no_crew;
    if (!htp_channel_open(&numbers, &crew, sizeof(long), capacity, 1)) return 1;
    if (!htp_channel_open(&doubled, &crew, sizeof(long), capacity, 2)) return 1;
    const htp_process all[] = {{count, NULL, 0}, {twice, NULL, 0}, {add, NULL, 0}, {add, NULL, 1}};
    const int failed = htp_crew_run(&crew, all, 4);
    if (failed || sums[0] != items * (items - 1) || sums[1] != sums[0])
      wrong = 1, printf("capacity %d: status %d, sums %ld and %ld\n", (int)capacity, failed, sums[0], sums[1]);
    htp_channel_close(&numbers), htp_channel_close(&doubled);
  }
  for (int k = 0; k < 100; ++k) {
    htp_crew crew = no_crew;
    if (!htp_channel_open(&numbers, &crew, 1, 1, 1) || !htp_channel_open(&back, &crew, 1, 1, 1)) return 1;
    const htp_process all[] = {{one, NULL, 0}, {other, NULL, 0}};
    if (htp_crew_run(&crew, all, 2) != htp_stuck) wrong = 1, puts("a circle is not stuck");
    htp_channel_close(&numbers), htp_channel_close(&back);
  }
  return wrong;
}
