/* SPDX-License-Identifier: MIT */
/*
 * Tracks the 64-byte memory lines that a trace both writes and reads.
 */
#include "proof/sgt_chip_lines.h"

#include <stdlib.h>

#include "trace/sgt_array.h"
#include "chip_rop/sgt_rop_ports.h"
#include "proof/sgt_shadow_model.h"
#include "util/macros.h"

#define LINE 64u
#define NONE UINT32_MAX
#define TILE_LINES (SGT_ROP_TILE_BYTES / LINE)

/* A sequence of writes to the same memory line by the same operation. */
struct run {
   uint32_t item; /* index of the first write's item in the trace */
   uint32_t end;  /* version of the line after the last of these writes */
};

struct line {
   uint64_t address;
   /* version: current version of the line, i.e. the number of writes so far;
    * memory: version that has been written back to memory
    */
   uint32_t version, memory;
   /* 1 plus the index of the last operation in program order that has read the line, or 0 */
   uint32_t reader;
   uint32_t reader_item; /* first item of operation `reader` */
   struct run *runs;     /* all writes to the line, in order */
   uint32_t num_runs;
   uint64_t max_runs;
   /* Parameters of the last check: version of the line, index of the operation that read it, and
    * version that the operation saw. They are used to skip identical checks.
    */
   uint32_t checked, checked_by, seen;
};

/* A tile that a ROP is writing back to memory. */
struct write_back {
   uint64_t tile;                /* byte address of the tile */
   uint32_t version[TILE_LINES]; /* version of each line of the tile when the write-back started */
   /* number of memory requests that the partition has not accepted yet */
   uint32_t lines;
};

/* Write-backs of a ROP, in the order in which they started. The elements from `first` to `num` - 1
 * have not completed yet.
 */
struct write_backs {
   struct write_back *queue;
   uint64_t first, num, max;
};

struct range {
   uint64_t begin, end;
};

struct sgt_chip_lines {
   const struct sgt_shadow *shadow;
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   struct sgt_audit *audit;
   uint32_t first_client, num_clients, num_rops;
   /* memory that the trace writes, as sorted address ranges without overlaps */
   struct range *ranges;
   uint64_t num_ranges, max_ranges;
   struct line *lines;
   uint32_t *seen; /* for each line and each client, the version that the client read last */
   /* hash table that maps the address of a line to 1 plus its index; at most half full */
   uint32_t *table;
   uint32_t num_lines, table_size;
   uint64_t max_lines, max_seen;
   struct write_backs *write_backs; /* write-backs of each ROP */
   bool failed;                     /* an allocation failed */
};

/* -- tracked lines ---------------------------------------------------------------------- */

static int
compare_ranges(const void *a, const void *b)
{
   const struct range *x = a, *y = b;
   return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Appends the address ranges of CPU writes to l->ranges, and increments *num for each of them. */
static bool
find_cpu_ranges(struct sgt_chip_lines *l, uint64_t *num)
{
   const struct sgt_shadow *s = l->shadow;

   for (uint32_t i = 0; i < l->trace->num_operations; i++) {
      const uint32_t record = sgt_shadow_record(s, &l->trace->operations[i]);
      uint64_t begin, size;
      if (record == UINT32_MAX || !sgpu_shadow_image_write(s->image, record, &begin, &size))
         continue;
      if (!sgt_array_reserve(&l->ranges, &l->max_ranges, *num + 1, sizeof(*l->ranges)))
         return false;
      l->ranges[(*num)++] = (struct range){ begin & ~(LINE - 1ull), begin + size };
   }
   return true;
}

static bool
find_ranges(struct sgt_chip_lines *l)
{
   const struct sgt_trace *t = l->trace;
   uint64_t num = 0;

   for (uint32_t i = 0; i < t->num_targets; i++) {
      const struct sgt_target *target = &t->targets[i];
      const uint32_t height = target->flags & SGT_TARGET_TILED
                                 ? DIV_ROUND_UP(target->height, SGPU_TILE_HEIGHT)
                                 : target->height;
      const uint64_t plane = target->flags & SGT_TARGET_BUFFER ? target->width
                                                               : (uint64_t)height * target->pitch;
      if (!(target->flags & SGT_TARGET_WRITE))
         continue;
      if (!sgt_array_reserve(&l->ranges, &l->max_ranges, num + 1, sizeof(*l->ranges)))
         return false;
      l->ranges[num++] = (struct range){
         target->origin & ~(LINE - 1ull),
         target->origin + (target->layers - 1) * target->layer_stride +
            (target->samples - 1) * target->sample_stride + plane,
      };
   }
   if (!find_cpu_ranges(l, &num))
      return false;
   if (num)
      qsort(l->ranges, num, sizeof(*l->ranges), compare_ranges);
   for (uint64_t i = 0; i < num; i++) {
      struct range *last = l->num_ranges ? &l->ranges[l->num_ranges - 1] : NULL;
      if (last && l->ranges[i].begin <= last->end)
         last->end = MAX2(last->end, l->ranges[i].end);
      else
         l->ranges[l->num_ranges++] = l->ranges[i];
   }
   return true;
}

static bool
is_written(const struct sgt_chip_lines *l, uint64_t address)
{
   uint64_t low = 0, high = l->num_ranges;

   while (low < high) {
      const uint64_t middle = (low + high) / 2;
      if (l->ranges[middle].end <= address)
         low = middle + 1;
      else
         high = middle;
   }
   return low < l->num_ranges && l->ranges[low].begin <= address;
}

/* Returns the index in the hash table of the line at this address. If there is no such line,
 * returns the index of the free entry where it can be inserted.
 */
static uint32_t
lines_place(const struct sgt_chip_lines *l, uint64_t address)
{
   const uint64_t hash = address / LINE * UINT64_C(0x9e3779b97f4a7c15);
   uint32_t i = hash >> 32 & (l->table_size - 1);

   while (l->table[i] && l->lines[l->table[i] - 1].address != address)
      i = (i + 1) & (l->table_size - 1);
   return i;
}

/* Returns the line at an address, or NULL if the line is not tracked. */
static struct line *
lines_find(const struct sgt_chip_lines *l, uint64_t address)
{
   const uint32_t number = l->table[lines_place(l, address)];
   return number ? &l->lines[number - 1] : NULL;
}

static bool
grow_table(struct sgt_chip_lines *l)
{
   const uint32_t size = l->table_size ? 2 * l->table_size : 1024;
   uint32_t *table = calloc(size, sizeof(*table));

   if (!table)
      return false;
   free(l->table);
   l->table = table;
   l->table_size = size;
   for (uint32_t i = 0; i < l->num_lines; i++)
      table[lines_place(l, l->lines[i].address)] = i + 1;
   return true;
}

static bool
lines_follow(struct sgt_chip_lines *l, uint64_t address)
{
   if (!is_written(l, address))
      return true;
   const uint32_t i = lines_place(l, address);
   if (l->table[i])
      return true;
   if (!sgt_array_reserve(&l->lines, &l->max_lines, l->num_lines + 1ull, sizeof(*l->lines)))
      return false;
   l->lines[l->num_lines] = (struct line){ .address = address, .checked = NONE };
   l->table[i] = ++l->num_lines;
   return 2 * l->num_lines < l->table_size || grow_table(l);
}

static bool
follow_lines(struct sgt_chip_lines *l, uint64_t first, uint64_t num)
{
   const sgt_line *line = l->work->lines + first;

   for (uint64_t i = 0; i < num; i++) {
      if (!lines_follow(l, sgt_line_address(line[i])))
         return false;
   }
   return true;
}

/* Starts to track all lines that the trace writes and that a texture access, a vertex fetch or a
 * transfer reads.
 */
static bool
find_lines(struct sgt_chip_lines *l)
{
   const struct sgt_trace *t = l->trace;
   const struct sgt_work *w = l->work;

   for (uint32_t i = 0; i < w->num_accesses; i++) {
      const struct sgt_access *a = &w->accesses[i];
      if (a->kind == SGT_ACCESS_TEXTURE && !follow_lines(l, a->first_line, a->num_lines))
         return false;
   }
   for (uint32_t i = 0; i < w->num_warps; i++) {
      if (!follow_lines(l, w->warps[i].first_fetch, w->warps[i].num_fetch))
         return false;
   }
   for (uint32_t i = 0; i < t->num_targets; i++) {
      const struct sgt_target *s = &t->targets[i];
      if (s->flags & SGT_TARGET_WRITE || s->x0 >= s->x1 || s->y0 >= s->y1)
         continue;
      /* Track the whole source of a transfer, from the first to the last byte. */
      const uint32_t rows = s->flags & SGT_TARGET_TILED ? SGPU_TILE_HEIGHT : 1;
      for (uint32_t layer = 0; layer < s->layers; layer++) {
         for (uint32_t sample = 0; sample < s->samples; sample++) {
            const uint64_t plane = s->origin + layer * s->layer_stride + sample * s->sample_stride;
            const uint64_t begin = plane + (uint64_t)(s->y0 / rows) * s->pitch;
            const uint64_t end = s->flags & SGT_TARGET_BUFFER
                                    ? plane + s->x1
                                    : plane + (uint64_t)DIV_ROUND_UP(s->y1, rows) * s->pitch;
            for (uint64_t at = begin & ~(LINE - 1ull); at < end; at += LINE) {
               if (!lines_follow(l, at))
                  return false;
            }
         }
      }
   }
   return true;
}

struct sgt_chip_lines *
sgt_chip_lines_create(const struct sgt_shadow *shadow, const struct sgt_work *work,
                      uint32_t first_client, uint32_t num_clients, uint32_t rops)
{
   struct sgt_chip_lines *l = calloc(1, sizeof(*l));

   if (!l)
      return NULL;
   l->shadow = shadow;
   l->trace = shadow->trace;
   l->work = work;
   l->audit = shadow->audit;
   l->first_client = first_client;
   l->num_clients = num_clients;
   l->num_rops = rops;
   l->write_backs = calloc(rops, sizeof(*l->write_backs));
   bool ok = l->write_backs && grow_table(l) && find_ranges(l) && find_lines(l);
   if (ok)
      l->seen = calloc((uint64_t)l->num_lines * num_clients + 1, sizeof(*l->seen));
   if (!l->seen) {
      sgt_chip_lines_destroy(l);
      return NULL;
   }
   return l;
}

void
sgt_chip_lines_destroy(struct sgt_chip_lines *l)
{
   if (!l)
      return;
   for (uint32_t i = 0; i < l->num_lines; i++)
      free(l->lines[i].runs);
   for (uint32_t i = 0; l->write_backs && i < l->num_rops; i++)
      free(l->write_backs[i].queue);
   free(l->write_backs);
   free(l->ranges);
   free(l->lines);
   free(l->seen);
   free(l->table);
   free(l);
}

bool
sgt_chip_lines_ok(const struct sgt_chip_lines *l)
{
   return !l->failed;
}

uint32_t
sgt_chip_lines_num(const struct sgt_chip_lines *l)
{
   return l->num_lines;
}

/* -- writes ------------------------------------------------------------------------------- */

static void
lines_note(struct sgt_chip_lines *l, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
           uint32_t other)
{
   const struct sgt_rect none = { 0, 0, 0, 0 };
   sgt_audit_note(l->audit, hazard, cycle, item, other, &none);
}

static uint32_t
lines_operation(const struct sgt_chip_lines *l, uint32_t item)
{
   return l->trace->items[item].operation;
}

void
sgt_chip_lines_write(struct sgt_chip_lines *l, uint64_t cycle, uint64_t address, uint32_t item,
                     bool clears)
{
   struct line *line = lines_find(l, address);

   if (!line)
      return;
   if (line->reader > lines_operation(l, item) + 1)
      lines_note(l, SGT_HAZARD_RAW, cycle, line->reader_item, item);
   struct run *last = line->num_runs ? &line->runs[line->num_runs - 1] : NULL;
   line->version++;
   if (last && lines_operation(l, last->item) == lines_operation(l, item)) {
      last->end = line->version;
   } else if (!sgt_array_reserve(&line->runs, &line->max_runs, line->num_runs + 1ull,
                                 sizeof(*line->runs))) {
      l->failed = true;
   } else {
      line->runs[line->num_runs++] = (struct run){ item, line->version };
   }
   if (clears)
      line->memory = line->version;
}

void
sgt_chip_lines_cpu(struct sgt_chip_lines *l, uint64_t cycle, uint64_t begin, uint64_t size,
                   uint32_t item)
{
   for (uint64_t at = begin & ~(LINE - 1ull); at < begin + size; at += LINE)
      sgt_chip_lines_write(l, cycle, at, item, true);
}

static void
reach_memory(struct sgt_chip_lines *l, const struct write_back *w)
{
   for (unsigned i = 0; i < TILE_LINES; i++) {
      struct line *line = lines_find(l, w->tile + i * LINE);
      if (line)
         line->memory = MAX2(line->memory, w->version[i]);
   }
}

void
sgt_chip_lines_write_back(struct sgt_chip_lines *l, uint32_t rop, uint64_t tile, uint32_t lines)
{
   struct write_backs *q = &l->write_backs[rop];
   struct write_back w = { .tile = tile, .lines = lines };

   for (unsigned i = 0; i < TILE_LINES; i++) {
      const struct line *line = lines_find(l, tile + i * LINE);
      w.version[i] = line ? line->version : 0;
   }
   if (!lines) {
      reach_memory(l, &w);
      return;
   }
   if (q->first && q->first == q->num)
      q->first = q->num = 0;
   if (sgt_array_reserve(&q->queue, &q->max, q->num + 1, sizeof(*q->queue)))
      q->queue[q->num++] = w;
   else
      l->failed = true;
}

void
sgt_chip_lines_take_write(struct sgt_chip_lines *l, uint32_t rop)
{
   struct write_backs *q = &l->write_backs[rop];

   if (q->first == q->num || --q->queue[q->first].lines)
      return;
   reach_memory(l, &q->queue[q->first++]);
}

/* -- reads -------------------------------------------------------------------------------- */

void
sgt_chip_lines_take_read(struct sgt_chip_lines *l, uint32_t client, uint64_t address)
{
   const struct line *line = lines_find(l, address);
   const uint32_t c = client - l->first_client;

   if (line && c < l->num_clients)
      l->seen[(uint64_t)(line - l->lines) * l->num_clients + c] = line->memory;
}

/* Checks that operation `reader` has read the correct version of the line. `seen` is the version
 * that it has read.
 */
static void
lines_check(struct sgt_chip_lines *l, uint64_t cycle, struct line *line, uint32_t reader,
            uint32_t seen)
{
   const uint32_t item = l->trace->operations[reader].first_item;
   uint32_t begin = 0;

   /* Skip operations without items, since the trace has no record of what they read. */
   if (!l->trace->operations[reader].num_items)
      return;
   if (line->checked == line->version && line->checked_by == reader && line->seen == seen)
      return;
   line->checked = line->version;
   line->checked_by = reader;
   line->seen = seen;
   for (uint32_t i = 0; i < line->num_runs; i++) {
      const struct run *run = &line->runs[i];
      const uint32_t writer = lines_operation(l, run->item);
      if (writer < reader && run->end > seen)
         lines_note(l, SGT_HAZARD_RAW, cycle, item, run->item);
      else if (writer > reader && begin < seen)
         lines_note(l, SGT_HAZARD_WAR, cycle, run->item, item);
      begin = run->end;
   }
   if (reader + 1 > line->reader) {
      line->reader = reader + 1;
      line->reader_item = item;
   }
}

void
sgt_chip_lines_transfer(struct sgt_chip_lines *l, uint64_t cycle, uint64_t address, uint32_t item)
{
   struct line *line = lines_find(l, address);

   if (line)
      lines_check(l, cycle, line, lines_operation(l, item), line->version);
}

static void
check_lines(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t reader,
            uint64_t first, uint64_t num)
{
   const sgt_line *lines = l->work->lines + first;
   const uint32_t c = client - l->first_client;

   for (uint64_t i = 0; i < num; i++) {
      struct line *line = lines_find(l, sgt_line_address(lines[i]));
      if (line)
         lines_check(l, cycle, line, reader,
                     l->seen[(uint64_t)(line - l->lines) * l->num_clients + c]);
   }
}

/* Returns the operation that a texture access belongs to. Accesses are sorted by warp, and warps
 * are sorted by operation.
 */
static uint32_t
access_operation(const struct sgt_chip_lines *l, uint32_t access)
{
   uint32_t low = 0, high = l->work->num_warps;

   while (high - low > 1) {
      const uint32_t middle = (low + high) / 2;
      if (l->work->warps[middle].first_access <= access)
         low = middle;
      else
         high = middle;
   }
   return l->work->warps[low].operation;
}

void
sgt_chip_lines_texture(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t access)
{
   const struct sgt_access *a = &l->work->accesses[access];

   if (l->num_lines)
      check_lines(l, cycle, client, access_operation(l, access), a->first_line, a->num_lines);
}

void
sgt_chip_lines_fetch(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t warp)
{
   const struct sgt_warp *w = &l->work->warps[warp];

   check_lines(l, cycle, client, w->operation, w->first_fetch, w->num_fetch);
}
