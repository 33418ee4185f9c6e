#include "channels.h"

enum { htp_no_memory = 1, htp_stuck = 2 }; /* as the helper header has them, whose part this is */
#include "htp_channel.h"

#include <string.h>

struct one_channel {
  htp_crew crew;
  htp_channel channel;
};

typedef struct {
  htp_channel channels[3];
  stage *work;
  uint64_t items, sum;
} pipeline;

static void run_stage(void *context, int64_t place) {
  pipeline *p = context;
  const int64_t k = place;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < p->items; ++i) {
    uint64_t item[item_words] = {i};
    if (k > 0) {
      memcpy(item, htp_channel_front(&p->channels[k - 1], 0, 0), sizeof item);
      htp_channel_release(&p->channels[k - 1], 0);
    }
    p->work(item);
    if (k < 3) {
      memcpy(htp_channel_claim(&p->channels[k], 0), item, sizeof item);
      htp_channel_publish(&p->channels[k], 0);
    } else {
      sum += item[0];
    }
  }
  if (k == 3) p->sum = sum;
}

uint64_t run_pipeline(stage *work, uint64_t items, uint64_t capacity) {
  htp_crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pipeline *p = aligned_alloc(htp_line, sizeof *p);
  if (!p) return 0;
  memset(p, 0, sizeof *p);
  p->work = work;
  p->items = items;
  int good = 1;
  for (int k = 0; k < 3; ++k)
    good = htp_channel_open(&p->channels[k], &crew, item_words * sizeof(uint64_t), capacity, 1) && good;
  htp_process stages[4];
  for (int k = 0; k < 4; ++k) stages[k] = (htp_process){run_stage, p, k};
  good = good && htp_crew_run(&crew, stages, 4) == 0;
  for (int k = 0; k < 3; ++k) htp_channel_close(&p->channels[k]);
  const uint64_t sum = p->sum;
  free(p);
  return good ? sum : 0;
}

one_channel *open_channel(uint64_t capacity) {
  one_channel *one = aligned_alloc(htp_line, sizeof *one);
  memset(one, 0, sizeof *one);
  pthread_mutex_init(&one->crew.lock, NULL);
  htp_channel_open(&one->channel, &one->crew, item_words * sizeof(uint64_t), capacity, 1);
  return one;
}

void close_channel(one_channel *one) {
  htp_channel_close(&one->channel);
  pthread_mutex_destroy(&one->crew.lock);
  free(one);
}

uint64_t put_get(one_channel *one, uint64_t value) {
  *(uint64_t *)htp_channel_claim(&one->channel, 0) = value;
  htp_channel_publish(&one->channel, 0);
  const uint64_t got = *(const uint64_t *)htp_channel_front(&one->channel, 0, 0);
  htp_channel_release(&one->channel, 0);
  return got;
}
