//@ channel : guard
/* The processes of a pipeline as threads, and the bounded channels between them.
 *
 * A channel is a ring of slots with one writer and one or more readers, each of which gets every item. Writer and readers
 * touch the slots in place: claim a slot, fill it, publish it; look at the front, use it, release it. While there is capacity,
 * and while there is an item, neither takes a lock. Who has to wait looks again for a moment,
 * gives up its core a few times, and then sleeps, so that more processes than cores do no harm.
 *
 * When all are asleep nobody will ever wake: the crew is stuck. Then nothing waits any more, and the processes run to their
 * ends: who gets no slot has a spare one, where what is written is not read, and what is read means nothing.
 *
 * The writer of a checked channel ends it behind its last item. Its readers ask for more before they look at the front; who
 * looks where nothing comes any more ends the crew's work too. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { htp_line = 64, htp_looks = 32, htp_turns = 4 }; /* bytes that cores share or not; looks, then turns given up, before sleeping */
enum { htp_past = 128 }; /* why a crew failed, beside those of the section guard: one looked behind the end of a channel */
#define htp_over (UINT64_C(1) << 63) /* of the items that a writer is done with: it ended the channel */

struct htp_channel;

/* Who wants to know what took the time of a call: a clock in nanoseconds, and what is told when all has ended, on the thread
 * that called. `process` counts the instances in the order in which they begin. `site` is where a process waited, by its
 * number in the package's signature, and `lane` which channel of an array it is; all of an instance's time is at site -1,
 * and what came behind the last wait that was kept at -2, where `lane` waits were not. */
typedef struct {
  void *to;
  int64_t (*now)(void);
  void (*span)(void *to, int64_t process, int64_t site, int64_t lane, int64_t begin, int64_t end);
} htp_watch;
static _Thread_local const htp_watch *htp_watched; /* of the next crew that this thread runs */

/* Where a process sleeps, by the number of the site and of the channel in its array; at none, -1. */
typedef struct {
  int64_t process, site, lane;
} htp_sleep;
static _Thread_local htp_sleep *htp_self;

enum { htp_most_sleeps = 64 };
static _Thread_local htp_sleep htp_slept[htp_most_sleeps]; /* who slept when the crew was stuck that this thread ran last */

typedef struct {
  pthread_mutex_t lock;          /* of all that sleep, and of what stands here */
  size_t alive, asleep;          /* processes that have not ended; of these, sleeping ones that nobody has woken */
  bool stuck;                    /* or could not begin */
  bool past;                     /* one looked for an item behind the end of a channel */
  int64_t site, a, b;            /* why they did not come to their end: where that was, and in which channel of an array; or
                                    -1, and of those that were stuck how many slept, and the address of their htp_sleep */
  struct htp_channel *channels;  /* the last opened, which knows the one before it */
} htp_crew;

/* One side of a channel: the number of items it is done with, and its sleep. */
typedef struct {
  _Alignas(htp_line) _Atomic uint64_t done;
  uint64_t seen; /* of the other side, as last looked at; the owner's alone */
  _Atomic bool sleeps;
  pthread_cond_t woken;
} htp_side;

typedef struct htp_channel {
  htp_crew *crew;
  struct htp_channel *before;
  char *slots;
  size_t slot_bytes;
  uint64_t capacity; /* slots; a rendezvous has one */
  int64_t lane;      /* in its array */
  bool rendezvous;
  size_t readers;
  htp_side writer, *reader;
} htp_channel;

typedef struct {
  void (*run)(void *context, int64_t instance);
  void *context;
  int64_t instance; /* in its grid, the last index running fastest */
} htp_process;

/* ── a channel's life ──────────────────────────────────────────────────────────────────────────────────────────────── */

static inline void htp_side_init(htp_side *side) {
  atomic_init(&side->done, 0);
  atomic_init(&side->sleeps, false);
  side->seen = 0;
  pthread_cond_init(&side->woken, NULL);
}

static inline void htp_channel_close(htp_channel *c) {
  free(c->slots);
  if (!c->reader) return;
  for (size_t r = 0; r < c->readers; ++r) pthread_cond_destroy(&c->reader[r].woken);
  pthread_cond_destroy(&c->writer.woken);
  free(c->reader);
}

static inline void htp_channels_close(htp_channel *channels, size_t count) {
  for (size_t k = 0; channels && k < count; ++k) htp_channel_close(&channels[k]);
  free(channels);
}

/* A crew begins as zeros but for its lock and its site. False without memory; close it then too. */
static inline bool htp_channel_open(htp_channel *c, htp_crew *crew, size_t slot_bytes, uint64_t capacity,
                                    size_t readers) {
  const size_t bytes = (slot_bytes + htp_line - 1) / htp_line * htp_line;
  c->crew = crew;
  c->lane = 0;
  c->before = crew->channels;
  crew->channels = c;
  c->slot_bytes = bytes ? bytes : htp_line;
  c->rendezvous = capacity == 0;
  c->capacity = capacity ? capacity : 1;
  c->readers = readers;
  if (c->slot_bytes > SIZE_MAX / 2 / (c->capacity + 2)) return false;
  c->slots = aligned_alloc(htp_line, c->slot_bytes * (c->capacity + 2)); /* the spare ones are behind */
  c->reader = c->slots ? aligned_alloc(htp_line, sizeof(htp_side) * readers) : NULL;
  if (!c->reader) return false;
  htp_side_init(&c->writer);
  for (size_t r = 0; r < readers; ++r) htp_side_init(&c->reader[r]);
  return true;
}

/* So many channels of one kind; null without memory. */
static inline htp_channel *htp_channels_open(htp_crew *crew, size_t count, int64_t slot_bytes, uint64_t capacity, size_t readers) {
  htp_channel *channels = aligned_alloc(htp_line, count * sizeof *channels);
  for (size_t k = 0; channels && k < count; ++k) {
    channels[k].slots = NULL;
    channels[k].reader = NULL;
  }
  for (size_t k = 0; channels && k < count; ++k) {
    if (!htp_channel_open(&channels[k], crew, slot_bytes > 0 ? (size_t)slot_bytes : 1, capacity, readers)) {
      htp_channels_close(channels, count);
      return NULL;
    }
    channels[k].lane = (int64_t)k;
  }
  return channels;
}

/* ── a process's time ──────────────────────────────────────────────────────────────────────────────────────────────── */

enum { htp_most_spans = 1 << 20 }; /* that are kept of a process */

typedef struct {
  int64_t begin, end, lane;
  int64_t site;
} htp_span;

/* What the process of this thread waited for; null where nobody wants to know. Only waits are looked at, so what needs none
 * costs nothing. */
typedef struct {
  const htp_watch *watch;
  int64_t begin, end;
  htp_span *spans;
  size_t count, room;
  int64_t lost; /* behind the last that was kept */
} htp_track;
static _Thread_local htp_track *htp_tracked;

static inline void htp_track_wait(htp_track *track, int64_t begin, int64_t site, int64_t lane) {
  if (!track->lost && track->count == track->room) {
    const size_t room = track->room ? 2 * track->room : 64;
    htp_span *spans = room > htp_most_spans ? NULL : realloc(track->spans, room * sizeof *spans);
    if (spans) {
      track->spans = spans;
      track->room = room;
    }
  }
  if (track->lost || track->count == track->room)
    ++track->lost;
  else
    track->spans[track->count++] = (htp_span){begin, track->watch->now(), lane, site};
}

/* Tells it all, and forgets it. */
static inline void htp_track_tell(htp_track *track, int64_t process) {
  const htp_watch *watch = track->watch;
  if (!watch) return;
  watch->span(watch->to, process, -1, 0, track->begin, track->end);
  for (size_t k = 0; k < track->count; ++k)
    watch->span(watch->to, process, track->spans[k].site, track->spans[k].lane, track->spans[k].begin, track->spans[k].end);
  if (track->lost)
    watch->span(watch->to, process, -2, track->lost, track->count ? track->spans[track->count - 1].end : track->begin, track->end);
  free(track->spans);
}

/* ── waiting ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

static inline void htp_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* How many items the slowest reader is done with. */
static inline uint64_t htp_channel_got(const htp_channel *c) {
  uint64_t least = atomic_load(&c->reader[0].done);
  for (size_t r = 1; r < c->readers; ++r) {
    const uint64_t other = atomic_load(&c->reader[r].done);
    if (other < least) least = other;
  }
  return least;
}

/* Wakes a side that sleeps. Four accesses are in one order for all (seq_cst): we make something and look at `sleeps`, it
 * sets `sleeps` and looks at what we make. So one of us sees the other. */
static inline void htp_wake(htp_crew *crew, htp_side *side) {
  if (!atomic_load(&side->sleeps)) return;
  pthread_mutex_lock(&crew->lock);
  if (atomic_exchange(&side->sleeps, false)) {
    --crew->asleep;
    pthread_cond_signal(&side->woken);
  }
  pthread_mutex_unlock(&crew->lock);
}

/* The channel whose writer this thread should still wake: who frees one slot of many lets a full channel drain first, so that
 * the writer fills more than one when it comes. Whoever sleeps or ends has woken whom it should. */
static _Thread_local htp_channel *htp_owed;

static inline void htp_pay(void) {
  htp_channel *c = htp_owed;
  htp_owed = NULL;
  if (c) htp_wake(c->crew, &c->writer);
}

/* Ends every wait. The lock is held. */
static inline void htp_crew_give_up(htp_crew *crew) {
  crew->stuck = true;
  for (htp_channel *c = crew->channels; c; c = c->before) {
    pthread_cond_signal(&c->writer.woken);
    for (size_t r = 0; r < c->readers; ++r) pthread_cond_signal(&c->reader[r].woken);
  }
}

static inline void htp_crew_check(htp_crew *crew) {
  if (crew->alive > 0 && crew->asleep == crew->alive) htp_crew_give_up(crew);
}

/* Until the other side has done more than `than`, or the crew is stuck; whether that took more than a look. */
static inline bool htp_channel_wait_for(htp_channel *c, htp_side *side, bool is_reader, uint64_t than, int64_t site) {
  for (int look = 0; look < htp_looks; ++look) {
    side->seen = is_reader ? atomic_load_explicit(&c->writer.done, memory_order_acquire) : htp_channel_got(c);
    if (side->seen > than) return look > 0;
    htp_pause();
  }
  htp_pay();
  /* With more threads than cores the other side may be waiting for this core. Giving it up costs less than a sleep and a
   * wake for each few items of a small channel. After a few turns it is a longer wait, and we sleep. The loads are as
   * above, and nobody counts us as asleep. */
  for (int turn = 0; turn < htp_turns; ++turn) {
    sched_yield();
    side->seen = is_reader ? atomic_load_explicit(&c->writer.done, memory_order_acquire) : htp_channel_got(c);
    if (side->seen > than) return true;
  }
  htp_crew *crew = c->crew;
  pthread_mutex_lock(&crew->lock);
  while (!crew->stuck) {
    atomic_store(&side->sleeps, true);
    side->seen = is_reader ? atomic_load(&c->writer.done) : htp_channel_got(c);
    if (side->seen > than) break;
    if (htp_self) htp_self->site = site, htp_self->lane = c->lane;
    ++crew->asleep;
    htp_crew_check(crew);
    while (!crew->stuck && atomic_load(&side->sleeps)) pthread_cond_wait(&side->woken, &crew->lock);
    if (htp_self && !crew->stuck) htp_self->site = -1;
  }
  atomic_store(&side->sleeps, false);
  pthread_mutex_unlock(&crew->lock);
  return true;
}

/* Who has to wait is here; apart from what needs no wait, which is small so. */
static __attribute__((noinline, cold, unused)) void htp_channel_wait(htp_channel *c, htp_side *side, bool is_reader, uint64_t than, int64_t site) {
  htp_track *track = htp_tracked;
  const int64_t begin = track ? track->watch->now() : 0;
  if (htp_channel_wait_for(c, side, is_reader, than, site) && track) htp_track_wait(track, begin, site, c->lane);
}

/* ── putting and getting ───────────────────────────────────────────────────────────────────────────────────────────── */

/* The spare slots, of the writer and of readers. */
static inline void *htp_spare(const htp_channel *c, bool is_reader) {
  return c->slots + (c->capacity + is_reader) * c->slot_bytes;
}

/* The slot for the next item. Here and below `site` is the number of who waits here, if it has to. */
static inline void *htp_channel_claim(htp_channel *c, int64_t site) {
  const uint64_t done = atomic_load_explicit(&c->writer.done, memory_order_relaxed);
  if (done >= c->writer.seen + c->capacity) {
    htp_channel_wait(c, &c->writer, false, done - c->capacity, site);
    if (done >= c->writer.seen + c->capacity) return htp_spare(c, false);
  }
  return c->slots + done % c->capacity * c->slot_bytes;
}

/* Gives the claimed slot to the readers; of a rendezvous it waits until all have it. */
static inline void htp_channel_publish(htp_channel *c, int64_t site) {
  const uint64_t done = atomic_load_explicit(&c->writer.done, memory_order_relaxed) + 1;
  atomic_store(&c->writer.done, done);
  for (size_t r = 0; r < c->readers; ++r) htp_wake(c->crew, &c->reader[r]);
  if (c->rendezvous && c->writer.seen < done) htp_channel_wait(c, &c->writer, false, done - 1, site);
}

/* The next item of a reader. */
static inline const void *htp_channel_front(htp_channel *c, size_t reader, int64_t site) {
  htp_side *side = &c->reader[reader];
  const uint64_t done = atomic_load_explicit(&side->done, memory_order_relaxed);
  if (done >= side->seen) {
    htp_channel_wait(c, side, true, done, site);
    if (done >= side->seen) return htp_spare(c, true);
  }
  return c->slots + done % c->capacity * c->slot_bytes;
}

/* The reader is done with its item. */
static inline void htp_channel_release(htp_channel *c, size_t reader) {
  htp_side *side = &c->reader[reader];
  atomic_store(&side->done, atomic_load_explicit(&side->done, memory_order_relaxed) + 1);
  if (!atomic_load(&c->writer.sleeps)) return;
  if (htp_owed != c) htp_pay();
  htp_owed = c;
  if (2 * (atomic_load_explicit(&c->writer.done, memory_order_relaxed) - htp_channel_got(c)) <= c->capacity) htp_pay();
}

/* ── channels that end ─────────────────────────────────────────────────────────────────────────────────────────────── */

/* Nothing is put behind what was put. */
static inline void htp_channel_end(htp_channel *c) {
  atomic_store(&c->writer.done, atomic_load_explicit(&c->writer.done, memory_order_relaxed) | htp_over);
  for (size_t r = 0; r < c->readers; ++r) htp_wake(c->crew, &c->reader[r]);
}

/* Whether a reader has another item: 1; or none comes any more. */
static inline int64_t htp_channel_more(htp_channel *c, size_t reader, int64_t site) {
  htp_side *side = &c->reader[reader];
  const uint64_t done = atomic_load_explicit(&side->done, memory_order_relaxed);
  if (done >= side->seen) htp_channel_wait(c, side, true, done, site);
  return (side->seen & ~htp_over) > done;
}

static __attribute__((noinline, cold, unused)) void htp_channel_past(htp_channel *c, int64_t site) {
  htp_crew *crew = c->crew;
  pthread_mutex_lock(&crew->lock);
  if (!crew->stuck) {
    crew->past = true;
    crew->site = site;
    crew->a = c->lane;
    htp_crew_give_up(crew);
  }
  pthread_mutex_unlock(&crew->lock);
}

/* The next item of a reader, which is to be there. */
static inline const void *htp_channel_next(htp_channel *c, size_t reader, int64_t site) {
  htp_side *side = &c->reader[reader];
  const uint64_t done = atomic_load_explicit(&side->done, memory_order_relaxed);
  if (done >= side->seen) htp_channel_wait(c, side, true, done, site);
  if ((side->seen & ~htp_over) <= done) {
    htp_channel_past(c, site);
    return htp_spare(c, true);
  }
  return c->slots + done % c->capacity * c->slot_bytes;
}

/* ── a crew's work ─────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct {
  htp_crew *crew;
  const htp_process *process;
  pthread_t thread;
  htp_track track;
  htp_sleep sleep;
} htp_thread;

/* A process that has ended wakes nobody any more. */
static inline void *htp_thread_run(void *argument) {
  htp_thread *thread = argument;
  htp_track *track = thread->track.watch ? &thread->track : NULL;
  htp_tracked = track;
  htp_self = &thread->sleep;
  if (track) track->begin = track->watch->now();
  thread->process->run(thread->process->context, thread->process->instance);
  if (track) track->end = track->watch->now();
  htp_pay();
  htp_crew *crew = thread->crew;
  pthread_mutex_lock(&crew->lock);
  --crew->alive;
  htp_crew_check(crew);
  pthread_mutex_unlock(&crew->lock);
  return NULL;
}

/* Whether every reader got what was put. */
static inline bool htp_crew_is_done(const htp_crew *crew) {
  for (const htp_channel *c = crew->channels; c; c = c->before)
    if (htp_channel_got(c) != (atomic_load(&c->writer.done) & ~htp_over)) return false;
  return true;
}

/* Runs all processes to their end: 0, or why they could not come to it. */
static inline int htp_crew_run(htp_crew *crew, const htp_process *processes, size_t count) {
  htp_thread *threads = malloc(count * sizeof *threads);
  if (!threads) return htp_no_memory;
  crew->alive = count;
  size_t begun = 0;
  for (; begun < count; ++begun) {
    threads[begun] = (htp_thread){.crew = crew, .process = &processes[begun], .track = {.watch = htp_watched}, .sleep = {(int64_t)begun, -1, 0}};
    if (pthread_create(&threads[begun].thread, NULL, htp_thread_run, &threads[begun])) break;
  }
  if (begun < count) {
    pthread_mutex_lock(&crew->lock);
    htp_crew_give_up(crew);
    pthread_mutex_unlock(&crew->lock);
  }
  for (size_t k = 0; k < begun; ++k) pthread_join(threads[k].thread, NULL);
  for (size_t k = 0; k < begun; ++k) htp_track_tell(&threads[k].track, (int64_t)k);
  size_t slept = 0;
  for (size_t k = 0; k < begun && slept < htp_most_sleeps; ++k)
    if (threads[k].sleep.site >= 0) htp_slept[slept++] = threads[k].sleep;
  free(threads);
  if (begun < count) return htp_no_memory;
  if (crew->past) return htp_past;
  if (!crew->stuck) return htp_crew_is_done(crew) ? 0 : htp_left;
  crew->a = (int64_t)slept;
  crew->b = (int64_t)(intptr_t)htp_slept;
  return htp_stuck;
}

