/* SPDX-License-Identifier: MIT */
/*
 * Creates records for the observer that describe the constants of draws and grids.
 */
#include "control/dispatch/sgd_observe_constants.h"

#include <string.h>

#include "shader/grid/sgd_compute.h"
#include "control/dispatch/sgd_dispatch.h"
#include "sgpu_events.h"
#include "util/macros.h"

#define XXH_INLINE_ALL
#include "util/xxhash.h"

#define LINE 64

/* Returns a hash of LINE bytes of the bank, starting at offset `at`. There can be fewer bytes at
 * the end of the bank. The bytes may not be contiguous, because a version can have shorter lines.
 */
static uint64_t
hash_line(const struct sgd_bank *bank, uint32_t at)
{
   const uint32_t size = MIN2(bank->size - at, LINE);
   uint8_t bytes[LINE];
   const uint8_t *ptr;

   for (uint32_t done = 0; done < size;) {
      const uint32_t piece = MIN2(sgd_bank_piece(bank, at + done, &ptr), size - done);
      memcpy(bytes + done, ptr, piece);
      done += piece;
   }
   return XXH64(bytes, size, 0);
}

static uint64_t
add_bank(const struct sgd_shader *program, enum sgpu_stage stage, unsigned number,
         const struct sgd_bank *bank, uint32_t *out)
{
   const uint32_t lines = MIN2(DIV_ROUND_UP(bank->size, LINE), SGD_OBSERVED_LINES);
   struct sgpu_event_constants e = {
      .type = SGPU_EVENT_CONSTANTS,
      .flags = bank->line_log2 ? SGPU_EVENT_CONSTANTS_VERSION : 0,
      .words = sizeof(e) / 4 + 2 * lines,
      .program_low = program->key,
      .program_high = program->key >> 32,
      .bytes = bank->size,
      .context = bank->line_log2 ? bank->version->context : 0,
      .number = bank->line_log2 ? bank->version->number : 0,
      .stage = stage,
      .bank = number,
   };

   if (!out)
      return e.words;
   memcpy(out, &e, sizeof(e));
   out += sizeof(e) / 4;
   for (uint32_t i = 0; i < lines; i++, out += 2) {
      const uint64_t hash = hash_line(bank, i * LINE);
      out[0] = hash;
      out[1] = hash >> 32;
   }
   return e.words;
}

static uint64_t
add_stage(const struct sgd_shader *program, enum sgpu_stage stage, const struct sgd_env *env,
          uint32_t *out)
{
   uint64_t words = 0;

   for (unsigned b = 0; b < SGD_MAX_BANKS; b++) {
      const struct sgd_bank *bank = &env->banks[b];
      if (bank->size && (b == 0 || bank->line_log2))
         words += add_bank(program, stage, b, bank, out ? out + words : NULL);
   }
   return words;
}

uint64_t
sgd_observe_constants(const struct sgd_node *node, uint32_t *out)
{
   uint64_t words = 0;

   if (node->kind == SGD_NODE_GRID)
      return add_stage(node->compute->program, SGPU_STAGE_COMPUTE, &node->compute->env, out);
   for (unsigned s = 0; node->kind == SGD_NODE_DRAW && s < SGPU_STAGE_COMPUTE; s++) {
      const struct sgd_state *st = node->draw.state;
      if (st->shader[s])
         words += add_stage(st->shader[s], s, &st->env[s], out ? out + words : NULL);
   }
   return words;
}
