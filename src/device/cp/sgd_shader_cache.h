/* SPDX-License-Identifier: MIT */
/*
 * Decoded programs, once per distinct code and device.
 */
#ifndef SGD_SHADER_CACHE_H
#define SGD_SHADER_CACHE_H

#include <pthread.h>

#include "sgd_shader.h"
#include "sgpu_packets.h"
#include "util/list.h"

struct sgd_translator;
struct sgpu_observer;

struct sgd_shader_cache {
   pthread_mutex_t lock;
   struct hash_table_u64 *table;
   struct list_head list; /* struct sgd_shader, most recently used first */
   unsigned count;
   sgd_execute_fn *interpret; /* of the workers' host level */
   struct sgd_translator *translator;
   const struct sgpu_observer *observer; /* that wants to know of programs, or NULL */
};

/* False: out of memory. */
bool sgd_shader_cache_init(struct sgd_shader_cache *cache, sgd_execute_fn *interpret,
                           struct sgd_translator *translator, const struct sgpu_observer *observer);
void sgd_shader_cache_finish(struct sgd_shader_cache *cache);
/* The decoded program of a SHADER packet, with a reference for the caller; NULL
 * with an error text where it is refused.
 */
struct sgd_shader *sgd_shader_cache_get(struct sgd_shader_cache *cache,
                                        const struct SGPU_SHADER *desc, const uint32_t *code,
                                        const char **error);
void sgd_shader_unref(struct sgd_shader *shader);

#endif
