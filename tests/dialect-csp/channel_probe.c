// Channels under load, for the sanitizers: every capacity, with two readers; and crews that get stuck, which end and
// say so; channels that end. `channel_probe ITEMS`; prints what is wrong.
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

// The same of a channel that ends, behind as many items as there are.
static void count_and_end(void *context, int64_t place) {
  count(context, place);
  htp_channel_end(&numbers);
}

static void add_until_end(void *context, int64_t place) {
  (void)context;
  long sum = 0;
  while (htp_channel_more(&numbers, (size_t)place, 0)) {
    sum += *(const long *)htp_channel_next(&numbers, (size_t)place, 0);
    htp_channel_release(&numbers, (size_t)place);
  }
  sums[place] = sum;
}

// One item more than there are.
static void add_one_more(void *context, int64_t place) {
  add_until_end(context, place);
  (void)htp_channel_next(&numbers, (size_t)place, 7);
  htp_channel_release(&numbers, (size_t)place);
}

// Each of these two gets before it puts.
static void one(void *context, int64_t place) {
  (void)context, (void)place;
  (void)htp_channel_front(&back, 0, 3);
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

static const htp_crew no_crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .site = -1};

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
  const long most = items;
  for (uint64_t capacity = 0; capacity < 6; ++capacity)
    for (items = 0; items <= most; items = items < 3 ? items + 1 : items < most ? most : most + 1)
      for (int more = 0; more < 2; ++more) {
        htp_crew crew = no_crew;
        if (!htp_channel_open(&numbers, &crew, sizeof(long), capacity, 2)) return 1;
        const htp_process all[] = {
            {count_and_end, NULL, 0}, {add_until_end, NULL, 0}, {more ? add_one_more : add_until_end, NULL, 1}};
        const int failed = htp_crew_run(&crew, all, 3);
        // Of one more the other reader's work may have ended before.
        if (failed != (more ? htp_past : 0) || sums[1] != items * (items - 1) / 2 || (!more && sums[0] != sums[1]) ||
            (more && crew.site != 7))
          wrong = 1, printf("capacity %d, %ld items: status %d, sums %ld and %ld\n", (int)capacity, items, failed,
                            sums[0], sums[1]);
        htp_channel_close(&numbers);
      }
  for (int k = 0; k < 100; ++k) {
    htp_crew crew = no_crew;
    if (!htp_channel_open(&numbers, &crew, 1, 1, 1) || !htp_channel_open(&back, &crew, 1, 1, 1)) return 1;
    const htp_process all[] = {{one, NULL, 0}, {other, NULL, 0}};
    if (htp_crew_run(&crew, all, 2) != htp_stuck) wrong = 1, puts("a circle is not stuck");
    const htp_sleep *slept = (const htp_sleep *)(intptr_t)crew.b;
    if (crew.site != -1 || crew.a != 2 || slept[0].process != 0 || slept[0].site != 3 || slept[1].process != 1 ||
        slept[1].site != 0)
      wrong = 1, puts("who slept where is not said");
    htp_channel_close(&numbers), htp_channel_close(&back);
  }
  return wrong;
}
