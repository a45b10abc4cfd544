/* SPDX-License-Identifier: MIT */
/* Links the inputs of each shader to the outputs of the previous shader.  The pixel shader gets a
 * VARYINGS packet and other shaders get STAGE INPUTS packets.  Links are cached.  The key of a link
 * contains the shaders and the rasterizer state that the link depends on.
 */
#include "sgpu_context.h"

#include "util/ralloc.h"
#include "util/u_memory.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

#include "sgpu_link.h"

/* Maximum number of links in the cache.  Links of deleted shaders stay in the cache until it is
 * full, when all links are freed.
 */
#define MAX_LINKS 4096

static uint32_t
hash_key(const void *key)
{
   return XXH32(key, sizeof(struct sgpu_link_key), 0);
}

static bool
equal_keys(const void *a, const void *b)
{
   return !memcmp(a, b, sizeof(struct sgpu_link_key));
}

static enum sgpu_interpolation
interpolation_code(unsigned mode)
{
   switch (mode) {
   case INTERP_MODE_FLAT:
      return SGPU_INTERPOLATION_FLAT;
   case INTERP_MODE_NOPERSPECTIVE:
      return SGPU_INTERPOLATION_LINEAR;
   default:
      return SGPU_INTERPOLATION_PERSPECTIVE;
   }
}

static bool
is_point_coord(unsigned slot, uint16_t sprites)
{
   if (slot == VARYING_SLOT_PNTC)
      return true;
   return slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7 &&
          (sprites & 1u << (slot - VARYING_SLOT_TEX0));
}

static const struct sgpu_varying_info *
find_output(const struct sgpu_shader *shader, unsigned location)
{
   for (unsigned i = 0; i < shader->num_outputs; i++) {
      if (shader->outputs[i].location == location)
         return &shader->outputs[i];
   }
   return NULL;
}

static struct SGPU_VARYING
link_input(const struct sgpu_shader *fs, const struct sgpu_varying_info *in,
           const struct sgpu_shader *last, const struct sgpu_link_key *key)
{
   const bool sample = in->sample || key->per_sample;
   struct SGPU_VARYING v = {
      .source = SGPU_VARYING_SOURCE_DEFAULT,
      .default_w_one = true,
      .interpolation = interpolation_code(in->interpolation),
      .place = sample         ? SGPU_INTERPOLATION_PLACE_SAMPLE
               : in->centroid ? SGPU_INTERPOLATION_PLACE_CENTROID
                              : SGPU_INTERPOLATION_PLACE_CENTER,
      .mask = fs->program.info.input_mask[in->reg],
   };

   const struct sgpu_varying_info *out = find_output(last, in->location);
   if (out) {
      v.source = SGPU_VARYING_SOURCE_OUTPUT;
      v.output = out->reg;
   }
   /* The device only replaces the output with the point coordinate when it draws points. */
   if (is_point_coord(in->location, key->sprites))
      v.source = SGPU_VARYING_SOURCE_POINT_COORD;
   return v;
}

static void
link_pixel(struct sgpu_link_inputs *link, const struct sgpu_shader *fs,
           const struct sgpu_shader *last, const struct sgpu_link_key *key)
{
   unsigned count = 0;

   for (unsigned i = 0; i < fs->num_inputs; i++)
      count = MAX2(count, fs->inputs[i].reg + 1u);

   sgpu_pack(link->packed, VARYINGS, cfg) {
      cfg.tail_count = count;
   }
   for (unsigned i = 0; i < count; i++) {
      struct SGPU_VARYING none = { .source = SGPU_VARYING_SOURCE_DEFAULT };
      SGPU_VARYING_pack(SGPU_VARYINGS_tail(link->packed, i), &none);
   }
   for (unsigned i = 0; i < fs->num_inputs; i++) {
      struct SGPU_VARYING v = link_input(fs, &fs->inputs[i], last, key);
      SGPU_VARYING_pack(SGPU_VARYINGS_tail(link->packed, fs->inputs[i].reg), &v);
   }
   link->words = SGPU_VARYINGS_length(count);
}

static void
link_stage(struct sgpu_link_inputs *link, enum sgpu_stage_index s, const struct sgpu_shader *shader,
           const struct sgpu_shader *before)
{
   struct SGPU_STAGE_INPUT input[SGPU_MAX_INPUTS] = { 0 };
   unsigned count = 0;

   for (unsigned i = 0; i < shader->num_inputs; i++) {
      const struct sgpu_varying_info *in = &shader->inputs[i];
      const struct sgpu_varying_info *out = find_output(before, in->location);
      if (out)
         input[in->reg] = (struct SGPU_STAGE_INPUT){ .output = out->reg, .valid = true };
      count = MAX2(count, in->reg + 1u);
   }
   sgpu_pack(link->packed, STAGE_INPUTS, cfg) {
      cfg.tail_count = count;
      cfg.stage = sgpu_stages[s].device;
   }
   for (unsigned i = 0; i < count; i++)
      SGPU_STAGE_INPUT_pack(SGPU_STAGE_INPUTS_tail(link->packed, i), &input[i]);
   link->words = SGPU_STAGE_INPUTS_length(count);
}

/* Returns a new link, or NULL on allocation failure. */
static struct sgpu_link *
link_create(const struct sgpu_context *ctx, const struct sgpu_link_key *key)
{
   struct sgpu_link *link = rzalloc(ctx->links, struct sgpu_link);
   if (!link)
      return NULL;

   const struct sgpu_shader *before = ctx->stage[SGPU_VS].shader->compiled;
   link->key = *key;
   for (unsigned s = SGPU_VS + 1; s < SGPU_NUM_DRAW_STAGES; s++) {
      if (!ctx->stage[s].shader)
         continue;
      const struct sgpu_shader *shader = ctx->stage[s].shader->compiled;
      if (s == SGPU_FS)
         link_pixel(&link->inputs[s], shader, before, key);
      else
         link_stage(&link->inputs[s], s, shader, before);
      before = shader;
   }
   return link;
}

static const struct sgpu_link *
find_link(struct sgpu_context *ctx, const struct sgpu_link_key *key)
{
   if (ctx->links && _mesa_hash_table_num_entries(ctx->links) > MAX_LINKS) {
      _mesa_hash_table_destroy(ctx->links, NULL);
      ctx->links = NULL;
      ctx->link = NULL;
   }
   if (!ctx->links)
      ctx->links = _mesa_hash_table_create(NULL, hash_key, equal_keys);
   if (!ctx->links)
      return NULL;

   struct hash_entry *entry = _mesa_hash_table_search(ctx->links, key);
   if (entry)
      return entry->data;
   struct sgpu_link *link = link_create(ctx, key);
   if (link && !_mesa_hash_table_insert(ctx->links, &link->key, link)) {
      ralloc_free(link);
      return NULL;
   }
   return link;
}

bool
sgpu_link_update(struct sgpu_context *ctx)
{
   if (likely(!ctx->link_stale))
      return true;

   struct sgpu_link_key key = {
      .sprites = ctx->rasterizer->sprite_coord_enable,
      .per_sample = ctx->rasterizer->per_sample,
   };

   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++)
      key.program[s] = ctx->stage[s].shader ? ctx->stage[s].shader->id : 0;
   if (ctx->link && equal_keys(&ctx->link->key, &key)) {
      ctx->link_stale = false;
      return true;
   }

   const struct sgpu_link *link = find_link(ctx, &key);
   if (!link) {
      sgpu_out_of_memory(ctx, "a draw is dropped");
      return false;
   }
   ctx->link = link;
   ctx->link_stale = false;
   for (unsigned s = SGPU_VS + 1; s < SGPU_NUM_DRAW_STAGES; s++)
      sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_LINK);
   return true;
}

void
sgpu_link_context_fini(struct sgpu_context *ctx)
{
   _mesa_hash_table_destroy(ctx->links, NULL);
}
