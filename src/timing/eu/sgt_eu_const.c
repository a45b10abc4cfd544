/* SPDX-License-Identifier: MIT */
/*
 * The constant cache of US 8,564,604: header table, mapping table, storage.
 */
#include "sgt_eu_const.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

struct version {
   uint32_t number;
   uint32_t threads;
   uint32_t changed;                  /* constants, since the version before */
   uint32_t from[SGT_EU_CONST_LINES]; /* operation with which a line came or changed */
};

/* A row of the header table; versions are a ring, the latest last. */
struct sgt_eu_const_row {
   bool present;
   uint32_t context;
   uint32_t threads;
   uint64_t used;
   uint32_t first, num; /* versions */
   struct version *versions;
};

bool
sgt_eu_const_init(struct sgt_eu_const *c, const struct sgt_eu_const_params *params,
                  const struct sgt_eu_context *contexts)
{
   const uint32_t rows = SGT_EU_STAGES * params->contexts;

   *c = (struct sgt_eu_const){ .params = *params, .contexts = contexts };
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
   for (uint32_t i = 0; c->rows && i < SGT_EU_STAGES * c->params.contexts; i++)
      free(c->rows[i].versions);
   free(c->rows);
   c->rows = NULL;
   sgt_tags_finish(&c->store);
}

static uint64_t
line_address(uint32_t stage, uint64_t from, uint32_t line)
{
   return SGT_EU_CONSTANTS + (((from * SGT_EU_STAGES + stage) * SGT_EU_CONST_LINES + line) << 6);
}

static struct version *
version_at(const struct sgt_eu_const *c, struct sgt_eu_const_row *row, uint32_t i)
{
   return &row->versions[(row->first + i) % c->params.versions];
}

/* Versions without threads go, but for the latest. */
static void
drop_versions(const struct sgt_eu_const *c, struct sgt_eu_const_row *row)
{
   while (row->num > 1 && !row->versions[row->first].threads) {
      row->first = (row->first + 1) % c->params.versions;
      row->num--;
   }
}

static enum sgt_eu_const_wait
add_version(struct sgt_eu_const *c, struct sgt_eu_const_row *row, uint32_t operation)
{
   const struct sgt_eu_context *change = &c->contexts[operation];
   const bool shares = c->params.versions > 1;

   drop_versions(c, row);
   if (row->threads && row->num == c->params.versions)
      return SGT_EU_CONST_WAIT_VERSION;
   /* Constants with several versions: those that changed after the oldest version in use. */
   uint32_t mapped = change->count;
   for (uint32_t i = 1; i < row->num; i++)
      mapped += version_at(c, row, i)->changed;
   if (row->threads && mapped > c->params.mapping)
      return SGT_EU_CONST_WAIT_MAPPING;
   if (row->threads)
      c->stats.max_mapping = MAX2(c->stats.max_mapping, mapped);
   const struct version *before = version_at(c, row, row->num - 1);
   if (!row->threads && row->num == c->params.versions) {
      /* Nobody needs the versions before. */
      row->first = (row->first + 1) % c->params.versions;
      row->num--;
   }
   struct version *v = version_at(c, row, row->num++);
   if (v != before)
      *v = *before;
   v->number = change->version;
   v->threads = 0;
   v->changed = change->count;
   for (uint32_t i = 0; i < SGT_EU_CONST_LINES; i++) {
      const uint32_t first = i * SGT_EU_LINE_CONSTS;
      if (!shares ||
          (first < change->first + change->count && change->first < first + SGT_EU_LINE_CONSTS))
         v->from[i] = operation;
   }
   c->stats.versions++;
   return SGT_EU_CONST_READY;
}

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

/* The row goes to another context: its lines are of no use. */
static void
clear_row(struct sgt_eu_const *c, enum sgpu_stage stage, struct sgt_eu_const_row *row)
{
   for (uint32_t i = 0; i < row->num; i++)
      for (uint32_t line = 0; line < SGT_EU_CONST_LINES; line++)
         sgt_tags_drop(&c->store,
                       line_address(stage, version_at(c, row, i)->from[line], line) / 64);
   c->stats.evicted++;
}

static uint32_t
find_version(const struct sgt_eu_const *c, struct sgt_eu_const_row *row, uint32_t number)
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
   const struct sgt_eu_context own = { .context = operation };
   const struct sgt_eu_context *context = c->contexts ? &c->contexts[operation] : &own;
   struct sgt_eu_const_row *row = find_row(c, stage, context->context);

   if (!row)
      return SGT_EU_CONST_WAIT_CONTEXT;
   uint32_t i = 0;
   if (!row->present || row->context != context->context) {
      if (row->present)
         clear_row(c, stage, row);
      c->stats.contexts++;
      row->present = true;
      row->context = context->context;
      row->first = 0;
      row->num = 1;
      row->versions[0] = (struct version){ .number = context->version };
      for (uint32_t line = 0; line < SGT_EU_CONST_LINES; line++)
         row->versions[0].from[line] = operation;
   } else {
      i = find_version(c, row, context->version);
      if (i < row->num) {
         c->stats.context_hits++;
      } else {
         const enum sgt_eu_const_wait wait = add_version(c, row, operation);
         if (wait != SGT_EU_CONST_READY)
            return wait;
      }
      i = find_version(c, row, context->version);
   }
   struct version *v = version_at(c, row, i);
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
   const uint32_t line = index / SGT_EU_LINE_CONSTS % SGT_EU_CONST_LINES;
   return line_address(key.stage, row->versions[key.version].from[line], line);
}
