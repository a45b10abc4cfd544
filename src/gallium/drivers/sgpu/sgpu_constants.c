/* SPDX-License-Identifier: MIT */
/* Uploads uniforms.  The device keeps the uniforms of a program in a "constant context", so that a
 * draw only uploads the 64-byte lines that have changed (sgpu_constants.h).
 */
#include "sgpu_context.h"

#include "util/bitscan.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

/* If WHOLE_CHANGES consecutive updates have changed most lines of the uniforms, comparing them is a
 * waste of time.  The next SKIPS updates then upload all lines without a comparison.
 */
#define WHOLE_CHANGES 4
#define SKIPS 62

/* Returns the constant context of the bound program.  If the program has none yet, recycles the
 * context of another program.
 */
static struct sgpu_const_context *
find_context(struct sgpu_stage_state *stage)
{
   struct sgpu_const_contexts *c = stage->contexts;

   if (stage->context && stage->context->program == stage->shader)
      return stage->context;
   for (unsigned i = 0; i < SGPU_CONST_CONTEXTS; i++) {
      if (c->context[i].program == stage->shader)
         return &c->context[i];
   }
   struct sgpu_const_context *x = &c->context[c->next];
   c->next = (c->next + 1) % SGPU_CONST_CONTEXTS;
   x->program = stage->shader;
   x->size = 0;
   x->whole = x->skips = 0;
   return x;
}

/* Sets the size of the constant context.  The next draw will upload all of its lines, since the
 * version that the stream has bound becomes invalid.  Returns false on allocation failure.
 */
static bool
resize(struct sgpu_const_context *x, uint32_t size)
{
   x->stream = 0;
   if (x->max < size) {
      FREE(x->bytes);
      x->max = align(size, SGPU_CONST_LINE);
      x->bytes = MALLOC(x->max);
      if (!x->bytes) {
         memset(x, 0, sizeof *x);
         return false;
      }
   }
   x->size = size;
   return true;
}

static inline bool
lines_differ(const uint8_t *a, const uint8_t *b)
{
   uint64_t p[SGPU_CONST_LINE / 8], q[SGPU_CONST_LINE / 8], differ = 0;

   memcpy(p, a, sizeof p);
   memcpy(q, b, sizeof q);
   for (unsigned i = 0; i < ARRAY_SIZE(p); i++)
      differ |= p[i] ^ q[i];
   return differ != 0;
}

static void
note_change(struct sgpu_const_context *x, uint32_t line)
{
   const uint64_t bit = UINT64_C(1) << line % 64;

   x->changed += !(x->lines[line / 64] & bit);
   x->lines[line / 64] |= bit;
}

/* Compares `bytes` with the uniforms in the constant context.  Copies the lines that differ to the
 * context, and marks them as changed.
 */
static void
update(struct sgpu_const_context *x, const uint8_t *bytes)
{
   const uint32_t whole = x->size / SGPU_CONST_LINE, rest = x->size % SGPU_CONST_LINE;

   for (uint32_t i = 0; i < whole; i++) {
      uint8_t *to = x->bytes + i * SGPU_CONST_LINE;
      if (!lines_differ(to, bytes + i * SGPU_CONST_LINE))
         continue;
      memcpy(to, bytes + i * SGPU_CONST_LINE, SGPU_CONST_LINE);
      note_change(x, i);
   }
   uint8_t *to = x->bytes + whole * SGPU_CONST_LINE;
   if (rest && memcmp(to, bytes + whole * SGPU_CONST_LINE, rest)) {
      memcpy(to, bytes + whole * SGPU_CONST_LINE, rest);
      note_change(x, whole);
   }
}

static bool
most_changed(const struct sgpu_const_context *x)
{
   return x->changed * 4 > DIV_ROUND_UP(x->size, SGPU_CONST_LINE) * 3;
}

bool
sgpu_constants_set(struct sgpu_context *ctx, enum sgpu_stage_index s,
                   const struct pipe_constant_buffer *cb)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];

   if (!cb->buffer_size || cb->buffer_size > SGPU_CONSTANT_VERSION_SIZE_MAX)
      return false;
   if (!stage->contexts && !(stage->contexts = CALLOC_STRUCT(sgpu_const_contexts)))
      return false;
   struct sgpu_const_context *x = find_context(stage);
   const bool bound = stage->context == x;

   stage->context = NULL;
   if (x->skips) {
      x->skips--;
      x->stream = 0;
      return false;
   }
   if (x->size != cb->buffer_size && !resize(x, cb->buffer_size))
      return false;
   stage->context = x;
   if (x->stream != ctx->stream) {
      memcpy(x->bytes, cb->user_buffer, x->size);
      memset(x->lines, 0, DIV_ROUND_UP(x->size, 64 * SGPU_CONST_LINE) * sizeof(x->lines[0]));
      x->changed = 0;
   } else {
      update(x, cb->user_buffer);
      x->whole = most_changed(x) ? x->whole + 1 : 0;
      if (x->whole == WHOLE_CHANGES) {
         x->whole--;
         x->skips = SKIPS;
      }
   }
   /* If nothing has changed, bank 0 already has these constants, or is already dirty. */
   if (!bound || x->changed || x->stream != ctx->stream) {
      stage->dirty_constants |= 1;
      sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_CONSTANTS);
   }
   stage->bound_constants |= 1;
   return true;
}

static unsigned
context_number(const struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   return s * SGPU_CONST_CONTEXTS + (ctx->stage[s].context - ctx->stage[s].contexts->context);
}

/* Uploads all lines of the constant context.  This must happen once in each stream, before draws
 * can upload only the changed lines.
 */
static void
emit_open(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_const_context *x = ctx->stage[s].context;
   struct pipe_resource *buffer = NULL;
   unsigned offset = 0;

   u_upload_data(ctx->base.const_uploader, 0, x->size, SGPU_CONST_LINE, x->bytes, &offset, &buffer);
   if (!buffer) {
      sgpu_out_of_memory(ctx, "constants read as zero");
      x->stream = 0;
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CONSTANTS_LENGTH), CONSTANTS, cfg)
         cfg.stage = sgpu_stages[s].device;
      return;
   }
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CONSTANT_VERSION_LENGTH), CONSTANT_VERSION, cfg) {
      cfg.stage = sgpu_stages[s].device;
      cfg.context = context_number(ctx, s);
      cfg.open = true;
      cfg.size = x->size;
      cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(buffer), offset, false);
   }
   pipe_resource_reference(&buffer, NULL);
   x->stream = ctx->stream;
}

/* Finds the ranges of consecutive changed lines.  Returns the number of ranges, or 0 if one packet
 * can't hold all of them.
 */
static unsigned
find_runs(const struct sgpu_const_context *x, struct SGPU_CONSTANT_RUN *runs)
{
   unsigned num = 0;
   uint32_t next = UINT32_MAX;

   for (unsigned w = 0; w < DIV_ROUND_UP(x->size, 64 * SGPU_CONST_LINE); w++) {
      u_foreach_bit64(bit, x->lines[w]) {
         const uint32_t line = w * 64 + bit;
         if (line != next) {
            if (num == SGPU_CONSTANT_VERSION_TAIL_MAX)
               return 0;
            runs[num++] = (struct SGPU_CONSTANT_RUN){ .first = line };
         }
         runs[num - 1].lines++;
         next = line + 1;
      }
   }
   return num;
}

/* Uploads only the changed lines.  Returns false if the caller should upload all lines instead. */
static bool
emit_lines(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_const_context *x = ctx->stage[s].context;
   struct SGPU_CONSTANT_RUN runs[SGPU_CONSTANT_VERSION_TAIL_MAX];
   struct pipe_resource *buffer = NULL;
   unsigned offset = 0;
   uint8_t *to = NULL;

   if (most_changed(x))
      return false;
   const unsigned num = find_runs(x, runs);
   if (!num)
      return false;
   u_upload_alloc(ctx->base.const_uploader, 0, x->changed * SGPU_CONST_LINE, SGPU_CONST_LINE,
                  &offset, &buffer, (void **)&to);
   if (!buffer)
      return false;
   const uint64_t address = sgpu_resource_address(&ctx->cs, sgpu_resource(buffer), offset, false);
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_CONSTANT_VERSION_length(num));
   uint32_t at = 0;

   sgpu_pack(out, CONSTANT_VERSION, cfg) {
      cfg.tail_count = num;
      cfg.stage = sgpu_stages[s].device;
      cfg.context = context_number(ctx, s);
   }
   for (unsigned i = 0; i < num; i++) {
      const uint32_t first = runs[i].first * SGPU_CONST_LINE;
      runs[i].address = address + at;
      memcpy(to + at, x->bytes + first, MIN2(runs[i].lines * SGPU_CONST_LINE, x->size - first));
      at += runs[i].lines * SGPU_CONST_LINE;
      SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(out, i), &runs[i]);
   }
   pipe_resource_reference(&buffer, NULL);
   return true;
}

void
sgpu_constants_emit(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_const_context *x = ctx->stage[s].context;

   if (x->stream != ctx->stream || (x->changed && !emit_lines(ctx, s))) {
      emit_open(ctx, s);
   } else if (!x->changed) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CONSTANT_VERSION_LENGTH), CONSTANT_VERSION, cfg) {
         cfg.stage = sgpu_stages[s].device;
         cfg.context = context_number(ctx, s);
      }
   }
   if (x->changed)
      memset(x->lines, 0, DIV_ROUND_UP(x->size, 64 * SGPU_CONST_LINE) * sizeof(x->lines[0]));
   x->changed = 0;
}

void
sgpu_constants_fini(struct sgpu_context *ctx)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      struct sgpu_const_contexts *c = ctx->stage[s].contexts;

      for (unsigned i = 0; c && i < SGPU_CONST_CONTEXTS; i++)
         FREE(c->context[i].bytes);
      FREE(c);
   }
}
