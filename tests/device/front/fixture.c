/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <stdlib.h>

#include "control/plan/sgd_plan_make.h"
#include "control/core/sgd_params.h"
#include "util/bitscan.h"

extern const struct fix_level fix_level_v2;
extern const struct fix_level fix_level_v3, fix_level_v4;

/* The worker is the fixture's first member. */
static struct fix *
fix_of(struct sgd_worker *worker)
{
   return (struct fix *)worker;
}

/*
 * Stand-ins for the shader cores and the ROP
 */

static void
vertex_program(struct fix *f, uint32_t active)
{
   const struct sgd_warp *m = &f->core.warp;

   m->out[SGPU_VO_HPOS] = m->in[0];
   for (unsigned i = 1; i < FIX_INPUTS; i++)
      m->out[SGPU_VO_GEN0 + i - 1] = m->in[i];
   if (f->layer_from) {
      for (unsigned c = 0; c < 2; c++) {
         for (unsigned i = 0; i < SGD_WARP; i++)
            m->out[SGPU_VO_LAYER].c[c][i] = sgpu_f2u(sgpu_bits2f(m->in[f->layer_from].c[c][i]));
      }
   }
   if (f->psiz_from)
      m->out[SGPU_VO_PSIZ] = m->in[f->psiz_from];
   if (f->edge_from)
      m->out[SGPU_VO_EDGE] = m->in[f->edge_from];
   if (f->clip_from)
      m->out[SGPU_VO_CLIP0] = m->in[f->clip_from];
   if (f->clip_vertex_from)
      m->out[SGPU_VO_CLIPV] = m->in[f->clip_vertex_from];
}

static void
pixel_program(struct fix *f, uint32_t active, uint32_t *live)
{
   const struct sgd_warp *m = &f->core.warp;

   for (unsigned i = 0; i < 4; i++) {
      /* The pixel program reads the inputs that VARYINGS names. */
      const unsigned mask = i < f->state.num_varyings ? f->state.varying[i].mask : 0;
      for (unsigned c = 0; c < 4; c++) {
         if (mask >> c & 1)
            memcpy(m->out[SGPU_PO_COLR0 + i].c[c], m->in[i].c[c], sizeof(m->in[i].c[c]));
         else
            memset(m->out[SGPU_PO_COLR0 + i].c[c], 0, sizeof(m->in[i].c[c]));
      }
   }
   if (f->presets) {
      struct sgd_vec *to = &m->out[SGPU_PO_COLR0 + 3];
      memcpy(to->c[0], m->sys[SGPU_SYS_SAMPLE_ID].c[0], sizeof(to->c[0]));
      memcpy(to->c[1], m->sys[SGPU_SYS_SAMPLE_MASK].c[0], sizeof(to->c[0]));
      memcpy(to->c[2], m->sys[SGPU_SYS_SAMPLE_POS].c[0], sizeof(to->c[0]));
      memcpy(to->c[3], m->sys[SGPU_SYS_SAMPLE_POS].c[1], sizeof(to->c[0]));
   }
   if (f->primitive_ids) {
      struct sgd_vec *to = &m->out[SGPU_PO_COLR0 + 3];
      memcpy(to->c[0], m->sys[SGPU_SYS_PRIMITIVE_ID].c[0], sizeof(to->c[0]));
      memcpy(to->c[1], m->sys[SGPU_SYS_FACE].c[0], sizeof(to->c[0]));
   }
   for (unsigned i = 0; f->mask_out && i < SGD_WARP; i++)
      m->out[SGPU_PO_SMASK].c[0][i] = f->mask_out;
   f->warps++;
   if (f->kill_odd) {
      const struct sgd_vec *pos = &m->sys[SGPU_SYS_POSITION];
      for (unsigned i = 0; i < SGD_WARP; i++) {
         const unsigned x = sgpu_bits2f(pos->c[0][i]), y = sgpu_bits2f(pos->c[1][i]);
         if ((x + y) & 1)
            *live &= ~(1u << i);
      }
   }
}

bool
fix_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader, uint32_t active,
               uint32_t *live)
{
   struct fix *f = fix_of(worker);

   if (shader->stage == SGPU_STAGE_VERTEX)
      vertex_program(f, active);
   else
      pixel_program(f, active, live);
   return true;
}

static struct fix_pixel *
lane_pixel(struct fix *f, const struct sgd_quads *quads, unsigned lane)
{
   const unsigned q = lane / 4;

   return fix_sample(f, quads->x[q] + (lane & 1), quads->y[q] + (lane >> 1 & 1), quads->layer,
                     quads->sample);
}

static void
check_quads(const struct sgd_quads *quads, uint32_t mask)
{
   assert(quads->count >= 1 && quads->count <= SGD_QUADS);
   assert(!(quads->mask & ~(quads->count == SGD_QUADS ? ~0u : (1u << 4 * quads->count) - 1)));
   assert(!(mask & ~quads->mask));
   bool distinct = true;
   for (unsigned q = 0; q < quads->count; q++) {
      assert(!(quads->x[q] & 1) && !(quads->y[q] & 1));
      for (unsigned p = 0; p < q; p++)
         distinct &= quads->x[q] != quads->x[p] || quads->y[q] != quads->y[p];
      if (quads->block) {
         assert(quads->x[q] == (quads->x[0] & ~7) + (q & 3) * 2);
         assert(quads->y[q] == (quads->y[0] & ~3) + (q >> 2) * 2);
      }
   }
   assert(distinct == quads->distinct);
   (void)distinct;
}

uint32_t
fix_zs_test(struct sgd_worker *worker, const struct sgd_quads *quads, const float *z, uint32_t mask)
{
   struct fix *f = fix_of(worker);
   uint32_t pass = 0;

   check_quads(quads, mask);
   for (unsigned i = 0; i < SGD_WARP; i++) {
      if (!(mask >> i & 1))
         continue;
      struct fix_pixel *p = lane_pixel(f, quads, i);
      if (f->depth_less && !(z[i] < p->z))
         continue;
      p->z = z[i];
      pass |= 1u << i;
   }
   return pass;
}

void
fix_color_write(struct sgd_worker *worker, const struct sgd_quads *quads, const struct sgd_vec *out,
                uint32_t mask)
{
   struct fix *f = fix_of(worker);

   check_quads(quads, mask);
   f->block_warps += quads->block;
   for (unsigned i = 0; i < SGD_WARP; i++) {
      if (!(mask >> i & 1))
         continue;
      struct fix_pixel *p = lane_pixel(f, quads, i);
      for (unsigned n = 0; n < 4; n++) {
         for (unsigned c = 0; c < 4; c++)
            memcpy(&p->color[n][c], &out[SGPU_PO_COLR0 + n].c[c][i], sizeof(float));
      }
      p->count++;
   }
}

/*
 * Fixture
 */

static const struct fix_level *
host_levels(unsigned *n)
{
   static struct fix_level levels[3];
   const enum sgpu_host_level has = sgd_host_level(SGPU_HOST_BEST);

   levels[0] = fix_level_v2;
   levels[0].name = "v2";
   *n = 1;
#ifdef SGD_LEVEL_V3
   if (has >= SGPU_HOST_V3) {
      levels[*n] = fix_level_v3;
      levels[(*n)++].name = "v3";
   }
#endif
#ifdef SGD_LEVEL_V4
   if (has >= SGPU_HOST_V4) {
      levels[*n] = fix_level_v4;
      levels[(*n)++].name = "v4";
   }
#endif
   (void)has;
   return levels;
}

unsigned
fix_num_levels(void)
{
   unsigned n;

   host_levels(&n);
   return n;
}

const struct fix_level *
fix_level_of(unsigned round)
{
   unsigned n;
   const struct fix_level *levels = host_levels(&n);

   return &levels[round % n];
}

struct fix_pixel *
fix_at(struct fix *f, unsigned x, unsigned y, unsigned layer)
{
   return fix_sample(f, x, y, layer, 0);
}

struct fix_pixel *
fix_sample(struct fix *f, unsigned x, unsigned y, unsigned layer, unsigned sample)
{
   const unsigned samples = f->state.samples;

   assert(x < f->width && y < f->height && layer < f->layers && sample < samples);
   return &f->pixels[(((size_t)layer * samples + sample) * f->height + y) * f->width + x];
}

static size_t
num_pixels(const struct fix *f)
{
   return (size_t)f->width * f->height * f->layers * f->state.samples;
}

void
fix_clear(struct fix *f)
{
   memset(f->pixels, 0, num_pixels(f) * sizeof(*f->pixels));
   for (size_t i = 0; i < num_pixels(f); i++)
      f->pixels[i].z = 1.0f;
   memset(&f->stats, 0, sizeof(f->stats));
   f->block_warps = f->warps = 0;
}

struct fix *
fix_create(unsigned width, unsigned height, unsigned layers)
{
   struct fix *f = aligned_alloc(64, sizeof(*f));

   memset(f, 0, sizeof(*f));
   f->width = width;
   f->height = height;
   f->layers = layers;
   f->state.samples = 1;
   f->pixels = malloc(num_pixels(f) * sizeof(*f->pixels));
   fix_clear(f);

   struct sgd_vec *registers = (struct sgd_vec *)f->core.file;
   f->worker.core = &f->core;
   f->core.warp.in = registers;
   f->core.warp.out = f->core.warp.in + SGPU_INPUT_SIZE;
   f->core.warp.sys = f->core.warp.out + SGPU_OUTPUT_SIZE;
   f->worker.watchdog = UINT64_MAX;

   f->vs.stage = SGPU_STAGE_VERTEX;
   f->vs.inputs_read = (1u << FIX_INPUTS) - 1;
   f->vs.outputs_written = 1ull << SGPU_VO_HPOS | 15ull << SGPU_VO_GEN0;
   f->ps.stage = SGPU_STAGE_PIXEL;
   f->ps.inputs_read = 15;
   f->ps.outputs_written = 15ull << SGPU_PO_COLR0;

   struct sgd_state *s = &f->state;
   s->shader[SGPU_STAGE_VERTEX] = &f->vs;
   s->shader[SGPU_STAGE_PIXEL] = &f->ps;
   s->num_colors = 1;
   s->plan.color_write_mask[0] = 15;
   s->fb_width = width;
   s->fb_height = height;
   s->fb_layers = layers;
   s->sample_mask = ~0u;
   for (unsigned i = 0; i < SGD_MAX_VIEWPORTS; i++) {
      s->viewport[i] = (struct SGPU_VIEWPORT){
         .index = i,
         .scale_x = width / 2.0f,
         .scale_y = height / 2.0f,
         .scale_z = 0.5f,
         .translate_x = width / 2.0f,
         .translate_y = height / 2.0f,
         .translate_z = 0.5f,
      };
   }
   s->rast = (struct SGPU_RASTERIZER){
      .half_pixel_center = true,
      .bottom_edge_rule = true,
      .depth_clip_near = true,
      .depth_clip_far = true,
      .line_width = 1.0f,
      .point_size = 1.0f,
   };
   s->num_elements = FIX_INPUTS;
   for (unsigned i = 0; i < FIX_INPUTS; i++) {
      s->element[i].desc = (struct SGPU_VERTEX_ELEMENT){
         .offset = 16 * i,
         .format = SGPU_FORMAT_R32G32B32A32_FLOAT,
         .input = i,
      };
      s->element[i].pformat = PIPE_FORMAT_R32G32B32A32_FLOAT;
      s->element[i].fdesc = util_format_description(PIPE_FORMAT_R32G32B32A32_FLOAT);
   }
   s->num_vertex_buffers = 1;
   s->vertex_buffer[0].stride = 16 * FIX_INPUTS;

   f->draw.state = s;
   f->draw.packet.instances = 1;
   return f;
}

void
fix_set_samples(struct fix *f, unsigned samples)
{
   f->state.samples = samples;
   free(f->pixels);
   f->pixels = malloc(num_pixels(f) * sizeof(*f->pixels));
   fix_clear(f);
}

int
fix_destroy(void **state)
{
   struct fix *f = *state;

   if (f->worker.front)
      f->worker.front_free(f->worker.front);
   if (f->worker.raster)
      f->worker.raster_free(f->worker.raster);
   free(f->pixels);
   free(f->vertices);
   free(f->index_data);
   free(f);
   return 0;
}

void
fix_varyings(struct fix *f, unsigned n, enum sgpu_interpolation interpolation)
{
   f->state.num_varyings = n;
   for (unsigned i = 0; i < n; i++) {
      f->state.varying[i] = (struct SGPU_VARYING){
         .source = SGPU_VARYING_SOURCE_OUTPUT,
         .output = SGPU_VO_GEN0 + i,
         .interpolation = interpolation,
         .mask = 15,
      };
   }
}

void
fix_reset_vertices(struct fix *f)
{
   f->num_vertices = 0;
}

void
fix_restart(struct fix *f)
{
   fix_clear(f);
   fix_reset_vertices(f);
}

float *
fix_input(struct fix *f, unsigned vertex, unsigned input)
{
   return f->vertices + (vertex * FIX_INPUTS + input) * 4;
}

unsigned
fix_vertex(struct fix *f, float x, float y, float z, float w)
{
   const struct SGPU_VIEWPORT *vp = &f->state.viewport[0];
   const unsigned n = f->num_vertices++;

   if (!(n & (n + 1)) || n < 64)
      f->vertices = realloc(f->vertices, (size_t)MAX2(2 * (n + 1), 128) * FIX_INPUTS * 16);
   float *p = fix_input(f, n, 0);
   memset(p, 0, FIX_INPUTS * 16);
   p[0] = (x - vp->translate_x) / vp->scale_x * w;
   p[1] = (y - vp->translate_y) / vp->scale_y * w;
   p[2] = (z - vp->translate_z) / vp->scale_z * w;
   p[3] = w;
   return n;
}

static unsigned
order(uint32_t seed, unsigned i, unsigned n)
{
   return seed ? (i * (2 * (seed % 97) + 1) + seed) % n : i;
}

static unsigned
gcd(unsigned a, unsigned b)
{
   return b ? gcd(b, a % b) : a;
}

void
fix_run(struct fix *f, const struct fix_level *level, uint32_t tiles)
{
   struct sgd_ia_cutter cutter;
   struct sgd_arena_pool arenas;
   struct sgd_vertex_buffer *vb = &f->state.vertex_buffer[0];

   vb->span.ptr = (uint8_t *)f->vertices;
   vb->span.size = (uint64_t)f->num_vertices * FIX_INPUTS * 16;

   unsigned stipple = 0;
   sgd_plan_choose(&f->state, 0);
   sgd_arena_pool_init(&arenas);
   sgd_ia_cut_begin(&cutter, &f->draw);
   for (;;) {
      struct sgd_batch batch = { .arena.pool = &arenas };
      if (!sgd_ia_cut_next(&cutter, &batch))
         break;
      const uint64_t mode = sgpu_fp_enter();
      level->front(&f->worker, &batch);
      sgpu_fp_leave(mode);
      assert(!batch.failed);
      stipple = sgd_stipple_carry(&batch, stipple);

      const struct sgd_tile_list **list = calloc(batch.num_tiles + 1, sizeof(*list));
      unsigned n = 0;
      for (const struct sgd_tile_list *t = batch.tiles; t; t = t->next)
         list[n++] = t;
      assert(n == batch.num_tiles);
      while (tiles && gcd(2 * (tiles % 97) + 1, MAX2(n, 1)) != 1)
         tiles++;
      for (unsigned i = 0; i < n; i++) {
         /* On a device, other programs use the registers between two lists. */
         memset(f->core.warp.in, 0x55, SGPU_INPUT_SIZE * sizeof(f->core.warp.in[0]));
         const uint64_t saved = sgpu_fp_enter();
         level->raster(&f->worker, &batch, list[order(tiles, i, n)], &f->stats, NULL);
         sgpu_fp_leave(saved);
      }
      free(list);
#define ADD(x) f->stats.x += batch.stats.x
      ADD(ia_vertices);
      ADD(ia_primitives);
      ADD(vs_invocations);
      ADD(c_invocations);
      ADD(c_primitives);
      sgd_arena_free(&batch.arena);
   }
   sgd_arena_pool_finish(&arenas);
}

void
fix_draw(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
         unsigned first, unsigned count)
{
   f->draw.packet.primitive = primitive;
   f->draw.packet.index_size = SGPU_INDEX_SIZE_NONE;
   f->draw.packet.first = first;
   f->draw.packet.count = count;
   fix_run(f, level, 0);
}

void
fix_draw_indexed(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
                 const uint32_t *indices, unsigned count)
{
   free(f->index_data);
   f->index_data = malloc(MAX2(count, 1) * 4);
   memcpy(f->index_data, indices, count * 4);
   f->draw.indices.ptr = f->index_data;
   f->draw.indices.size = (uint64_t)count * 4;
   f->draw.packet.primitive = primitive;
   f->draw.packet.index_size = SGPU_INDEX_SIZE_U32;
   f->draw.packet.first = 0;
   f->draw.packet.count = count;
   fix_run(f, level, 0);
}

uint64_t
fix_hash(const struct fix *f)
{
   const uint8_t *p = (const uint8_t *)f->pixels;
   uint64_t h = 0xcbf29ce484222325ull;

   for (size_t i = 0; i < num_pixels(f) * sizeof(*f->pixels); i++)
      h = (h ^ p[i]) * 0x100000001b3ull;
   return h;
}
