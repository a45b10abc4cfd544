/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the Tesla chip: creates their traces and shader work. */
#include "sim_tesla.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "util/macros.h"

/* Width and height of a screen tile in pixels. */
#define TILE 64

static void
fail(struct tesla_scene *s, const char *text)
{
   if (!s->failed)
      fprintf(stderr, "sgpu: sim: %s\n", text);
   s->failed = true;
}

void
tesla_begin(struct tesla_scene *s)
{
   *s = (struct tesla_scene){
      .trace = sgt_trace_builder_create(),
      .work = sgt_work_builder_create(),
   };
   if (!s->trace || !s->work) {
      fail(s, "out of memory");
      return;
   }
   for (uint32_t i = 0; i < TESLA_TARGETS; i++) {
      const struct sgt_piece piece = {
         .begin = (i + 1) * TESLA_TARGET_BYTES,
         .end = (i + 2) * TESLA_TARGET_BYTES,
         .storage = i + 1,
         .grid = 1,
         .width = 8192,
         .height = 8192,
      };
      s->sets[i] = sgt_trace_builder_set(s->trace, &piece, 1);
   }
}

bool
tesla_finish(struct tesla_scene *s, struct sgt_trace **trace, struct sgt_work **work)
{
   *trace = s->failed ? NULL : sgt_trace_builder_finish(s->trace);
   *work = s->failed ? NULL : sgt_work_builder_finish(s->work);
   sgt_trace_builder_destroy(s->trace);
   sgt_work_builder_destroy(s->work);
   if (*trace && *work)
      return true;
   fail(s, "out of memory");
   sgt_trace_destroy(*trace);
   sgt_work_destroy(*work);
   *trace = NULL;
   *work = NULL;
   return false;
}

uint32_t
tesla_program(struct tesla_scene *s, const char *head, const char *body, uint32_t times,
              const char *tail)
{
   const size_t length = strlen(head) + times * strlen(body) + strlen(tail);
   struct sgt_program *p = NULL;
   struct sgpu_program program;
   struct sgpu_asm_error error;
   char *text = malloc(length + 1);

   assert(s->num_programs < ARRAY_SIZE(s->programs));
   if (s->failed || !text) {
      free(text);
      fail(s, "out of memory");
      return 0;
   }
   char *end = stpcpy(text, head);
   for (uint32_t i = 0; i < times; i++)
      end = stpcpy(end, body);
   stpcpy(end, tail);
   if (sgpu_asm_program(text, length, &program, &error)) {
      p = sgt_program_create(&program);
      sgpu_program_finish(&program);
   } else {
      fprintf(stderr, "sgpu: sim: %u:%u: %s\n", error.line, error.column, error.text);
   }
   free(text);
   if (!p) {
      fail(s, "a program of a microbenchmark cannot be made");
      return 0;
   }
   s->programs[s->num_programs++] = p;
   return sgt_work_builder_program(s->work, p);
}

void
tesla_operation(struct tesla_scene *s, uint32_t group_bytes, uint32_t group_warps)
{
   if (s->failed)
      return;
   sgt_trace_builder_operation(s->trace, &(struct sgt_operation){ .samples = 1 });
   sgt_work_builder_operation(s->work, group_bytes, group_warps);
}

static struct sgt_target
target_of(uint32_t number, uint32_t width, uint32_t height, uint32_t bytes, uint32_t samples,
          uint32_t flags)
{
   const uint64_t plane = (uint64_t)width * height * bytes;

   assert(plane * samples <= TESLA_TARGET_BYTES);
   return (struct sgt_target){
      .origin = (1 + number) * TESLA_TARGET_BYTES + number * (4096 * 6 * 4),
      .layer_stride = plane * samples,
      .sample_stride = plane,
      .pitch = width * SGPU_TILE_HEIGHT * bytes,
      .width = width,
      .height = height,
      .x1 = width,
      .y1 = height,
      .layers = 1,
      .samples = samples,
      .bytes = bytes,
      .flags = flags | SGT_TARGET_TILED,
   };
}

void
tesla_target(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height,
             uint32_t bytes, uint32_t samples, uint32_t flags)
{
   const struct sgt_target t = target_of(number, width, height, bytes, samples, flags);

   if (!s->failed)
      sgt_trace_builder_target(s->trace, &t);
}

uint32_t
tesla_item(struct tesla_scene *s, uint32_t x, uint32_t y, uint32_t w, uint32_t h, bool zculled)
{
   const struct sgt_item item = {
      .kind = SGT_ITEM_TRIANGLE,
      .front = true,
      .destination = { .set = s->sets[1], .rect = { x, y, x + w, y + h } },
   };

   if (s->failed)
      return 0;
   sgt_trace_builder_item(s->trace, &item);
   for (uint32_t row = 0; row < h; row += SGPU_TILE_HEIGHT)
      for (uint32_t column = 0; column < w; column += SGPU_TILE_WIDTH)
         sgt_trace_builder_block(s->trace, x + column, y + row, UINT32_MAX, zculled);
   return s->num_items++;
}

void
tesla_clear(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height, uint32_t bytes,
            uint32_t samples, bool depth)
{
   const struct sgt_item item = {
      .kind = SGT_ITEM_CLEAR,
      .destination = { .set = s->sets[number], .rect = { 0, 0, width, height } },
   };

   tesla_operation(s, 0, 0);
   tesla_target(s, number, width, height, bytes, samples,
                SGT_TARGET_WRITE | (depth ? SGT_TARGET_DEPTH : 0));
   if (s->failed)
      return;
   sgt_trace_builder_item(s->trace, &item);
   s->num_items++;
}

void
tesla_warp(struct tesla_scene *s, uint32_t program, uint32_t group)
{
   if (!s->failed)
      sgt_work_builder_warp(s->work, program, UINT32_MAX, group);
}

/* Makes the warp execute the first `count` instructions of the program, with their memory accesses.
 * Returns the number of memory accesses that the warp has made so far.
 */
static uint32_t
add_run(struct tesla_scene *s, uint32_t program, uint32_t count, uint32_t warp, uint32_t n,
        tesla_accesses *accesses, const void *data)
{
   const struct sgt_program *p = s->programs[program];

   sgt_work_builder_run(s->work, 0, count, UINT32_MAX);
   for (uint32_t i = 0; i < count; i++) {
      struct tesla_access a = { .num_lines = 0 };
      if (!(p->instrs[i].flags & SGT_INSTR_ACCESS))
         continue;
      accesses(data, warp, n++, &a);
      sgt_work_builder_access(s->work, &a.access, a.lines, a.num_lines);
   }
   return n;
}

void
tesla_loop(struct tesla_scene *s, uint32_t program, uint32_t group, uint32_t loops,
           tesla_accesses *accesses, const void *data)
{
   uint32_t jump = 0, n = 0;

   tesla_warp(s, program, group);
   if (s->failed)
      return;
   const struct sgt_program *p = s->programs[program];
   while (jump < p->num_instrs && !(p->instrs[jump].flags & SGT_INSTR_JUMP))
      jump++;
   assert(loops == 1 || jump < p->num_instrs);
   for (uint32_t i = 1; i < loops; i++)
      n = add_run(s, program, jump + 1, group, n, accesses, data);
   add_run(s, program, p->num_instrs, group, n, accesses, data);
}

void
tesla_vertices(struct tesla_scene *s, uint32_t program, uint32_t num, uint32_t attributes)
{
   const uint32_t lines = DIV_ROUND_UP(32 * 4 * attributes, 64);

   for (uint32_t i = 0; i < num && !s->failed; i++) {
      sgt_line fetch[256];
      assert(lines <= ARRAY_SIZE(fetch));
      for (uint32_t n = 0; n < lines; n++)
         fetch[n] = SGT_LINE(TESLA_MEMORY + ((uint64_t)i * lines + n) * 64, 0);
      tesla_warp(s, program, 0);
      sgt_work_builder_vertices(s->work, 32);
      sgt_work_builder_fetch(s->work, fetch, lines, attributes);
   }
}

void
tesla_pixels(struct tesla_scene *s, uint32_t program, const uint32_t *items, uint32_t num,
             uint32_t width, uint32_t height, bool kept)
{
   const uint32_t across = DIV_ROUND_UP(width, TILE);

   for (uint32_t tile = 0; tile < across * DIV_ROUND_UP(height, TILE) && !s->failed; tile++) {
      const uint32_t left = tile % across * TILE, top = tile / across * TILE;
      for (uint32_t i = 0; i < num; i++) {
         /* Visit the blocks in the order of the fine rasterizer, which finishes one coarse tile of
          * 16x16 pixels before the next one.
          */
         for (uint32_t block = 0; block < TILE * TILE / 32; block++) {
            const uint32_t coarse = block / 8, in = block % 8;
            const uint32_t x = left + coarse % 4 * 16 + in % 2 * 8;
            const uint32_t y = top + coarse / 4 * 16 + in / 2 * 4;
            if (x >= width || y >= height)
               continue;
            tesla_warp(s, program, tile);
            for (uint32_t q = 0; q < 8; q++) {
               const struct sgt_quad quad = {
                  .x = x + 2 * (q % 4),
                  .y = y + 2 * (q / 4),
                  .item = items[i],
                  .covered = 15,
                  .kept = kept ? 15 : 0,
               };
               sgt_work_builder_quad(s->work, &quad);
            }
         }
      }
   }
}
