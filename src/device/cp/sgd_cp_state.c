/* SPDX-License-Identifier: MIT */
/*
 * Command processor: state packets.  Descriptors are copied and checked here,
 * once; addresses become host memory with a size.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sgd_cp.h"
#include "sgd_rop.h"
#include "util/macros.h"

static inline void
ref(uint32_t *refs)
{
   __atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* True when the last reference went. */
static inline bool
unref(uint32_t *refs)
{
   return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

static void
texture_unref(struct sgd_texture *t)
{
   if (t && unref(&t->refs)) {
      sgd_texture_finish(t);
      free(t);
   }
}

static void
set_unref(struct sgd_texture_set *set)
{
   if (set && unref(&set->refs)) {
      for (unsigned i = 0; i < set->num_textures; i++)
         texture_unref(set->textures[i]);
      free(set);
   }
}

static void
state_release(struct sgd_state *state)
{
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      set_unref(state->sets[s]);
      sgd_shader_unref(state->shader[s]);
   }
}

void
sgd_state_unref(struct sgd_state *state)
{
   if (state && unref(&state->refs)) {
      state_release(state);
      free(state);
   }
}

void
sgd_cp_state_reset(struct sgd_cp *cp)
{
   sgd_state_unref(cp->snapshot);
   cp->snapshot = NULL;
   state_release(&cp->cur);
   memset(&cp->cur, 0, sizeof(cp->cur));
   memset(&cp->stream, 0, sizeof(cp->stream));
   cp->cur.sample_mask = ~0u;
   cp->cur.samples = 1;
   cp->have_framebuffer = false;
   cp->dirty = true;
}

/* A set of the stage that the parser may change. */
static struct sgd_texture_set *
writable_set(struct sgd_cp *cp, enum sgpu_stage stage)
{
   struct sgd_texture_set *old = cp->cur.sets[stage];

   if (old && __atomic_load_n(&old->refs, __ATOMIC_ACQUIRE) == 1)
      return old;

   struct sgd_texture_set *set = old ? malloc(sizeof(*set)) : calloc(1, sizeof(*set));
   if (!set)
      return NULL;
   if (old) {
      memcpy(set, old, sizeof(*set));
      for (unsigned i = 0; i < set->num_textures; i++) {
         if (set->textures[i])
            ref(&set->textures[i]->refs);
      }
      set_unref(old);
   }
   set->refs = 1;
   cp->cur.sets[stage] = set;
   return set;
}

static bool
writes_stencil(const struct SGPU_STENCIL_FACE *face)
{
   return face->write_mask &&
          (face->fail != SGPU_STENCIL_OP_KEEP || face->depth_fail != SGPU_STENCIL_OP_KEEP ||
           face->pass != SGPU_STENCIL_OP_KEEP);
}

/* Smooth primitives multiply the alpha of all colours but integers (GL 3.0,
 * 3.14); the alpha test is that of the first.
 */
static struct sgd_alpha_mode
alpha_mode(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const bool first_is_int = st->num_colors && st->color[0].valid &&
                             util_format_is_pure_integer(st->color[0].pformat);
   struct sgd_alpha_mode mode = { .clamp = true, .cover = 0xff };

   /* Of integers the alpha test and alpha to coverage know nothing. */
   mode.to_coverage = ps && st->blend.alpha_to_coverage && sgd_state_multisamples(st) &&
                      !first_is_int;
   mode.one = st->blend.alpha_to_one && st->rast.multisample;
   mode.test = ps && st->dsa.alpha_test && st->dsa.alpha_func != SGPU_COMPARE_ALWAYS &&
               !first_is_int;
   for (unsigned i = 0; i < st->num_colors; i++) {
      if (!st->color[i].valid)
         continue;
      mode.clamp &= util_format_is_unorm(st->color[i].pformat);
      if (util_format_is_pure_integer(st->color[i].pformat))
         mode.cover &= ~(1u << i);
   }
   return mode;
}

/* Where the tests of depth and stencil go, which colours are written and how. */
static void
derive(struct sgd_state *st)
{
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const bool depth = st->zs.valid && util_format_has_depth(st->zs.desc);
   const bool stencil = st->zs.valid && util_format_has_stencil(st->zs.desc);
   const struct SGPU_STENCIL_FACE *front = &st->dsa.front, *back = &st->dsa.back;

   st->alpha = alpha_mode(st, ps);
   const struct sgd_early_key key = {
      .zs_bound = st->zs.valid,
      .depth_test = depth && st->dsa.depth_test,
      .depth_write = depth && st->dsa.depth_test && st->dsa.depth_write,
      .stencil_test = stencil && front->enable,
      .stencil_write = stencil && front->enable &&
                       (writes_stencil(front) || (back->enable && writes_stencil(back))),
      .ps_kill = (ps && ps->uses_kill) || st->alpha.test,
      .ps_writes_depth = ps && ps->writes_depth,
      .ps_writes_stencil = ps && ps->writes_stencil,
      .ps_writes_sample_mask = ps && ps->writes_sample_mask && sgd_state_multisamples(st),
      .ps_early_tests = desc->early_tests,
      .alpha_to_coverage = st->alpha.to_coverage,
   };
   st->zs_mode = sgd_decide_zs(&key);

   for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
      const bool output = ps && (desc->broadcast_color ? desc->color_outputs > 0
                                                       : i < desc->color_outputs);
      const bool bound = i < st->num_colors && st->color[i].valid;
      st->color_write_mask[i] = bound && output ? st->blend_target[i].write_mask : 0;
   }
   sgd_rop_prepare(st);
}

struct sgd_state *
sgd_cp_snapshot(struct sgd_cp *cp)
{
   if (!cp->dirty && cp->snapshot) {
      ref(&cp->snapshot->refs);
      return cp->snapshot;
   }

   derive(&cp->cur);
   struct sgd_state *state = malloc(sizeof(*state));
   if (!state)
      return NULL;
   memcpy(state, &cp->cur,
          cp->cur.stream.num_words ? sizeof(*state)
                                   : offsetof(struct sgd_state, stream) + sizeof(state->stream.num_words));
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      struct sgd_texture_set *set = state->sets[s];
      if (set) {
         ref(&set->refs);
         state->env[s].textures = (const struct sgd_texture *const *)set->textures;
         state->env[s].samplers = set->samplers;
      }
      if (state->shader[s])
         ref(&state->shader[s]->refs);
   }
   sgd_state_unref(cp->snapshot);
   state->refs = 2;
   cp->snapshot = state;
   cp->dirty = false;
   return state;
}

/* Memory of the submission; an empty span where size is 0. */
static bool
resolve(struct sgd_cp *cp, uint64_t address, uint64_t size, struct sgd_span *span)
{
   *span = (struct sgd_span){ NULL, 0 };
   if (!size)
      return true;
   struct sgpu_bo *bo = sgd_submission_find(cp->sub, address, size);
   if (!bo)
      return false;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   span->ptr = cp->dev->space + address;
   span->size = size;
   return true;
}

const char *
sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc, struct sgd_surface *out)
{
   memset(out, 0, sizeof(*out));
   if (!desc->valid)
      return NULL;

   uint64_t size;
   const char *error = sgpu_surface_check(desc, &size);
   if (error)
      return error;
   struct sgpu_bo *bo = sgd_submission_find(cp->sub, desc->address, size);
   if (!bo)
      return "a surface is not in a buffer of the submission";

   out->layer_stride = desc->layer_stride;
   out->base = cp->dev->space + desc->address + desc->first_layer * out->layer_stride;
   out->pitch = desc->pitch;
   out->sample_stride = desc->sample_stride;
   out->format = desc->format;
   out->pformat = sgpu_format_to_pipe(desc->format);
   out->desc = util_format_description(out->pformat);
   out->width = desc->width;
   out->height = desc->height;
   out->layers = desc->layers;
   out->bpe = util_format_get_blocksize(out->pformat);
   out->samples = 1 << desc->samples_log2;
   out->tiled = desc->layout == SGPU_LAYOUT_TILED;
   out->valid = true;
   out->storage = desc->storage;
   out->first_layer = desc->first_layer;
   out->level = desc->level;
   out->bo = bo;
   if (desc->metadata) {
      out->meta_layer = sgpu_metadata_layer(desc->width, desc->height);
      const uint64_t first = desc->storage + desc->metadata +
                             (uint64_t)desc->first_layer * out->meta_layer;
      if (first < desc->storage || first % SGPU_LAYOUT_ALIGN ||
          sgd_submission_find(cp->sub, first, (uint64_t)desc->layers * out->meta_layer) != bo)
         return "a surface's metadata is not in its buffer";
      out->meta = cp->dev->space + first;
      out->fast_clear = desc->fast_clear;
   }
   return NULL;
}

static const char *
framebuffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct sgd_state *st = &cp->cur;
   struct SGPU_FRAMEBUFFER fb;
   const char *error = SGPU_FRAMEBUFFER_unpack(in, &fb);
   if (error)
      return error;
   if (SGPU_FRAMEBUFFER_count(in) != fb.colors + fb.depth)
      return "FRAMEBUFFER: the number of surfaces is not that of Colors and Depth";

   uint32_t width = UINT32_MAX, height = UINT32_MAX, layers = UINT32_MAX;
   memset(st->color, 0, sizeof(st->color));
   memset(&st->zs, 0, sizeof(st->zs));
   memset(&cp->key, 0, sizeof(cp->key));
   st->samples = 1 << fb.samples_log2;

   for (unsigned i = 0; i < fb.colors + fb.depth; i++) {
      struct SGPU_SURFACE desc;
      struct sgd_surface *s = i < fb.colors ? &st->color[i] : &st->zs;
      error = SGPU_SURFACE_unpack(SGPU_FRAMEBUFFER_tail(in, i), &desc);
      if (!error)
         error = sgd_cp_surface(cp, &desc, s);
      if (error)
         return error;
      if (!s->valid)
         continue;
      if (!s->tiled)
         return "FRAMEBUFFER: a target is not tiled";
      if (!sgd_rop_renders(s->pformat))
         return "FRAMEBUFFER: a target's format cannot be rendered to";
      if (util_format_is_depth_or_stencil(s->pformat) != (i >= fb.colors))
         return "FRAMEBUFFER: a colour surface has a depth format, or the other way round";
      if (width != UINT32_MAX && s->samples != st->samples)
         return "FRAMEBUFFER: targets of different numbers of samples";
      width = MIN2(width, s->width);
      height = MIN2(height, s->height);
      layers = MIN2(layers, s->layers);
      st->samples = s->samples;
      sgd_grid_key_surface(&cp->key, i < fb.colors ? i : SGD_MAX_COLORS, s);
   }
   if (width == UINT32_MAX) {
      width = fb.width;
      height = fb.height;
      layers = MAX2(fb.layers, 1);
   }
   st->num_colors = fb.colors;
   st->fb_width = width;
   st->fb_height = height;
   st->fb_layers = layers;
   cp->key.width = width;
   cp->key.height = height;
   cp->have_framebuffer = true;
   return NULL;
}

/* What a SHADER packet says of a geometry program. */
static const char *
check_geometry(const struct SGPU_SHADER *desc)
{
   switch (desc->input_primitive) {
   case SGPU_PRIMITIVE_POINTS:
   case SGPU_PRIMITIVE_LINES:
   case SGPU_PRIMITIVE_TRIANGLES:
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      break;
   default:
      return "SHADER: Input Primitive is not one that geometry programs take";
   }
   if (desc->output_primitive != SGPU_PRIMITIVE_POINTS &&
       desc->output_primitive != SGPU_PRIMITIVE_LINE_STRIP &&
       desc->output_primitive != SGPU_PRIMITIVE_TRIANGLE_STRIP)
      return "SHADER: Output Primitive is not one that geometry programs make";
   return desc->invocations ? NULL : "SHADER: Invocations is 0";
}

static const char *
shader(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SHADER desc;
   const char *error = SGPU_SHADER_unpack(in, &desc);
   if (error)
      return error;

   struct sgd_shader *program = NULL;
   if (desc.address && desc.stage == SGPU_STAGE_GEOMETRY && (error = check_geometry(&desc)))
      return error;
   if (desc.address) {
      const uint64_t size = ((uint64_t)desc.instructions + desc.literals) * 16;
      struct sgd_span code;
      if ((desc.address & 15) || !size || !resolve(cp, desc.address, size, &code))
         return "SHADER: the program is not in a buffer of the submission";
      program = sgd_shader_cache_get(cp->dev, &desc, (const uint32_t *)code.ptr, &error);
      if (!program)
         return error;
   }
   sgd_shader_unref(cp->cur.shader[desc.stage]);
   cp->cur.shader[desc.stage] = program;
   cp->cur.shader_desc[desc.stage] = desc;
   return NULL;
}

static const char *
constants(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CONSTANTS p;
   const char *error = SGPU_CONSTANTS_unpack(in, &p);
   if (error)
      return error;
   if (!resolve(cp, p.address, p.size, &cp->cur.env[p.stage].banks[p.bank]))
      return "CONSTANTS: not in a buffer of the submission";
   if (p.address & 3)
      return "CONSTANTS: Address is not a multiple of 4";
   return NULL;
}

static const char *
vertex_elements(struct sgd_cp *cp, const uint32_t *in)
{
   cp->cur.num_elements = SGPU_VERTEX_ELEMENTS_count(in);
   for (unsigned i = 0; i < cp->cur.num_elements; i++) {
      struct sgd_element *e = &cp->cur.element[i];
      const char *error =
         SGPU_VERTEX_ELEMENT_unpack(SGPU_VERTEX_ELEMENTS_tail(in, i), &e->desc);
      if (error)
         return error;
      e->pformat = sgpu_format_to_pipe(e->desc.format);
      e->fdesc = util_format_description(e->pformat);
      if (e->pformat == PIPE_FORMAT_NONE || !util_format_is_plain(e->pformat)) {
         if (e->pformat != PIPE_FORMAT_R11G11B10_FLOAT)
            return "VERTEX ELEMENT: Format is not one of vertices";
      }
   }
   return NULL;
}

static const char *
vertex_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   cp->cur.num_vertex_buffers = SGPU_VERTEX_BUFFERS_count(in);
   for (unsigned i = 0; i < cp->cur.num_vertex_buffers; i++) {
      struct SGPU_VERTEX_BUFFER vb;
      const char *error = SGPU_VERTEX_BUFFER_unpack(SGPU_VERTEX_BUFFERS_tail(in, i), &vb);
      if (error)
         return error;
      if (!resolve(cp, vb.address, vb.size, &cp->cur.vertex_buffer[i].span))
         return "VERTEX BUFFER: not in a buffer of the submission";
      cp->cur.vertex_buffer[i].stride = vb.stride;
   }
   return NULL;
}

static const char *
texture(struct sgd_cp *cp, const uint32_t *in, struct sgd_texture **out)
{
   struct SGPU_TEXTURE desc;
   const char *error = SGPU_TEXTURE_unpack(in, &desc);
   *out = NULL;
   if (error || !desc.valid)
      return error;

   struct sgd_texture *t = calloc(1, sizeof(*t));
   uint64_t size;
   if (!t)
      return "out of memory";
   error = sgpu_texture_check(&desc, &t->layout, &size);
   if (!error) {
      t->refs = 1;
      t->desc = desc;
      t->pformat = sgpu_format_to_pipe(desc.format);
      t->fdesc = util_format_description(t->pformat);
      t->bo = size ? sgd_submission_find(cp->sub, desc.address, size) : NULL;
      t->base = cp->dev->space + desc.address;
      if (!t->bo)
         error = "TEXTURE: not in a buffer of the submission";
      else
         error = sgd_texture_prepare(t);
   }
   if (error) {
      free(t);
      return error;
   }
   *out = t;
   return NULL;
}

static const char *
textures(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_TEXTURES p;
   const char *error = SGPU_TEXTURES_unpack(in, &p);
   const unsigned count = SGPU_TEXTURES_count(in);
   if (error)
      return error;
   if (p.first + count > SGD_MAX_TEXTURES)
      return "TEXTURES: beyond the last unit";
   struct sgd_texture_set *set = writable_set(cp, p.stage);
   if (!set)
      return "out of memory";

   for (unsigned i = 0; i < count; i++) {
      struct sgd_texture *t;
      error = texture(cp, SGPU_TEXTURES_tail(in, i), &t);
      if (error)
         return error;
      texture_unref(set->textures[p.first + i]);
      set->textures[p.first + i] = t;
      set->num_textures = MAX2(set->num_textures, p.first + i + 1);
   }
   return NULL;
}

static const char *
samplers(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SAMPLERS p;
   const char *error = SGPU_SAMPLERS_unpack(in, &p);
   const unsigned count = SGPU_SAMPLERS_count(in);
   if (error)
      return error;
   if (p.first + count > SGD_MAX_SAMPLERS)
      return "SAMPLERS: beyond the last unit";
   struct sgd_texture_set *set = writable_set(cp, p.stage);
   if (!set)
      return "out of memory";

   for (unsigned i = 0; i < count; i++) {
      struct sgd_sampler *s = &set->samplers[p.first + i];
      error = SGPU_SAMPLER_unpack(SGPU_SAMPLERS_tail(in, i), &s->desc);
      if (error)
         return error;
      s->valid = true;
   }
   return NULL;
}

static const char *
blend(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = SGPU_BLEND_unpack(in, &cp->cur.blend);
   for (unsigned i = 0; i < SGD_MAX_COLORS && !error; i++)
      error = SGPU_BLEND_TARGET_unpack(SGPU_BLEND_tail(in, i), &cp->cur.blend_target[i]);
   return error;
}

static const char *
varyings(struct sgd_cp *cp, const uint32_t *in)
{
   const char *error = NULL;
   cp->cur.num_varyings = SGPU_VARYINGS_count(in);
   for (unsigned i = 0; i < cp->cur.num_varyings && !error; i++)
      error = SGPU_VARYING_unpack(SGPU_VARYINGS_tail(in, i), &cp->cur.varying[i]);
   return error;
}

static const char *
stage_inputs(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STAGE_INPUTS p;
   const char *error = SGPU_STAGE_INPUTS_unpack(in, &p);
   if (!error && p.stage != SGPU_STAGE_GEOMETRY)
      error = "STAGE INPUTS: the stage has none";
   if (error)
      return error;
   cp->cur.num_stage_inputs = SGPU_STAGE_INPUTS_count(in);
   for (unsigned i = 0; i < cp->cur.num_stage_inputs && !error; i++)
      error = SGPU_STAGE_INPUT_unpack(SGPU_STAGE_INPUTS_tail(in, i), &cp->cur.stage_input[i]);
   return error;
}

static const char *
stream_output(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STREAM_OUTPUT p;
   const char *error = SGPU_STREAM_OUTPUT_unpack(in, &p);
   if (error)
      return error;

   const uint16_t stride[] = { p.stride_0, p.stride_1, p.stride_2, p.stride_3 };
   memcpy(cp->stream.stride, stride, sizeof(stride));
   cp->stream.num_elements = SGPU_STREAM_OUTPUT_count(in);
   for (unsigned i = 0; i < cp->stream.num_elements && !error; i++)
      error = SGPU_STREAM_ELEMENT_unpack(SGPU_STREAM_OUTPUT_tail(in, i), &cp->stream.element[i]);
   return error ? error : sgd_stream_prepare(&cp->cur.stream, &cp->stream);
}

static const char *
stream_buffers(struct sgd_cp *cp, const uint32_t *in)
{
   memset(cp->stream.buffer, 0, sizeof(cp->stream.buffer));
   for (unsigned i = 0; i < SGPU_STREAM_BUFFERS_count(in); i++) {
      struct SGPU_STREAM_BUFFER b;
      const char *error = SGPU_STREAM_BUFFER_unpack(SGPU_STREAM_BUFFERS_tail(in, i), &b);
      if (error)
         return error;
      if (!b.counter)
         continue;
      if ((b.counter & 7) || !sgd_submission_find(cp->sub, b.counter, 8))
         return "STREAM BUFFERS: a counter is not in a buffer of the submission";
      if ((b.address & 3) || (b.size && !sgd_submission_find(cp->sub, b.address, b.size)))
         return "STREAM BUFFERS: not in a buffer of the submission";
      cp->stream.buffer[i].ptr = cp->dev->space + b.address;
      cp->stream.buffer[i].size = b.size;
      cp->stream.buffer[i].counter = (uint64_t *)(cp->dev->space + b.counter);
   }
   return sgd_stream_prepare(&cp->cur.stream, &cp->stream);
}

const char *
sgd_cp_state_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in)
{
   struct sgd_state *st = &cp->cur;
   const char *error;

   cp->dirty = true;
   switch (opcode) {
   case SGPU_PACKET_FRAMEBUFFER:
      return framebuffer(cp, in);
   case SGPU_PACKET_VIEWPORT: {
      struct SGPU_VIEWPORT v;
      error = SGPU_VIEWPORT_unpack(in, &v);
      if (!error)
         st->viewport[v.index] = v;
      return error;
   }
   case SGPU_PACKET_SCISSOR: {
      struct SGPU_SCISSOR s;
      error = SGPU_SCISSOR_unpack(in, &s);
      if (!error)
         st->scissor[s.index] = s;
      return error;
   }
   case SGPU_PACKET_RASTERIZER:
      return SGPU_RASTERIZER_unpack(in, &st->rast);
   case SGPU_PACKET_DEPTH_STENCIL:
      return SGPU_DEPTH_STENCIL_unpack(in, &st->dsa);
   case SGPU_PACKET_STENCIL_REF:
      return SGPU_STENCIL_REF_unpack(in, &st->stencil_ref);
   case SGPU_PACKET_BLEND:
      return blend(cp, in);
   case SGPU_PACKET_BLEND_COLOR: {
      struct SGPU_BLEND_COLOR c;
      error = SGPU_BLEND_COLOR_unpack(in, &c);
      if (!error) {
         st->blend_color[0] = c.r;
         st->blend_color[1] = c.g;
         st->blend_color[2] = c.b;
         st->blend_color[3] = c.a;
      }
      return error;
   }
   case SGPU_PACKET_SAMPLE_MASK: {
      struct SGPU_SAMPLE_MASK m;
      error = SGPU_SAMPLE_MASK_unpack(in, &m);
      if (!error)
         st->sample_mask = m.mask;
      return error;
   }
   case SGPU_PACKET_SHADER:
      return shader(cp, in);
   case SGPU_PACKET_CONSTANTS:
      return constants(cp, in);
   case SGPU_PACKET_VERTEX_ELEMENTS:
      return vertex_elements(cp, in);
   case SGPU_PACKET_VERTEX_BUFFERS:
      return vertex_buffers(cp, in);
   case SGPU_PACKET_TEXTURES:
      return textures(cp, in);
   case SGPU_PACKET_SAMPLERS:
      return samplers(cp, in);
   case SGPU_PACKET_VARYINGS:
      return varyings(cp, in);
   case SGPU_PACKET_STAGE_INPUTS:
      return stage_inputs(cp, in);
   case SGPU_PACKET_POLYGON_STIPPLE: {
      struct SGPU_POLYGON_STIPPLE p;
      error = SGPU_POLYGON_STIPPLE_unpack(in, &p);
      if (!error)
         memcpy(st->poly_stipple, p.row, sizeof(st->poly_stipple));
      return error;
   }
   case SGPU_PACKET_CLIP_PLANES: {
      struct SGPU_CLIP_PLANES p;
      error = SGPU_CLIP_PLANES_unpack(in, &p);
      if (!error)
         memcpy(st->clip_plane, p.plane, sizeof(st->clip_plane));
      return error;
   }
   case SGPU_PACKET_STREAM_OUTPUT:
      return stream_output(cp, in);
   case SGPU_PACKET_STREAM_BUFFERS:
      return stream_buffers(cp, in);
   default:
      unreachable("not a state packet");
   }
}
