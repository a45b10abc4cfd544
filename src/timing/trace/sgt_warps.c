/* SPDX-License-Identifier: MIT */
/*
 * Converts the device's records of executed warps to struct sgt_warp.
 *
 * If a workgroup has barriers, the device switches between its warps, so that the records of a warp
 * are split into several pieces. The pieces are sorted by workgroup and warp before they are added.
 */
#include "trace/sgt_warps.h"

#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_events.h"
#include "util/bitscan.h"
#include "util/hash_table.h"
#include "util/macros.h"

struct program {
   struct sgpu_program program; /* deep copy of the device's program */
   /* work: number of the last struct sgt_work that the program was added to; number: index of the
    * program there
    */
   uint32_t work, number;
};

/* A piece of a chunk: a WARP record and all following records up to the next WARP record. */
struct piece {
   uint32_t group;
   uint32_t number;
   uint64_t first, end; /* range of words in the chunk */
};

/* -- programs --------------------------------------------------------------------------------- */

bool
sgt_warps_init(struct sgt_warps *w)
{
   memset(w, 0, sizeof(*w));
   pthread_mutex_init(&w->lock, NULL);
   w->work = 1;
   w->programs = _mesa_hash_table_u64_create(NULL);
   w->builder = sgt_work_builder_create();
   return w->programs && w->builder;
}

static void
free_program(struct program *p)
{
   free(p->program.instrs);
   free(p->program.literals);
   free(p);
}

void
sgt_warps_finish(struct sgt_warps *w)
{
   sgt_work_builder_destroy(w->builder);
   sgt_warps_constants_finish(w);
   if (w->programs) {
      hash_table_foreach(w->programs->table, entry)
         free_program(entry->data);
      _mesa_hash_table_u64_destroy(w->programs);
   }
   pthread_mutex_destroy(&w->lock);
}

static void *
warps_copy(const void *from, size_t size)
{
   void *to = malloc(MAX2(size, 1));

   if (to && size)
      memcpy(to, from, size);
   return to;
}

void
sgt_warps_program(struct sgt_warps *w, uint64_t key, const struct sgpu_program *program)
{
   pthread_mutex_lock(&w->lock);
   if (!_mesa_hash_table_u64_search(w->programs, key)) {
      struct program *p = calloc(1, sizeof(*p));
      if (p) {
         p->program = *program;
         p->program.instrs = warps_copy(program->instrs, 16 * (size_t)program->num_instrs);
         p->program.literals = warps_copy(program->literals, 16 * (size_t)program->num_literals);
      }
      if (p && p->program.instrs && p->program.literals) {
         _mesa_hash_table_u64_insert(w->programs, key, p);
      } else {
         if (p)
            free_program(p);
         w->failed = true;
      }
   }
   pthread_mutex_unlock(&w->lock);
}

/* Returns the index of the program in the current struct sgt_work, and sets *num_instrs to its
 * number of instructions. Adds the program if necessary. Returns UINT32_MAX if the device has not
 * reported the program, or if allocation fails.
 */
static uint32_t
find_program(struct sgt_warps *w, uint64_t key, uint32_t *num_instrs)
{
   pthread_mutex_lock(&w->lock);
   struct program *p = _mesa_hash_table_u64_search(w->programs, key);
   pthread_mutex_unlock(&w->lock);
   if (!p) {
      w->error = "a warp has a program that the device has not announced";
      return UINT32_MAX;
   }
   *num_instrs = p->program.num_instrs;
   if (p->work != w->work) {
      struct sgt_program *made = sgt_program_create(&p->program);
      if (!made) {
         w->failed = true;
         return UINT32_MAX;
      }
      p->work = w->work;
      p->number = sgt_work_builder_program(w->builder, made);
   }
   return p->number;
}

/* -- records ---------------------------------------------------------------------------------- */

/* The warp whose records are being converted. */
struct warp {
   uint32_t lanes, num_instrs;
   uint32_t first_item; /* index of the batch's first item in trace->items */
   uint32_t group;      /* value for sgt_warp::group if the record of the warp has no group */
   bool grid;
};

static bool
add_warp(struct sgt_warps *w, struct warp *warp, const struct sgpu_event_warp *e)
{
   const uint64_t key = (uint64_t)e->program_high << 32 | e->program_low;

   if (e->flags & SGPU_EVENT_WARP_RESUMED)
      return true;
   const uint32_t program = find_program(w, key, &warp->num_instrs);
   if (program == UINT32_MAX)
      return false;
   const bool own = warp->grid || e->stage == SGPU_STAGE_TESS_CTRL;
   warp->lanes = e->lanes;
   sgt_work_builder_warp(w->builder, program, e->lanes, own ? e->group : warp->group);
   if (e->stage == SGPU_STAGE_VERTEX)
      sgt_work_builder_vertices(w->builder, util_bitcount(e->lanes));
   return e->lanes != 0;
}

static bool
add_run(struct sgt_warps *w, const struct warp *warp, const struct sgpu_event_run *e)
{
   if (!e->count || (uint64_t)e->pc + e->count > warp->num_instrs || !e->lanes ||
       (e->lanes & ~warp->lanes))
      return false;
   sgt_work_builder_run(w->builder, e->pc, e->count, e->lanes);
   return true;
}

/* Returns an array with the memory lines that follow `record`, or NULL if allocation fails. */
static sgt_line *
make_lines(struct sgt_warps *w, const void *record, size_t size, uint32_t *num)
{
   const struct sgpu_event_head *head = record;
   const uint32_t *words = (const uint32_t *)record + size / 4;

   *num = (head->words - size / 4) / 2;
   sgt_line *lines = malloc((*num + 1) * sizeof(*lines));
   w->failed |= !lines;
   for (uint32_t i = 0; lines && i < *num; i++)
      lines[i] = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
   return lines;
}

static bool
add_access(struct sgt_warps *w, const struct sgpu_event_access *e)
{
   static const uint8_t kinds[] = {
      [SGPU_ACCESS_TEXTURE] = SGT_ACCESS_TEXTURE, [SGPU_ACCESS_LOAD] = SGT_ACCESS_LOAD,
      [SGPU_ACCESS_STORE] = SGT_ACCESS_STORE,     [SGPU_ACCESS_ATOMIC] = SGT_ACCESS_ATOMIC,
      [SGPU_ACCESS_SHARED] = SGT_ACCESS_SHARED,   [SGPU_ACCESS_CONST] = SGT_ACCESS_CONST,
   };
   uint32_t num;

   if (e->kind >= ARRAY_SIZE(kinds))
      return false;
   sgt_line *lines = make_lines(w, e, sizeof(*e), &num);
   if (!lines)
      return false;
   sgt_work_builder_access(w->builder,
                           &(struct sgt_access){
                              .kind = kinds[e->kind],
                              .lanes = e->lanes,
                              .work = e->work,
                              .bytes = e->bytes,
                           },
                           lines, num);
   free(lines);
   return true;
}

static bool
add_fetch(struct sgt_warps *w, const struct sgpu_event_fetch *e)
{
   uint32_t num;
   sgt_line *lines = make_lines(w, e, sizeof(*e), &num);

   if (!lines)
      return false;
   sgt_work_builder_fetch(w->builder, lines, num, e->attributes);
   free(lines);
   return true;
}

static bool
add_record(struct sgt_warps *w, struct warp *warp, const struct sgpu_event_head *head)
{
   switch ((enum sgpu_event)head->type) {
   case SGPU_EVENT_WARP:
      return add_warp(w, warp, (const struct sgpu_event_warp *)head);
   case SGPU_EVENT_RUN:
      return add_run(w, warp, (const struct sgpu_event_run *)head);
   case SGPU_EVENT_ACCESS:
      return add_access(w, (const struct sgpu_event_access *)head);
   case SGPU_EVENT_FETCH:
      return add_fetch(w, (const struct sgpu_event_fetch *)head);
   case SGPU_EVENT_QUAD: {
      const struct sgpu_event_quad *e = (const struct sgpu_event_quad *)head;
      sgt_work_builder_quad(w->builder, &(struct sgt_quad){
                                           .x = e->x,
                                           .y = e->y,
                                           .item = warp->first_item + e->primitive,
                                           .covered = e->covered,
                                           .kept = e->kept,
                                        });
      return true;
   }
   default:
      return false;
   }
}

/* -- chunks ------------------------------------------------------------------------------------ */

static int
compare_pieces(const void *a, const void *b)
{
   const struct piece *p = a, *q = b;

   if (p->group != q->group)
      return p->group < q->group ? -1 : 1;
   if (p->number != q->number)
      return p->number < q->number ? -1 : 1;
   return p->first < q->first ? -1 : p->first > q->first;
}

/* Returns the sorted pieces of a chunk, or NULL if allocation fails or if a record is invalid. */
static struct piece *
find_pieces(struct sgt_warps *w, const struct sgt_chunk *chunk, bool grid, uint32_t *num)
{
   const struct sgpu_event_head *head;
   struct piece *pieces = NULL;
   uint64_t max = 0;

   *num = 0;
   for (uint64_t at = 0; (head = sgt_chunk_record(chunk, at, &w->error)); at += head->words) {
      if (head->type == SGPU_EVENT_WARP) {
         const struct sgpu_event_warp *e = (const struct sgpu_event_warp *)head;
         if (!sgt_array_reserve(&pieces, &max, *num + 1, sizeof(*pieces))) {
            w->failed = true;
            break;
         }
         pieces[(*num)++] = (struct piece){
            .group = grid ? e->group : 0,
            .number = grid ? e->number : 0,
            .first = at,
         };
      }
      if (!*num) {
         w->error = "a record of work without a warp";
         break;
      }
      pieces[*num - 1].end = at + head->words;
   }
   if (w->failed || w->error) {
      free(pieces);
      return NULL;
   }
   qsort(pieces, *num, sizeof(*pieces), compare_pieces);
   return pieces;
}

static void
add_chunk(struct sgt_warps *w, const struct sgt_chunk *chunk, struct warp *warp)
{
   uint32_t num;
   struct piece *pieces = find_pieces(w, chunk, warp->grid, &num);

   for (uint32_t i = 0; pieces && i < num && !w->failed && !w->error; i++) {
      for (uint64_t at = pieces[i].first; at < pieces[i].end;) {
         const struct sgpu_event_head *head = sgt_chunk_record(chunk, at, &w->error);
         if (!head || !add_record(w, warp, head)) {
            w->error = w->error ? w->error : "a record of work is invalid";
            break;
         }
         at += head->words;
      }
   }
   free(pieces);
}

void
sgt_warps_operation(struct sgt_warps *w, const struct sgpu_event_operation *op,
                    const struct sgt_chunk *const *chunks, unsigned num,
                    const struct sgt_batch_items *batches, unsigned num_batches)
{
   uint32_t group = 0;
   unsigned b = 0;

   sgt_work_builder_operation(w->builder, op->group_bytes, op->group_warps);
   for (unsigned i = 0; i < num && !w->failed && !w->error; i++) {
      const struct sgt_chunk *c = chunks[i];
      struct warp warp = { .grid = c->kind == SGPU_CHUNK_WARPS_GROUPS };

      group = i && chunks[i - 1]->kind == c->kind ? group + 1 : 0;
      warp.group = group;
      if (c->kind == SGPU_CHUNK_WARPS_TILE) {
         while (b < num_batches && (batches[b].batch != c->batch || batches[b].part != c->part))
            b++;
         if (b == num_batches) {
            w->error = "warps of a tile without a batch";
            return;
         }
         warp.first_item = batches[b].first_item;
      }
      add_chunk(w, c, &warp);
   }
}

void
sgt_warps_nothing(struct sgt_warps *w)
{
   sgt_work_builder_operation(w->builder, 0, 0);
}

struct sgt_work *
sgt_warps_take(struct sgt_warps *w)
{
   struct sgt_work *work = sgt_work_builder_finish(w->builder);

   sgt_work_builder_destroy(w->builder);
   sgt_warps_constants_finish(w);
   w->builder = sgt_work_builder_create();
   w->failed = !w->builder;
   w->error = NULL;
   w->work++;
   return work;
}
