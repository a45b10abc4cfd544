/* SPDX-License-Identifier: MIT */
/*
 * The constant cache of US 8,564,604: header table, mapping table and storage.
 */
#include "chip_eu/sgt_eu_const.h"

#include <assert.h>
#include <stdlib.h>

#include "util/macros.h"

struct version {
   uint32_t number;  /* index into c->lines->versions */
   uint32_t threads; /* number of threads that use this version */
};

/* A row of the header table. Its versions are a ring buffer, oldest first. */
struct sgt_eu_const_row {
   bool present; /* true if the row holds a context */
   uint32_t context;
   uint32_t threads;    /* number of threads that use this row */
   uint64_t used;       /* value of `clock` when the row was last used */
   uint32_t first, num; /* first: index of the oldest version; num: number of versions */
   struct version *versions;
};

bool
sgt_eu_const_init(struct sgt_eu_const *c, const struct sgt_eu_const_params *params,
                  const struct sgt_const_lines *lines)
{
   const uint32_t rows = SGT_STAGES * params->contexts;

   *c = (struct sgt_eu_const){ .params = *params, .lines = lines };
   bool ok = sgt_tags_init(&c->store, params->sets, params->ways);
   c->rows = calloc(rows, sizeof(*c->rows));
   ok = ok && c->rows;
   for (uint32_t i = 0; ok && i < rows; i++) {
      c->rows[i].versions = calloc(params->versions, sizeof(struct version));
      ok = c->rows[i].versions;
   }
   if (!ok)
      sgt_eu_const_finish(c);
   return ok;
}

void
sgt_eu_const_finish(struct sgt_eu_const *c)
{
   for (uint32_t i = 0; c->rows && i < SGT_STAGES * c->params.contexts; i++)
      free(c->rows[i].versions);
   free(c->rows);
   c->rows = NULL;
   sgt_tags_finish(&c->store);
}

static struct version *
version_at(const struct sgt_eu_const *c, const struct sgt_eu_const_row *row, uint32_t i)
{
   return &row->versions[(row->first + i) % c->params.versions];
}

static void
drop_first(const struct sgt_eu_const *c, struct sgt_eu_const_row *row)
{
   row->first = (row->first + 1) % c->params.versions;
   row->num--;
}

/* Drops the oldest versions that no thread uses. The newest version is always kept. */
static void
drop_versions(const struct sgt_eu_const *c, struct sgt_eu_const_row *row)
{
   while (row->num > 1 && !version_at(c, row, 0)->threads)
      drop_first(c, row);
}

/* Returns the number of lines that would exist in several versions if version `number` were added.
 * These are the lines that changed between any two versions of the row.
 */
static uint32_t
mapped_lines(const struct sgt_eu_const *c, const struct sgt_eu_const_row *row, uint32_t number)
{
   uint32_t low = c->lines->versions[number].before, high = low;
   for (uint32_t i = 0; i < row->num; i++) {
      const uint32_t before = c->lines->versions[version_at(c, row, i)->number].before;
      low = MIN2(low, before);
      high = MAX2(high, before);
   }
   return high - low;
}

static enum sgt_eu_const_wait
add_version(struct sgt_eu_const *c, struct sgt_eu_const_row *row, uint32_t number)
{
   drop_versions(c, row);
   if (row->threads && row->num == c->params.versions)
      return SGT_EU_CONST_WAIT_VERSION;
   const uint32_t mapped = mapped_lines(c, row, number);
   if (row->threads && mapped > c->params.mapping)
      return SGT_EU_CONST_WAIT_MAPPING;
   if (row->threads)
      c->stats.max_mapping = MAX2(c->stats.max_mapping, mapped);
   /* If the row is full here, no thread uses it. Drop its oldest version. */
   if (row->num == c->params.versions)
      drop_first(c, row);
   *version_at(c, row, row->num++) = (struct version){ .number = number };
   c->stats.versions++;
   return SGT_EU_CONST_READY;
}

/* Returns the row of a context. If the context has no row, returns the least recently used row
 * without threads, or NULL if all rows have threads.
 */
static struct sgt_eu_const_row *
find_row(struct sgt_eu_const *c, enum sgpu_stage stage, uint32_t context)
{
   struct sgt_eu_const_row *rows = &c->rows[stage * c->params.contexts], *free_row = NULL;
   for (uint32_t i = 0; i < c->params.contexts; i++) {
      if (rows[i].present && rows[i].context == context)
         return &rows[i];
      if (!rows[i].threads && (!free_row || rows[i].used < free_row->used))
         free_row = &rows[i];
   }
   return free_row;
}

static uint64_t
line_address(uint32_t from, uint32_t line)
{
   return SGT_EU_CONSTANTS + ((uint64_t)from * SGT_CONST_LINES + line) * SGT_CONST_LINE_BYTES;
}

/* Drops all cached lines of a row that will be reused for another context. */
static void
clear_row(struct sgt_eu_const *c, const struct sgt_eu_const_row *row)
{
   const uint64_t first = line_address(0, 0) / SGT_CONST_LINE_BYTES;
   const uint64_t end = line_address(c->lines->num_versions, 0) / SGT_CONST_LINE_BYTES;
   for (uint32_t i = 0; i < c->store.sets * c->store.ways; i++) {
      const uint64_t line = c->store.lines[i];
      if (line >= first && line < end &&
          c->lines->versions[(line - first) / SGT_CONST_LINES].context == row->context)
         sgt_tags_drop(&c->store, i);
   }
   c->stats.evicted++;
}

static uint32_t
find_version(const struct sgt_eu_const *c, const struct sgt_eu_const_row *row, uint32_t number)
{
   uint32_t i = 0;
   while (i < row->num && version_at(c, row, i)->number != number)
      i++;
   return i;
}

enum sgt_eu_const_wait
sgt_eu_const_enter(struct sgt_eu_const *c, enum sgpu_stage stage, uint32_t operation,
                   struct sgt_eu_const_key *key)
{
   const uint32_t number = sgt_const_lines_version(c->lines, operation, stage);
   const uint32_t context = c->lines->versions[number].context;
   struct sgt_eu_const_row *row = find_row(c, stage, context);

   if (!row)
      return SGT_EU_CONST_WAIT_CONTEXT;
   if (!row->present || row->context != context) {
      if (row->present)
         clear_row(c, row);
      c->stats.contexts++;
      row->present = true;
      row->context = context;
      row->first = 0;
      row->num = 1;
      row->versions[0] = (struct version){ .number = number };
   } else if (find_version(c, row, number) < row->num) {
      c->stats.context_hits++;
   } else {
      const enum sgt_eu_const_wait wait = add_version(c, row, number);
      if (wait != SGT_EU_CONST_READY)
         return wait;
   }
   struct version *v = version_at(c, row, find_version(c, row, number));
   row->threads++;
   row->used = ++c->clock;
   v->threads++;
   *key = (struct sgt_eu_const_key){ stage, row - &c->rows[stage * c->params.contexts],
                                     v - row->versions };
   return SGT_EU_CONST_READY;
}

void
sgt_eu_const_leave(struct sgt_eu_const *c, struct sgt_eu_const_key key)
{
   struct sgt_eu_const_row *row = &c->rows[key.stage * c->params.contexts + key.row];
   assert(row->threads && row->versions[key.version].threads);
   row->threads--;
   row->versions[key.version].threads--;
   drop_versions(c, row);
}

uint64_t
sgt_eu_const_address(const struct sgt_eu_const *c, struct sgt_eu_const_key key, uint32_t index)
{
   const struct sgt_eu_const_row *row = &c->rows[key.stage * c->params.contexts + key.row];
   const uint32_t line = index / SGT_EU_LINE_CONSTS % SGT_CONST_LINES;
   const uint32_t number = row->versions[key.version].number;
   /* With a single version per row, any change invalidates all lines of the context. */
   const bool shares = c->params.versions > 1;
   return line_address(shares ? sgt_const_lines_from(c->lines, number, line) : number, line);
}
