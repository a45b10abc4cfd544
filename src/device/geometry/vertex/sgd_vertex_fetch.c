/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: reads attributes from vertex buffers into the inputs of a vertex warp, and converts
 * each component to 32 bits. Missing components are filled in from (0, 0, 0, 1), with an integer 1
 * for pure integer formats. Reads outside the buffer return zeros.
 */
#include "geometry/vertex/sgd_vertex_fetch.h"

#include <string.h>

#include "geometry/front/sgd_front.h"
#include "observe/records/sgd_observe_work.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "common/sgd_transpose.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "util/format/u_format.h"

#define ONE_F 0x3f800000u
/* Maximum element size of any format, in bytes. */
#define MAX_SIZE 32

/* Size in bytes of a vector of four words. */
#define ROW sizeof(sgd_row)

/* Describes where each lane reads an attribute. All addresses are readable. */
struct source {
   const uint8_t *p[SGD_WARP];
   /* true if ROW bytes are readable at each address; the code ignores the bytes after an element */
   bool wide;
   uint8_t copy[SGD_WARP][ROW];
};

static const uint8_t zeros[64];

static void
locate(const struct sgd_front *f, const struct sgd_element *element, const uint32_t index[SGD_WARP],
       struct source *src)
{
   const struct sgd_state *state = f->state;
   const unsigned b = element->desc.buffer;
   const uint32_t size = element->fdesc->block.bits / 8;
   const struct sgd_vertex_buffer *vb = b < state->num_vertex_buffers ? &state->vertex_buffer[b]
                                                                      : NULL;
   const uint64_t reach = vb && vb->span.size >= size ? vb->span.size - size + 1 : 0;
   const uint64_t stride = vb ? vb->stride : 0;
   uint32_t greatest = 0;

   src->wide = size >= ROW;
   if (element->desc.divisor) {
      const uint64_t step = (uint64_t)f->draw->packet.first_instance +
                            f->batch->instance / element->desc.divisor;
      const uint64_t offset = element->desc.offset + step * stride;
      const uint8_t *p = offset < reach ? vb->span.ptr + offset : zeros;
      for (unsigned i = 0; i < SGD_WARP; i++)
         src->p[i] = p;
      return;
   }
   for (unsigned i = 0; i < SGD_WARP; i++)
      greatest = MAX2(greatest, index[i]);
   const uint64_t end = element->desc.offset + greatest * stride;
   if (likely(end < reach)) {
      const uint8_t *p = vb->span.ptr + element->desc.offset;
      for (unsigned i = 0; i < SGD_WARP; i++)
         src->p[i] = p + index[i] * stride;
      src->wide |= vb->span.size - end >= ROW;
      return;
   }
   for (unsigned i = 0; i < SGD_WARP; i++) {
      const uint64_t offset = element->desc.offset + index[i] * stride;
      src->p[i] = offset < reach ? vb->span.ptr + offset : zeros;
   }
}

/* Copies the elements to `copy`, since reading ROW bytes from the buffer could go past its end. */
static void
widen(struct source *src, unsigned size)
{
   for (unsigned i = 0; i < SGD_WARP; i++) {
      memcpy(src->copy[i], src->p[i], size);
      src->p[i] = src->copy[i];
   }
}

static void
fill_defaults(struct sgd_vec *in, unsigned from, uint32_t one)
{
   for (unsigned c = from; c < 4; c++) {
      for (unsigned i = 0; i < SGD_WARP; i++)
         in->c[c][i] = c == 3 ? one : 0;
   }
}

static void
copy32(struct sgd_vec *in, struct source *src, unsigned comps, uint32_t one)
{
   if (comps == 1) {
      for (unsigned i = 0; i < SGD_WARP; i++)
         memcpy(&in->c[0][i], src->p[i], sizeof(uint32_t));
   } else {
      if (unlikely(!src->wide))
         widen(src, comps * sizeof(uint32_t));
      for (unsigned i = 0; i < SGD_WARP; i += 4) {
         sgd_row row[4], c[4];
         for (unsigned k = 0; k < 4; k++)
            memcpy(&row[k], src->p[i + k], ROW);
         sgd_transpose4(c, row);
         for (unsigned k = 0; k < comps; k++)
            memcpy(&in->c[k][i], &c[k], ROW);
      }
   }
   fill_defaults(in, comps, one);
}

/* One function per number of components, so that the load size is a compile-time constant. */
#define COPY32(n)                                                               \
   static void copy32_##n(struct sgd_vec *in, struct source *src, uint32_t one) \
   {                                                                            \
      copy32(in, src, n, one);                                                  \
   }
COPY32(1)
COPY32(2)
COPY32(3)
COPY32(4)

#define CONVERT(name, type, comps, expr)                          \
   static void name(struct sgd_vec *in, const struct source *src) \
   {                                                              \
      type raw[4][SGD_WARP];                                      \
      if (sizeof(type[comps]) == sizeof(uint32_t)) {              \
         uint32_t word[SGD_WARP];                                 \
         for (unsigned i = 0; i < SGD_WARP; i++)                  \
            memcpy(&word[i], src->p[i], sizeof(word[i]));         \
         for (unsigned c = 0; c < comps; c++) {                   \
            for (unsigned i = 0; i < SGD_WARP; i++)               \
               raw[c][i] = word[i] >> 8 * sizeof(type) * c;       \
         }                                                        \
      } else {                                                    \
         for (unsigned i = 0; i < SGD_WARP; i++) {                \
            type v[comps];                                        \
            memcpy(v, src->p[i], sizeof(v));                      \
            for (unsigned c = 0; c < comps; c++)                  \
               raw[c][i] = v[c];                                  \
         }                                                        \
      }                                                           \
      for (unsigned c = 0; c < comps; c++) {                      \
         for (unsigned i = 0; i < SGD_WARP; i++) {                \
            const type x = raw[c][i];                             \
            in->c[c][i] = expr;                                   \
         }                                                        \
      }                                                           \
      fill_defaults(in, comps, ONE_F);                            \
   }

/* Convert normalized integers to float with correct rounding. Both the lowest and the second lowest
 * signed integer become -1.
 */
static inline uint32_t
unorm(uint32_t x, float max)
{
   return sgpu_f2bits((float)(int32_t)x / max);
}

static inline uint32_t
snorm(int32_t x, float max)
{
   const float v = (float)x / max;
   return sgpu_f2bits(v < -1.0f ? -1.0f : v);
}

#define CONVERT_ALL(name, type, expr) \
   CONVERT(name##_1, type, 1, expr)   \
   CONVERT(name##_2, type, 2, expr)   \
   CONVERT(name##_3, type, 3, expr)   \
   CONVERT(name##_4, type, 4, expr)

CONVERT_ALL(unorm8, uint8_t, unorm(x, 255.0f))
CONVERT_ALL(snorm8, int8_t, snorm(x, 127.0f))
CONVERT_ALL(unorm16, uint16_t, unorm(x, 65535.0f))
CONVERT_ALL(snorm16, int16_t, snorm(x, 32767.0f))
CONVERT_ALL(uscaled8, uint8_t, sgpu_f2bits((float)(int32_t)x))
CONVERT_ALL(sscaled8, int8_t, sgpu_f2bits((float)x))
CONVERT_ALL(uscaled16, uint16_t, sgpu_f2bits((float)(int32_t)x))
CONVERT_ALL(sscaled16, int16_t, sgpu_f2bits((float)x))
CONVERT_ALL(half, uint16_t, sgpu_f2bits(sgpu_h2f(x)))

#undef CONVERT_ALL
#undef CONVERT

static void
bgra8(struct sgd_vec *in, const struct source *src)
{
   struct sgd_vec t;
   unorm8_4(&t, src);
   memcpy(in->c[0], t.c[2], sizeof(t.c[0]));
   memcpy(in->c[1], t.c[1], sizeof(t.c[0]));
   memcpy(in->c[2], t.c[0], sizeof(t.c[0]));
   memcpy(in->c[3], t.c[3], sizeof(t.c[0]));
}

/* Converts attributes of any format with Mesa's functions, one vertex at a time. These functions
 * convert the lowest signed integer to a value below -1, so the result is clamped.
 */
static void
generic(struct sgd_vec *in, const struct source *src, const struct sgd_element *element)
{
   const struct util_format_unpack_description *unpack = util_format_unpack_description(
      element->pformat);
   const bool integer = util_format_is_pure_integer(element->pformat);
   const bool clamp = util_format_is_snorm(element->pformat);
   const unsigned size = util_format_get_blocksize(element->pformat);

   for (unsigned i = 0; i < SGD_WARP; i++) {
      /* Mesa's functions require aligned data, but vertices can be unaligned. */
      _Alignas(8) uint8_t raw[MAX_SIZE];
      uint32_t v[4] = { 0 };
      memcpy(raw, src->p[i], size);
      unpack->unpack_rgba(v, raw, 1);
      for (unsigned c = 0; c < 4; c++) {
         float x = sgpu_fp_canon(sgpu_fflush(sgpu_bits2f(v[c])));
         if (clamp)
            x = sgpu_fmax(x, -1.0f);
         in->c[c][i] = integer ? v[c] : sgpu_f2bits(x);
      }
   }
}

#define CASE4(format1, format2, format3, format4, call) \
   case PIPE_FORMAT_##format1:                          \
      call##_1(in, &src);                               \
      break;                                            \
   case PIPE_FORMAT_##format2:                          \
      call##_2(in, &src);                               \
      break;                                            \
   case PIPE_FORMAT_##format3:                          \
      call##_3(in, &src);                               \
      break;                                            \
   case PIPE_FORMAT_##format4:                          \
      call##_4(in, &src);                               \
      break;
#define CASES(type, kind, call)                                                           \
   CASE4(R##type##_##kind, R##type##G##type##_##kind, R##type##G##type##B##type##_##kind, \
         R##type##G##type##B##type##A##type##_##kind, call)

void
sgd_vertex_fetch(const struct sgd_front *f, const uint32_t *index, unsigned count)
{
   const struct sgd_state *state = f->state;
   const struct sgd_shader *vs = state->shader[SGPU_STAGE_VERTEX];
   uint32_t missing = vs->inputs_read;
   uint32_t lane_index[SGD_WARP];

   /* Make unused lanes read the element of lane 0. */
   for (unsigned i = 0; i < SGD_WARP; i++)
      lane_index[i] = index[i < count ? i : 0];
   for (unsigned n = 0; n < state->num_elements; n++) {
      const struct sgd_element *element = &state->element[n];
      struct sgd_vec *in = &f->worker->core->warp.in[element->desc.input];
      struct source src;

      if (!(vs->inputs_read >> element->desc.input & 1))
         continue;
      missing &= ~(1u << element->desc.input);
      locate(f, element, lane_index, &src);
      if (SGD_OBSERVED_LEVEL)
         sgd_observe_fetch(f->worker, src.p, zeros, count, element->fdesc->block.bits / 8,
                           element->fdesc->nr_channels);

      switch (element->pformat) {
      case PIPE_FORMAT_R32_FLOAT:
         copy32_1(in, &src, ONE_F);
         break;
      case PIPE_FORMAT_R32G32_FLOAT:
         copy32_2(in, &src, ONE_F);
         break;
      case PIPE_FORMAT_R32G32B32_FLOAT:
         copy32_3(in, &src, ONE_F);
         break;
      case PIPE_FORMAT_R32G32B32A32_FLOAT:
         copy32_4(in, &src, ONE_F);
         break;
      case PIPE_FORMAT_R32_UINT:
      case PIPE_FORMAT_R32_SINT:
         copy32_1(in, &src, 1);
         break;
      case PIPE_FORMAT_R32G32_UINT:
      case PIPE_FORMAT_R32G32_SINT:
         copy32_2(in, &src, 1);
         break;
      case PIPE_FORMAT_R32G32B32_UINT:
      case PIPE_FORMAT_R32G32B32_SINT:
         copy32_3(in, &src, 1);
         break;
      case PIPE_FORMAT_R32G32B32A32_UINT:
      case PIPE_FORMAT_R32G32B32A32_SINT:
         copy32_4(in, &src, 1);
         break;
         CASES(8, UNORM, unorm8)
         CASES(8, SNORM, snorm8)
         CASES(8, USCALED, uscaled8)
         CASES(8, SSCALED, sscaled8)
         CASES(16, UNORM, unorm16)
         CASES(16, SNORM, snorm16)
         CASES(16, USCALED, uscaled16)
         CASES(16, SSCALED, sscaled16)
         CASES(16, FLOAT, half)
      case PIPE_FORMAT_B8G8R8A8_UNORM:
         bgra8(in, &src);
         break;
      default:
         generic(in, &src, element);
         break;
      }
   }

   while (missing)
      fill_defaults(&f->worker->core->warp.in[u_bit_scan(&missing)], 0, ONE_F);
}
