/* SPDX-License-Identifier: MIT */
/* Pass 1 of --sample: parses the capture without running it.  The work of each frame is determined
 * from its packets.  The contents that a frame needs from earlier frames are determined from the
 * buffer lists of its submissions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "sgpu_packets.h"
#include "sgpu_packets_unpack.h"
#include "trace/sgt_array.h"
#include "trace/sgt_hash.h"
#include "sim_sample.h"
#include "util/macros.h"

/* Number of shader stages in SHADER packets. */
#define STAGES 6

/* Cost of an operation, not including its vertices, in units of the cost of a vertex. */
#define OPERATION_WORK 64

struct scanner {
   struct sim_scan *scan;
   struct cap_player player;
   uint64_t max_frames, max_submissions, num_names, max_names, num_writes, max_writes, max_work;
   uint64_t kinds[SIM_SCAN_KINDS]; /* hash of each kind of work, indexed by kind */
   /* State of the current command stream. */
   uint64_t programs[STAGES];
   uint32_t width, height; /* size of the targets in pixels */
   bool partial;           /* see sim_scan_submission::partial */
};

/* Returns the index for a kind of work.  If there are too many kinds, some of them share an index.
 */
static uint32_t
kind_of(struct scanner *s, uint64_t hash)
{
   for (uint32_t i = 0; i < s->scan->num_kinds; i++) {
      if (s->kinds[i] == hash)
         return i;
   }
   if (s->scan->num_kinds == SIM_SCAN_KINDS)
      return hash % SIM_SCAN_KINDS;
   s->kinds[s->scan->num_kinds] = hash;
   return s->scan->num_kinds++;
}

static void
add_work(struct scanner *s, const uint64_t *key, unsigned num, uint64_t amount)
{
   const uint32_t kind = kind_of(s, XXH64(key, num * sizeof *key, 0));
   uint32_t *work = &s->scan->work[(s->scan->num_frames - 1) * (uint64_t)SIM_SCAN_KINDS + kind];

   struct sim_scan_frame *frame = &s->scan->frames[s->scan->num_frames - 1];
   amount = amount > UINT32_MAX / 2 ? UINT32_MAX / 2 : amount;
   frame->operations++;
   frame->amount += amount;
   amount += OPERATION_WORK;
   *work = *work > UINT32_MAX - amount ? UINT32_MAX : *work + amount;
}

static void
take_framebuffer(struct scanner *s, const uint32_t *words)
{
   const unsigned surfaces = (sgpu_packet_words(words[0]) - SGPU_FRAMEBUFFER_LENGTH) /
                             SGPU_SURFACE_LENGTH;
   struct SGPU_FRAMEBUFFER fb;
   struct SGPU_SURFACE surface;

   s->width = s->height = 0;
   if (SGPU_FRAMEBUFFER_unpack(words, &fb))
      return;
   s->width = fb.width;
   s->height = fb.height;
   for (unsigned i = 0; i < surfaces; i++) {
      const uint32_t *at = words + SGPU_FRAMEBUFFER_LENGTH + i * SGPU_SURFACE_LENGTH;
      if (!SGPU_SURFACE_unpack(at, &surface) && surface.valid) {
         s->width = surface.width;
         s->height = surface.height;
         return;
      }
   }
}

static void
take_packet(struct scanner *s, uint32_t opcode, const uint32_t *words)
{
   const uint64_t size = (uint64_t)s->width << 32 | s->height;
   const uint64_t area = (uint64_t)s->width * s->height / 64;
   struct SGPU_SHADER shader;
   struct SGPU_DRAW draw;
   struct SGPU_GRID grid;
   uint64_t key[STAGES + 2] = { opcode };

   switch (opcode) {
   case SGPU_PACKET_FRAMEBUFFER:
      take_framebuffer(s, words);
      break;
   case SGPU_PACKET_SHADER:
      if (!SGPU_SHADER_unpack(words, &shader) && shader.stage < STAGES)
         s->programs[shader.stage] = shader.address
                                        ? shader.address ^ (uint64_t)shader.instructions << 44
                                        : 0;
      break;
   case SGPU_PACKET_DRAW:
   case SGPU_PACKET_DRAW_INDIRECT:
      /* Ignore the parameters of indirect draws.  They are unknown, because the device may write
       * them.
       */
      memcpy(key + 1, s->programs, sizeof s->programs);
      key[STAGES + 1] = size;
      const bool direct = opcode == SGPU_PACKET_DRAW && !SGPU_DRAW_unpack(words, &draw);
      add_work(s, key, STAGES + 2, direct ? (uint64_t)draw.count * draw.instances : 0);
      break;
   case SGPU_PACKET_GRID:
      s->partial = true;
      key[1] = s->programs[STAGES - 1];
      if (!SGPU_GRID_unpack(words, &grid))
         add_work(s, key, 2,
                  grid.indirect ? 0
                                : (uint64_t)grid.groups_x * grid.groups_y * grid.groups_z *
                                     grid.group_size_x * grid.group_size_y * grid.group_size_z);
      break;
   case SGPU_PACKET_CLEAR:
      key[1] = size;
      add_work(s, key, 2, area);
      break;
   case SGPU_PACKET_BUFFERS:
   case SGPU_PACKET_IMAGES:
   case SGPU_PACKET_XFB_BUFFERS:
      s->partial = true;
      break;
   default:
      if (sgpu_packet_class(opcode) == SGPU_PACKET_CLASS_WORK) {
         s->partial |= opcode != SGPU_PACKET_CLEAR_SURFACE;
         add_work(s, key, 1, 0);
      }
   }
}

static void
take_stream(struct scanner *s, const uint32_t *words, uint32_t count)
{
   memset(s->programs, 0, sizeof s->programs);
   s->width = s->height = 0;
   s->partial = false;
   for (uint32_t pos = 0; pos < count && !sgpu_packet_check(words + pos, count - pos);) {
      const uint32_t opcode = sgpu_packet_opcode(words[pos]);
      if (opcode == SGPU_PACKET_END)
         return;
      take_packet(s, opcode, words + pos);
      pos += sgpu_packet_words(words[pos]);
   }
}

static bool
take_frame(struct scanner *s)
{
   struct sim_scan *scan = s->scan;

   if (scan->num_frames && scan->frames[scan->num_frames - 1].number == s->player.frame)
      return true;
   if (!sgt_array_reserve(&scan->frames, &s->max_frames, scan->num_frames + UINT64_C(1),
                          sizeof *scan->frames) ||
       !sgt_array_reserve(&scan->work, &s->max_work,
                          (scan->num_frames + UINT64_C(1)) * SIM_SCAN_KINDS, sizeof *scan->work))
      return false;
   memset(scan->work + scan->num_frames * (uint64_t)SIM_SCAN_KINDS, 0,
          SIM_SCAN_KINDS * sizeof *scan->work);
   scan->frames[scan->num_frames++] = (struct sim_scan_frame){
      .number = s->player.frame,
      .first_submission = scan->num_submissions,
   };
   return true;
}

static bool
take_submission(struct scanner *s, const struct sgcap_record *rec)
{
   const struct sgcap_submit *submit = &rec->u.submit;
   struct sim_scan *scan = s->scan;

   const uint32_t *words = cap_player_stream(&s->player, rec);
   if (!words || !cap_player_submitted(&s->player, rec, 0))
      return false;
   if (!take_frame(s) ||
       !sgt_array_reserve(&scan->submissions, &s->max_submissions,
                          scan->num_submissions + UINT64_C(1), sizeof *scan->submissions) ||
       !sgt_array_reserve(&scan->names, &s->max_names, s->num_names + submit->num_bos,
                          sizeof *scan->names) ||
       !sgt_array_reserve(&scan->writes, &s->max_writes, s->num_writes + submit->num_writes,
                          sizeof *scan->writes)) {
      return cap_player_fail(&s->player, "out of memory");
   }
   scan->frames[scan->num_frames - 1].num_submissions++;
   scan->submissions[scan->num_submissions++] = (struct sim_scan_submission){
      .frame = scan->num_frames - 1,
      .first_name = s->num_names,
      .num_names = submit->num_bos,
      .first_write = s->num_writes,
      .num_writes = submit->num_writes,
   };
   for (uint32_t i = 0; i < submit->num_bos; i++) {
      scan->names[s->num_names++] = rec->bos[i];
      scan->num_buffers = rec->bos[i] > scan->num_buffers ? rec->bos[i] : scan->num_buffers;
   }
   for (uint32_t i = 0; i < submit->num_writes; i++) {
      const struct sgcap_range *range = &rec->writes[i];
      scan->writes[s->num_writes++] = (struct sim_scan_range){
         .buffer = range->bo,
         .begin = range->offset,
         .end = range->offset + range->size,
      };
      scan->num_buffers = range->bo > scan->num_buffers ? range->bo : scan->num_buffers;
   }
   take_stream(s, words, submit->words);
   scan->submissions[scan->num_submissions - 1].partial = s->partial;
   return true;
}

/* Adds an extra kind of work to each frame with the same picture as the previous frame, because
 * such frames may draw nothing.
 */
static void
mark_still(struct scanner *s)
{
   struct sim_scan *scan = s->scan;
   const uint64_t key = UINT64_MAX;
   uint32_t kind = SIM_SCAN_KINDS;

   for (uint32_t f = 1; f < scan->num_frames; f++) {
      if (!scan->frames[f].picture || scan->frames[f].picture != scan->frames[f - 1].picture)
         continue;
      if (kind == SIM_SCAN_KINDS)
         kind = kind_of(s, XXH64(&key, sizeof key, 0));
      scan->work[f * (uint64_t)SIM_SCAN_KINDS + kind] |= UINT32_C(1) << 31;
   }
}

bool
sim_scan_create(struct sim_scan *scan, const struct sim_options *o, const char *path)
{
   struct scanner s = { .scan = scan };
   struct sgpu_device_params params;
   struct sgcap_record rec;
   bool ok = true;

   *scan = (struct sim_scan){ 0 };
   if (!sgpu_device_params_from_env(&params))
      return false;
   params.threads = 1;
   if (!cap_player_open(&s.player, path, &params, false))
      return false;
   while (ok && s.player.frame <= o->last_frame && cap_player_next(&s.player, &rec)) {
      if (rec.type == SGCAP_SUBMIT)
         ok = take_submission(&s, &rec);
      else if (rec.type == SGCAP_PRESENT && scan->num_frames)
         scan->frames[scan->num_frames - 1].picture += rec.u.present.hash;
   }
   mark_still(&s);
   const char *error = sgcap_error(s.player.reader);
   if (error)
      fprintf(stderr, "sgpu: %s: %s\n", path, error);
   ok = ok && (!error || sgcap_unclosed(s.player.reader));
   snprintf(scan->program, sizeof scan->program, "%s", s.player.program);
   cap_player_close(&s.player);
   return ok;
}

void
sim_scan_finish(struct sim_scan *scan)
{
   free(scan->frames);
   free(scan->submissions);
   free(scan->names);
   free(scan->writes);
   free(scan->work);
   *scan = (struct sim_scan){ 0 };
}

/* -- memory contents that the wanted frames need -------------------------------------------------
 */

/* Range of bytes in a buffer that earlier submissions need not write.  All bytes are needed if the
 * range is empty.
 */
struct spared {
   uint64_t begin, end;
};

struct needs {
   const struct sim_scan *scan;
   bool all_writers;
   /* for each buffer: range that the submissions in need_names() write; only used in this function
    */
   struct spared *hull;
   struct spared *spared; /* for each buffer: range that no earlier submission needs to write */
   /* for each buffer: range that only partial submissions need to write; includes the range in
    * `spared`
    */
   struct spared *drawn;
};

static void
widen(struct spared *s, const struct sim_scan_range *w)
{
   const bool empty = s->begin >= s->end;

   s->begin = empty ? w->begin : MIN2(s->begin, w->begin);
   s->end = empty ? w->end : MAX2(s->end, w->end);
}

static void
narrow(struct spared *s, const struct spared *by)
{
   s->begin = MAX2(s->begin, by->begin);
   s->end = MIN2(s->end, by->end);
}

/* Updates the needed contents for `num` submissions that run, starting at submission `first`.
 * These submissions need the contents of the buffers in their buffer lists, except for the bytes
 * that they write.  If all_writers is false, earlier submissions that are not partial need not
 * write these bytes.
 */
static void
need_names(struct needs *n, uint32_t first, uint32_t num)
{
   const struct sim_scan *scan = n->scan;
   const struct sim_scan_submission *s = &scan->submissions[first];

   for (uint32_t k = 0; k < num; k++) {
      for (uint32_t i = 0; i < s[k].num_writes; i++) {
         const struct sim_scan_range *w = &scan->writes[s[k].first_write + i];
         widen(&n->hull[w->buffer], w);
      }
   }
   for (uint32_t k = 0; k < num; k++) {
      for (uint32_t i = 0; i < s[k].num_names; i++) {
         const uint64_t buffer = scan->names[s[k].first_name + i];
         narrow(&n->spared[buffer], &n->hull[buffer]);
         narrow(&n->drawn[buffer], &n->hull[buffer]);
      }
   }
   for (uint32_t k = 0; k < num; k++) {
      for (uint32_t i = 0; i < s[k].num_writes; i++) {
         const struct sim_scan_range *w = &scan->writes[s[k].first_write + i];
         n->hull[w->buffer] = (struct spared){ 0, 0 };
         if (!n->all_writers)
            widen(&n->drawn[w->buffer], w);
      }
   }
}

static bool
is_needed(const struct needs *n, const struct sim_scan_submission *s)
{
   const struct spared *spared = s->partial ? n->spared : n->drawn;

   for (uint32_t i = 0; i < s->num_writes; i++) {
      const struct sim_scan_range *w = &n->scan->writes[s->first_write + i];
      const struct spared *r = &spared[w->buffer];
      if (w->begin < w->end && (w->begin < r->begin || w->end > r->end))
         return true;
   }
   return false;
}

bool *
sim_scan_needed(const struct sim_scan *scan, const bool *wanted, bool all_writers)
{
   const uint64_t num = scan->num_buffers + 1;
   bool *needed = calloc(scan->num_submissions + UINT64_C(1), sizeof *needed);
   struct spared *ranges = calloc(num * 3, sizeof *ranges);
   struct needs n = {
      .scan = scan,
      .all_writers = all_writers,
      .hull = ranges,
      .spared = ranges + num,
      .drawn = ranges + 2 * num,
   };

   for (uint64_t i = 0; ranges && i < num; i++)
      n.spared[i] = n.drawn[i] = (struct spared){ 0, UINT64_MAX };
   for (uint32_t f = scan->num_frames; needed && ranges && f-- > 0;) {
      const struct sim_scan_frame *frame = &scan->frames[f];
      if (wanted[f]) {
         memset(needed + frame->first_submission, true, frame->num_submissions);
         need_names(&n, frame->first_submission, frame->num_submissions);
         continue;
      }
      for (uint32_t i = frame->num_submissions; i-- > 0;) {
         const uint32_t s = frame->first_submission + i;
         needed[s] = is_needed(&n, &scan->submissions[s]);
         if (needed[s])
            need_names(&n, s, 1);
      }
   }
   if (!ranges) {
      free(needed);
      needed = NULL;
   }
   free(ranges);
   return needed;
}
