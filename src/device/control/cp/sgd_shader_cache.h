/* SPDX-License-Identifier: MIT */
/*
 * Cache of decoded programs, so that the device decodes each program only once.
 */
#ifndef SGD_SHADER_CACHE_H
#define SGD_SHADER_CACHE_H

#include <pthread.h>

#include "common/sgd_shader.h"
#include "sgpu_packets.h"
#include "util/list.h"

struct sgd_translator;
struct sgpu_observer;

struct sgd_shader_cache {
   pthread_mutex_t lock;
   struct hash_table_u64 *table; /* struct sgd_shader, indexed by key */
   struct list_head list; /* all cached programs (struct sgd_shader), most recently used first */
   unsigned count;        /* number of programs in the cache */
   sgd_execute_fn *interpret; /* the interpreter for the host level of the workers */
   struct sgd_translator *translator;
   const struct sgpu_observer *observer; /* observer that receives each decoded program, or NULL */
};

/* Initializes an empty cache. Returns false if out of memory. */
bool sgd_shader_cache_init(struct sgd_shader_cache *cache, sgd_execute_fn *interpret,
                           struct sgd_translator *translator, const struct sgpu_observer *observer);
void sgd_shader_cache_finish(struct sgd_shader_cache *cache);
/* Returns the decoded program of a SHADER packet, and gives the caller a reference to it. Returns
 * NULL and sets *error if the program is invalid or memory runs out.
 */
struct sgd_shader *sgd_shader_cache_get(struct sgd_shader_cache *cache,
                                        const struct SGPU_SHADER *desc, const uint32_t *code,
                                        const char **error);
void sgd_shader_unref(struct sgd_shader *shader);

#endif
