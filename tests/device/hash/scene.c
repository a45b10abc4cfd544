/* SPDX-License-Identifier: MIT */
/*
 * Scenes: memory, programs, vertices and the initial state.
 */
#include "scene.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_program.h"
#include "sgpu_asm.h"

#define PROGRAM_BYTES (1024 * 1024)
#define INDEX_WORDS (64 * 1024)

void
scene_fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fprintf(stderr, "device_hash: ");
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   exit(1);
}

struct sgpu_device *
scene_device_of(const struct sgpu_device_params *params)
{
   struct sgpu_device *dev;
   if (sgpu_device_create(params, &dev))
      scene_fail("no device");
   return dev;
}

struct sgpu_device *
scene_device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle)
{
   struct sgpu_device_params params;
   sgpu_device_params_from_env(&params);
   params.threads = threads;
   params.dispatch = policy;
   params.shuffle_seed = shuffle;
   return scene_device_of(&params);
}

uint64_t
scene_counter(struct sgpu_device *dev, const char *name)
{
   uint64_t values[256];

   sgpu_device_read_counters(dev, values);
   for (unsigned i = 0; i < sgpu_counter_count(); i++) {
      if (!strcmp(sgpu_counter_get_info(i)->name, name))
         return values[i];
   }
   scene_fail("no counter %s", name);
}

/*
 * Random numbers
 */

uint32_t
scene_random(struct scene *s)
{
   s->random = s->random * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(s->random >> 33) ^ (uint32_t)(s->random >> 17);
}

uint32_t
scene_below(struct scene *s, uint32_t n)
{
   return (uint32_t)((uint64_t)scene_random(s) * n >> 32);
}

float
scene_float(struct scene *s, float first, float last)
{
   return first + (float)(scene_random(s) >> 16) / 65536.0f * (last - first);
}

/*
 * Memory
 */

struct sgpu_bo *
scene_bo(struct scene *s, uint64_t size)
{
   struct sgpu_bo *bo;
   if (s->num_bos == SCENE_MAX_BOS)
      scene_fail("too many buffers");
   if (sgpu_bo_create(s->dev, size, "scene", &bo))
      scene_fail("no buffer of %" PRIu64 " bytes", size);
   s->bos[s->num_bos++] = bo;
   return bo;
}

void
scene_result(struct scene *s, struct sgpu_bo *bo)
{
   s->results[s->num_results++] = bo;
}

bool scene_metadata;

struct sgpu_layout_params
scene_params(enum sgpu_format format, unsigned width, unsigned height)
{
   return (struct sgpu_layout_params){
      .format = format,
      .mode = SGPU_LAYOUT_TILED,
      .width = width,
      .height = height,
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = 1,
   };
}

struct scene_image
scene_image(struct scene *s, const struct sgpu_layout_params *params)
{
   struct scene_image image;
   struct sgpu_layout_params p = *params;

   p.metadata = scene_metadata;
   if (!p.metadata || !sgpu_layout_init(&image.layout, &p)) {
      p.metadata = false;
      if (!sgpu_layout_init(&image.layout, &p))
         scene_fail("no layout for format %d", params->format);
   }
   image.bo = scene_bo(s, image.layout.size);
   if (p.metadata)
      s->images[s->num_images++] = image;
   return image;
}

/* Returns the size of an image without its metadata, in bytes. */
static uint64_t
image_size(const struct scene_image *image)
{
   return image->layout.level[0].metadata ? image->layout.level[0].metadata : image->layout.size;
}

/* Returns the number of bytes of a buffer that are hashed. */
static uint64_t
result_size(const struct scene *s, struct sgpu_bo *bo)
{
   for (unsigned i = 0; i < s->num_images; i++) {
      if (s->images[i].bo == bo)
         return image_size(&s->images[i]);
   }
   return sgpu_bo_size(bo);
}

void
scene_resolve(struct scene *s)
{
   for (unsigned i = 0; i < s->num_images; i++) {
      const struct sgpu_layout *layout = &s->images[i].layout;
      for (unsigned level = 0; level < layout->levels; level++) {
         SCENE_EMIT(s, RESOLVE_SURFACE, cfg)
            cfg.surface = scene_surface(&s->images[i], level, 0, sgpu_layout_layers(layout, level));
      }
   }
}

struct scene_image
scene_target(struct scene *s, enum sgpu_format format, unsigned width, unsigned height)
{
   const struct sgpu_layout_params params = scene_params(format, width, height);
   const struct scene_image image = scene_image(s, &params);
   scene_result(s, image.bo);
   return image;
}

struct scene_image
scene_sampled(struct scene *s, enum sgpu_format format, unsigned samples, unsigned layers)
{
   struct sgpu_layout_params params = scene_params(format, SCENE_W, SCENE_H);
   params.layers = layers;
   params.samples = samples;
   const struct scene_image image = scene_image(s, &params);
   scene_result(s, image.bo);
   return image;
}

struct SGPU_TEXTURE
scene_texture(const struct scene_image *image)
{
   struct SGPU_TEXTURE texture = {
      .address = sgpu_bo_address(image->bo),
      .type = SGPU_TEXTURE_TYPE_2D,
      .format = image->layout.format,
      .valid = true,
      .last_level = image->layout.levels - 1,
      .last_layer = image->layout.layers - 1,
      .swizzle_x = SGPU_CHANNEL_X,
      .swizzle_y = SGPU_CHANNEL_Y,
      .swizzle_z = SGPU_CHANNEL_Z,
      .swizzle_w = SGPU_CHANNEL_W,
   };
   sgpu_layout_fill_texture(&image->layout, &texture);
   return texture;
}

struct SGPU_SURFACE
scene_surface(const struct scene_image *image, unsigned level, unsigned first_layer,
              unsigned layers)
{
   struct SGPU_SURFACE surface = { 0 };
   if (image->bo &&
       !sgpu_layout_fill_surface(&image->layout, sgpu_bo_address(image->bo), image->layout.format,
                                 level, first_layer, layers, &surface))
      scene_fail("no surface");
   surface.fast_clear = surface.metadata != 0;
   return surface;
}

void
scene_noise(struct scene *s, const struct scene_image *image)
{
   uint32_t *words = sgpu_bo_map(image->bo);
   for (uint64_t i = 0; i < image_size(image) / 4; i++)
      words[i] = scene_random(s);
}

void
scene_color_format(struct scene *s, enum sgpu_format format)
{
   s->st.color[0] = scene_target(s, format, SCENE_W, SCENE_H);
}

void
scene_blend(struct scene *s, enum sgpu_blend_factor rgb_src, enum sgpu_blend_factor rgb_dst,
            enum sgpu_blend_factor alpha_src, enum sgpu_blend_factor alpha_dst)
{
   s->st.target[0] = (struct SGPU_BLEND_TARGET){
      .enable = true,
      .write_mask = 15,
      .rgb_src = rgb_src,
      .rgb_dst = rgb_dst,
      .alpha_src = alpha_src,
      .alpha_dst = alpha_dst,
   };
}

void
scene_blend_over(struct scene *s)
{
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_INV_SRC_ALPHA);
}

void
scene_blend_add(struct scene *s)
{
   scene_blend(s, SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ONE,
               SGPU_BLEND_FACTOR_ONE);
}

/*
 * Programs
 */

static struct SGPU_SHADER
upload(struct scene *s, struct sgpu_program *program)
{
   const uint32_t instrs = program->num_instrs * 16, literals = program->num_literals * 16;
   struct SGPU_SHADER desc = {
      .address = sgpu_bo_address(s->program_bo) + s->program_bytes,
      .instructions = program->num_instrs,
      .stage = program->stage,
      .vp1 = program->vp1,
      .literals = program->num_literals,
      .literal_base = program->literal_base,
      .temps = program->num_temps,
      .scratch = program->scratch_size,
   };
   uint8_t *at = (uint8_t *)sgpu_bo_map(s->program_bo) + s->program_bytes;

   if (s->program_bytes + instrs + literals > PROGRAM_BYTES)
      scene_fail("programs too large");
   memcpy(at, program->instrs, instrs);
   if (literals)
      memcpy(at + instrs, program->literals, literals);
   s->program_bytes += instrs + literals;

   if (program->stage == SGPU_STAGE_PIXEL) {
      for (unsigned i = 0; i < SCENE_MAX_COLORS; i++) {
         if (program->info.outputs_written >> (SGPU_PO_COLR0 + i) & 1)
            desc.color_outputs = i + 1;
      }
   }
   return desc;
}

struct SGPU_SHADER
scene_program(struct scene *s, const char *text)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;
   if (!sgpu_asm_program(text, strlen(text), &program, &error))
      scene_fail("%u:%u: %s\n%s", error.line, error.column, error.text, text);
   const struct SGPU_SHADER desc = upload(s, &program);
   sgpu_program_finish(&program);
   return desc;
}

struct SGPU_SHADER
scene_code(struct scene *s, enum sgpu_stage stage, const struct sgpu_instr *instrs, unsigned count,
           unsigned temps, unsigned scratch)
{
   struct sgpu_program program = {
      .stage = stage,
      .num_temps = temps,
      .scratch_size = scratch,
      .num_instrs = count,
   };
   program.instrs = calloc(count, sizeof(*program.instrs));
   for (unsigned i = 0; i < count; i++) {
      const char *error = sgpu_instr_pack(&instrs[i], program.instrs[i]);
      if (error)
         scene_fail("instruction %u: %s", i, error);
   }
   uint32_t where;
   const char *error = sgpu_program_gather(&program, &where);
   if (error)
      scene_fail("program: %u: %s", where, error);
   const struct SGPU_SHADER desc = upload(s, &program);
   sgpu_program_finish(&program);
   return desc;
}

void
scene_random_constants(struct scene *s, float loops)
{
   for (unsigned c = 0; c < 4; c++) {
      s->constants[RANDOM_PROGRAM_ZERO][c] = 0.0f;
      s->constants[RANDOM_PROGRAM_ONE][c] = 1.0f;
      s->constants[RANDOM_PROGRAM_LOOPS][c] = loops;
   }
}

void
scene_geometry(struct scene *s, const char *text, enum sgpu_primitive input,
               enum sgpu_primitive output, unsigned max_vertices, unsigned invocations)
{
   s->st.gs = scene_program(s, text);
   s->st.gs.input_primitive = input;
   s->st.gs.output_primitive = output;
   s->st.gs.max_vertices = max_vertices;
   s->st.gs.invocations = invocations;
   s->st.num_inputs = SCENE_INPUTS;
   for (unsigned i = 0; i < SCENE_INPUTS; i++) {
      s->st.input[i] = (struct SGPU_STAGE_INPUT){
         .output = i ? SGPU_VO_GEN0 + i - 1 : SGPU_VO_HPOS,
         .valid = true,
      };
   }
}

void
scene_varyings(struct scene *s, unsigned n, enum sgpu_interpolation interpolation)
{
   s->st.num_varyings = n;
   for (unsigned i = 0; i < n; i++) {
      s->st.varying[i] = (struct SGPU_VARYING){
         .source = SGPU_VARYING_SOURCE_OUTPUT,
         .output = SGPU_VO_GEN0 + i,
         .interpolation = interpolation,
         .mask = 15,
      };
   }
}

/*
 * Vertices
 */

uint32_t
scene_vertex(struct scene *s, float x, float y, float z, float w)
{
   const struct SGPU_VIEWPORT *vp = &s->st.viewport[0];
   if (s->num_vertices == SCENE_VERTICES)
      scene_fail("too many vertices");
   struct scene_vertex *vertex = &s->vertices[s->num_vertices];
   vertex->v[0][0] = (x - vp->translate_x) / vp->scale_x * w;
   vertex->v[0][1] = (y - vp->translate_y) / vp->scale_y * w;
   vertex->v[0][2] = (z - vp->translate_z) / vp->scale_z * w;
   vertex->v[0][3] = w;
   for (unsigned i = 1; i < SCENE_INPUTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         vertex->v[i][c] = scene_float(s, 0.0f, 1.0f);
   }
   return s->num_vertices++;
}

uint32_t
scene_random_vertex(struct scene *s)
{
   const float x = scene_float(s, -20.0f, SCENE_W + 20.0f);
   const float y = scene_float(s, -20.0f, SCENE_H + 20.0f);
   const float z = scene_float(s, 0.0f, 1.0f);
   return scene_vertex(s, x, y, z, scene_float(s, 0.5f, 4.0f));
}

uint32_t
scene_random_vertices(struct scene *s, unsigned n)
{
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < n; i++)
      scene_random_vertex(s);
   return first;
}

uint32_t
scene_triangles(struct scene *s, unsigned n, float size)
{
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < n; i++) {
      const float x = scene_float(s, 0.0f, SCENE_W), y = scene_float(s, 0.0f, SCENE_H);
      for (unsigned k = 0; k < 3; k++) {
         const float dx = scene_float(s, -size, size) / 2, dy = scene_float(s, -size, size) / 2;
         const float z = scene_float(s, 0.0f, 1.0f);
         scene_vertex(s, x + dx, y + dy, z, scene_float(s, 0.5f, 4.0f));
      }
   }
   return first;
}

/*
 * A scene's beginning and end
 */

static void
default_state(struct scene *s)
{
   struct scene_state *st = &s->st;

   st->layers = 1;
   st->num_colors = 1;
   st->color[0] = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
   st->zs = scene_target(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, SCENE_W, SCENE_H);
   for (unsigned i = 0; i < 2; i++) {
      st->viewport[i] = (struct SGPU_VIEWPORT){
         .index = i,
         .scale_x = SCENE_W / 2.0f,
         .scale_y = SCENE_H / 2.0f,
         .scale_z = 0.5f,
         .translate_x = SCENE_W / 2.0f,
         .translate_y = SCENE_H / 2.0f,
         .translate_z = 0.5f,
      };
      st->scissor[i] = (struct SGPU_SCISSOR){ .index = i, .x1 = SCENE_W, .y1 = SCENE_H };
   }
   st->rast = (struct SGPU_RASTERIZER){
      .half_pixel_center = true,
      .bottom_edge_rule = true,
      .depth_clip_near = true,
      .depth_clip_far = true,
      .line_width = 1.0f,
      .point_size = 1.0f,
   };
   st->dsa.depth_func = SGPU_COMPARE_LESS;
   for (unsigned i = 0; i < SCENE_MAX_COLORS; i++) {
      st->target[i] = (struct SGPU_BLEND_TARGET){
         .rgb_src = SGPU_BLEND_FACTOR_ONE,
         .alpha_src = SGPU_BLEND_FACTOR_ONE,
         .write_mask = 15,
      };
   }
   st->sample_mask.mask = ~0u;

   st->num_elements = SCENE_INPUTS;
   for (unsigned i = 0; i < SCENE_INPUTS; i++) {
      st->element[i] = (struct SGPU_VERTEX_ELEMENT){
         .offset = 16 * i,
         .format = SGPU_FORMAT_R32G32B32A32_FLOAT,
         .input = i,
      };
   }
   st->num_buffers = 1;
   st->buffer[0] = (struct SGPU_VERTEX_BUFFER){
      .address = sgpu_bo_address(s->vertex_bo),
      .size = SCENE_VERTICES * sizeof(struct scene_vertex),
      .stride = sizeof(struct scene_vertex),
   };

   st->vs = scene_program(s, "!!SGVP1.0\n"
                             "MOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2];\n"
                             "MOV o[GEN2], v[3];\nEND\n");
   st->ps = scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n");
   scene_varyings(s, 3, SGPU_INTERPOLATION_PERSPECTIVE);
}

void
scene_begin(struct scene *s, struct sgpu_device *dev)
{
   static const float background[4] = { 0.125f, 0.25f, 0.5f, 1.0f };

   memset(s, 0, sizeof(*s));
   s->dev = dev;
   s->random = 0x853c49e6748fea9bull;
   if (sgpu_queue_create(dev, &s->queue))
      scene_fail("no queue");
   scene_new_stream(s);
   s->vertex_bo = scene_bo(s, SCENE_VERTICES * sizeof(struct scene_vertex));
   s->vertices = sgpu_bo_map(s->vertex_bo);
   s->index_bo = scene_bo(s, INDEX_WORDS * 4);
   s->indices = sgpu_bo_map(s->index_bo);
   s->constant_bo = scene_bo(s, SCENE_CONSTANTS * 16);
   s->constants = sgpu_bo_map(s->constant_bo);
   s->program_bo = scene_bo(s, PROGRAM_BYTES);
   for (unsigned i = 0; i < SCENE_CONSTANTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         s->constants[i][c] = scene_float(s, -2.0f, 2.0f);
   }
   default_state(s);
   scene_clear(s, background, 1.0, 0);
}

void
scene_run(struct scene *s, const struct scene_info *info)
{
   if (info->draw)
      info->draw(s);
   else
      info->draw_with(s, info->parameter);
}

/* The hash is the 64-bit form of FNV, on words, with the upper half mixed in. */
uint64_t
scene_end_lossy(struct scene *s, FILE *save, const char **lost)
{
   static struct sgpu_queue_error error;
   scene_resolve(s);
   if (sgpu_queue_wait(s->queue, scene_end_stream(s), UINT64_MAX))
      scene_fail("the last submission does not end");
   *lost = sgpu_queue_take_error(s->queue, &error) ? error.message : NULL;

   uint64_t hash = 0xcbf29ce484222325ull;
   for (unsigned i = 0; i < s->num_results; i++) {
      const uint32_t *words = sgpu_bo_map(s->results[i]);
      const uint64_t size = result_size(s, s->results[i]);
      for (uint64_t w = 0; w < size / 4; w++) {
         hash = (hash ^ words[w]) * 0x100000001b3ull;
         hash ^= hash >> 32;
      }
      if (save)
         fwrite(words, 1, size, save);
   }
   sgpu_queue_destroy(s->queue);
   for (unsigned i = 0; i < s->num_bos; i++)
      sgpu_bo_destroy(s->bos[i]);
   return hash;
}

const char *
scene_refusal(struct scene *s)
{
   const char *lost;
   scene_end_lossy(s, NULL, &lost);
   return lost;
}

void
scene_end_bytes(struct scene *s, void *out, size_t size)
{
   char *data = NULL;
   size_t found = 0;
   FILE *f = open_memstream(&data, &found);
   scene_end(s, f);
   fclose(f);
   if (found != size)
      scene_fail("the scene has %zu hashed bytes, not %zu", found, size);
   memcpy(out, data, size);
   free(data);
}

uint64_t
scene_end(struct scene *s, FILE *save)
{
   const char *lost;
   const uint64_t hash = scene_end_lossy(s, save, &lost);
   if (lost)
      scene_fail("the device refuses: %s", lost);
   return hash;
}

uint64_t
scene_pair_picture(struct sgpu_device *dev, const struct scene_pair *pair, bool with)
{
   static struct scene s;
   scene_begin(&s, dev);
   pair->draw(&s, with);
   return scene_end(&s, NULL);
}
