/* SPDX-License-Identifier: MIT */
/*
 * Carries out a capture's records.  What they say is checked here against what
 * was said before: ids, sizes, addresses.
 */
#include "cap_player.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgcap_hash.h"

/* A file that says more is none. */
#define MAX_OBJECTS (UINT64_C(1) << 24)
#define MAX_BYTES (UINT64_C(1) << 36)
#define MAX_STREAM_WORDS (UINT32_C(1) << 26)

static bool
fail(struct cap_player *p, const char *text)
{
   sgcap_fail(p->reader, "%s", text);
   return false;
}

static bool
open_device(struct cap_player *p, const struct sgpu_device_params *params, bool executes)
{
   p->executes = executes;
   p->max_bytes = MAX_BYTES;
   int ret = sgpu_device_create(params, &p->dev);
   if (ret == 0 && executes)
      ret = sgpu_queue_create(p->dev, &p->queue);
   if (ret)
      fprintf(stderr, "sgpu: no device: %s\n", strerror(-ret));
   return ret == 0;
}

bool
cap_player_open(struct cap_player *p, const char *path,
                const struct sgpu_device_params *params, bool executes)
{
   char error[512];

   memset(p, 0, sizeof *p);
   p->reader = sgcap_open(path, error, sizeof error);
   if (!p->reader) {
      fprintf(stderr, "sgpu: %s: %s\n", path, error);
      return false;
   }
   if (!open_device(p, params, executes)) {
      cap_player_close(p);
      return false;
   }
   return true;
}

bool
cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                       const struct sgpu_device_params *params, bool executes)
{
   char error[512];

   memset(p, 0, sizeof *p);
   p->reader = sgcap_open_memory(data, size, error, sizeof error);
   if (!p->reader)
      return false;
   if (!open_device(p, params, executes)) {
      cap_player_close(p);
      return false;
   }
   return true;
}

static void
close_queue(struct cap_queue *q)
{
   if (q->queue)
      sgpu_queue_destroy(q->queue);
   q->queue = NULL;
   free(q->seqnos);
   q->seqnos = NULL;
   q->num_seqnos = q->max_seqnos = 0;
}

void
cap_player_reset(struct cap_player *p)
{
   for (uint64_t i = 0; i < p->num_objects; i++) {
      if (p->objects[i].kind == CAP_QUEUE)
         close_queue(&p->objects[i].u.queue);
   }
   for (uint64_t i = 0; i < p->num_objects; i++) {
      if (p->objects[i].kind == CAP_BO && p->objects[i].u.bo.bo)
         sgpu_bo_destroy(p->objects[i].u.bo.bo);
   }
   free(p->sorted);
   p->sorted = NULL;
   p->num_objects = p->num_bos = p->num_queues = 0;
   p->frame = p->submissions = p->bytes = 0;
}

void
cap_player_close(struct cap_player *p)
{
   cap_player_reset(p);
   if (p->queue)
      sgpu_queue_destroy(p->queue);
   if (p->scratch)
      sgpu_bo_destroy(p->scratch);
   if (p->dev)
      sgpu_device_destroy(p->dev);
   sgcap_close(p->reader);
   free(p->objects);
   memset(p, 0, sizeof *p);
}

static struct cap_object *
find_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind)
{
   if (id == 0 || id > p->num_objects || p->objects[id - 1].kind != kind)
      return NULL;
   return &p->objects[id - 1];
}

struct cap_bo *
cap_player_bo(struct cap_player *p, uint64_t id)
{
   struct cap_object *o = find_object(p, id, CAP_BO);
   return o && o->u.bo.bo ? &o->u.bo : NULL;
}

struct cap_queue *
cap_player_queue(struct cap_player *p, uint64_t id)
{
   struct cap_object *o = find_object(p, id, CAP_QUEUE);
   return o && o->u.queue.queue ? &o->u.queue : NULL;
}

static struct cap_object *
add_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind)
{
   if (id != p->num_objects + 1 || id > MAX_OBJECTS) {
      fail(p, "its id is not the next one");
      return NULL;
   }
   if (p->num_objects == p->max_objects) {
      const uint64_t n = p->max_objects ? p->max_objects * 2 : 64;
      struct cap_object *o = realloc(p->objects, n * sizeof *o);
      if (!o) {
         fail(p, "out of memory");
         return NULL;
      }
      p->objects = o;
      p->max_objects = n;
   }
   free(p->sorted);
   p->sorted = NULL;
   struct cap_object *o = &p->objects[p->num_objects++];
   memset(o, 0, sizeof *o);
   o->kind = kind;
   return o;
}

static bool
wait_all(struct cap_player *p)
{
   for (uint64_t i = 0; i < p->num_objects; i++) {
      struct cap_queue *q = &p->objects[i].u.queue;
      if (p->objects[i].kind == CAP_QUEUE && q->queue && q->num_seqnos)
         sgpu_queue_wait(q->queue, q->seqnos[q->num_seqnos - 1], UINT64_MAX);
   }
   return true;
}

static bool
create_bo(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_bo_create *c = &rec->u.bo_create;
   struct cap_object *o = add_object(p, c->id, CAP_BO);
   if (!o)
      return false;

   struct cap_bo *b = &o->u.bo;
   if (c->size > p->max_bytes - p->bytes)
      return fail(p, "the buffers have more memory than a capture may have");
   int ret = sgpu_bo_create_at(p->dev, c->address, c->size, rec->text, &b->bo);
   if (ret == -EBUSY && p->executes) {
      /* What was there may still be in use. */
      wait_all(p);
      ret = sgpu_bo_create_at(p->dev, c->address, c->size, rec->text, &b->bo);
   }
   if (ret) {
      b->bo = NULL;
      sgcap_fail(p->reader, "a buffer of %" PRIu64 " bytes at 0x%" PRIx64 ": %s", c->size,
                 c->address, ret == -EBUSY ? "another one is there" : strerror(-ret));
      return false;
   }
   b->id = c->id;
   b->address = c->address;
   b->size = c->size;
   b->ordinal = p->num_bos++;
   p->bytes += c->size;
   snprintf(b->label, sizeof b->label, "%.31s", rec->text);
   return true;
}

static bool
write_bo(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_data *d = &rec->u.data;
   struct cap_bo *b = cap_player_bo(p, d->id);

   if (!b)
      return fail(p, "there is no such buffer");
   if (d->offset > b->size || d->size > b->size - d->offset)
      return fail(p, "it is outside of its buffer");
   uint8_t *to = (uint8_t *)sgpu_bo_map(b->bo) + d->offset;
   b->written = true;
   if (rec->type == SGCAP_ZERO)
      memset(to, 0, d->size);
   else
      memcpy(to, rec->bytes, d->size);
   return true;
}

static bool
is_query_type(uint32_t type)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(SGPU_PACKET_BEGIN_QUERY);

   for (unsigned i = 0; i < info->num_fields; i++) {
      if (info->fields[i].enumeration)
         return sgpu_enum_value_name(info->fields[i].enumeration, type) != NULL;
   }
   return false;
}

/* Starts a query that counted before the capture. */
static bool
open_query(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_query *query = &rec->u.query;
   struct cap_queue *q = cap_player_queue(p, query->queue);

   if (!q || q->num_seqnos)
      return fail(p, "there is no such queue, or it was used already");
   if (query->slot > 63 || !is_query_type(query->type))
      return fail(p, "there is no such query");
   q->open_slots |= 1ull << query->slot;
   q->slot_types[query->slot] = query->type;
   if (!p->executes)
      return true;

   struct sgpu_bo *scratch = cap_player_scratch(p, 4096);
   if (!scratch)
      return false;
   uint32_t *words = sgpu_bo_map(scratch);
   sgpu_pack(words, BEGIN_QUERY, cfg) {
      cfg.type = query->type;
      cfg.slot = query->slot;
   }
   sgpu_pack(words + SGPU_BEGIN_QUERY_LENGTH, END, cfg);
   uint64_t seqno;
   if (sgpu_queue_submit(q->queue, &(struct sgpu_submit){
          .address = sgpu_bo_address(scratch),
          .words = SGPU_BEGIN_QUERY_LENGTH + SGPU_END_LENGTH,
          .bos = &scratch, .num_bos = 1,
       }, &seqno))
      return fail(p, "the device does not take it");
   sgpu_queue_wait(q->queue, seqno, UINT64_MAX);
   return true;
}

static bool
wait_fence(struct cap_player *p, const struct sgcap_fence *f)
{
   struct cap_queue *q = cap_player_queue(p, f->queue);

   if (!q || f->seqno > q->num_seqnos)
      return fail(p, "a fence that was not submitted");
   if (p->executes && f->seqno)
      sgpu_queue_wait(q->queue, q->seqnos[f->seqno - 1], UINT64_MAX);
   return true;
}

bool
cap_player_perform(struct cap_player *p, const struct sgcap_record *rec)
{
   struct cap_object *o;
   struct cap_bo *b;

   switch (rec->type) {
   case SGCAP_DEVICE:
      p->made_on = rec->u.device;
      snprintf(p->program, sizeof p->program, "%.255s", rec->text);
      return true;
   case SGCAP_BO_CREATE:
      return create_bo(p, rec);
   case SGCAP_BO_DESTROY:
      b = cap_player_bo(p, rec->u.id.id);
      if (!b)
         return fail(p, "there is no such buffer");
      sgpu_bo_destroy(b->bo);
      b->bo = NULL;
      p->bytes -= b->size;
      free(p->sorted);
      p->sorted = NULL;
      return true;
   case SGCAP_BO_LABEL:
      b = cap_player_bo(p, rec->u.bo_label.id);
      if (!b)
         return fail(p, "there is no such buffer");
      snprintf(b->label, sizeof b->label, "%.31s", rec->text);
      return true;
   case SGCAP_DATA:
   case SGCAP_ZERO:
      return write_bo(p, rec);
   case SGCAP_QUEUE_CREATE:
      o = add_object(p, rec->u.id.id, CAP_QUEUE);
      if (!o)
         return false;
      o->u.queue.id = rec->u.id.id;
      o->u.queue.ordinal = p->num_queues++;
      return sgpu_queue_create(p->dev, &o->u.queue.queue) == 0 || fail(p, "no queue");
   case SGCAP_QUEUE_DESTROY:
      if (!cap_player_queue(p, rec->u.id.id))
         return fail(p, "there is no such queue");
      close_queue(cap_player_queue(p, rec->u.id.id));
      return true;
   case SGCAP_QUERY:
      return open_query(p, rec);
   case SGCAP_WAIT:
      return wait_fence(p, &rec->u.wait);
   case SGCAP_BO_IDLE:
      b = cap_player_bo(p, rec->u.id.id);
      if (!b)
         return fail(p, "there is no such buffer");
      if (p->executes)
         sgpu_bo_wait(b->bo, UINT64_MAX);
      return true;
   case SGCAP_SUBMIT:
      p->submissions++;
      return true;
   case SGCAP_FRAME:
      p->frame = rec->u.frame.number;
      return true;
   default:
      return true;
   }
}

bool
cap_player_next(struct cap_player *p, struct sgcap_record *rec)
{
   return sgcap_next(p->reader, rec) && cap_player_perform(p, rec);
}

static int
compare_bos(const void *a, const void *b)
{
   const struct cap_bo *x = *(struct cap_bo *const *)a, *y = *(struct cap_bo *const *)b;
   return x->address < y->address ? -1 : x->address > y->address;
}

static bool
sort_bos(struct cap_player *p)
{
   if (p->sorted)
      return true;
   p->sorted = malloc((p->num_objects + 1) * sizeof *p->sorted);
   p->num_sorted = 0;
   for (uint64_t i = 0; p->sorted && i < p->num_objects; i++) {
      if (p->objects[i].kind == CAP_BO && p->objects[i].u.bo.bo)
         p->sorted[p->num_sorted++] = &p->objects[i].u.bo;
   }
   if (p->sorted)
      qsort(p->sorted, p->num_sorted, sizeof *p->sorted, compare_bos);
   return p->sorted != NULL;
}

struct cap_bo *
cap_player_find(struct cap_player *p, uint64_t address, uint64_t size)
{
   if (!sort_bos(p))
      return NULL;

   uint64_t lo = 0, hi = p->num_sorted;
   while (lo < hi) {
      const uint64_t mid = (lo + hi) / 2;
      if (p->sorted[mid]->address <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo == 0)
      return NULL;
   struct cap_bo *b = p->sorted[lo - 1];
   const uint64_t offset = address - b->address;
   return offset < b->size && size <= b->size - offset ? b : NULL;
}

void *
cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size)
{
   const struct cap_bo *b = cap_player_find(p, address, size);
   return b ? (uint8_t *)sgpu_bo_map(b->bo) + (address - b->address) : NULL;
}

bool
cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size)
{
   const struct cap_bo *b = cap_player_find(p, address, 0);
   if (!b)
      return false;
   snprintf(text, size, "%s#%" PRIu32 "+0x%" PRIx64, b->label, b->ordinal, address - b->address);
   return true;
}

const uint32_t *
cap_player_stream(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_submit *s = &rec->u.submit;

   for (uint32_t i = 0; i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(p, rec->bos[i]);
      if (!b) {
         fail(p, "its list names a buffer that is not there");
         return NULL;
      }
      const uint64_t offset = s->address - b->address;
      if (s->address % 4 || s->words > MAX_STREAM_WORDS || s->address < b->address ||
          offset >= b->size || (uint64_t)s->words * 4 > b->size - offset)
         continue;
      const uint32_t *words = (const uint32_t *)((uint8_t *)sgpu_bo_map(b->bo) + offset);
      const char *why = sgcap_check_stream(p->reader, words, s->words);
      if (why) {
         fail(p, why);
         return NULL;
      }
      return words;
   }
   fail(p, "the stream is in no buffer of its list");
   return NULL;
}

bool
cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno)
{
   struct cap_queue *q = cap_player_queue(p, rec->u.submit.queue);

   if (!q || rec->u.submit.seqno != q->num_seqnos + 1)
      return fail(p, "there is no such queue, or its number is not the next one");
   if (q->num_seqnos == q->max_seqnos) {
      const uint64_t n = q->max_seqnos ? q->max_seqnos * 2 : 256;
      uint64_t *s = realloc(q->seqnos, n * sizeof *s);
      if (!s)
         return fail(p, "out of memory");
      q->seqnos = s;
      q->max_seqnos = n;
   }
   q->seqnos[q->num_seqnos++] = seqno;
   return true;
}

/* Its buffers and fences on this device. */
static bool
submit(struct cap_player *p, const struct sgcap_record *rec, uint64_t address, uint32_t words,
       struct sgpu_bo *const *extra, unsigned num_extra, uint64_t *seqno)
{
   const struct sgcap_submit *s = &rec->u.submit;
   struct cap_queue *q = cap_player_queue(p, s->queue);
   if (!q)
      return fail(p, "there is no such queue");

   struct sgpu_bo **bos = malloc((s->num_bos + num_extra + 1) * sizeof *bos);
   struct sgpu_fence *waits = malloc((s->num_waits + 1) * sizeof *waits);
   bool ok = bos && waits;
   unsigned num_bos = 0, num_waits = 0;
   if (!ok)
      fail(p, "out of memory");
   for (uint32_t i = 0; ok && i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(p, rec->bos[i]);
      ok = b || fail(p, "its list names a buffer that is not there");
      if (ok)
         bos[num_bos++] = b->bo;
   }
   for (unsigned i = 0; ok && i < num_extra; i++)
      bos[num_bos++] = extra[i];
   for (uint32_t i = 0; ok && i < s->num_waits; i++) {
      const struct sgcap_fence *f = &rec->waits[i];
      const struct cap_object *o = find_object(p, f->queue, CAP_QUEUE);
      /* Fences of a queue that is gone have passed. */
      if (o && !o->u.queue.queue)
         continue;
      ok = (o && f->seqno && f->seqno <= o->u.queue.num_seqnos) ||
           fail(p, "it waits for what was not submitted");
      if (ok)
         waits[num_waits++] = (struct sgpu_fence){ o->u.queue.queue,
                                                   o->u.queue.seqnos[f->seqno - 1] };
   }
   if (ok) {
      const int ret = sgpu_queue_submit(q->queue, &(struct sgpu_submit){
         .address = address, .words = words, .bos = bos, .num_bos = num_bos,
         .waits = waits, .num_waits = num_waits,
      }, seqno);
      ok = ret == 0 || fail(p, "the device does not take the submission");
   }
   free(bos);
   free(waits);
   return ok;
}

bool
cap_player_submit(struct cap_player *p, const struct sgcap_record *rec)
{
   uint64_t seqno;

   return cap_player_stream(p, rec) &&
          submit(p, rec, rec->u.submit.address, rec->u.submit.words, NULL, 0, &seqno) &&
          cap_player_submitted(p, rec, seqno);
}

bool
cap_player_submit_extra(struct cap_player *p, const struct sgcap_record *rec,
                        const uint32_t *words, uint32_t count,
                        struct sgpu_bo *const *extra, unsigned num_extra)
{
   struct sgpu_bo *bos[4];
   uint64_t seqno;
   struct sgpu_bo *scratch = cap_player_scratch(p, (uint64_t)count * 4 + 64);
   if (!scratch)
      return false;

   assert(num_extra < 4);
   if (num_extra)
      memcpy(bos, extra, num_extra * sizeof *bos);
   bos[num_extra] = scratch;
   memcpy(sgpu_bo_map(scratch), words, (size_t)count * 4);
   if (!submit(p, rec, sgpu_bo_address(scratch), count, bos, num_extra + 1, &seqno))
      return false;
   sgpu_queue_wait(cap_player_queue(p, rec->u.submit.queue)->queue, seqno, UINT64_MAX);
   return true;
}

bool
cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                        const uint32_t *words, uint32_t count, struct sgpu_bo *extra)
{
   return cap_player_submit_extra(p, rec, words, count, &extra, extra != NULL);
}

bool
cap_player_finish(struct cap_player *p, const struct sgcap_record *rec)
{
   wait_all(p);
   for (uint64_t i = 0; i < p->num_objects; i++) {
      const char *message;
      struct cap_queue *q = &p->objects[i].u.queue;
      if (p->objects[i].kind == CAP_QUEUE && q->queue &&
          sgpu_queue_reset_status(q->queue, &message) != SGPU_RESET_NONE) {
         sgcap_fail(p->reader, "the device has stopped queue %" PRIu32 ": %s", q->ordinal,
                    message ? message : "no message");
         return false;
      }
   }
   return true;
}

struct sgpu_bo *
cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label)
{
   const uint64_t space = sgpu_device_get_param(p->dev, SGPU_PARAM_MEMORY_SIZE);
   const uint64_t step = (size + 0xffff) & ~UINT64_C(0xffff);
   struct sgpu_bo *bo;

   for (uint64_t below = space; step && below / 2 > step; below -= step) {
      const int ret = sgpu_bo_create_at(p->dev, below - step, size, label, &bo);
      if (ret == 0)
         return bo;
      if (ret != -EBUSY)
         break;
   }
   return NULL;
}

struct sgpu_bo *
cap_player_scratch(struct cap_player *p, uint64_t size)
{
   if (p->scratch)
      sgpu_bo_wait(p->scratch, UINT64_MAX);
   if (p->scratch && p->scratch_size >= size)
      return p->scratch;
   if (p->scratch)
      sgpu_bo_destroy(p->scratch);

   p->scratch_size = (size + 0xfffff) & ~UINT64_C(0xfffff);
   p->scratch = cap_player_own_bo(p, p->scratch_size, "scratch");
   if (!p->scratch)
      fail(p, "no memory for the tool's own streams");
   return p->scratch;
}

const uint8_t *
cap_player_picture(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_present *s = &rec->u.present;
   struct cap_bo *b = cap_player_bo(p, s->bo);
   const uint64_t row = (uint64_t)s->width * s->pixel_bytes;

   if (!b) {
      fail(p, "there is no such buffer");
      return NULL;
   }
   if (s->width == 0 || s->height == 0 || s->pixel_bytes == 0 || s->pixel_bytes > 16 ||
       s->width > 16384 || s->height > 16384 || row > s->pitch || s->offset > b->size ||
       (uint64_t)(s->height - 1) * s->pitch + row > b->size - s->offset) {
      fail(p, "the picture is outside of its buffer");
      return NULL;
   }
   if (p->executes)
      sgpu_bo_wait(b->bo, UINT64_MAX);
   return (const uint8_t *)sgpu_bo_map(b->bo) + s->offset;
}

uint64_t
cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows)
{
   const struct sgcap_present *s = &rec->u.present;
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   for (uint32_t y = 0; y < s->height; y++)
      XXH64_update(&state, rows + (uint64_t)y * s->pitch, (size_t)s->width * s->pixel_bytes);
   return XXH64_digest(&state);
}
