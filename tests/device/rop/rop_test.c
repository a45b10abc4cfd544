/* SPDX-License-Identifier: MIT */
/*
 * For tests of the raster operations: see rop_test.h.
 */
#include "rop_test.h"

#include "pixel/rop/sgd_rop_warp.h"
#include "control/core/sgd_params.h"

extern const struct rop_level rop_level_v2;
extern const struct rop_level rop_level_v3, rop_level_v4;

static struct rop_level
named(const char *name, const struct rop_level *level)
{
   struct rop_level l = *level;
   l.name = name;
   return l;
}

unsigned
rop_levels(struct rop_level levels[3])
{
   const enum sgpu_host_level has = sgd_host_level(SGPU_HOST_BEST);
   unsigned count = 0;

   levels[count++] = named("v2", &rop_level_v2);
   static bool told;
#ifdef SGD_LEVEL_V3
   if (has >= SGPU_HOST_V3)
      levels[count++] = named("v3", &rop_level_v3);
   else if (!told)
      print_message("skipped: host level v3, which this machine does not have\n");
#endif
#ifdef SGD_LEVEL_V4
   if (has >= SGPU_HOST_V4)
      levels[count++] = named("v4", &rop_level_v4);
   else if (!told)
      print_message("skipped: host level v4, which this machine does not have\n");
#endif
   told = true;
   (void)has;
   return count;
}

void
rop_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format, unsigned width,
            unsigned height, unsigned layers, unsigned samples)
{
   const unsigned bpe = util_format_get_blocksize(format);

   memset(s, 0, sizeof(*s));
   s->pformat = format;
   s->desc = util_format_description(format);
   s->width = width;
   s->height = height;
   s->layers = layers;
   s->bpe = bpe;
   s->samples = samples;
   s->tiled = true;
   s->valid = true;
   s->pitch = (width + 7) / 8 * 32 * bpe;
   s->sample_stride = (uint64_t)s->pitch * ((height + 3) / 4);
   s->layer_stride = s->sample_stride * samples;
   m->size = s->layer_stride * layers;
   assert_int_equal(posix_memalign((void **)&m->data, 64, m->size), 0);
   memset(m->data, 0, m->size);
   s->base = m->data;
}

void
rop_noise(struct rop_memory *m, uint64_t *seed)
{
   for (size_t i = 0; i < m->size; i++)
      m->data[i] = rop_random(seed);
}

uint8_t *
rop_element(const struct sgd_surface *s, const struct sgd_quads *quads, unsigned lane)
{
   const uint32_t x = quads->x[lane / 4] + (lane & 1), y = quads->y[lane / 4] + (lane >> 1 & 1);

   return s->base + quads->layer * s->layer_stride + quads->sample * s->sample_stride +
          sgpu_tiled_offset(x, y, s->pitch, s->bpe);
}

static bool
is_twice(const struct sgd_quads *quads, unsigned n)
{
   for (unsigned q = 0; q < n; q++) {
      if (quads->x[q] == quads->x[n] && quads->y[q] == quads->y[n])
         return true;
   }
   return false;
}

void
rop_random_quads(struct sgd_quads *quads, enum rop_quads kind, const struct sgd_surface *s,
                 uint64_t *seed)
{
   const unsigned across = s->width / 2, down = s->height / 2;
   const unsigned places = 1 + rop_below(seed, 4);

   memset(quads, 0, sizeof(*quads));
   quads->layer = rop_below(seed, s->layers);
   quads->sample = rop_below(seed, s->samples);
   quads->front = rop_random(seed);
   quads->block = kind == ROP_BLOCK;
   quads->distinct = true;
   quads->count = kind == ROP_BLOCK ? SGD_QUADS : 1 + rop_below(seed, SGD_QUADS);
   const unsigned bx = rop_below(seed, s->width / 8) * 8, by = rop_below(seed, s->height / 4) * 4;

   for (unsigned q = 0; q < quads->count; q++) {
      switch (kind) {
      case ROP_BLOCK:
         quads->x[q] = bx + (q & 3) * 2;
         quads->y[q] = by + (q >> 2) * 2;
         break;
      case ROP_DISTINCT:
         do {
            quads->x[q] = rop_below(seed, across) * 2;
            quads->y[q] = rop_below(seed, down) * 2;
         } while (is_twice(quads, q));
         break;
      default: {
         const unsigned place = rop_below(seed, places);
         quads->x[q] = place * 2 % s->width;
         quads->y[q] = (place & 1) * 2;
         quads->distinct &= !is_twice(quads, q);
         break;
      }
      }
   }
   const uint32_t used = quads->count == SGD_QUADS ? ~0u : (1u << (quads->count * 4)) - 1;
   switch (rop_below(seed, 4)) {
   case 0:
      quads->mask = used;
      break;
   case 1:
      quads->mask = used & rop_random(seed) & rop_random(seed);
      break;
   default:
      quads->mask = used & rop_random(seed);
      break;
   }
}

void
rop_one_quad(struct sgd_quads *quads, const struct sgd_quads *from, unsigned q)
{
   memset(quads, 0, sizeof(*quads));
   quads->x[0] = from->x[q];
   quads->y[0] = from->y[q];
   quads->count = 1;
   quads->front = (from->front >> q) & 1;
   quads->distinct = true;
   quads->layer = from->layer;
   quads->sample = from->sample;
   quads->mask = (from->mask >> (4 * q)) & 15;
}
