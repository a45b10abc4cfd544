/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: formats, missing components, bounds, strides, instances. The vertex program runs
 * once for each index.
 */
#include <math.h>

#include "../../unit.h"
#include "fixture.h"

#define SIZE 64

/* Points in a row, one pixel each. Input 1 comes from buffer 1, and its bits become the colour. */
#define POINTS 60

static void
set_positions(struct fix *f)
{
   fix_reset_vertices(f);
   for (unsigned i = 0; i < POINTS; i++)
      fix_vertex(f, i + 0.5f, 0.5f, 0.5f, 1.0f);
}

static void
set_element(struct fix *f, enum pipe_format format, uint8_t *data, uint64_t size, uint32_t offset,
            uint32_t stride, uint32_t divisor)
{
   struct sgd_state *s = &f->state;

   s->num_vertex_buffers = 2;
   s->vertex_buffer[1].span = (struct sgd_span){ data, size };
   s->vertex_buffer[1].stride = stride;
   s->element[1].desc.buffer = 1;
   s->element[1].desc.offset = offset;
   s->element[1].desc.divisor = divisor;
   s->element[1].pformat = format;
   s->element[1].fdesc = util_format_description(format);
}

/* Decodes a vertex by the rules of OpenGL 3.3, 2.8.2: unsigned c / (2^n - 1), signed max(c /
 * (2^(n-1) - 1), -1), both rounded once.
 */
static void
reference(enum pipe_format format, const uint8_t *p, uint32_t out[4])
{
   const struct util_format_description *desc = util_format_description(format);
   const bool integer = util_format_is_pure_integer(format);

   for (unsigned c = 0; c < 4; c++) {
      const unsigned swizzle = desc->swizzle[c];
      if (swizzle > PIPE_SWIZZLE_W) {
         out[c] = swizzle == PIPE_SWIZZLE_1 ? (integer ? 1 : 0x3f800000u) : 0;
         continue;
      }
      const struct util_format_channel_description *ch = &desc->channel[swizzle];
      uint64_t raw = 0;
      memcpy(&raw, p + ch->shift / 8, MIN2(8, (desc->block.bits - ch->shift / 8 * 8 + 7) / 8));
      raw >>= ch->shift % 8;
      if (ch->size < 64)
         raw &= (1ull << ch->size) - 1;
      int64_t s = (int64_t)(raw << (64 - ch->size)) >> (64 - ch->size);
      float v = 0;

      if (ch->type == UTIL_FORMAT_TYPE_FLOAT) {
         if (ch->size == 16) {
            out[c] = sgpu_f2bits(sgpu_h2f(raw));
            continue;
         } else if (ch->size == 32) {
            out[c] = raw;
            continue;
         }
         double d;
         memcpy(&d, &raw, 8);
         v = d;
      } else if (ch->type == UTIL_FORMAT_TYPE_UNSIGNED) {
         if (ch->pure_integer) {
            out[c] = raw;
            continue;
         }
         v = ch->normalized ? (double)raw / (double)((1ull << ch->size) - 1) : (double)raw;
      } else if (ch->type == UTIL_FORMAT_TYPE_SIGNED) {
         if (ch->pure_integer) {
            out[c] = s;
            continue;
         }
         v = ch->normalized ? fmax((double)s / (double)((1ull << (ch->size - 1)) - 1), -1.0)
                            : (double)s;
      } else {
         v = (double)s / 65536.0;
      }
      out[c] = sgpu_f2bits(v);
   }
}

static const enum pipe_format all_formats[] = {
#define FORMATS(type, kind)                                             \
   PIPE_FORMAT_R##type##_##kind, PIPE_FORMAT_R##type##G##type##_##kind, \
      PIPE_FORMAT_R##type##G##type##B##type##_##kind,                   \
      PIPE_FORMAT_R##type##G##type##B##type##A##type##_##kind
   FORMATS(32, FLOAT),
   FORMATS(16, FLOAT),
   FORMATS(8, UNORM),
   FORMATS(8, SNORM),
   FORMATS(8, USCALED),
   FORMATS(8, SSCALED),
   FORMATS(8, UINT),
   FORMATS(8, SINT),
   FORMATS(16, UNORM),
   FORMATS(16, SNORM),
   FORMATS(16, USCALED),
   FORMATS(16, SSCALED),
   FORMATS(16, UINT),
   FORMATS(16, SINT),
   FORMATS(32, UINT),
   FORMATS(32, SINT),
   FORMATS(32, USCALED),
   FORMATS(32, SSCALED),
   FORMATS(32, FIXED),
   FORMATS(32, UNORM),
   FORMATS(32, SNORM),
   FORMATS(64, FLOAT),
   PIPE_FORMAT_B8G8R8A8_UNORM,
   PIPE_FORMAT_R10G10B10A2_UNORM,
   PIPE_FORMAT_B10G10R10A2_UNORM,
   PIPE_FORMAT_R10G10B10A2_SNORM,
   PIPE_FORMAT_B10G10R10A2_SNORM,
   PIPE_FORMAT_R10G10B10A2_USCALED,
   PIPE_FORMAT_R10G10B10A2_SSCALED,
   PIPE_FORMAT_R10G10B10A2_UINT,
};

static bool
near_bits(enum pipe_format format, uint32_t a, uint32_t b)
{
   if (a == b)
      return true;
   if (util_format_is_pure_integer(format))
      return false;
   const float x = sgpu_bits2f(a), y = sgpu_bits2f(b);
   const struct util_format_channel_description *ch = util_format_description(format)->channel;

   /* Mesa's conversions of rare formats may be wrong by one unit in the last place. */
   return (x != x && y != y) || fabsf(x - y) <= fabsf(y) * 2.4e-7f ||
          (ch->size == 64 && fabsf(x) < 1e-37f && fabsf(y) < 1e-37f);
}

/* Tests all formats. `behind` is the number of bytes in the buffer after the last vertex. */
static void
check_formats(struct fix *f, unsigned behind)
{
   uint64_t seed = 1;

   for (unsigned k = 0; k < ARRAY_SIZE(all_formats); k++) {
      const enum pipe_format format = all_formats[k];
      const unsigned element = util_format_get_blocksize(format);
      const unsigned stride = element + k % 7;
      const unsigned size = k % 3 + (POINTS - 1) * stride + element + behind;
      uint8_t *data = malloc(size);

      for (unsigned i = 0; i < size; i++)
         data[i] = i % 5 == 0 ? 0xff : i % 7 == 0 ? 0x80 : i % 11 == 0 ? 0 : fix_random(&seed);
      set_element(f, format, data, size, k % 3, stride, 0);
      for (unsigned l = 0; l < fix_num_levels(); l++) {
         fix_clear(f);
         fix_draw(f, fix_level_of(l), SGPU_PRIMITIVE_POINTS, 0, POINTS);
         for (unsigned i = 0; i < POINTS; i++) {
            uint32_t want[4], got[4];
            reference(format, data + k % 3 + i * stride, want);
            memcpy(got, fix_at(f, i, 0, 0)->color[0], sizeof(got));
            for (unsigned c = 0; c < 4; c++) {
               if (!near_bits(format, got[c], want[c]))
                  fail_msg("%s %s, vertex %u, component %u: %08x, expected %08x",
                           fix_level_of(l)->name, util_format_name(format), i, c, got[c], want[c]);
            }
         }
      }
      free(data);
   }
}

static void
formats(void **state)
{
   struct fix *f = *state;

   set_positions(f);
   check_formats(f, 64);
   check_formats(f, 0);
}

/* Formats with fast code must round correctly, which is tested for all values. */
static void
rounding(void **state)
{
   struct fix *f = *state;
   static const enum pipe_format list[] = { PIPE_FORMAT_R16_UNORM, PIPE_FORMAT_R16_SNORM,
                                            PIPE_FORMAT_R8_UNORM, PIPE_FORMAT_R8_SNORM };

   set_positions(f);
   for (unsigned k = 0; k < ARRAY_SIZE(list); k++) {
      const unsigned size = k < 2 ? 2 : 1;
      for (unsigned base = 0; base < (k < 2 ? 65536u : 256u); base += POINTS) {
         uint16_t data[POINTS];
         for (unsigned i = 0; i < POINTS; i++)
            data[i] = base + i;
         set_element(f, list[k], (uint8_t *)data, sizeof(data), 0, 2, 0);
         fix_draw(f, fix_level_of(base / POINTS), SGPU_PRIMITIVE_POINTS, 0, POINTS);
         for (unsigned i = 0; i < POINTS; i++) {
            uint32_t want[4];
            reference(list[k], (uint8_t *)&data[i], want);
            assert_memory_equal(fix_at(f, i, 0, 0)->color[0], want, size == 2 ? 16 : 4);
         }
      }
   }
}

/* Reads that leave the buffer, even by one byte, return zeros. */
static void
bounds(void **state)
{
   struct fix *f = *state;

   set_positions(f);
   for (unsigned size = 0; size < 100; size += 3) {
      /* The allocation ends with the buffer, so that a memory checker reports wrong reads. */
      uint8_t *data = malloc(MAX2(size, 1));
      memset(data, 0x3c, size);
      for (unsigned k = 0; k < 2; k++) {
         const enum pipe_format format = k ? PIPE_FORMAT_R10G10B10A2_UNORM
                                           : PIPE_FORMAT_R32G32_FLOAT;
         const unsigned bytes = k ? 4 : 8;
         set_element(f, format, size ? data : NULL, size, 5, 4, 0);
         fix_clear(f);
         fix_draw(f, fix_level_of(size), SGPU_PRIMITIVE_POINTS, 0, POINTS);
         for (unsigned i = 0; i < POINTS; i++) {
            const float *c = fix_at(f, i, 0, 0)->color[0];
            assert_int_equal(c[0] != 0.0f, 5 + 4 * i + bytes <= size);
            assert_int_equal(c[1] != 0.0f, 5 + 4 * i + bytes <= size);
         }
      }
      free(data);
   }

   /* Indices far outside of the buffer stay outside after the bias is added. */
   uint8_t data[64];
   memset(data, 0x3c, sizeof(data));
   set_element(f, PIPE_FORMAT_R32_FLOAT, data, sizeof(data), 0, 0xffff, 0);
   const uint32_t indices[] = { 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x10000u };
   fix_clear(f);
   fix_draw_indexed(f, fix_level_of(0), SGPU_PRIMITIVE_POINTS, indices, 4);
   assert_int_equal(f->stats.samples_passed, 0); /* positions are 0, so w is not above 0 */
}

static void
instances(void **state)
{
   struct fix *f = *state;
   float data[32];

   for (unsigned i = 0; i < 32; i++)
      data[i] = i + 1;
   for (unsigned divisor = 1; divisor < 4; divisor++) {
      set_positions(f);
      set_element(f, PIPE_FORMAT_R32_FLOAT, (uint8_t *)data, sizeof(data), 0, 4, divisor);
      f->draw.packet = (struct SGPU_DRAW){ .primitive = SGPU_PRIMITIVE_POINTS,
                                           .first = 3,
                                           .count = 2,
                                           .instances = 7,
                                           .first_instance = 4 };
      /* The last instance is drawn on top. */
      fix_clear(f);
      fix_run(f, fix_level_of(divisor), 0);
      assert_true(fix_at(f, 3, 0, 0)->count == 7);
      assert_true(fix_at(f, 3, 0, 0)->color[0][0] == 4 + 6 / divisor + 1);
      assert_int_equal(f->stats.vs_invocations, 14);
   }
   f->draw.packet = (struct SGPU_DRAW){ .instances = 1 };
}

/* The program runs once in a batch for a vertex that primitives share. */
static void
reuse(void **state)
{
   struct fix *f = *state;
   uint32_t index[6 * 100];

   fix_reset_vertices(f);
   for (unsigned i = 0; i < 121; i++)
      fix_vertex(f, i % 11 * 5, i / 11 * 5, 0.5f, 1);
   for (unsigned i = 0; i < 100; i++) {
      const unsigned v = i / 10 * 11 + i % 10;
      const uint32_t q[6] = { v, v + 1, v + 11, v + 1, v + 12, v + 11 };
      memcpy(&index[6 * i], q, sizeof(q));
   }
   f->state.element[1].desc.buffer = 0;
   for (unsigned l = 0; l < fix_num_levels(); l++) {
      fix_clear(f);
      fix_draw_indexed(f, fix_level_of(l), SGPU_PRIMITIVE_TRIANGLES, index, 600);
      assert_int_equal(f->stats.vs_invocations, 121);
      assert_int_equal(f->stats.ia_vertices, 600);
      assert_int_equal(f->stats.ia_primitives, 200);
      assert_int_equal(f->stats.samples_passed, 50 * 50);
   }
}

/* Statistics do not depend on where a draw was cut, nor on whether it draws any pixel. */
static void
statistics(void **state)
{
   struct fix *f = *state;
   uint32_t index[5000];

   fix_reset_vertices(f);
   fix_vertex(f, 1, 1, 0.5f, 1);
   for (unsigned i = 0; i < 5000; i++)
      index[i] = i % 1000 == 999 ? 77 : 0;
   f->state.element[1].desc.buffer = 0;
   for (unsigned k = 0; k < 2 * fix_num_levels(); k++) {
      f->state.rast.discard = k & 1;
      f->draw.packet.restart = true;
      f->draw.packet.restart_index = 77;
      fix_clear(f);
      fix_draw_indexed(f, fix_level_of(k / 2), SGPU_PRIMITIVE_TRIANGLE_STRIP, index, 5000);
      assert_int_equal(f->stats.ia_vertices, 4995);
      assert_int_equal(f->stats.ia_primitives, 5 * 997);
      assert_int_equal(f->stats.c_invocations, k & 1 ? 0 : 5 * 997);
   }
   f->state.rast.discard = f->draw.packet.restart = false;
}

static int
setup(void **state)
{
   struct fix *f = fix_create(SIZE, SIZE, 1);

   fix_varyings(f, 1, SGPU_INTERPOLATION_FLAT);
   *state = f;
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(formats),   FIX_TEST(rounding), FIX_TEST(bounds),
      FIX_TEST(instances), FIX_TEST(reuse),    FIX_TEST(statistics),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
