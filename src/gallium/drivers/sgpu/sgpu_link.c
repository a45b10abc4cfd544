/* SPDX-License-Identifier: MIT */
/*
 * Links the pixel program's inputs to the vertex program's outputs: the
 * VARYINGS packet, made once for each pair of programs and set of texture
 * coordinates that point sprites replace.
 */
#include "sgpu_context.h"

#include "util/ralloc.h"
#include "util/u_memory.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

#include "sgpu_link.h"

/* Links of programs that are gone stay until there are this many. */
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
   case INTERP_MODE_FLAT: return SGPU_INTERPOLATION_FLAT;
   case INTERP_MODE_NOPERSPECTIVE: return SGPU_INTERPOLATION_LINEAR;
   default: return SGPU_INTERPOLATION_PERSPECTIVE;
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

static struct SGPU_VARYING
link_input(const struct sgpu_shader *fs, const struct sgpu_varying_info *in,
           const struct sgpu_shader *vs, const struct sgpu_link_key *key)
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

   for (unsigned i = 0; i < vs->num_outputs; i++) {
      if (vs->outputs[i].location == in->location) {
         v.source = SGPU_VARYING_SOURCE_OUTPUT;
         v.output = vs->outputs[i].reg;
      }
   }
   /* Lines and triangles still take the output, if there is one. */
   if (is_point_coord(in->location, key->sprites))
      v.source = SGPU_VARYING_SOURCE_POINT_COORD;
   return v;
}

static struct sgpu_link *
link_create(void *mem_ctx, const struct sgpu_link_key *key, const struct sgpu_shader *vs,
            const struct sgpu_shader *fs)
{
   struct sgpu_link *link = rzalloc(mem_ctx, struct sgpu_link);
   unsigned count = 0;

   link->key = *key;
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
      struct SGPU_VARYING v = link_input(fs, &fs->inputs[i], vs, key);
      SGPU_VARYING_pack(SGPU_VARYINGS_tail(link->packed, fs->inputs[i].reg), &v);
   }
   link->words = SGPU_VARYINGS_length(count);
   return link;
}

void
sgpu_link_update(struct sgpu_context *ctx)
{
   const struct sgpu_shader_state *vs = ctx->stage[SGPU_VS].shader;
   const struct sgpu_shader_state *fs = ctx->stage[SGPU_FS].shader;
   struct sgpu_link_key key = {
      .vs = vs->id,
      .fs = fs->id,
      .sprites = ctx->rasterizer->sprite_coord_enable,
      .per_sample = ctx->rasterizer->per_sample,
   };

   if (ctx->link && equal_keys(&ctx->link->key, &key))
      return;

   if (ctx->links && _mesa_hash_table_num_entries(ctx->links) > MAX_LINKS) {
      _mesa_hash_table_destroy(ctx->links, NULL);
      ctx->links = NULL;
      ctx->link = NULL;
   }
   if (!ctx->links)
      ctx->links = _mesa_hash_table_create(NULL, hash_key, equal_keys);

   struct hash_entry *entry = _mesa_hash_table_search(ctx->links, &key);
   if (!entry) {
      struct sgpu_link *link = link_create(ctx->links, &key, vs->compiled, fs->compiled);
      entry = _mesa_hash_table_insert(ctx->links, &link->key, link);
   }
   ctx->link = entry->data;
   ctx->dirty |= SGPU_DIRTY_VARYINGS;
}

void
sgpu_link_context_fini(struct sgpu_context *ctx)
{
   _mesa_hash_table_destroy(ctx->links, NULL);
}
