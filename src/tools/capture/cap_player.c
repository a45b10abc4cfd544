/* SPDX-License-Identifier: MIT */
/* Executes the records of a capture, and checks their IDs, sizes and addresses against earlier
 * records.
 */
#include "cap_player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_printable.h"

/* Limits that protect against damaged files: number of objects, number of live queues, and total
 * size of all buffers in bytes.
 */
#define MAX_OBJECTS (UINT64_C(1) << 22)
#define MAX_QUEUES 1024u
#define MAX_BYTES (UINT64_C(1) << 36)
/* Ranges of at least this size in bytes are zeroed by returning their pages to the system. */
#define ZERO_PAGES (UINT64_C(64) << 10)

bool
cap_player_fail(struct cap_player *p, const char *text)
{
   sgcap_fail(p->reader, "%s", text);
   return false;
}

/* Returns the limit for the total size of all buffers in bytes, which is at most the size of the
 * machine's memory.
 */
static uint64_t
memory_limit(void)
{
   const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
   const uint64_t there = pages > 0 && bytes > 0 ? (uint64_t)pages * bytes : MAX_BYTES;

   return there < MAX_BYTES ? there : MAX_BYTES;
}

static bool
open_device(struct cap_player *p, const struct sgpu_device_params *params, bool executes)
{
   p->executes = executes;
   p->max_bytes = memory_limit();
   int ret = sgpu_device_create(params, &p->dev);
   if (ret == 0 && executes)
      ret = sgpu_queue_create(p->dev, &p->queue);
   if (ret)
      fprintf(stderr, "sgpu: no device: %s\n", strerror(-ret));
   return ret == 0;
}

bool
cap_player_open(struct cap_player *p, const char *path, const struct sgpu_device_params *params,
                bool executes)
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
   p->num_objects = p->num_bos = p->num_queues = p->live_queues = 0;
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

struct cap_object *
cap_player_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind)
{
   if (id == 0 || id > p->num_objects || p->objects[id - 1].kind != kind)
      return NULL;
   return &p->objects[id - 1];
}

struct cap_bo *
cap_player_bo(struct cap_player *p, uint64_t id)
{
   struct cap_object *o = cap_player_object(p, id, CAP_BO);
   return o && o->u.bo.bo ? &o->u.bo : NULL;
}

struct cap_queue *
cap_player_queue(struct cap_player *p, uint64_t id)
{
   struct cap_object *o = cap_player_object(p, id, CAP_QUEUE);
   return o && o->u.queue.queue ? &o->u.queue : NULL;
}

static struct cap_object *
add_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind)
{
   if (id != p->num_objects + 1 || id > MAX_OBJECTS) {
      cap_player_fail(p, "its id is not the next one");
      return NULL;
   }
   if (p->num_objects == p->max_objects) {
      const uint64_t n = p->max_objects ? p->max_objects * 2 : 64;
      struct cap_object *o = realloc(p->objects, n * sizeof *o);
      if (!o) {
         cap_player_fail(p, "out of memory");
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

void
cap_player_wait(struct cap_player *p)
{
   for (uint64_t i = 0; i < p->num_objects; i++) {
      struct cap_queue *q = &p->objects[i].u.queue;
      if (p->objects[i].kind == CAP_QUEUE && q->queue && q->num_seqnos)
         sgpu_queue_wait(q->queue, q->seqnos[q->num_seqnos - 1], UINT64_MAX);
   }
}

static bool
create_bo(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_bo_create *c = &rec->u.bo_create;
   struct cap_object *o = add_object(p, c->id, CAP_BO);
   if (!o)
      return false;

   struct cap_bo *b = &o->u.bo;
   if (c->size > p->max_bytes - p->bytes) {
      sgcap_fail(p->reader,
                 "with %" PRIu64 " bytes the buffers have %" PRIu64 " bytes, more than the %" PRIu64
                 " of this machine or of captures",
                 c->size, c->size + p->bytes, p->max_bytes);
      return false;
   }
   sgpu_printable(b->label, sizeof b->label, rec->text);
   int ret = sgpu_bo_create_at(p->dev, c->address, c->size, b->label, &b->bo);
   if (ret == -EBUSY && p->executes) {
      /* A destroyed buffer at this address stays alive while a submission uses it. Wait for all
       * submissions, and try again.
       */
      cap_player_wait(p);
      ret = sgpu_bo_create_at(p->dev, c->address, c->size, b->label, &b->bo);
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
   return true;
}

/* Zeroes private anonymous memory. Large ranges use MADV_DONTNEED, which replaces the pages by zero
 * pages.
 */
static void
set_zero(uint8_t *to, uint64_t size)
{
   const uintptr_t page = sysconf(_SC_PAGESIZE);
   const uintptr_t first = ((uintptr_t)to + page - 1) / page * page;
   const uintptr_t end = ((uintptr_t)to + size) / page * page;

   if (size < ZERO_PAGES || madvise((void *)first, end - first, MADV_DONTNEED)) {
      memset(to, 0, size);
      return;
   }
   memset(to, 0, first - (uintptr_t)to);
   memset((void *)end, 0, (uintptr_t)to + size - end);
}

static bool
write_bo(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_data *d = &rec->u.data;
   struct cap_bo *b = cap_player_bo(p, d->id);

   if (!b)
      return cap_player_fail(p, "no such buffer");
   if (d->offset > b->size || d->size > b->size - d->offset)
      return cap_player_fail(p, "it is outside its buffer");
   uint8_t *to = (uint8_t *)sgpu_bo_map(b->bo) + d->offset;
   b->written = true;
   if (rec->type == SGCAP_ZERO)
      set_zero(to, d->size);
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

/* Executes a QUERY record, which begins a query that was already open when the capture began. */
static bool
open_query(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_query *query = &rec->u.query;
   struct cap_queue *q = cap_player_queue(p, query->queue);

   if (!q || q->num_seqnos)
      return cap_player_fail(p, "no such queue, or it was already used");
   if (query->slot > 63 || !is_query_type(query->type))
      return cap_player_fail(p, "no such query");
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
   sgpu_pack(words + SGPU_BEGIN_QUERY_LENGTH, END, cfg)
      ;
   uint64_t seqno;
   if (sgpu_queue_submit(q->queue,
                         &(struct sgpu_submit){
                            .address = sgpu_bo_address(scratch),
                            .words = SGPU_BEGIN_QUERY_LENGTH + SGPU_END_LENGTH,
                            .bos = &scratch,
                            .num_bos = 1,
                         },
                         &seqno))
      return cap_player_fail(p, "the device refuses it");
   sgpu_queue_wait(q->queue, seqno, UINT64_MAX);
   return true;
}

static bool
wait_fence(struct cap_player *p, const struct sgcap_fence *f)
{
   struct cap_queue *q = cap_player_queue(p, f->queue);

   if (!q || f->seqno > q->num_seqnos)
      return cap_player_fail(p, "the fence was not submitted");
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
      sgpu_printable(p->program, sizeof p->program, rec->text);
      return true;
   case SGCAP_BO_CREATE:
      return create_bo(p, rec);
   case SGCAP_BO_DESTROY:
      b = cap_player_bo(p, rec->u.id.id);
      if (!b)
         return cap_player_fail(p, "no such buffer");
      sgpu_bo_destroy(b->bo);
      b->bo = NULL;
      p->bytes -= b->size;
      free(p->sorted);
      p->sorted = NULL;
      return true;
   case SGCAP_BO_LABEL:
      b = cap_player_bo(p, rec->u.bo_label.id);
      if (!b)
         return cap_player_fail(p, "no such buffer");
      sgpu_printable(b->label, sizeof b->label, rec->text);
      return true;
   case SGCAP_DATA:
   case SGCAP_ZERO:
      return write_bo(p, rec);
   case SGCAP_QUEUE_CREATE:
      if (p->live_queues == MAX_QUEUES)
         return cap_player_fail(p, "there are more queues than any program has");
      o = add_object(p, rec->u.id.id, CAP_QUEUE);
      if (!o)
         return false;
      o->u.queue.id = rec->u.id.id;
      o->u.queue.ordinal = p->num_queues++;
      if (sgpu_queue_create(p->dev, &o->u.queue.queue))
         return cap_player_fail(p, "cannot create a queue");
      p->live_queues++;
      return true;
   case SGCAP_QUEUE_DESTROY:
      if (!cap_player_queue(p, rec->u.id.id))
         return cap_player_fail(p, "no such queue");
      close_queue(cap_player_queue(p, rec->u.id.id));
      p->live_queues--;
      return true;
   case SGCAP_QUERY:
      return open_query(p, rec);
   case SGCAP_WAIT:
      return wait_fence(p, &rec->u.wait);
   case SGCAP_BO_IDLE:
      b = cap_player_bo(p, rec->u.id.id);
      if (!b)
         return cap_player_fail(p, "no such buffer");
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
