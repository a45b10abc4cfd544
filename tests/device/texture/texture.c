/* SPDX-License-Identifier: MIT */
/*
 * Tests of the texture unit: textures and operations.
 */
#include "texture.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../unit.h"
#include "control/core/sgd_params.h"
#include "sgpu_fp.h"
#include "texture/unit/sgd_tex_unit.h"

extern const struct tex_level tex_level_v2;
extern const struct tex_level tex_level_v3, tex_level_v4;

unsigned
tex_levels(struct tex_level levels[3])
{
   const enum sgpu_host_level has = sgd_host_level(SGPU_HOST_BEST);
   unsigned n = 0;

   levels[n++] = (struct tex_level){ "v2", tex_level_v2.run, tex_level_v2.image };
#ifdef SGD_LEVEL_V3
   if (has >= SGPU_HOST_V3)
      levels[n++] = (struct tex_level){ "v3", tex_level_v3.run, tex_level_v3.image };
#endif
#ifdef SGD_LEVEL_V4
   if (has >= SGPU_HOST_V4)
      levels[n++] = (struct tex_level){ "v4", tex_level_v4.run, tex_level_v4.image };
#endif
   (void)has;
   return n;
}

uint32_t
tex_rand(uint64_t *state)
{
   uint64_t z = *state += 0x9e3779b97f4a7c15ull;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return (uint32_t)((z ^ (z >> 31)) >> 16);
}

double
tex_rand_range(uint64_t *state, double lo, double hi)
{
   return lo + (hi - lo) * (tex_rand(state) * 0x1p-32);
}

struct tex_params
tex_params(enum sgpu_texture_type type, enum sgpu_format format, uint32_t width, uint32_t height)
{
   return (struct tex_params){
      .type = type,
      .format = format,
      .width = width,
      .height = height,
      .depth = 1,
      .layers = type == SGPU_TEXTURE_TYPE_CUBE ? 6 : 1,
      .levels = 1,
      .samples = 1,
      .swizzle = { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z, SGPU_CHANNEL_W },
   };
}

/* Replaces random bytes by numbers that can be averaged. */
static void
tame_floats(struct tex *t, uint64_t *rng)
{
   const struct util_format_description *f = t->texture.fdesc;
   const unsigned bits = f->channel[0].size;
   if (f->layout != UTIL_FORMAT_LAYOUT_PLAIN || f->channel[0].type != UTIL_FORMAT_TYPE_FLOAT)
      return;
   for (uint64_t i = 0; bits == 32 && i + 4 <= t->size; i += 4) {
      const float v = (float)tex_rand_range(rng, -2.0, 2.0);
      memcpy(t->memory + i, &v, 4);
   }
   for (uint64_t i = 0; bits == 16 && i + 2 <= t->size; i += 2) {
      const uint16_t v = (uint16_t)sgpu_f2h((float)tex_rand_range(rng, -2.0, 2.0));
      memcpy(t->memory + i, &v, 2);
   }
}

/* Allocates the memory of a texture, which ends at a page that can't be read. Sanitizers don't see
 * gather instructions.
 */
static void
create_memory(struct tex *t)
{
   const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
   const uint64_t pages = (t->size + page - 1) / page * page;
   t->mapped = pages + 2 * page;
   t->mapping = mmap(NULL, t->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0);
   assert_true(t->mapping != MAP_FAILED);
   assert_int_equal(mprotect(t->mapping + page, pages, PROT_READ | PROT_WRITE), 0);
   t->memory = t->mapping + page + (pages - t->size);
}

void
tex_gather(const struct tex *t, bool gather)
{
   struct sgd_tex_unit *u = t->texture.unit;
   u->gather = gather;
   if (u->slice)
      u->slice->gather = gather;
}

struct tex *
tex_create(const struct tex_params *p, uint64_t *rng)
{
   struct tex *t = calloc(1, sizeof(*t));
   struct SGPU_TEXTURE *d = &t->texture.desc;
   const bool one_d = p->type == SGPU_TEXTURE_TYPE_1D || p->type == SGPU_TEXTURE_TYPE_BUFFER;
   *d = (struct SGPU_TEXTURE){
      .format = p->format,
      .resource_format = p->format,
      .type = p->type,
      .layout = p->linear_layout ? SGPU_LAYOUT_LINEAR : sgpu_layout_choose(p->format, one_d),
      .array = p->array,
      .valid = true,
      .width = p->width,
      .height = p->height,
      .depth = p->depth,
      .resource_layers = p->layers,
      .resource_levels = p->levels,
      .first_level = p->first_level,
      .last_level = p->last_level ? p->last_level : p->levels - 1,
      .first_layer = p->first_layer,
      .last_layer = p->last_layer ? p->last_layer : p->layers - 1,
      .swizzle_x = p->swizzle[0],
      .swizzle_y = p->swizzle[1],
      .swizzle_z = p->swizzle[2],
      .swizzle_w = p->swizzle[3],
   };
   for (uint32_t s = p->samples; s > 1; s >>= 1)
      d->samples_log2++;

   const char *error = sgpu_texture_check(d, &t->texture.layout, &t->size);
   if (error)
      fail_msg("%s", error);
   create_memory(t);
   for (uint64_t i = 0; i < t->size; i++)
      t->memory[i] = (uint8_t)tex_rand(rng);
   t->texture.base = t->memory;
   t->texture.pformat = sgpu_format_to_pipe(p->format);
   t->texture.fdesc = util_format_description(t->texture.pformat);
   tame_floats(t, rng);
   error = sgd_texture_prepare(&t->texture);
   if (error)
      fail_msg("%s", error);
   return t;
}

void
tex_destroy(struct tex *t)
{
   sgd_texture_finish(&t->texture);
   munmap(t->mapping, t->mapped);
   free(t);
}

void
tex_texel(const struct tex *t, unsigned level, unsigned layer, unsigned sample, int x, int y,
          uint32_t rgba[4])
{
   const struct SGPU_TEXTURE *d = &t->texture.desc;
   const struct util_format_description *f = t->texture.fdesc;
   const struct sgpu_layout *layout = &t->texture.layout;
   const struct util_format_unpack_description *u = util_format_unpack_description(
      t->texture.pformat);
   const bool slices = d->type == SGPU_TEXTURE_TYPE_3D;
   uint64_t at;

   if (d->type == SGPU_TEXTURE_TYPE_BUFFER) {
      at = (uint64_t)x * sgpu_format_info(d->format)->block_bytes;
   } else {
      at = sgpu_layout_offset(layout, d->first_level + level, layer + (slices ? 0 : d->first_layer),
                              sample, (uint32_t)x / f->block.width, (uint32_t)y / f->block.height);
   }
   const uint8_t *src = t->memory + at;
   memset(rgba, 0, 16);
   if (util_format_has_depth(f)) {
      u->unpack_z_float((float *)rgba, 4, src, 64, 1, 1);
      rgba[3] = 0x3f800000;
   } else if (util_format_has_stencil(f)) {
      uint8_t s;
      u->unpack_s_8uint(&s, 1, src, 64, 1, 1);
      rgba[0] = s;
      rgba[3] = 1;
   } else if (f->block.width > 1) {
      util_format_fetch_rgba_func(t->texture.pformat)(rgba, src, (unsigned)x % f->block.width,
                                                      (unsigned)y % f->block.height);
   } else {
      u->unpack_rgba(rgba, src, 1);
   }
}

struct sgd_sampler
tex_sampler(enum sgpu_wrap wrap, enum sgpu_filter filter)
{
   return (struct sgd_sampler){
      .desc = {
         .wrap_s = wrap, .wrap_t = wrap, .wrap_r = wrap,
         .min_filter = filter, .mag_filter = filter, .mip_filter = SGPU_MIP_FILTER_NONE,
         .max_lod = 1000.0f, .seamless = true,
      },
      .valid = true,
   };
}

struct sgd_tex_op
tex_op(enum sgpu_opcode op, enum sgpu_tex_target target)
{
   return (struct sgd_tex_op){ .op = op, .target = target, .mask = 15 };
}

/* Runs the operation at one host level. Components outside of the write mask keep their values. */
static void
run_level(const struct tex_level *level, const struct tex *t, const struct sgd_sampler *sampler,
          const struct sgd_tex_op *op, const struct sgd_vec *src0, const struct sgd_vec *src1,
          uint32_t active, struct sgd_vec *dst)
{
   struct sgd_worker worker = { 0 };

   memset(dst, 0xcc, sizeof(*dst));
   const uint64_t saved = sgpu_fp_enter();
   const struct sgd_source from[2] = { tex_source(src0), tex_source(src1) };
   struct sgd_sampler prepared = *sampler;
   struct sgd_tex_op decoded = *op;
   sgd_sampler_prepare(&prepared);
   sgd_tex_op_prepare(&decoded);
   level->run(&worker, &t->texture, &prepared, &decoded, &from[0], &from[1], active, dst);
   sgpu_fp_leave(saved);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         if (!(op->mask & (1 << c)) || !(active & (1u << l)))
            assert_int_equal(dst->c[c][l], 0xcccccccc);
      }
   }
}

/* Checks that the written components of `part` are those of `whole`. */
static void
expect_part(const struct tex_level *level, unsigned mask, uint32_t active,
            const struct sgd_vec *part, const struct sgd_vec *whole)
{
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         if ((mask & (1 << c)) && (active & (1u << l)) && part->c[c][l] != whole->c[c][l])
            fail_msg("%s: lane %u.%c is %08x, not %08x", level->name, l, "xyzw"[c], part -> c[c][l],
                     whole -> c[c][l]);
      }
   }
}

void
tex_run(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
        const struct sgd_vec *src0, const struct sgd_vec *src1, uint32_t active,
        struct sgd_vec *dst)
{
   static uint64_t rng = 77;
   const bool gather = ((const struct sgd_tex_unit *)t->texture.unit)->gather;
   struct tex_level levels[3];
   struct sgd_vec first, part;
   const unsigned count = tex_levels(levels);

   for (unsigned n = 0; n < count; n++) {
      run_level(&levels[n], t, sampler, op, src0, src1, active, dst);
      if (n == 0)
         first = *dst;
      expect_part(&levels[n], op->mask, active, dst, &first);

      struct sgd_tex_op some = *op;
      const uint32_t lanes = tex_rand(&rng) % 4 ? active & tex_rand(&rng) : active;
      some.mask &= tex_rand(&rng) % 4 ? tex_rand(&rng) : 15;
      tex_gather(t, tex_rand(&rng) % 2);
      run_level(&levels[n], t, sampler, &some, src0, src1, lanes, &part);
      tex_gather(t, gather);
      expect_part(&levels[n], some.mask, lanes, &part, &first);
   }
}

void
tex_expect(const struct sgd_vec *got, unsigned l, const double want[4], const double coord[4],
           double tolerance, const char *what)
{
   for (unsigned c = 0; c < 4; c++) {
      const double v = tex_get(got, c, l);
      if (!(fabs(v - want[c]) <= tolerance)) {
         fail_msg("%s at (%.9g, %.9g, %.9g, %.9g): %c is %.9g, should be %.9g", what, coord[0],
                  coord[1], coord[2], coord[3], "xyzw"[c], v, want[c]);
      }
   }
}
