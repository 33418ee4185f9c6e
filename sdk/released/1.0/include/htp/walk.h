/* htp/walk.h — depth-first through a tree, without a call to the host. Header-only; for hosts and plugins alike.
 *
 *   htp_walk w;
 *   htp_walk_begin(&w, store, root);
 *   for (htp_node n; (n = htp_walk_next(&w)) != HTP_NONE;) {
 *     if (uninteresting) htp_walk_skip(&w);
 *   }
 *   htp_walk_end(&w);
 *
 * Parents come before their children, children in the order of the source: as the fields stand, and for a kind of
 * HTP_ORDER_SPANS the fields' items merged by position, each field's own items keeping their order. A node without a
 * position counts as standing where the first of its children does; without those, as early as may be.        [any]
 */
#ifndef HTP_WALK_H
#define HTP_WALK_H

#include "htp/ast.h"

#include <stdlib.h>
#include <string.h>

HTP_BEGIN

enum { HTP_WALK_ROOM = 256, HTP_WALK_RUNS = 8 };

/* The nodes still to come, the next one last. Not to be copied while it is walked. */
typedef struct htp_walk {
  const htp_store *store;
  htp_node last; /* whose children come next                     */
  uint32_t size, capacity;
  int out_of_memory; /* set when the walk had to stop early          */
  htp_node *stack;
  htp_node room[HTP_WALK_ROOM];
} htp_walk;

static inline void htp_walk_begin(htp_walk *w, const htp_store *store, htp_node root) {
  w->store = store;
  w->last = HTP_NONE;
  w->size = root != HTP_NONE;
  w->capacity = HTP_WALK_ROOM;
  w->out_of_memory = 0;
  w->stack = w->room;
  w->room[0] = root;
}

static inline void htp_walk_end(htp_walk *w) {
  if (w->stack != w->room) free(w->stack);
  w->stack = w->room;
  w->size = 0;
}

/* Leaves the inside of the node that came last. */
static inline void htp_walk_skip(htp_walk *w) { w->last = HTP_NONE; }

/* ── how it is done ─────────────────────────────────────────────────────────────────────────────────────────── */

/* The items of one field. */
typedef struct htp_run {
  const uint32_t *items;
  uint32_t count;
} htp_run;

/* A node's fields that hold nodes, those without items left out; how many there are. */
static inline uint32_t htp_runs_of(const htp_store *s, htp_node n, htp_run *runs) {
  const htp_record *r = htp_at(s, n);
  const htp_kind_info *info = &s->kinds[r->kind];
  const uint32_t *slots = s->slots + r->slots;
  uint32_t count = 0;
  for (uint32_t f = 0; f < info->field_count; ++f) {
    const uint32_t value = slots[f];
    if (value == 0 || info->fields[f].type > HTP_FIELD_LISTN) continue;
    const int list = info->fields[f].type >= HTP_FIELD_LIST;
    runs[count].items = list ? s->slots + value + 1 : slots + f;
    runs[count].count = list ? s->slots[value] : 1;
    ++count;
  }
  return count;
}

static inline uint64_t htp_place_of(const htp_store *s, htp_node n) {
  const htp_record *r = htp_at(s, n);
  if (r->line != 0) return (uint64_t)r->line << 32 | r->col;
  htp_run runs[HTP_WALK_RUNS];
  const uint32_t count = htp_runs_of(s, n, runs);
  uint64_t first = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const htp_record *child = htp_at(s, runs[i].items[0]);
    const uint64_t place = (uint64_t)child->line << 32 | child->col;
    if (child->line != 0 && (first == 0 || place < first)) first = place;
  }
  return first;
}

static inline int htp_walk_room(htp_walk *w, uint32_t more) {
  if (w->capacity - w->size >= more) return 1;
  const uint32_t capacity = (w->size + more) * 2;
  htp_node *grown = (htp_node *)malloc(capacity * sizeof *grown);
  if (!grown) {
    w->out_of_memory = 1;
    w->size = 0;
    return 0;
  }
  memcpy(grown, w->stack, w->size * sizeof *grown);
  if (w->stack != w->room) free(w->stack);
  w->stack = grown;
  w->capacity = capacity;
  return 1;
}

/* Whether the runs, one after the other, are in order already. */
static inline int htp_runs_in_order(const htp_store *s, const htp_run *runs, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i)
    if (htp_place_of(s, runs[i].items[0]) < htp_place_of(s, runs[i - 1].items[runs[i - 1].count - 1])) return 0;
  return 1;
}

/* Pushes the runs' items, merged by position, so that the first is on top. */
static inline void htp_walk_merge(htp_walk *w, htp_run *runs, uint32_t count) {
  const htp_store *s = w->store;
  uint64_t places[HTP_WALK_RUNS];
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    total += runs[i].count;
    places[i] = htp_place_of(s, runs[i].items[0]);
  }
  if (!htp_walk_room(w, total)) return;
  const uint32_t base = w->size;
  uint32_t at = base + total;
  while (count != 0) {
    uint32_t next = 0;
    for (uint32_t i = 1; i < count; ++i)
      if (places[i] < places[next]) next = i;
    const htp_node n = *runs[next].items++;
    if (n != HTP_NONE) w->stack[--at] = n;
    if (--runs[next].count != 0) {
      places[next] = *runs[next].items != HTP_NONE ? htp_place_of(s, *runs[next].items) : 0;
      continue;
    }
    --count;
    for (uint32_t i = next; i < count; ++i) {
      runs[i] = runs[i + 1];
      places[i] = places[i + 1];
    }
  }
  /* Items that are none left a gap below. */
  const uint32_t pushed = base + total - at;
  memmove(w->stack + base, w->stack + at, pushed * sizeof *w->stack);
  w->size = base + pushed;
}

static inline void htp_walk_push(htp_walk *w, htp_node n) {
  const htp_store *s = w->store;
  const htp_record *r = htp_at(s, n);
  const htp_kind_info *info = &s->kinds[r->kind];
  if (info->order == HTP_ORDER_SPANS) {
    htp_run runs[HTP_WALK_RUNS];
    uint32_t count = htp_runs_of(s, n, runs);
    int sparse = 0; /* a run whose ends may be none */
    for (uint32_t i = 0; i < count; ++i)
      sparse |= runs[i].items[0] == HTP_NONE || runs[i].items[runs[i].count - 1] == HTP_NONE;
    if (count > 1 && (sparse || !htp_runs_in_order(s, runs, count))) {
      htp_walk_merge(w, runs, count);
      return;
    }
  }
  const uint32_t *slots = s->slots + r->slots;
  const htp_field_info *fields = info->fields;
  for (uint32_t f = info->field_count; f-- != 0;) {
    const uint32_t value = slots[f];
    const uint8_t type = fields[f].type;
    if (value == 0 || type > HTP_FIELD_LISTN) continue;
    if (type <= HTP_FIELD_OPT) {
      if (w->size == w->capacity && !htp_walk_room(w, 1)) return;
      w->stack[w->size++] = value;
      continue;
    }
    const uint32_t count = s->slots[value];
    const uint32_t *items = s->slots + value + 1;
    if (!htp_walk_room(w, count)) return;
    for (uint32_t i = count; i-- != 0;)
      if (items[i] != HTP_NONE) w->stack[w->size++] = items[i];
  }
}

/* The next node; HTP_NONE at the end. */
static inline htp_node htp_walk_next(htp_walk *w) {
  if (w->last != HTP_NONE) htp_walk_push(w, w->last);
  w->last = w->size != 0 ? w->stack[--w->size] : HTP_NONE;
  return w->last;
}

HTP_END
#endif
