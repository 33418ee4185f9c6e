/* channels.h — what the CPU's runtime does for a pipeline, for the benchmark to call: the runtime is C. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { item_words = 8 };
typedef void stage(uint64_t *item); /* what a stage does to an item, in place */

/* Four stages with three channels between them pass on so many items; the sum of the last stage's first words, or 0
 * when it did not run. */
uint64_t run_pipeline(stage *work, uint64_t items, uint64_t capacity);

/* A channel that is put into and got from by one thread. */
typedef struct one_channel one_channel;
one_channel *open_channel(uint64_t capacity);
void close_channel(one_channel *channel);
uint64_t put_get(one_channel *channel, uint64_t value);

#ifdef __cplusplus
}
#endif
