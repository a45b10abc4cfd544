/* SPDX-License-Identifier: MIT */
/*
 * The capture layer without a driver. It finds the CPU's writes while the device works, and does
 * not store the device's writes. A replay has the same memory at each presentation, with any number
 * of threads and any policy.
 *
 * usage: test_layer FILE.sgcap     (written and removed)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cap_player.h"
#include "sgcap_reader.h"
#include "sgpu_layer.h"
#include "sgpu_packets.h"

#define REQUIRE(holds)                                               \
   do {                                                              \
      if (!(holds)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
         exit(1);                                                    \
      }                                                              \
   } while (0)

#define KIB 1024u
#define STREAM_WORDS 4096

static struct sgpu_device *dev;
/* Copies of the presented memory, for comparison with a replay. */
static uint8_t pictures[8][64 * KIB];
static unsigned num_pictures;
/* The first two queues get work. Each of the others has an open query. */
#define NUM_QUEUES 10
static struct sgpu_queue *queues[NUM_QUEUES];

static struct sgpu_bo *
new_bo(uint64_t size, const char *label)
{
   struct sgpu_bo *bo;
   REQUIRE(!sgpu_layer_bo_create(dev, size, label, &bo));
   return bo;
}

/* A stream in a separate buffer, as the winsys makes it. */
struct stream {
   struct sgpu_bo *bo;
   uint32_t *words, count;
   struct sgpu_bo *bos[16];
   unsigned num_bos;
   struct sgpu_bo_range writes[16];
   unsigned num_writes;
   struct sgpu_fence waits[2];
   unsigned num_waits;
};

static void
begin(struct stream *s)
{
   memset(s, 0, sizeof *s);
   s->bo = new_bo(STREAM_WORDS * 4, "stream");
   s->words = sgpu_bo_map(s->bo);
   s->bos[s->num_bos++] = s->bo;
}

static void
use(struct stream *s, struct sgpu_bo *bo)
{
   for (unsigned i = 0; i < s->num_bos; i++) {
      if (s->bos[i] == bo)
         return;
   }
   s->bos[s->num_bos++] = bo;
}

static void
writes(struct stream *s, struct sgpu_bo *bo, uint64_t offset, uint64_t size)
{
   use(s, bo);
   s->writes[s->num_writes++] = (struct sgpu_bo_range){ bo, offset, size };
}

static void
copy(struct stream *s, struct sgpu_bo *dst, uint64_t dst_offset, struct sgpu_bo *src,
     uint64_t src_offset, uint64_t size)
{
   sgpu_pack(s->words + s->count, COPY_BUFFER, cfg) {
      cfg.source = sgpu_bo_address(src) + src_offset;
      cfg.destination = sgpu_bo_address(dst) + dst_offset;
      cfg.size = size;
   }
   s->count += SGPU_COPY_BUFFER_LENGTH;
   use(s, src);
   use(s, dst);
}

static void
fill(struct stream *s, struct sgpu_bo *dst, uint64_t offset, uint64_t size, uint32_t pattern)
{
   sgpu_pack(s->words + s->count, FILL_BUFFER, cfg) {
      cfg.destination = sgpu_bo_address(dst) + offset;
      cfg.size = size;
      cfg.pattern_size = 4;
      cfg.pattern_0 = pattern;
   }
   s->count += SGPU_FILL_BUFFER_LENGTH;
   use(s, dst);
}

static uint64_t
submit(struct stream *s, struct sgpu_queue *queue)
{
   uint64_t seqno;

   sgpu_pack(s->words + s->count, END, cfg)
      ;
   s->count += SGPU_END_LENGTH;
   REQUIRE(s->count <= STREAM_WORDS);
   REQUIRE(!sgpu_layer_queue_submit(queue,
                                    &(struct sgpu_submit){
                                       .address = sgpu_bo_address(s->bo),
                                       .words = s->count,
                                       .bos = s->bos,
                                       .num_bos = s->num_bos,
                                       .waits = s->waits,
                                       .num_waits = s->num_waits,
                                       .writes = s->writes,
                                       .num_writes = s->num_writes,
                                    },
                                    &seqno));
   sgpu_layer_bo_destroy(s->bo);
   return seqno;
}

/* Presents all of a buffer as a picture. */
static void
present(struct sgpu_bo *bo)
{
   REQUIRE(!sgpu_layer_bo_wait(bo, UINT64_MAX));
   const uint32_t width = 1024, height = sgpu_bo_size(bo) / width;
   memcpy(pictures[num_pictures++], sgpu_bo_map(bo), sgpu_bo_size(bo));
   sgpu_layer_present(&(struct sgpu_presentation){
      .bo = bo,
      .pitch = width,
      .width = width,
      .height = height,
      .pixel_bytes = 1,
      .format = SGPU_FORMAT_R8_UNORM,
   });
}

static void
scribble(struct sgpu_bo *bo, uint64_t offset, uint64_t size, uint32_t seed)
{
   uint32_t *to = (uint32_t *)((uint8_t *)sgpu_bo_map(bo) + offset);
   for (uint64_t i = 0; i < size / 4; i++)
      to[i] = seed = seed * 1664525 + 1013904223;
}

/* Does the work of a frame. `n` makes frames differ. */
static void
frame(struct sgpu_bo *out, struct sgpu_bo *mixed, struct sgpu_bo *big, unsigned n)
{
   struct stream s;
   uint64_t seqno;

   /* The CPU writes to the source again after the copy has ended. */
   struct sgpu_bo *source = new_bo(16 * KIB, "source");
   scribble(source, 0, 16 * KIB, n);
   begin(&s);
   copy(&s, out, 0, source, 0, 16 * KIB);
   writes(&s, out, 0, 16 * KIB);
   seqno = submit(&s, queues[0]);
   REQUIRE(!sgpu_layer_queue_wait(queues[0], seqno, UINT64_MAX));
   scribble(source, 64, 128, n + 77);
   begin(&s);
   copy(&s, out, 16 * KIB, source, 0, 16 * KIB);
   writes(&s, out, 16 * KIB, 16 * KIB);
   submit(&s, queues[0]);
   sgpu_layer_bo_destroy(source);

   /* A new buffer soon reuses the addresses. */
   struct sgpu_bo *again = new_bo(16 * KIB, "again");
   scribble(again, 4 * KIB, KIB, n + 5);

   /* After much other work, the device writes the first half of a buffer, while the CPU writes the
    * second half without a wait.
    */
   begin(&s);
   for (unsigned i = 0; i < 20; i++)
      fill(&s, big, 0, sgpu_bo_size(big), n * 100 + i);
   copy(&s, mixed, 0, again, 0, 8 * KIB);
   writes(&s, big, 0, sgpu_bo_size(big));
   writes(&s, mixed, 0, 8 * KIB);
   submit(&s, queues[0]);
   scribble(mixed, 8 * KIB, 4 * KIB, n + 9);
   begin(&s);
   copy(&s, out, 32 * KIB, mixed, 0, 12 * KIB);
   writes(&s, out, 32 * KIB, 16 * KIB);
   seqno = submit(&s, queues[0]);

   /* The other queue changes results of this queue. */
   begin(&s);
   s.waits[s.num_waits++] = (struct sgpu_fence){ queues[0], seqno };
   fill(&s, out, 32 * KIB + 256, 512, 0xabcd0000 + n);
   writes(&s, out, 32 * KIB, 16 * KIB);
   const uint64_t other = submit(&s, queues[1]);

   /* Submissions declare that they write all of a buffer. The CPU writes bytes of it that they do
    * not change.
    */
   sgpu_layer_bo_race(mixed, 12 * KIB, 4 * KIB, true);
   begin(&s);
   fill(&s, mixed, 0, 4 * KIB, n);
   writes(&s, mixed, 0, 16 * KIB);
   submit(&s, queues[0]);
   scribble(mixed, 12 * KIB, 2 * KIB, n + 13);
   begin(&s);
   s.waits[s.num_waits++] = (struct sgpu_fence){ queues[1], other };
   copy(&s, out, 48 * KIB, mixed, 0, 16 * KIB);
   writes(&s, out, 48 * KIB, 16 * KIB);
   submit(&s, queues[0]);
   sgpu_layer_bo_race(mixed, 12 * KIB, 4 * KIB, false);
   sgpu_layer_bo_destroy(again);
   present(out);
}

/* Reused storage: the CPU clears a part of it, and later writes to it. If `used` is true, the capture
 * already has a submission that reads the earlier contents. Copies the contents to `out`, from byte
 * `at` on.
 */
static void
reuse(struct sgpu_bo *out, uint64_t at, struct sgpu_bo *texture, bool used)
{
   struct stream s;

   if (used) {
      begin(&s);
      copy(&s, out, at + 24 * KIB, texture, 0, 8 * KIB);
      writes(&s, out, at + 24 * KIB, 8 * KIB);
      submit(&s, queues[0]);
   }
   REQUIRE(!sgpu_layer_bo_wait(texture, UINT64_MAX));
   sgpu_layer_bo_reuse(texture, "texture", true, 4 * KIB);
   memset(sgpu_bo_map(texture), 0, 4 * KIB);
   begin(&s);
   copy(&s, out, at, texture, 0, 8 * KIB);
   fill(&s, texture, KIB, KIB, 0x11223344);
   copy(&s, out, at + 8 * KIB, texture, 0, 8 * KIB);
   writes(&s, out, at, 16 * KIB);
   writes(&s, texture, 0, 8 * KIB);
   submit(&s, queues[0]);
   REQUIRE(!sgpu_layer_bo_wait(texture, UINT64_MAX));
   sgpu_layer_bo_reuse(texture, "staging", false, 0);
   scribble(texture, 6 * KIB, KIB, 3);
   begin(&s);
   copy(&s, out, at + 16 * KIB, texture, 0, 8 * KIB);
   writes(&s, out, at + 16 * KIB, 8 * KIB);
   submit(&s, queues[0]);
}

static void
record(const char *path)
{
   struct sgpu_device_params params;
   char value[4200];
   struct stream s;

   unlink(path);
   /* The capture begins with the second frame and includes the memory that the first frame has
    * left.
    */
   snprintf(value, sizeof value, "%s,frames=1-3", path);
   setenv("SGPU_CAPTURE", value, 1);
   REQUIRE(sgpu_device_params_from_env(&params));
   params.threads = 2;
   params.dispatch = SGPU_DISPATCH_OOO_SPLIT;
   REQUIRE(!sgpu_layer_device_create(&params, &dev));
   REQUIRE(sgpu_layer_on);
   for (unsigned i = 0; i < NUM_QUEUES; i++)
      REQUIRE(!sgpu_layer_queue_create(dev, &queues[i]));

   struct sgpu_bo *out = new_bo(64 * KIB, "out"), *mixed = new_bo(16 * KIB, "mixed");
   struct sgpu_bo *big = new_bo(4096 * KIB, "big"), *results = new_bo(4 * KIB, "query");
   struct sgpu_bo *texture[2];
   for (unsigned i = 0; i < 2; i++) {
      texture[i] = new_bo(8 * KIB, "texture");
      scribble(texture[i], 0, 8 * KIB, 1 + i);
   }

   /* Queries that are open when the capture begins, and end in it. */
   for (unsigned i = 0; i < NUM_QUEUES; i++) {
      begin(&s);
      sgpu_pack(s.words, BEGIN_QUERY, cfg) {
         cfg.type = SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;
         cfg.slot = 5 + i;
      }
      s.count = SGPU_BEGIN_QUERY_LENGTH;
      submit(&s, queues[i]);
   }
   frame(out, mixed, big, 0);
   frame(out, mixed, big, 1);
   begin(&s);
   sgpu_pack(s.words, END_QUERY, cfg) {
      cfg.type = SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;
      cfg.slot = 5;
      cfg.address = sgpu_bo_address(results);
   }
   s.count = SGPU_END_QUERY_LENGTH;
   writes(&s, results, 0, 8);
   submit(&s, queues[0]);
   for (unsigned i = 0; i < 2; i++)
      reuse(out, i * 32 * KIB, texture[i], i == 1);
   present(out);
   frame(out, mixed, big, 3);
   frame(out, mixed, big, 4);

   for (unsigned i = 0; i < NUM_QUEUES; i++) {
      struct sgpu_queue_error error;
      REQUIRE(!sgpu_queue_take_error(queues[i], &error));
      sgpu_layer_queue_destroy(queues[i]);
   }
   sgpu_layer_bo_destroy(out);
   sgpu_layer_bo_destroy(mixed);
   sgpu_layer_bo_destroy(big);
   sgpu_layer_bo_destroy(texture[0]);
   sgpu_layer_bo_destroy(texture[1]);
   sgpu_layer_bo_destroy(results);
   sgpu_layer_device_destroy(dev);
}

/* A replay writes data at once, while earlier submissions may still run. So before data, the capture
 * must have a wait for each submission that writes the same bytes.
 */
static void
check_waits(const char *path)
{
   /* ranges of submissions without a wait so far */
   struct {
      struct sgcap_range range;
      struct sgcap_fence fence;
   } running[64];
   char error[512];
   struct sgcap_reader *r = sgcap_open(path, error, sizeof error);
   struct sgcap_record rec;
   unsigned num = 0, waits = 0;

   REQUIRE(r);
   while (sgcap_next(r, &rec)) {
      const struct sgcap_submit *s = &rec.u.submit;
      for (uint32_t i = 0; rec.type == SGCAP_SUBMIT && i < s->num_writes; i++) {
         REQUIRE(num < sizeof running / sizeof *running);
         running[num].range = rec.writes[i];
         running[num++].fence = (struct sgcap_fence){ s->queue, s->seqno };
      }
      for (unsigned i = 0; i < num;) {
         const struct sgcap_range *w = &running[i].range;
         const struct sgcap_fence *f = &running[i].fence;
         const struct sgcap_data *d = &rec.u.data;
         if (rec.type == SGCAP_DATA || rec.type == SGCAP_ZERO)
            REQUIRE(d->id != w->bo || d->offset + d->size <= w->offset ||
                    w->offset + w->size <= d->offset);
         const bool ended = (rec.type == SGCAP_WAIT && rec.u.wait.queue == f->queue &&
                             rec.u.wait.seqno >= f->seqno) ||
                            (rec.type == SGCAP_BO_IDLE && rec.u.id.id == w->bo);
         waits += ended;
         if (ended)
            running[i] = running[--num];
         else
            i++;
      }
   }
   REQUIRE(!sgcap_error(r));
   REQUIRE(waits > 0);
   sgcap_close(r);
}

/* Checks that the capture stores only the first contents of buffers and the CPU's writes. */
static void
check_contents(const char *path)
{
   char error[512];
   struct sgcap_reader *r = sgcap_open(path, error, sizeof error);
   struct sgcap_record rec;
   uint64_t ids[2] = { 0, 0 }, stored[2] = { 0, 0 };
   unsigned frames = 0, queries = 0;

   REQUIRE(r);
   while (sgcap_next(r, &rec)) {
      /* In every run, queues come in the order of their creation. */
      if (rec.type == SGCAP_QUERY) {
         REQUIRE(rec.u.query.queue == ++queries);
         REQUIRE(rec.u.query.slot == 4 + queries);
      }
      if (rec.type == SGCAP_BO_CREATE && !strcmp(rec.text, "big"))
         ids[0] = rec.u.bo_create.id;
      if (rec.type == SGCAP_BO_CREATE && !strcmp(rec.text, "out"))
         ids[1] = rec.u.bo_create.id;
      for (unsigned i = 0; i < 2; i++) {
         if (rec.type == SGCAP_DATA && rec.u.data.id == ids[i])
            stored[i] += rec.u.data.size;
      }
      if (rec.type == SGCAP_PRESENT)
         REQUIRE(rec.u.present.frame == ++frames);
   }
   REQUIRE(!sgcap_error(r));
   REQUIRE(frames == 3);
   REQUIRE(queries == NUM_QUEUES);
   /* Contents that the previous frame has left are stored once. Only the device writes to `out`. */
   REQUIRE(stored[0] <= 4096 * KIB);
   REQUIRE(stored[1] <= 64 * KIB);
   sgcap_close(r);
}

static void
replay(const char *path, unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle)
{
   struct sgpu_device_params params = {
      .threads = threads,
      .dispatch = policy,
      .host = SGPU_HOST_BEST,
      .shuffle_seed = shuffle,
   };
   struct cap_player p;
   struct sgcap_record rec;
   unsigned n = 0;

   REQUIRE(cap_player_open(&p, path, &params, true));
   while (cap_player_next(&p, &rec)) {
      if (rec.type == SGCAP_SUBMIT)
         REQUIRE(cap_player_submit(&p, &rec));
      if (rec.type == SGCAP_PRESENT) {
         const uint8_t *rows = cap_player_picture(&p, &rec);
         REQUIRE(rows);
         n++;
         for (unsigned i = 0; i < sizeof pictures[0]; i++) {
            if (rows[i] != pictures[n][i]) {
               fprintf(stderr, "picture %u, byte 0x%x: 0x%02x, at capture 0x%02x\n", n, i, rows[i],
                       pictures[n][i]);
               exit(1);
            }
         }
         REQUIRE(cap_player_hash(&rec, rows) == rec.u.present.hash);
      }
   }
   REQUIRE(cap_player_finish(&p, &rec));
   if (sgcap_error(p.reader))
      fprintf(stderr, "%s\n", sgcap_error(p.reader));
   REQUIRE(!sgcap_error(p.reader));
   REQUIRE(n == 3);
   cap_player_close(&p);
}

int
main(int argc, char **argv)
{
   char path[4096];

   if (argc != 2) {
      fprintf(stderr, "usage: %s FILE.sgcap\n", argv[0]);
      return 2;
   }
   /* Processes that run at the same time need different files. */
   snprintf(path, sizeof path, "%s.%d", argv[1], (int)getpid());
   record(path);
   check_contents(path);
   check_waits(path);
   unsetenv("SGPU_CAPTURE");
   replay(path, 1, SGPU_DISPATCH_INORDER, 0);
   replay(path, 1, SGPU_DISPATCH_OOO, 0);
   replay(path, 2, SGPU_DISPATCH_OOO_SPLIT, 0);
   for (uint64_t seed = 1; seed < 20; seed++)
      replay(path, 2, SGPU_DISPATCH_OOO_SPLIT, seed);
   if (!getenv("KEEP"))
      unlink(path);
   puts("ok");
   return 0;
}
