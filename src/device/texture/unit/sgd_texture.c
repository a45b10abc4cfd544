/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: prepares views, samplers and operations. For a view, decides how texels are read,
 * and which channel or constant each component of the result reads.
 */
#include <stdlib.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "c11/threads.h"

#include "common/sgd_shader.h"
#include "texture/unit/sgd_tex_choose.h"

#define ANY_VALUE __builtin_inff()

/* Returns the largest code of a normalized channel. */
static double
largest(const struct util_format_channel_description *c)
{
   const unsigned bits = c->type == UTIL_FORMAT_TYPE_SIGNED ? c->size - 1 : c->size;
   return (double)((1ull << bits) - 1);
}

/* Sets the scale that is applied after filtering. Codes of up to 8 bits are multiplied by the
 * scale, as in the rest of the device. Longer codes are divided by it, because the largest code
 * might not become exactly 1 if it were multiplied by a rounded factor.
 */
static void
set_scale(struct sgd_tex_channel *ch, const struct util_format_channel_description *c)
{
   ch->scale = ch->one = 1.0f;
   if (c->type == UTIL_FORMAT_TYPE_FIXED) {
      ch->scale = 0x1p-16f;
      ch->one = 0x1p16f;
   } else if (c->normalized && c->size == 32) {
      /* The conversion to float rounds codes near the largest one to a power of two. */
      ch->one = c->type == UTIL_FORMAT_TYPE_SIGNED ? 0x1p31f : 0x1p32f;
      ch->scale = 1.0f / ch->one;
   } else if (c->normalized) {
      ch->one = (float)largest(c);
      ch->divide = c->size > 8;
      ch->scale = ch->divide ? ch->one : (float)(1.0 / largest(c));
   }
}

/* Sets up a channel. Returns false if shifts can't extract the channel from a single word. */
static bool
set_channel(struct sgd_tex_channel *ch, const struct util_format_channel_description *c)
{
   ch->word = c->shift / 32;
   ch->shift = c->shift % 32;
   ch->bits = c->size;
   ch->border_min = -ANY_VALUE;
   ch->border_max = ANY_VALUE;
   if (c->size == 0 || ch->shift + c->size > 32)
      return false;

   switch (c->type) {
   case UTIL_FORMAT_TYPE_UNSIGNED:
      ch->kind = c->pure_integer ? SGD_TEX_UINT : SGD_TEX_UNSIGNED;
      break;
   case UTIL_FORMAT_TYPE_SIGNED:
      ch->kind = c->pure_integer ? SGD_TEX_SINT : c->normalized ? SGD_TEX_SNORM : SGD_TEX_SIGNED;
      break;
   case UTIL_FORMAT_TYPE_FIXED:
      ch->kind = SGD_TEX_SIGNED;
      break;
   case UTIL_FORMAT_TYPE_FLOAT:
      ch->kind = c->size == 16 ? SGD_TEX_HALF : SGD_TEX_FLOAT;
      if (c->size != 16 && c->size != 32)
         return false;
      break;
   default:
      return false;
   }
   if (c->normalized) {
      ch->border_min = c->type == UTIL_FORMAT_TYPE_SIGNED ? -1.0f : 0.0f;
      ch->border_max = 1.0f;
   }
   set_scale(ch, c);
   return true;
}

/* Makes red, green and blue use the sRGB table. Returns false if they don't have 8 bits. */
static bool
set_srgb(struct sgd_tex_unit *u, const struct util_format_description *f)
{
   for (unsigned r = 0; r < 3; r++) {
      if (f->swizzle[r] > PIPE_SWIZZLE_W)
         continue;
      struct sgd_tex_channel *ch = &u->channel[f->swizzle[r]];
      if (ch->bits != 8)
         return false;
      ch->kind = SGD_TEX_SRGB;
      ch->scale = ch->one = 1.0f;
      ch->divide = false;
   }
   return true;
}

/* Sets up the channels of a plain format. Returns false if a channel crosses 32-bit words. */
static bool
choose_words(struct sgd_tex_unit *u, const struct util_format_description *f)
{
   if (f->layout != UTIL_FORMAT_LAYOUT_PLAIN || u->bpe > 16)
      return false;

   u->num_channels = f->nr_channels;
   for (unsigned c = 0; c < f->nr_channels; c++) {
      struct sgd_tex_channel *ch = &u->channel[c];
      bool used = false;
      for (unsigned r = 0; r < 4; r++)
         used |= f->swizzle[r] == c;
      if (used && !set_channel(ch, &f->channel[c]))
         return false;
   }
   return f->colorspace != UTIL_FORMAT_COLORSPACE_SRGB || set_srgb(u, f);
}

/* Sets up a compressed format that lanes can decode to 8-bit channels. Returns false for other
 * formats.
 */
static bool
choose_codec(struct sgd_tex_unit *u, const struct util_format_description *f)
{
   const bool sign = util_format_is_snorm(f->format);
   switch (f->format) {
   case PIPE_FORMAT_DXT1_RGB:
   case PIPE_FORMAT_DXT1_RGBA:
   case PIPE_FORMAT_DXT1_SRGB:
   case PIPE_FORMAT_DXT1_SRGBA:
      u->codec = SGD_TEX_CODEC_DXT1;
      break;
   case PIPE_FORMAT_DXT3_RGBA:
   case PIPE_FORMAT_DXT3_SRGBA:
      u->codec = SGD_TEX_CODEC_DXT3;
      break;
   case PIPE_FORMAT_DXT5_RGBA:
   case PIPE_FORMAT_DXT5_SRGBA:
      u->codec = SGD_TEX_CODEC_DXT5;
      break;
   case PIPE_FORMAT_RGTC1_UNORM:
   case PIPE_FORMAT_RGTC2_UNORM:
   case PIPE_FORMAT_LATC1_UNORM:
   case PIPE_FORMAT_LATC2_UNORM:
   case PIPE_FORMAT_RGTC1_SNORM:
   case PIPE_FORMAT_RGTC2_SNORM:
   case PIPE_FORMAT_LATC1_SNORM:
   case PIPE_FORMAT_LATC2_SNORM:
      u->codec = sign ? SGD_TEX_CODEC_RGTC_SIGNED : SGD_TEX_CODEC_RGTC;
      break;
   default:
      return false;
   }
   u->num_channels = u->codec == SGD_TEX_CODEC_RGTC || sign ? u->bpe / 8 : 4;
   for (unsigned c = 0; c < u->num_channels; c++) {
      const struct util_format_channel_description byte = {
         .type = sign ? UTIL_FORMAT_TYPE_SIGNED : UTIL_FORMAT_TYPE_UNSIGNED,
         .normalized = true,
         .size = 8,
         .shift = 8 * c,
      };
      set_channel(&u->channel[c], &byte);
   }
   if (f->colorspace == UTIL_FORMAT_COLORSPACE_SRGB)
      set_srgb(u, f);
   return true;
}

/* Returns true if the filters for 8-bit channels support the view. */
static bool
is_bytes(const struct sgd_tex_unit *u)
{
   bool bytes = (u->bpe <= 4 || u->codec) && !u->generic;
   for (unsigned c = 0; c < u->num_channels; c++) {
      const struct sgd_tex_channel *ch = &u->channel[c];
      bytes &= ch->bits == 0 ||
               (ch->kind == SGD_TEX_UNSIGNED && ch->bits == 8 && ch->shift == 8 * c);
   }
   return bytes;
}

/* Sets up a conversion with Mesa's functions, which return four floats or integers per texel.
 * Returns false if the format isn't supported.
 */
static bool
choose_generic(struct sgd_tex_unit *u, const struct util_format_description *f)
{
   /* Formats with doubles are only used for vertex attributes. */
   if (f->channel[0].size == 64 && f->layout == UTIL_FORMAT_LAYOUT_PLAIN)
      return false;
   u->generic = true;
   u->whole_block = u->block_width > 1 || u->block_height > 1;
   u->fetch = util_format_fetch_rgba_func(f->format);
   const struct util_format_unpack_description *unpack = util_format_unpack_description(f->format);
   u->unpack = unpack ? unpack->unpack_rgba : NULL;
   if (u->whole_block ? !u->fetch : !u->unpack)
      return false;

   u->num_channels = 4;
   for (unsigned c = 0; c < 4; c++) {
      struct sgd_tex_channel *ch = &u->channel[c];
      *ch = (struct sgd_tex_channel){ .kind = SGD_TEX_FLOAT,
                                      .word = c,
                                      .bits = 32,
                                      .scale = 1.0f,
                                      .one = 1.0f,
                                      .border = c,
                                      .border_min = -ANY_VALUE,
                                      .border_max = ANY_VALUE };
      if (util_format_is_pure_uint(f->format))
         ch->kind = SGD_TEX_UINT;
      else if (util_format_is_pure_sint(f->format))
         ch->kind = SGD_TEX_SINT;
      const bool snorm = f->layout == UTIL_FORMAT_LAYOUT_PLAIN ? f->is_snorm
                                                               : util_format_is_snorm(f->format);
      const bool is_float = util_format_is_float(f->format);
      if (!u->integer && !is_float && f->channel[0].type != UTIL_FORMAT_TYPE_FIXED) {
         const bool normalized = f->channel[0].normalized || f->layout != UTIL_FORMAT_LAYOUT_PLAIN;
         if (normalized) {
            ch->border_min = snorm ? -1.0f : 0.0f;
            ch->border_max = 1.0f;
         }
      }
   }
   return true;
}

static void
set_routes(struct sgd_tex_unit *u, const struct SGPU_TEXTURE *desc,
           const struct util_format_description *f)
{
   const unsigned view[4] = { desc->swizzle_x, desc->swizzle_y, desc->swizzle_z, desc->swizzle_w };
   const unsigned main = sgd_tex_format_route(u, f, 0);
   u->main_channel = main < 4 ? main : 0;
   for (unsigned c = 0; c < 4; c++) {
      switch (view[c]) {
      case SGPU_CHANNEL_0:
         u->route[c] = u->compare_route[c] = SGD_TEX_ROUTE_0;
         break;
      case SGPU_CHANNEL_1:
         u->route[c] = u->compare_route[c] = SGD_TEX_ROUTE_1;
         break;
      default:
         u->route[c] = sgd_tex_format_route(u, f, view[c]);
         u->compare_route[c] = view[c] == SGPU_CHANNEL_W ? SGD_TEX_ROUTE_1 : u->main_channel;
         break;
      }
   }
   memset(u->component, 4, sizeof(u->component));
   for (unsigned c = 0; c < 4; c++) {
      const bool channel = u->route[c] < 4;
      bool alone = true;
      for (unsigned other = 0; other < 4; other++)
         alone &= other == c || u->route[other] != u->route[c];
      u->others |= channel && alone ? 0 : 1 << c;
      u->shared |= channel && !alone ? 1 << c : 0;
      if (channel)
         u->component[u->route[c]] = c;
   }
   /* A channel uses the first component of the RGBA border color that the format maps to it. */
   for (int r = 3; r >= 0; r--) {
      const unsigned route = sgd_tex_format_route(u, f, r);
      if (route < 4)
         u->channel[route].border = r;
   }
}

static void
set_levels(struct sgd_tex_unit *u, const struct sgd_texture *t)
{
   const struct SGPU_TEXTURE *d = &t->desc;
   const struct sgpu_layout *layout = &t->layout;
   const bool slices = u->type == SGPU_TEXTURE_TYPE_3D;
   const uint32_t first_layer = slices ? 0 : d->first_layer;

   u->num_levels = d->last_level - d->first_level + 1;
   u->num_layers = slices ? 1 : d->last_layer - d->first_layer + 1;
   for (unsigned n = 0; n < u->num_levels; n++) {
      const struct sgpu_layout_level *from = &layout->level[d->first_level + n];
      u->level[n] = (struct sgd_tex_level){
         .base = t->base + from->offset + first_layer * from->layer_stride,
         .layer_stride = from->layer_stride,
         .sample_stride = from->sample_stride,
         .pitch = from->pitch,
         .width = from->width,
         .height = from->height,
         .depth = slices ? from->depth : 1,
      };
      const uint64_t layers = slices ? from->depth : u->num_layers;
      if (layers * from->layer_stride > UINT32_MAX)
         u->generic = true;
   }
}

static bool fast_gather;

/* Gather instructions are faster than single loads on Intel CPUs without the Gather Data Sampling
 * vulnerability. On vulnerable CPUs, the microcode mitigation slows gathers down. SERIALIZE (leaf
 * 7, EDX bit 14) appeared only after the last vulnerable CPU. On AMD CPUs single loads are faster,
 * also for table lookups.
 *
 * In a virtual machine, CPUID traps to the hypervisor, which takes tens of microseconds, so execute
 * it only once.
 */
static void
prepare_host(void)
{
   sgd_tex_choose_init();
#if defined(__x86_64__)
   unsigned a, b, c, d;
   const bool intel = __builtin_cpu_is("intel");
   fast_gather = intel && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & 1u << 14);
#endif
}

const char *
sgd_texture_prepare(struct sgd_texture *t)
{
   const struct util_format_description *f = t->fdesc;
   const struct sgpu_format_info *info = sgpu_format_info(t->desc.format);
   struct sgd_tex_unit *u = calloc(1, sizeof(*u));
   if (!u)
      return "TEXTURE: no memory";

   static once_flag once = ONCE_FLAG_INIT;
   call_once(&once, prepare_host);
   u->gather = fast_gather;
   u->type = t->desc.type;
   u->tiled = t->desc.layout == SGPU_LAYOUT_TILED;
   u->integer = sgpu_format_has(t->desc.format, SGPU_FORMAT_FLAG_INTEGER);
   u->clamp_ref = sgpu_format_has(t->desc.format, SGPU_FORMAT_FLAG_DEPTH) &&
                  !sgpu_format_has(t->desc.format, SGPU_FORMAT_FLAG_FLOAT);
   u->bpe = info->block_bytes;
   u->block_width = info->block_width;
   u->block_height = info->block_height;
   u->samples = 1 << t->desc.samples_log2;

   if (u->type == SGPU_TEXTURE_TYPE_BUFFER) {
      u->size = t->desc.width;
      u->num_levels = u->num_layers = 1;
      u->level[0] = (struct sgd_tex_level){
         .base = t->base, .width = t->desc.width, .height = 1, .depth = 1
      };
      u->generic = u->size * u->bpe > UINT32_MAX;
   } else {
      set_levels(u, t);
   }

   const bool huge = u->generic;
   if ((huge || (!choose_words(u, f) && !choose_codec(u, f))) && !choose_generic(u, f)) {
      free(u);
      return "TEXTURE: no such format to read";
   }
   u->bytes = is_bytes(u);
   sgd_tex_choose_paths(u, f, huge);
   set_routes(u, &t->desc, f);
   u->slice = sgd_tex_make_slice(u, f, huge, t->no_paths);
   t->facts = sgd_tex_view_facts(u->slice && u->type == SGPU_TEXTURE_TYPE_2D ? u->slice : u);
   sgd_tex_leave_paths(u, t->no_paths);
   t->unit = u;
   return NULL;
}

void
sgd_sampler_prepare(struct sgd_sampler *sampler)
{
   const struct SGPU_SAMPLER *s = &sampler->desc;
   unsigned plan = 0;

   if (s->max_anisotropy <= 1 && s->reduction == SGPU_FILTER_REDUCTION_AVERAGE)
      plan |= SGD_SAMPLER_PLAIN;
   if (s->min_filter == s->mag_filter)
      plan |= SGD_SAMPLER_ONE_FILTER;
   if (s->mip_filter == SGPU_MIP_FILTER_NONE)
      plan |= SGD_SAMPLER_ONE_LEVEL;
   if (sgd_tex_limits_keep_magnified(s))
      plan |= SGD_SAMPLER_KEEPS_MAGNIFIED;
   if ((SGD_TEX_FAST_WRAPS >> s->wrap_s & 1) && (SGD_TEX_FAST_WRAPS >> s->wrap_t & 1))
      plan |= SGD_SAMPLER_FAST_WRAPS;
   if (s->wrap_s == SGPU_WRAP_REPEAT && !s->unnormalized)
      plan |= SGD_SAMPLER_REPEAT_S;
   if (s->wrap_t == SGPU_WRAP_REPEAT && !s->unnormalized)
      plan |= SGD_SAMPLER_REPEAT_T;
   if (!s->unnormalized)
      plan |= SGD_SAMPLER_NORMALIZED;
   if (s->mag_filter == SGPU_FILTER_LINEAR)
      plan |= SGD_SAMPLER_LINEAR;
   sampler->plan = plan;
}

void
sgd_tex_op_prepare(struct sgd_tex_op *op)
{
   const bool filters = op->op == SGPU_OP_TEX || op->op == SGPU_OP_TXB || op->op == SGPU_OP_TXL ||
                        op->op == SGPU_OP_TXD;
   const bool flat = op->target == SGPU_TEX_TARGET_2D || op->target == SGPU_TEX_TARGET_RECT ||
                     op->target == SGPU_TEX_TARGET_2D_ARRAY;
   op->flat = filters && flat && !op->reg_offset && !op->offset[0] && !op->offset[1];
   op->plain = op->flat && !op->shadow;
   op->spatial = filters && op->target == SGPU_TEX_TARGET_3D && !op->shadow && !op->reg_offset &&
                 !op->offset[0] && !op->offset[1] && !op->offset[2];
}

void
sgd_texture_finish(struct sgd_texture *t)
{
   if (t->unit)
      free(((struct sgd_tex_unit *)t->unit)->slice);
   free(t->unit);
   free(t->image);
   t->unit = t->image = NULL;
}
