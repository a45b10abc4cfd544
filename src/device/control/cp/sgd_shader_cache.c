/* SPDX-License-Identifier: MIT */
/*
 * Command processor: caches decoded programs, so that the device decodes each program only once.
 */
#include <stdlib.h>
#include <string.h>

#include "control/cp/sgd_shader_cache.h"
#include "common/sgd_once.h"
#include "control/cp/sgd_translator.h"
#include "sgpu_observer.h"
#include "sgpu_program.h"
#include "util/hash_table.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

/* If the cache has more programs than this, unused programs are evicted. */
#define SGD_SHADER_CACHE_SIZE 1024

bool
sgd_shader_cache_init(struct sgd_shader_cache *cache, sgd_execute_fn *interpret,
                      struct sgd_translator *translator, const struct sgpu_observer *observer)
{
   cache->interpret = interpret;
   cache->translator = translator;
   cache->observer = observer && observer->work && observer->program ? observer : NULL;
   cache->table = _mesa_hash_table_u64_create(NULL);
   if (!cache->table || !cache->table->table) {
      _mesa_hash_table_u64_destroy(cache->table);
      return false;
   }
   pthread_mutex_init(&cache->lock, NULL);
   list_inithead(&cache->list);
   return true;
}

void
sgd_shader_cache_finish(struct sgd_shader_cache *cache)
{
   list_for_each_entry_safe(struct sgd_shader, shader, &cache->list, link) {
      list_del(&shader->link);
      sgd_shader_destroy(shader);
   }
   _mesa_hash_table_u64_destroy(cache->table);
   pthread_mutex_destroy(&cache->lock);
}

void
sgd_shader_unref(struct sgd_shader *shader)
{
   /* Keep unused programs in the cache, since they may be bound again. */
   if (shader)
      __atomic_fetch_sub(&shader->refs, 1, __ATOMIC_ACQ_REL);
}

static void
trim(struct sgd_shader_cache *cache)
{
   list_for_each_entry_safe_rev(struct sgd_shader, shader, &cache->list, link) {
      if (cache->count < SGD_SHADER_CACHE_SIZE)
         break;
      if (__atomic_load_n(&shader->refs, __ATOMIC_ACQUIRE))
         continue;
      _mesa_hash_table_u64_remove(cache->table, shader->key);
      list_del(&shader->link);
      sgd_shader_destroy(shader);
      cache->count--;
   }
}

/* Returns true if the program was decoded from the same code with the same parameters. */
static bool
same(const struct sgd_shader *s, const struct SGPU_SHADER *desc, const uint32_t *code)
{
   return s->stage == desc->stage && s->num_instrs == desc->instructions &&
          s->num_literals == desc->literals &&
          (!s->num_literals || s->literal_base == desc->literal_base) &&
          s->num_temps == desc->temps && s->scratch_size == desc->scratch && s->vp1 == desc->vp1 &&
          !memcmp(s->words, code, (size_t)(s->num_instrs + s->num_literals) * 16);
}

static void
tell_observer(const struct sgpu_observer *observer, const struct sgd_shader *s)
{
   struct sgpu_program program = {
      .stage = s->stage,
      .vp1 = s->vp1,
      .num_temps = s->num_temps,
      .scratch_size = s->scratch_size,
      .literal_base = s->num_literals ? s->literal_base : 0,
      .num_literals = s->num_literals,
      .literals = (uint32_t(*)[4])(s->words + 4 * (size_t)s->num_instrs),
      .num_instrs = s->num_instrs,
      .instrs = (uint32_t(*)[4])s->words,
   };
   uint32_t where;

   /* This can't fail, because the program was already checked when it was decoded. */
   if (!sgpu_program_gather(&program, &where))
      observer->program(observer->data, s->key, &program);
}

struct sgd_shader *
sgd_shader_cache_get(struct sgd_shader_cache *cache, const struct SGPU_SHADER *desc,
                     const uint32_t *source, const char **error)
{
   const size_t size = (size_t)(desc->instructions + desc->literals) * 16;
   /* The application may write to the buffer at any time, so make a copy for hashing, comparing and
    * decoding.
    */
   uint32_t *code = malloc(size);
   if (!code) {
      *error = "out of memory";
      return NULL;
   }
   sgd_copy_once(code, source, size);

   const uint32_t facts[] = { desc->stage, desc->instructions, desc->literals, desc->literal_base,
                              desc->temps, desc->scratch,      desc->vp1 };
   /* Keys 0 and 1 are reserved by the hash table. */
   const uint64_t key = XXH64(code, size, XXH64(facts, sizeof(facts), 0)) | 2;

   pthread_mutex_lock(&cache->lock);
   struct sgd_shader *shader = _mesa_hash_table_u64_search(cache->table, key);
   if (shader && same(shader, desc, code)) {
      __atomic_fetch_add(&shader->refs, 1, __ATOMIC_RELAXED);
      list_move_to(&shader->link, &cache->list);
   } else if (shader) {
      shader = NULL;
      *error = "SHADER: another program has the same hash";
   } else {
      trim(cache);
      shader = sgd_shader_create(desc, code, cache->interpret, error);
      if (shader) {
         shader->key = key;
         shader->refs = 1;
         shader->vp1 = desc->vp1;
         sgd_translator_add(cache->translator, shader);
         list_add(&shader->link, &cache->list);
         _mesa_hash_table_u64_insert(cache->table, key, shader);
         cache->count++;
         if (cache->observer)
            tell_observer(cache->observer, shader);
      }
   }
   pthread_mutex_unlock(&cache->lock);
   free(code);
   return shader;
}
