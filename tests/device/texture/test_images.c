/* SPDX-License-Identifier: MIT */
/*
 * Images: every format and target that programs can store to. Texel fetches return the stored
 * values, no other bytes change, and all host levels have the same bytes. Atomic operations are
 * compared with a scalar model.
 */
#include <math.h>
#include <stdio.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"

/* The formats of OpenGL 4.6, table 8.26. */
static const enum sgpu_format formats[] = {
   SGPU_FORMAT_R32G32B32A32_FLOAT,
   SGPU_FORMAT_R16G16B16A16_FLOAT,
   SGPU_FORMAT_R32G32_FLOAT,
   SGPU_FORMAT_R16G16_FLOAT,
   SGPU_FORMAT_R11G11B10_FLOAT,
   SGPU_FORMAT_R32_FLOAT,
   SGPU_FORMAT_R16_FLOAT,
   SGPU_FORMAT_R32G32B32A32_UINT,
   SGPU_FORMAT_R16G16B16A16_UINT,
   SGPU_FORMAT_R10G10B10A2_UINT,
   SGPU_FORMAT_R8G8B8A8_UINT,
   SGPU_FORMAT_R32G32_UINT,
   SGPU_FORMAT_R16G16_UINT,
   SGPU_FORMAT_R8G8_UINT,
   SGPU_FORMAT_R32_UINT,
   SGPU_FORMAT_R16_UINT,
   SGPU_FORMAT_R8_UINT,
   SGPU_FORMAT_R32G32B32A32_SINT,
   SGPU_FORMAT_R16G16B16A16_SINT,
   SGPU_FORMAT_R8G8B8A8_SINT,
   SGPU_FORMAT_R32G32_SINT,
   SGPU_FORMAT_R16G16_SINT,
   SGPU_FORMAT_R8G8_SINT,
   SGPU_FORMAT_R32_SINT,
   SGPU_FORMAT_R16_SINT,
   SGPU_FORMAT_R8_SINT,
   SGPU_FORMAT_R16G16B16A16_UNORM,
   SGPU_FORMAT_R10G10B10A2_UNORM,
   SGPU_FORMAT_R8G8B8A8_UNORM,
   SGPU_FORMAT_B8G8R8A8_UNORM,
   SGPU_FORMAT_R16G16_UNORM,
   SGPU_FORMAT_R8G8_UNORM,
   SGPU_FORMAT_R16_UNORM,
   SGPU_FORMAT_R8_UNORM,
   SGPU_FORMAT_R16G16B16A16_SNORM,
   SGPU_FORMAT_R8G8B8A8_SNORM,
   SGPU_FORMAT_R16G16_SNORM,
   SGPU_FORMAT_R8G8_SNORM,
   SGPU_FORMAT_R16_SNORM,
   SGPU_FORMAT_R8_SNORM,
};

struct target {
   enum sgpu_tex_target target;
   enum sgpu_texture_type type;
   bool linear;
   uint32_t width, height, depth, layers, samples;
   uint32_t first_layer; /* first layer of the image that is bound */
};

static const struct target targets[] = {
   { SGPU_TEX_TARGET_BUFFER, SGPU_TEXTURE_TYPE_BUFFER, true, 203, 1, 1, 1, 1, 0 },
   { SGPU_TEX_TARGET_1D, SGPU_TEXTURE_TYPE_1D, true, 71, 1, 1, 1, 1, 0 },
   { SGPU_TEX_TARGET_2D, SGPU_TEXTURE_TYPE_2D, false, 37, 21, 1, 1, 1, 0 },
   { SGPU_TEX_TARGET_2D, SGPU_TEXTURE_TYPE_2D, true, 37, 21, 1, 1, 1, 0 },
   { SGPU_TEX_TARGET_2D, SGPU_TEXTURE_TYPE_2D, false, 19, 9, 1, 5, 1, 3 },
   { SGPU_TEX_TARGET_3D, SGPU_TEXTURE_TYPE_3D, false, 13, 7, 5, 1, 1, 0 },
   { SGPU_TEX_TARGET_RECT, SGPU_TEXTURE_TYPE_2D, false, 11, 30, 1, 1, 1, 0 },
   { SGPU_TEX_TARGET_1D_ARRAY, SGPU_TEXTURE_TYPE_1D, true, 33, 1, 1, 6, 1, 0 },
   { SGPU_TEX_TARGET_2D_ARRAY, SGPU_TEXTURE_TYPE_2D, false, 17, 9, 1, 4, 1, 0 },
   { SGPU_TEX_TARGET_2D_ARRAY, SGPU_TEXTURE_TYPE_2D, false, 17, 9, 1, 4, 1, 1 },
   { SGPU_TEX_TARGET_2D_ARRAY, SGPU_TEXTURE_TYPE_CUBE, false, 15, 15, 1, 12, 1, 0 },
   { SGPU_TEX_TARGET_2D_MS, SGPU_TEXTURE_TYPE_2D, false, 14, 10, 1, 1, 4, 0 },
   { SGPU_TEX_TARGET_2D_MS_ARRAY, SGPU_TEXTURE_TYPE_2D, false, 9, 8, 1, 3, 2, 0 },
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct tex *
create(const struct target *t, enum sgpu_format format, uint64_t *rng)
{
   struct tex_params p = tex_params(t->type, format, t->width, t->height);
   p.linear_layout = t->linear;
   p.depth = t->depth;
   p.layers = t->layers;
   p.samples = t->samples;
   p.first_layer = t->first_layer;
   p.array = t->layers > 1 && t->type != SGPU_TEXTURE_TYPE_CUBE;
   struct tex *tex = tex_create(&p, rng);
   sgd_texture_finish(&tex->texture);
   const char *error = sgd_image_prepare(&tex->texture);
   if (error)
      fail_msg("%s", error);
   return tex;
}

/* Returns the size of each axis of the coordinates: x, y, z, sample. */
static void
sizes(const struct target *t, uint32_t size[4])
{
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[t->target];
   const unsigned dims = info->coords - (info->array ? 1 : 0);
   const uint32_t axis[3] = { t->width, t->height, t->depth };
   for (unsigned a = 0; a < 4; a++)
      size[a] = a < 3 && a < dims ? axis[a] : 1;
   if (info->array)
      size[dims] = t->layers - t->first_layer;
   size[3] = t->samples;
}

/* Makes coordinates, of distinct texels if `apart`. Returns the mask of lanes that are in range. */
static uint32_t
random_coords(const struct target *t, uint64_t *rng, bool apart, struct sgd_vec *coord)
{
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[t->target];
   uint32_t size[4], inside = 0, total;
   sizes(t, size);
   total = size[0] * size[1] * size[2] * size[3];
   const uint32_t start = tex_rand(rng) % total;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t n = apart ? (start + l) % total : tex_rand(rng) % total;
      for (unsigned a = 0; a < 4; a++) {
         coord->c[a][l] = n % size[a];
         n /= size[a];
      }
      inside |= 1u << l;
      if (tex_rand(rng) % 8 == 0) {
         const unsigned used = info->coords + (info->samples ? 1 : 0);
         unsigned a = tex_rand(rng) % used;
         if (a == info->coords)
            a = 3;
         static const uint32_t wild[] = { 0, 1, 1000, 0x7fffffff, 0x80000000, ~0u };
         coord->c[a][l] = tex_rand(rng) % 2 ? size[a] : wild[2 + tex_rand(rng) % 4];
         inside &= ~(1u << l);
      }
      /* Components that the target does not have are ignored. */
      for (unsigned a = info->coords; a < 4; a++) {
         if (a < 3 || !info->samples)
            coord->c[a][l] = tex_rand(rng);
      }
   }
   return inside;
}

/* Finds the texel of a lane, with its layer or slice as tex_texel() counts it. */
static void
place(const struct target *t, const struct sgd_vec *coord, unsigned l, unsigned *x, unsigned *y,
      unsigned *layer, unsigned *sample)
{
   const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[t->target];
   const unsigned dims = info->coords - (info->array ? 1 : 0);
   *x = coord->c[0][l];
   *y = dims > 1 ? coord->c[1][l] : 0;
   *layer = info->array ? coord->c[dims][l] : dims > 2 ? coord->c[2][l] : 0;
   *sample = info->samples ? coord->c[3][l] : 0;
}

static void
run(const struct tex_level *level, const struct tex *t, const struct sgd_image_op *op,
    const struct sgd_vec *coord, const struct sgd_vec *data, uint32_t active, uint32_t live,
    struct sgd_vec *result)
{
   memset(result, 0xcc, sizeof(*result));
   const uint64_t saved = sgpu_fp_enter();
   level->image(t ? &t->texture : NULL, op, coord, data, active, live, result);
   sgpu_fp_leave(saved);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         if (!(op->mask & (1 << c)) || !(active >> l & 1))
            assert_int_equal(result->c[c][l], 0xcccccccc);
      }
   }
}

/* Returns the maximum distance between a number and the nearest one in channel c of the format. */
static double
tolerance(const struct util_format_description *f, unsigned c, double value)
{
   if (f->format == PIPE_FORMAT_R11G11B10_FLOAT)
      return fabs(value) * (c < 2 ? 0x1p-6 : 0x1p-5) + 0x1p-19;
   const struct util_format_channel_description *ch = &f->channel[f->swizzle[c]];
   if (ch->type == UTIL_FORMAT_TYPE_FLOAT)
      return ch->size == 32 ? 0 : fabs(value) * 0x1p-11 + 0x1p-25;
   const unsigned bits = ch->type == UTIL_FORMAT_TYPE_SIGNED ? ch->size - 1 : ch->size;
   return 0.5 / ((1 << bits) - 1) + 0x1p-20;
}

/* Returns the value of a component that the format lacks, for all texels; 0 for others. */
static uint32_t
lacking(enum sgpu_format format, unsigned c)
{
   const struct util_format_description *f = util_format_description(sgpu_format_to_pipe(format));
   if (f->swizzle[c] != PIPE_SWIZZLE_1)
      return 0;
   return sgpu_format_info(format)->flags & SGPU_FORMAT_FLAG_INTEGER ? 1 : 0x3f800000;
}

/* Checks that a lane reads back the stored value, as precisely as the format can store it. */
static void
expect_stored(enum sgpu_format format, const uint32_t data[4], const uint32_t got[4])
{
   const struct util_format_description *f = util_format_description(sgpu_format_to_pipe(format));
   const bool integer = sgpu_format_info(format)->flags & SGPU_FORMAT_FLAG_INTEGER;

   for (unsigned c = 0; c < 4; c++) {
      if (f->swizzle[c] > PIPE_SWIZZLE_W) {
         assert_int_equal(got[c], lacking(format, c));
         continue;
      }
      const struct util_format_channel_description *ch = &f->channel[f->swizzle[c]];
      if (integer && ch->type == UTIL_FORMAT_TYPE_UNSIGNED) {
         const uint32_t max = ch->size == 32 ? ~0u : (1u << ch->size) - 1;
         assert_int_equal(got[c], data[c] < max ? data[c] : max);
      } else if (integer) {
         const int64_t max = (1ll << (ch->size - 1)) - 1, v = (int32_t)data[c];
         assert_int_equal((int32_t)got[c], v > max ? max : v < -max - 1 ? -max - 1 : v);
      } else {
         double want = sgpu_bits2f(data[c]);
         if (ch->normalized)
            want = fmax(fmin(want, 1.0), ch->type == UTIL_FORMAT_TYPE_SIGNED ? -1.0 : 0.0);
         if (f->format == PIPE_FORMAT_R11G11B10_FLOAT)
            want = fmax(want, 0.0);
         const double is = sgpu_bits2f(got[c]);
         if (!(fabs(is - want) <= tolerance(f, c, want)))
            fail_msg("format %u: %c is %.9g, stored was %.9g", format, "xyzw"[c], is, want);
      }
   }
}

static void
random_data(enum sgpu_format format, uint64_t *rng, struct sgd_vec *data)
{
   const bool integer = sgpu_format_info(format)->flags & SGPU_FORMAT_FLAG_INTEGER;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         if (integer)
            data->c[c][l] = (uint32_t)((int32_t)tex_rand(rng) >> (tex_rand(rng) % 32));
         else
            tex_put(data, c, l, tex_rand_range(rng, -1.5, 1.5));
      }
   }
}

static void
check_store(const struct target *target, enum sgpu_format format, uint64_t *rng)
{
   const unsigned bytes = sgpu_format_info(format)->block_bytes;
   const bool snorm = util_format_is_snorm(sgpu_format_to_pipe(format));
   struct tex *t = create(target, format, rng);
   uint8_t *before = malloc(t->size), *after = malloc(t->size);
   struct tex_level levels[3];
   const unsigned num = tex_levels(levels);
   const struct sgd_image_op sti = { .op = SGPU_OP_STI, .target = target->target };
   const struct sgd_image_op ldi = { .op = SGPU_OP_LDI, .target = target->target, .mask = 15 };

   for (unsigned k = 0; k < 4; k++) {
      struct sgd_vec coord, data, got, none = { { { 0 } } };
      const uint32_t inside = random_coords(target, rng, true, &coord);
      const uint32_t active = k % 2 ? tex_rand(rng) : ~0u, live = k / 2 ? tex_rand(rng) : ~0u;
      uint32_t changed = 0;

      random_data(format, rng, &data);
      memcpy(before, t->memory, t->size);
      for (unsigned n = 0; n < num; n++) {
         memcpy(t->memory, before, t->size);
         run(&levels[n], t, &sti, &coord, &data, active, live, &got);
         if (n && memcmp(t->memory, after, t->size))
            fail_msg("%s: format %u stores other bytes", levels[n].name, format);
         memcpy(after, t->memory, t->size);
      }
      for (uint64_t i = 0; i < t->size; i += bytes) {
         const uint64_t left = t->size - i;
         changed += memcmp(before + i, after + i, left < bytes ? left : bytes) != 0;
      }
      assert_true(changed <= (unsigned)__builtin_popcount(inside & active & live));

      for (unsigned n = 0; n < num; n++) {
         run(&levels[n], t, &ldi, &coord, &none, active, 0, &got);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            uint32_t texel[4] = { 0 }, lane[4];
            unsigned x, y, layer, sample;
            if (!(active >> l & 1))
               continue;
            for (unsigned c = 0; c < 4; c++)
               lane[c] = got.c[c][l];
            if (!(inside >> l & 1)) {
               for (unsigned c = 0; c < 4; c++)
                  assert_int_equal(lane[c], lacking(format, c));
               continue;
            }
            if (live >> l & 1) {
               const uint32_t stored[4] = { data.c[0][l], data.c[1][l], data.c[2][l],
                                            data.c[3][l] };
               expect_stored(format, stored, lane);
            }
            /* The texel must be at the place that Mesa and the layout give. */
            place(target, &coord, l, &x, &y, &layer, &sample);
            tex_texel(t, 0, layer, sample, (int)x, (int)y, texel);
            for (unsigned c = 0; c < 4; c++) {
               /* The lowest code of signed normalized numbers is also -1. */
               const double a = snorm ? fmax(sgpu_bits2f(texel[c]), -1.0) : sgpu_bits2f(texel[c]);
               const double b = sgpu_bits2f(lane[c]);
               if (texel[c] != lane[c] && !(fabs(a - b) <= fabs(a) * 0x1.8p-23))
                  fail_msg("%s: format %u: %08x at %u,%u,%u,%u, Mesa reads %08x", levels[n].name,
                           format, lane[c], x, y, layer, sample, texel[c]);
            }
         }
      }
   }
   free(before);
   free(after);
   tex_destroy(t);
}

static void
test_stores(void **state)
{
   uint64_t rng = 21;
   for (unsigned f = 0; f < COUNT(formats); f++) {
      for (unsigned t = 0; t < COUNT(targets); t++)
         check_store(&targets[t], formats[f], &rng);
   }
}

/* LDI returns the bits that TXF returns. */
static void
test_loads(void **state)
{
   uint64_t rng = 22;
   for (unsigned f = 0; f < COUNT(formats); f++) {
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, formats[f], 40, 24);
      struct tex *t = tex_create(&p, &rng);
      const struct sgd_sampler s = tex_sampler(0, 0);
      const struct sgd_tex_op txf = tex_op(SGPU_OP_TXF, SGPU_TEX_TARGET_2D);
      const struct sgd_image_op ldi = { .op = SGPU_OP_LDI,
                                        .target = SGPU_TEX_TARGET_2D,
                                        .mask = 15 };
      struct sgd_vec coord = { { { 0 } } }, none = { { { 0 } } }, fetched, loaded;
      struct tex_level levels[3];
      const unsigned num = tex_levels(levels);

      for (uint64_t i = 0; i < t->size; i++)
         t->memory[i] = (uint8_t)tex_rand(&rng);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         coord.c[0][l] = tex_rand(&rng) % 40;
         coord.c[1][l] = tex_rand(&rng) % 24;
      }
      tex_run(t, &s, &txf, &coord, &none, ~0u, &fetched);
      sgd_texture_finish(&t->texture);
      assert_null(sgd_image_prepare(&t->texture));
      for (unsigned n = 0; n < num; n++) {
         run(&levels[n], t, &ldi, &coord, &none, ~0u, ~0u, &loaded);
         assert_memory_equal(&loaded, &fetched, sizeof(loaded));
      }
      tex_destroy(t);
   }
}

static uint32_t
model(enum sgpu_atomic op, uint32_t old, uint32_t data, uint32_t second)
{
   switch (op) {
   case SGPU_ATOMIC_ADD:
      return old + data;
   case SGPU_ATOMIC_UMAX:
      return old > data ? old : data;
   case SGPU_ATOMIC_EXCH:
      return data;
   case SGPU_ATOMIC_CAS:
      return old == data ? second : old;
   default:
      return sgpu_f2bits(sgpu_fadd(sgpu_bits2f(old), sgpu_bits2f(data)));
   }
}

static void
check_atomic(const struct target *target, enum sgpu_format format, uint64_t *rng)
{
   static const enum sgpu_atomic ops[] = { SGPU_ATOMIC_ADD, SGPU_ATOMIC_UMAX, SGPU_ATOMIC_EXCH,
                                           SGPU_ATOMIC_CAS, SGPU_ATOMIC_FADD };
   struct tex *t = create(target, format, rng);
   uint8_t *before = malloc(t->size), *want = malloc(t->size);
   struct tex_level levels[3];
   const unsigned num = tex_levels(levels);
   const bool legal = format == SGPU_FORMAT_R32_UINT || format == SGPU_FORMAT_R32_SINT ||
                      format == SGPU_FORMAT_R32_FLOAT;

   for (unsigned k = 0; k < 2 * COUNT(ops); k++) {
      const struct sgd_image_op op = {
         .op = SGPU_OP_ATI, .target = target->target, .aop = ops[k / 2], .mask = tex_rand(rng) % 16
      };
      struct sgd_vec coord, data, got;
      uint32_t old[SGD_WARP] = { 0 };
      uint32_t inside = random_coords(target, rng, k % 2, &coord);
      const uint32_t active = tex_rand(rng) | 1, live = tex_rand(rng);

      for (unsigned l = 0; l < SGD_WARP; l++) {
         data.c[0][l] = tex_rand(rng) % 3;
         data.c[1][l] = tex_rand(rng);
         if (op.aop == SGPU_ATOMIC_FADD)
            tex_put(&data, 0, l, tex_rand_range(rng, -2, 2));
         /* All lanes often have the same texel. */
         for (unsigned a = 0; a < 4 && k % 4 == 0; a++)
            coord.c[a][l] = coord.c[a][0];
      }
      if (k % 4 == 0)
         inside = inside & 1 ? ~0u : 0;
      memcpy(before, t->memory, t->size);
      const uint64_t saved = sgpu_fp_enter();
      for (unsigned l = 0; l < SGD_WARP; l++) {
         unsigned x, y, layer, sample;
         uint64_t at;
         if (!(inside & active & live & 1u << l) || !legal)
            continue;
         place(target, &coord, l, &x, &y, &layer, &sample);
         at = target->type == SGPU_TEXTURE_TYPE_BUFFER
                 ? 4 * (uint64_t)x
                 : sgpu_layout_offset(&t->texture.layout, 0, layer + target->first_layer, sample, x,
                                      y);
         memcpy(&old[l], t->memory + at, 4);
         const uint32_t value = model(op.aop, old[l], data.c[0][l], data.c[1][l]);
         memcpy(t->memory + at, &value, 4);
      }
      sgpu_fp_leave(saved);
      memcpy(want, t->memory, t->size);
      for (unsigned n = 0; n < num; n++) {
         memcpy(t->memory, before, t->size);
         run(&levels[n], t, &op, &coord, &data, active, live, &got);
         assert_memory_equal(t->memory, want, t->size);
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < SGD_WARP; l++) {
               if ((op.mask & (1 << c)) && (active >> l & 1))
                  assert_int_equal(got.c[c][l], old[l]);
            }
         }
      }
   }
   free(before);
   free(want);
   tex_destroy(t);
}

static void
test_atomics(void **state)
{
   static const enum sgpu_format words[] = { SGPU_FORMAT_R32_UINT, SGPU_FORMAT_R32_SINT,
                                             SGPU_FORMAT_R32_FLOAT, SGPU_FORMAT_R8G8B8A8_UNORM,
                                             SGPU_FORMAT_R32G32_UINT };
   uint64_t rng = 23;
   for (unsigned f = 0; f < COUNT(words); f++) {
      for (unsigned t = 0; t < COUNT(targets); t++)
         check_atomic(&targets[t], words[f], &rng);
   }
}

/* A view of bytes as R32_UINT accesses the same memory. */
static void
test_view(void **state)
{
   uint64_t rng = 24;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 16, 16);
   struct tex *t = tex_create(&p, &rng);
   const struct sgd_image_op sti = { .op = SGPU_OP_STI, .target = SGPU_TEX_TARGET_2D };
   struct sgd_vec coord = { { { 0 } } }, data = { { { 0 } } }, got;
   struct tex_level levels[3];
   uint32_t texel[4];

   sgd_texture_finish(&t->texture);
   t->texture.desc.format = SGPU_FORMAT_R32_UINT;
   t->texture.pformat = PIPE_FORMAT_R32_UINT;
   t->texture.fdesc = util_format_description(PIPE_FORMAT_R32_UINT);
   assert_null(sgd_image_prepare(&t->texture));
   tex_levels(levels);
   data.c[0][0] = 0xff0080ff;
   coord.c[0][0] = 9;
   coord.c[1][0] = 7;
   run(&levels[0], t, &sti, &coord, &data, 1, 1, &got);
   t->texture.pformat = PIPE_FORMAT_R8G8B8A8_UNORM;
   tex_texel(t, 0, 0, 0, 9, 7, texel);
   assert_int_equal(texel[0], 0x3f800000);
   assert_int_equal(texel[2], 0);
   assert_int_equal(texel[3], 0x3f800000);
   tex_destroy(t);
}

static void
test_sizes(void **state)
{
   uint64_t rng = 25;
   struct tex_level levels[3];
   const unsigned num = tex_levels(levels);

   for (unsigned k = 0; k < COUNT(targets); k++) {
      const struct target *target = &targets[k];
      const struct sgpu_tex_target_info *info = &sgpu_tex_target_infos[target->target];
      const struct sgd_image_op op = { .op = SGPU_OP_SZI, .target = target->target, .mask = 15 };
      struct tex *t = create(target, SGPU_FORMAT_R32_UINT, &rng);
      struct sgd_vec none = { { { 0 } } }, got;
      uint32_t size[4];
      sizes(target, size);
      for (unsigned n = 0; n < num; n++) {
         run(&levels[n], t, &op, &none, &none, 0xff, 0, &got);
         for (unsigned a = 0; a < 4; a++) {
            const uint32_t want = a < info->coords || a == 3 ? size[a] : 0;
            assert_int_equal(got.c[a][5], want);
         }
         run(&levels[n], NULL, &op, &none, &none, 0xff, 0, &got);
         assert_int_equal(got.c[0][0] | got.c[1][0] | got.c[2][0] | got.c[3][0], 0);
      }
      tex_destroy(t);
   }
}

/* No image is bound, or an image of another target. */
static void
test_unbound(void **state)
{
   uint64_t rng = 26;
   struct tex *t = create(&targets[2], SGPU_FORMAT_R32_UINT, &rng);
   struct tex_level levels[3];
   const unsigned num = tex_levels(levels);
   uint8_t *before = malloc(t->size);
   memcpy(before, t->memory, t->size);

   for (unsigned n = 0; n < num; n++) {
      for (unsigned k = 0; k < SGPU_NUM_TEX_TARGETS; k++) {
         if (!(SGPU_IMAGE_TARGETS & (1u << k)))
            continue;
         const bool fits = k != SGPU_TEX_TARGET_BUFFER && k != SGPU_TEX_TARGET_1D &&
                           k != SGPU_TEX_TARGET_1D_ARRAY && k != SGPU_TEX_TARGET_3D;
         static const enum sgpu_opcode ops[] = { SGPU_OP_LDI, SGPU_OP_STI, SGPU_OP_ATI };
         for (unsigned o = 0; o < 3; o++) {
            struct sgd_image_op op = { .op = ops[o], .target = k, .mask = ops[o] != SGPU_OP_STI };
            struct sgd_vec zero = { { { 0 } } }, got;
            for (unsigned bound = 0; bound < (fits ? 1 : 2); bound++) {
               run(&levels[n], bound ? t : NULL, &op, &zero, &zero, ~0u, ~0u, &got);
               assert_true(op.mask == 0 || got.c[0][3] == 0);
               assert_memory_equal(before, t->memory, t->size);
            }
         }
      }
   }
   free(before);
   tex_destroy(t);
}

static void
test_refused(void **state)
{
   uint64_t rng = 27;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_DXT1_RGB, 16, 16);
   struct tex *t = tex_create(&p, &rng);
   sgd_texture_finish(&t->texture);
   assert_non_null(sgd_image_prepare(&t->texture));
   assert_null(t->texture.unit);
   tex_destroy(t);

   p = tex_params(SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R32_UINT, 16, 16);
   p.levels = 2;
   t = tex_create(&p, &rng);
   sgd_texture_finish(&t->texture);
   assert_non_null(sgd_image_prepare(&t->texture));
   tex_destroy(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stores),  cmocka_unit_test(test_loads), cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_view),    cmocka_unit_test(test_sizes), cmocka_unit_test(test_unbound),
      cmocka_unit_test(test_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
