/* SPDX-License-Identifier: MIT */
/*
 * Image unit: executes the image operations of a warp. Compiled once for each x86-64 level of the
 * host CPU.
 */
#include "texture/image/sgd_image.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "shader/atomic/sgd_atomic.h"
#include "common/sgd_observe.h"
#include "texture/unit/sgd_tex_exec.h"
#include "texture/unit/sgd_tex_observe.h"

/* Returns true if the instruction's target matches the type of the image. A single slice of a 3D
 * texture can also be bound as a 2D image.
 */
static bool
target_fits(enum sgpu_tex_target target, const struct sgd_tex_unit *u)
{
   const enum sgpu_texture_type type = u->type;

   switch (target) {
   case SGPU_TEX_TARGET_BUFFER:
      return type == SGPU_TEXTURE_TYPE_BUFFER;
   case SGPU_TEX_TARGET_1D:
   case SGPU_TEX_TARGET_1D_ARRAY:
      return type == SGPU_TEXTURE_TYPE_1D;
   case SGPU_TEX_TARGET_3D:
      return type == SGPU_TEXTURE_TYPE_3D;
   case SGPU_TEX_TARGET_2D_ARRAY:
      return type == SGPU_TEXTURE_TYPE_2D || type == SGPU_TEXTURE_TYPE_CUBE;
   case SGPU_TEX_TARGET_2D:
      return type == SGPU_TEXTURE_TYPE_2D ||
             (type == SGPU_TEXTURE_TYPE_3D && u->level[0].depth == 1);
   default:
      return type == SGPU_TEXTURE_TYPE_2D;
   }
}

/* The position of each lane's texel, and a mask of the lanes whose texels are inside the image. */
struct texels {
   struct sgd_tex_int x, y, z, sample;
   uint32_t inside;
};

/* Clears in[l] if at[l], as a signed coordinate, is not in [0, size). `size` must be less than
 * 2^31, so that negative coordinates fail the unsigned comparison.
 */
static void
check(const uint32_t at[SGD_WARP], uint32_t size, uint32_t in[SGD_WARP])
{
   SGD_EACH(l) {
      in[l] &= -(uint32_t)(at[l] < size);
   }
}

/* Moves lanes that are outside the image to the position of lane `inside`, so that loads only
 * access texels that the program reads.
 */
static void
fill_outside(struct sgd_tex_int *v, unsigned inside, const uint32_t in[SGD_WARP])
{
   const int32_t place = v->v[inside];

   SGD_EACH(l) {
      v->v[l] = (int32_t)sgpu_fp_pick(in[l], (uint32_t)v->v[l], (uint32_t)place);
   }
}

static void
locate(const struct sgd_tex_unit *u, enum sgpu_tex_target t, const struct sgd_vec *coord,
       uint32_t lanes, struct texels *texels)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[t];
   const struct sgd_tex_level *level = &u->level[0];
   const unsigned dims = target->coords - (target->array ? 1 : 0);
   const bool buffer = u->type == SGPU_TEXTURE_TYPE_BUFFER;
   const uint32_t *x = coord->c[0], *y = coord->c[1];
   const uint32_t *z = coord->c[target->array ? dims : 2], *sample = coord->c[3];
   const bool has_z = dims > 2 || target->array;
   _Alignas(64) uint32_t in[SGD_WARP];

   SGD_EACH(l) {
      in[l] = sgd_lane_mask(lanes, l);
   }
   check(x, buffer ? (uint32_t)MIN2(u->size, INT32_MAX) : (uint32_t)level->width, in);
   if (dims > 1)
      check(y, (uint32_t)level->height, in);
   if (has_z)
      check(z, target->array ? u->num_layers : (uint32_t)level->depth, in);
   if (target->samples)
      check(sample, u->samples, in);
   SGD_EACH(l) {
      texels->x.v[l] = (int32_t)(x[l] & in[l]);
      texels->y.v[l] = dims > 1 ? (int32_t)(y[l] & in[l]) : 0;
      texels->z.v[l] = has_z ? (int32_t)(z[l] & in[l]) : 0;
      texels->sample.v[l] = target->samples ? (int32_t)(sample[l] & in[l]) : 0;
   }
   texels->inside = sgd_mask_gather(in);
   if (texels->inside && ~texels->inside) {
      const unsigned inside = (unsigned)ffs((int)texels->inside) - 1;
      fill_outside(&texels->x, inside, in);
      fill_outside(&texels->y, inside, in);
      fill_outside(&texels->z, inside, in);
      fill_outside(&texels->sample, inside, in);
   }
}

/* Computes the address of each lane's texel. */
static void
addresses(const struct sgd_image *image, const struct sgd_tex_unit *u, const struct texels *t,
          uint8_t *at[SGD_WARP])
{
   const struct sgd_tex_level *level = &u->level[0];
   uint8_t *base = (uint8_t *)level->base;
   uint64_t off[SGD_WARP];

   if (!image->wide) {
      const uint32_t stride = (uint32_t)level->sample_stride;
      _Alignas(64) uint32_t narrow[SGD_WARP];
      sgd_tex_offsets(u, level, &t->x, &t->y, &t->z, narrow);
      SGD_EACH(l) {
         narrow[l] += (uint32_t)t->sample.v[l] * stride;
      }
      for (unsigned l = 0; l < SGD_WARP; l++)
         at[l] = base + narrow[l];
      return;
   }

   if (u->tiled) {
      SGD_EACH(l) {
         off[l] = sgpu_tiled_offset((uint32_t)t->x.v[l], (uint32_t)t->y.v[l], level->pitch, u->bpe);
      }
   } else {
      SGD_EACH(l) {
         off[l] = sgpu_linear_offset((uint32_t)t->x.v[l], (uint32_t)t->y.v[l], level->pitch,
                                     u->bpe);
      }
   }
   SGD_EACH(l) {
      off[l] += (uint32_t)t->z.v[l] * level->layer_stride;
      off[l] += (uint32_t)t->sample.v[l] * level->sample_stride;
   }
   for (unsigned l = 0; l < SGD_WARP; l++)
      at[l] = base + off[l];
}

static void
load(const struct sgd_tex_unit *u, const struct texels *t, unsigned mask, bool samples,
     uint32_t active, struct sgd_vec *dst)
{
   struct sgd_tex_float channels[4];
   struct sgd_vec words, result;

   memset(&result, 0, sizeof(result));
   if (t->inside) {
      unsigned need = 0;
      for (unsigned c = 0; c < 4; c++)
         need |= mask & (1 << c) && u->route[c] < 4 ? 1u << u->route[c] : 0;
      sgd_tex_fetch(u, &u->level[0], &t->x, &t->y, &t->z, samples ? &t->sample : NULL, need,
                    &words);
      for (unsigned c = 0; c < u->num_channels; c++) {
         if (!(need & (1 << c)))
            continue;
         sgd_tex_decode(u, c, &words, &channels[c]);
         if (!u->integer)
            sgd_tex_scale(u, c, &channels[c]);
      }
      sgd_tex_store(u, u->route, mask, 0, t->inside, channels, &result);
   }
   /* Components that the format doesn't have are constants, so set them for all lanes, even for
    * lanes outside the image.
    */
   for (unsigned c = 0; u && c < 4; c++) {
      if (!(mask & (1 << c)) || u->route[c] != SGD_TEX_ROUTE_1)
         continue;
      SGD_EACH(l) {
         result.c[c][l] = u->integer ? 1 : 0x3f800000;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1 << c)))
         continue;
      SGD_EACH(l) {
         dst->c[c][l] = sgpu_fp_pick(sgd_lane_mask(active, l), result.c[c][l], dst->c[c][l]);
      }
   }
}

static void
store(const struct sgd_image *image, const struct sgd_tex_unit *u, const struct texels *t,
      const struct sgd_vec *data)
{
   struct sgd_color color;
   struct sgd_elements e;
   uint8_t *at[SGD_WARP];

   if (!t->inside)
      return;
   const unsigned bytes = image->codec.bytes;
   sgd_codec_clamp(&image->codec, data->c, &color);
   sgd_codec_pack(&image->codec, (const uint32_t(*)[SGD_WARP])color.c, &e, t->inside);
   addresses(image, u, t, at);
#define STORE(n)                                  \
   for (unsigned l = 0; l < SGD_WARP; l++) {      \
      if (t->inside >> l & 1)                     \
         memcpy(at[l], e.b + (n) * (size_t)l, n); \
   }
   switch (bytes) {
   case 1:
      STORE(1)
      break;
   case 2:
      STORE(2)
      break;
   case 4:
      STORE(4)
      break;
   case 8:
      STORE(8)
      break;
   case 16:
      STORE(16)
      break;
   default:
      STORE(bytes)
      break;
   }
#undef STORE
}

static void
atomic(const struct sgd_image *image, const struct sgd_tex_unit *u, const struct texels *t,
       const struct sgd_image_op *op, const struct sgd_vec *data, uint32_t active,
       struct sgd_vec *dst)
{
   const struct sgd_atomic_op a = {
      .op = op->aop,
      .alone = op->alone,
      .returned = op->mask,
      .data = data->c[0],
      .second = op->aop == SGPU_ATOMIC_CAS ? data->c[1] : NULL,
   };
   uint32_t old[SGD_WARP] = { 0 };
   uint8_t *at[SGD_WARP];
   uint32_t *word[SGD_WARP];

   if (t->inside && image->words) {
      addresses(image, u, t, at);
      for (unsigned l = 0; l < SGD_WARP; l++)
         word[l] = (uint32_t *)at[l];
      sgd_atomic_lanes(&a, word, t->inside, old);
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(op->mask & (1 << c)))
         continue;
      SGD_EACH(l) {
         dst->c[c][l] = sgpu_fp_pick(sgd_lane_mask(active, l), old[l], dst->c[c][l]);
      }
   }
}

static void
size(const struct sgd_tex_unit *u, enum sgpu_tex_target t, unsigned mask, uint32_t active,
     struct sgd_vec *dst)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[t];
   const unsigned dims = target->coords - (target->array ? 1 : 0);
   uint32_t size[4] = { 0 };

   if (u) {
      const struct sgd_tex_level *level = &u->level[0];
      size[0] = u->type == SGPU_TEXTURE_TYPE_BUFFER ? (uint32_t)u->size : (uint32_t)level->width;
      if (dims > 1)
         size[1] = (uint32_t)level->height;
      if (dims > 2)
         size[2] = (uint32_t)level->depth;
      if (target->array)
         size[dims] = u->num_layers;
      size[3] = u->samples;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1 << c)))
         continue;
      SGD_EACH(l) {
         dst->c[c][l] = sgpu_fp_pick(sgd_lane_mask(active, l), size[c], dst->c[c][l]);
      }
   }
}

/* Records the texels that an operation accesses, for the observer. Only compiled for the host level
 * that records for the observer.
 */
static void
observe_texels(const struct sgd_image *image, const struct sgd_tex_unit *u, const struct texels *t,
               const struct sgd_image_op *op)
{
   uint8_t *at[SGD_WARP];

   if (op->op != SGPU_OP_ATI) {
      sgd_tex_observe_texels(op->worker, u, &u->level[0], &t->x, &t->y, &t->z, &t->sample,
                             t->inside);
   } else if (image->words) {
      addresses(image, u, t, at);
      sgd_observe_atomics(op->worker, at, t->inside, u->bpe);
   }
}

void
sgd_image_access(const struct sgd_texture *texture, const struct sgd_image_op *op,
                 const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active,
                 uint32_t live, struct sgd_vec *dst)
{
   const struct sgd_image *image = texture ? texture->image : NULL;
   const struct sgd_tex_unit *u = image ? texture->unit : NULL;
   const bool samples = sgpu_tex_target_infos[op->target].samples;
   struct texels t = { .inside = 0 };

   if (u && !target_fits(op->target, u))
      u = NULL;
   if (op->op == SGPU_OP_SZI) {
      size(u, op->target, op->mask, active, dst);
      return;
   }
   if (u)
      locate(u, op->target, coord, op->op == SGPU_OP_LDI ? active : active & live, &t);
   if (SGD_OBSERVED_LEVEL && u)
      observe_texels(image, u, &t, op);
   switch (op->op) {
   case SGPU_OP_LDI:
      load(u, &t, op->mask, samples, active, dst);
      break;
   case SGPU_OP_STI:
      store(image, u, &t, data);
      break;
   default:
      atomic(image, u, &t, op, data, active, dst);
      break;
   }
}
