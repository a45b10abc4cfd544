/* SPDX-License-Identifier: MIT */
/* sgpu reduce: writes a capture of a range of draws or grids.  The new capture has the memory that
 * they access, with its contents before the first draw or grid, and the packets from the first to
 * the last.  Its presented picture is the target after the last draw, or the storage buffers and
 * images that the last draw or grid has written.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cap_reduce.h"
#include "sgpu_packets.h"
#include "sgpu_packets_info.h"

static const char help[] =
   "usage: sgpu reduce --draws A[-B] [-o OUT.sgcap] FILE.sgcap\n"
   "       sgpu reduce --grids A[-B] [-o OUT.sgcap] FILE.sgcap\n"
   "\n"
   "Writes a capture of only draws A to B, with the contents before A of the\n"
   "memory that they reach; its picture is the target after B.  Other work between\n"
   "the draws (clears, copies, grids) is kept, and queries that begin or end there.\n"
   "Without -o the file is FILE-A-B.sgcap.\n"
   "\n"
   "  --grids   count grids, not draws; the picture has the words of the storage\n"
   "            buffers and images that grid B writes.  A draw without a target has\n"
   "            the same picture\n"
   "  --force   replace the file if it exists\n"
   "  --threads N, --dispatch P, --exec MODE, --host V: see sgpu replay\n";

/* Returns true if the range on the command line is a range of this kind of packet. */
static bool
chosen_kind(const struct reduce *r, uint32_t opcode)
{
   return r->grids ? cap_packet_grid(opcode) : cap_packet_draws(opcode);
}

static uint64_t
number(const struct reduce *r, const struct cap_step *s)
{
   return r->grids ? s->grid : s->draw;
}

static bool
keep(struct reduce *r, uint64_t id)
{
   if (id > r->ids.count) {
      const uint64_t n = id + 256;
      uint64_t *map = realloc(r->ids.map, n * sizeof *map);
      if (!map)
         return false;
      memset(map + r->ids.count, 0, (n - r->ids.count) * sizeof *map);
      r->ids.map = map;
      r->ids.count = n;
   }
   r->ids.map[id - 1] = 1;
   return true;
}

static void
keep_addresses(struct reduce *r, const struct sgpu_struct_info *info, const uint32_t *in)
{
   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      for (unsigned n = 0; n < f->array; n++) {
         if (f->kind == SGPU_FIELD_STRUCT) {
            keep_addresses(r, f->structure, in + f->word + n * f->structure->length);
         } else if (f->kind == SGPU_FIELD_ADDRESS) {
            const uint32_t *at = in + f->word + n * 2;
            const struct cap_bo *b = cap_player_find(&r->player, at[0] | (uint64_t)at[1] << 32, 0);
            if (b)
               keep(r, b->id);
         }
      }
   }
}

static void
keep_packet(struct reduce *r, const uint32_t *packet)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(sgpu_packet_opcode(packet[0]));
   if (!info)
      return;
   keep_addresses(r, info, packet);
   for (uint32_t at = info->length; info->tail && at < (packet[0] >> 8 & 0xffff);
        at += info->tail->length)
      keep_addresses(r, info->tail, packet + at);
}

/* First pass: finds the buffers that the draws access, without running any work. */
static bool
survey(struct reduce *r, const struct sgpu_device_params *params)
{
   struct sgcap_record rec;
   uint64_t draw = 0;
   bool ok = true;

   if (!cap_player_open(&r->player, r->path, params, false))
      return false;
   while (ok && draw <= r->draws.last && cap_player_next(&r->player, &rec)) {
      if (rec.type == SGCAP_QUERY)
         ok = cap_queries_see_open(&r->queries, rec.u.query.queue, rec.u.query.slot,
                                   rec.u.query.type);
      if (rec.type != SGCAP_SUBMIT)
         continue;
      const uint32_t *words = cap_player_stream(&r->player, &rec);
      struct cap_stream s;
      struct cap_packet packet;
      bool state_kept = false;
      if (!words)
         break;
      cap_stream_init(&s, words, rec.u.submit.words);
      while (draw <= r->draws.last && cap_stream_next(&s, &packet)) {
         const bool is_draw = chosen_kind(r, packet.opcode);
         const bool inside = draw >= r->draws.first && (is_draw || r->any);
         if (inside && is_draw) {
            if (!r->any)
               cap_queries_enter(&r->queries);
            r->any = true;
            if (!state_kept) {
               for (unsigned i = 0; i < s.num_state; i++)
                  keep_packet(r, words + s.state[i].at);
            }
            state_kept = true;
         }
         if (inside)
            keep_packet(r, packet.words);
         ok = cap_queries_see(&r->queries, rec.u.submit.queue, packet.words) && ok;
         draw += is_draw;
      }
      cap_stream_fini(&s);
      ok = cap_player_submitted(&r->player, &rec, 0);
   }
   /* Place the command stream and the picture of the new capture after all buffers of the old one.
    */
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.address + o->u.bo.size > r->top)
         r->top = o->u.bo.address + o->u.bo.size;
   }
   r->top = (r->top + 0xffff) & ~UINT64_C(0xffff);
   ok = cap_report(&r->player, r->path) == 0 && ok;
   cap_player_close(&r->player);
   if (ok && !r->any)
      fprintf(stderr, "sgpu: %s: there are only %" PRIu64 " %s\n", r->path, draw,
              r->grids ? "grids" : "draws");
   return ok && r->any;
}

struct before {
   const struct cap_step *step;
   const struct reduce *reduce;
};

static bool
whole_before(void *data, const struct sgcap_record *rec)
{
   const struct before *b = data;
   const uint64_t first = b->reduce->draws.first;
   const uint64_t last = b->reduce->grids ? cap_step_end_grid(b->step, rec)
                                          : cap_step_end(b->step, rec);
   return number(b->reduce, b->step) <= first && last <= first;
}

static bool
write_reduced(struct reduce *r, const struct sgpu_device_params *params, const char *out)
{
   struct cap_step s;
   struct before before = { &s, r };
   enum cap_event event;
   bool inside = false, ok = true;
   uint32_t *words = malloc(CAP_REDUCE_STREAM_BYTES * 2), n = 0;
   uint32_t from = 0;

   r->seqno = r->picture = 0;
   r->ended = false;
   cap_queries_reset(&r->queries);
   for (uint64_t i = 0; i < r->ids.count; i++)
      r->ids.map[i] = r->ids.map[i] != 0;
   r->writer = sgcap_writer_open(out, r->hash_known ? 19 : 1, r->created);
   r->created |= r->writer != NULL;
   if (!r->writer && errno == EEXIST) {
      fprintf(stderr, "sgpu: %s exists; --force replaces it, -o sets another name\n", out);
      free(words);
      return false;
   }
   if (!r->writer || !words) {
      perror(out);
      free(words);
      return false;
   }
   if (!cap_player_open(&r->player, r->path, params, true)) {
      sgcap_writer_close(r->writer);
      free(words);
      return false;
   }
   cap_step_init(&s, &r->player);
   s.whole = whole_before;
   s.data = &before;
   while (ok && !r->ended && cap_step_next(&s, &event)) {
      if (event == CAP_EVENT_RECORD && inside)
         cap_reduce_pass_on(r, &s.rec);
      if (event == CAP_EVENT_BEFORE && !inside && chosen_kind(r, s.packet.opcode) &&
          number(r, &s) == r->draws.first) {
         /* The state packets are copied from the stream before this packet, so they don't have more
          * words.
          */
         ok = s.packet.at <= CAP_REDUCE_STREAM_BYTES / 4;
         n = ok ? cap_stream_state(&s.stream, words) : 0;
         n += cap_queries_begin(&r->queries, &r->player, &s.rec, words + n, &ok);
         cap_reduce_begin(r);
         inside = true;
         from = s.packet.at;
      }
      const bool last = event == CAP_EVENT_AFTER && chosen_kind(r, s.packet.opcode) &&
                        number(r, &s) == r->draws.last;
      if (ok && inside && (event == CAP_EVENT_SUBMITTED || last)) {
         /* Copy the first submission from word `from` on, and later submissions as a whole. */
         const uint32_t end_at = last ? s.packet.at + s.packet.length : s.rec.u.submit.words;
         const uint32_t *stream = cap_player_stream(&r->player, &s.rec);
         ok = stream && (uint64_t)(n + end_at - from) * 4 + 64 <= CAP_REDUCE_STREAM_BYTES * 2;
         if (ok) {
            n += cap_queries_copy(&r->queries, s.rec.u.submit.queue, words + n, stream + from,
                                  end_at - from);
            if (last) {
               sgpu_pack(words + n, END, cfg)
                  ;
               n += SGPU_END_LENGTH;
            }
            ok = cap_reduce_submit(r, words, n);
         }
         n = from = 0;
      }
      if (ok && last)
         ok = cap_reduce_end(r, &s.stream);
   }
   if (!ok && !sgcap_error(r->player.reader))
      fprintf(stderr, "sgpu: %s: cannot make a capture of the %s\n", r->path,
              r->grids ? "grids" : "draws");
   ok = cap_report(&r->player, r->path) == 0 && ok;
   /* The range may extend beyond the last draw of the capture. */
   if (ok && !r->ended) {
      fprintf(stderr, "sgpu: %s: the capture ends before %s %" PRIu64 "\n", r->path,
              r->grids ? "grid" : "draw", r->draws.last);
      ok = false;
   }
   cap_step_fini(&s);
   cap_player_close(&r->player);
   free(words);
   const int error = sgcap_writer_close(r->writer);
   if (error)
      fprintf(stderr, "sgpu: %s: %s\n", out, strerror(error));
   return ok && !error;
}

/* Runs the new capture to compute the hash of its picture. */
static bool
find_hash(struct reduce *r, const struct sgpu_device_params *params, const char *out)
{
   struct sgcap_record rec;
   bool found = false;

   if (!cap_player_open(&r->player, out, params, true))
      return false;
   while (cap_player_next(&r->player, &rec)) {
      if (rec.type == SGCAP_SUBMIT && !cap_player_submit(&r->player, &rec))
         break;
      if (rec.type == SGCAP_PRESENT) {
         const uint8_t *rows = cap_player_picture(&r->player, &rec);
         if (!rows || !cap_player_finish(&r->player, &rec))
            break;
         r->hash = cap_player_hash(&rec, rows);
         found = true;
      }
   }
   found = cap_report(&r->player, out) == 0 && found;
   r->hash_known = found;
   cap_player_close(&r->player);
   return found;
}

int
cap_reduce(int argc, char **argv)
{
   struct reduce r = { 0 };
   struct sgpu_device_params params;
   char name[4096] = "";
   const char *out = NULL;
   bool draws = false, force = false;

   if (!sgpu_device_params_from_env(&params))
      return 2;
   params.poison = false;
   for (int i = 1; i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         return 0;
      } else if (!strcmp(argv[i], "--draws") && cap_parse_range(value, &r.draws)) {
         draws = true;
         r.grids = false;
         i++;
      } else if (!strcmp(argv[i], "--grids") && cap_parse_range(value, &r.draws)) {
         draws = r.grids = true;
         i++;
      } else if (!strcmp(argv[i], "-o") && *value) {
         out = value;
         i++;
      } else if (!strcmp(argv[i], "--force")) {
         force = true;
      } else if (argv[i][0] != '-' && !r.path) {
         r.path = argv[i];
      } else if (argv[i][0] == '-' && *value && cap_device_option(&params, argv[i], value)) {
         i++;
      } else {
         fprintf(stderr, "sgpu: reduce: invalid argument %s\n%s", argv[i], help);
         return 2;
      }
   }
   if (!r.path || !draws || r.draws.last == UINT64_MAX) {
      fputs(help, stderr);
      return 2;
   }
   if (!out) {
      const size_t n = strlen(r.path);
      const bool suffix = n > 6 && !strcmp(r.path + n - 6, ".sgcap");
      snprintf(name, sizeof name, "%.*s-%" PRIu64 "-%" PRIu64 ".sgcap", (int)(suffix ? n - 6 : n),
               r.path, r.draws.first, r.draws.last);
      out = name;
   }

   struct stat from, to;
   if (!stat(r.path, &from) && !stat(out, &to) && from.st_dev == to.st_dev &&
       from.st_ino == to.st_ino) {
      fprintf(stderr, "sgpu: %s: is the capture itself\n", out);
      return 2;
   }
   if (force && unlink(out) && errno != ENOENT) {
      fprintf(stderr, "sgpu: %s: %s\n", out, strerror(errno));
      return 1;
   }

   const bool ok = survey(&r, &params) && write_reduced(&r, &params, out) &&
                   find_hash(&r, &params, out) && write_reduced(&r, &params, out);
   if (ok)
      printf("%s: %" PRIu64 " submissions, hash %016" PRIx64 "\n", out, r.seqno, r.hash);
   else if (r.created)
      unlink(out);
   free(r.ids.map);
   free(r.bos);
   cap_queries_fini(&r.queries);
   return ok ? 0 : 1;
}
