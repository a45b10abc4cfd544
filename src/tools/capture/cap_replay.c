/* SPDX-License-Identifier: MIT */
/* sgpu replay: runs the submissions of a capture, and compares the hashes of presented pictures. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cap_counters.h"
#include "cap_disk.h"
#include "cap_picture.h"
#include "cap_replay.h"
#include "cap_stream.h"
#include "cap_tool.h"
#include "sgcap_hash.h"
#include "sgcap_writer.h"

static const char help[] =
   "usage: sgpu replay [OPTION...] FILE.sgcap\n"
   "\n"
   "Runs a capture on the device and compares the hashes of presented pictures\n"
   "with those at capture.  The exit status is 1 if one differs or the file is\n"
   "damaged.\n"
   "\n"
   "  --hash            print the hash of each presented picture\n"
   "  --png DIR         write each presented picture to frame-NNNNNN.png\n"
   "  --frames A[-B]    only pictures of these frames; earlier frames run, too\n"
   "  --draws A[-B]     run only these draws, counted from 0 on through the file,\n"
   "                    and compare no hashes\n"
   "  --until-draw N    stop after this draw; with --png write the target after\n"
   "                    each draw (of --draws) to draw-NNNNNN.png\n"
   "  --loop N          run N times and print times\n"
   "  --counters        print the device's counters at the end\n"
   "  --plans           print which draws of each frame have left fast paths of the device,\n"
   "                    and why, and how many draws took each path\n"
   "  --write FILE      write the capture anew with the hashes of this run, for tests\n"
   "                    whose pictures have changed on purpose\n"
   "  --memory          print a hash of the contents of each buffer when it is\n"
   "                    destroyed, and of those that are left at the end\n"
   "  --virtual         with --loop: workers take turns on one processor, and their time\n"
   "                    is simulated: as many as --threads says, on any machine\n"
   "  --slow N          with --virtual: half of the workers take N times as long\n" CAP_DISK_HELP
   "  --threads N       workers (default: SGPU_THREADS, or the CPUs)\n"
   "  --dispatch P      " SGPU_DISPATCH_NAMES "\n"
   "  --exec MODE       " SGPU_EXEC_NAMES "\n"
   "  --host V          host level of the engines: v2, v3 or v4\n";

struct path {
   char text[4096];
};

static struct path
picture_path(const struct replay *r, const char *what, uint64_t number)
{
   struct path path;

   snprintf(path.text, sizeof path.text, "%s/%s-%06" PRIu64 ".png", r->png, what, number);
   return path;
}

/* Writes a picture of the current render target to a file, after a draw. */
static bool
write_target(struct replay *r, const struct sgcap_record *rec, const struct cap_stream *s,
             uint64_t draw)
{
   struct SGPU_SURFACE surface;
   struct cap_picture pic;

   if (!cap_target(cap_stream_find(s, SGPU_PACKET_FRAMEBUFFER), &surface))
      return true;
   if (!cap_picture_read(&r->player, rec, &surface, &pic)) {
      fprintf(stderr, "sgpu: draw %" PRIu64 ": the target cannot be shown\n", draw);
      return !sgcap_error(r->player.reader);
   }
   r->failed = !cap_picture_write(&pic, picture_path(r, "draw", draw).text);
   cap_picture_free(&pic);
   return !r->failed;
}

/* Runs a submission without the draws that the options exclude. Splits it after each draw whose
 * target must be written to a file.
 */
static bool
submit_pieces(struct replay *r, const struct sgcap_record *rec)
{
   const uint32_t *words = cap_player_stream(&r->player, rec);
   const uint32_t count = rec->u.submit.words;
   if (!words)
      return false;

   uint32_t *piece = malloc(((size_t)count * 2 + SGPU_END_LENGTH) * 4);
   struct cap_stream s;
   struct cap_packet packet;
   uint32_t n = 0;
   bool ok = piece != NULL;

   cap_stream_init(&s, words, count);
   while (ok && !r->stopped && cap_stream_next(&s, &packet)) {
      if (!cap_packet_draws(packet.opcode)) {
         memcpy(piece + n, packet.words, packet.length * 4);
         n += packet.length;
         continue;
      }

      const uint64_t draw = r->draw++;
      const bool wanted = !r->some_draws || (draw >= r->draws.first && draw <= r->draws.last);
      if (wanted) {
         memcpy(piece + n, packet.words, packet.length * 4);
         n += packet.length;
      }
      r->stopped = r->until && draw >= r->until_draw;
      const bool shown = r->png && r->until && wanted && r->player.frame >= r->frames.first &&
                         r->player.frame <= r->frames.last;
      if (shown) {
         sgpu_pack(piece + n, END, cfg)
            ;
         ok = cap_player_submit_words(&r->player, rec, piece, n + SGPU_END_LENGTH) &&
              cap_player_finish(&r->player, rec) && write_target(r, rec, &s, draw);
         n = cap_stream_state(&s, piece);
      }
   }
   if (ok) {
      sgpu_pack(piece + n, END, cfg)
         ;
      ok = cap_player_submit_words(&r->player, rec, piece, n + SGPU_END_LENGTH);
   }
   cap_stream_fini(&s);
   free(piece);
   /* The work has already ended, so pass seqno 0. Later waits for it then return immediately. */
   return ok && cap_player_submitted(&r->player, rec, 0);
}

/* Copies a record to the --write file. If `hash` is not NULL, it replaces the hash in a PRESENT
 * record.
 */
static void
write_record(struct replay *r, const struct sgcap_record *rec, const uint64_t *hash)
{
   if (!r->writer)
      return;
   if (hash) {
      struct sgcap_present p = rec->u.present;
      p.hash = *hash;
      sgcap_write(r->writer, rec->type, &p, sizeof p, NULL, 0);
   } else {
      sgcap_write(r->writer, rec->type, rec->payload, rec->payload_bytes, NULL, 0);
   }
   if (hash || rec->type == SGCAP_SUBMIT)
      sgcap_writer_flush(r->writer);
}

static bool
present(struct replay *r, const struct sgcap_record *rec)
{
   const struct sgcap_present *s = &rec->u.present;
   r->there.first = s->frame < r->there.first ? s->frame : r->there.first;
   r->there.last = s->frame;
   if (s->frame < r->frames.first || s->frame > r->frames.last)
      return true;

   const uint8_t *rows = cap_player_picture(&r->player, rec);
   if (!rows || !cap_player_finish(&r->player, rec))
      return false;
   const uint64_t hash = cap_player_hash(rec, rows);
   const bool same = hash == s->hash;
   write_record(r, rec, &hash);
   r->presented++;
   if (!r->some_draws && !r->writer) {
      r->compared++;
      r->differing += !same;
   }
   if (r->print_hash)
      printf("frame %" PRIu32 " %ux%u %016" PRIx64 "%s\n", s->frame, s->width, s->height, hash,
             r->some_draws || same ? "" : " differs");
   else if (!r->some_draws && !r->writer && !same)
      fprintf(stderr,
              "sgpu: %s: frame %" PRIu32 ": the hash is %016" PRIx64
              ", at capture it was %016" PRIx64 "\n",
              r->path, s->frame, hash, s->hash);
   if (!r->png || r->until)
      return true;

   struct cap_rows pixels;
   if (!cap_rows_begin(&pixels, s->format, s->width, s->height, rows, s->pitch)) {
      sgcap_fail(r->player.reader, "its format cannot be shown");
      return false;
   }
   r->failed = !cap_picture_write_rows(&pixels, picture_path(r, "frame", s->frame).text);
   cap_rows_end(&pixels);
   return !r->failed;
}

/* Prints the hash of a buffer's contents after all work has ended. */
static void
print_contents(struct replay *r, const struct cap_bo *b)
{
   cap_player_wait(&r->player);
   printf("%s#%" PRIu32 " %" PRIu64 " bytes %016" PRIx64 "\n", b->label, b->ordinal, b->size,
          (uint64_t)XXH64(sgpu_bo_map(b->bo), b->size, 0));
}

static void
print_all_contents(struct replay *r)
{
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.bo)
         print_contents(r, &o->u.bo);
   }
}

/* Reads the next record and executes it, except for submissions. */
static bool
next(struct replay *r, struct sgcap_record *rec)
{
   if (!sgcap_next(r->player.reader, rec))
      return false;
   if (r->print_memory && rec->type == SGCAP_BO_DESTROY) {
      const struct cap_bo *b = cap_player_bo(&r->player, rec->u.id.id);
      if (b)
         print_contents(r, b);
   }
   if (rec->type != SGCAP_PRESENT)
      write_record(r, rec, NULL);
   return cap_player_perform(&r->player, rec);
}

/* Opens the --write file.  Prints a message on failure. */
static bool
open_writer(struct replay *r, const char *path)
{
   if (r->frames.first || r->frames.last != UINT64_MAX || r->some_draws || r->until || r->loops) {
      fprintf(stderr, "sgpu: replay: --write takes the whole capture once, without --frames, "
                      "--draws, --until-draw and --loop\n");
      return false;
   }
   r->writer = sgcap_writer_open(path, 19, false);
   if (!r->writer)
      fprintf(stderr, "sgpu: %s: %s\n", path, strerror(errno));
   return r->writer != NULL;
}

/* Closes the --write file, and removes it if it is incomplete. */
static bool
close_writer(struct replay *r, const char *path, bool complete)
{
   const int error = sgcap_writer_close(r->writer);

   if (error)
      fprintf(stderr, "sgpu: %s: %s\n", path, strerror(error));
   if (error || !complete)
      unlink(path);
   return !error && complete;
}

/* Returns the number of draws in a submission. */
static uint64_t
count_draws(struct replay *r, const struct sgcap_record *rec)
{
   const uint32_t *words = cap_player_stream(&r->player, rec);
   struct cap_stream s;
   struct cap_packet packet;
   uint64_t draws = 0;

   if (!words)
      return 0;
   cap_stream_init(&s, words, rec->u.submit.words);
   while (cap_stream_next(&s, &packet))
      draws += cap_packet_draws(packet.opcode);
   cap_stream_fini(&s);
   return draws;
}

/* Runs a submission and waits for it, so that its plans are added before those of the next
 * submission.
 */
static bool
submit_planned(struct replay *r, const struct sgcap_record *rec)
{
   const uint64_t draws = count_draws(r, rec);
   const bool ok = cap_player_submit(&r->player, rec) && cap_player_finish(&r->player, rec);

   r->plans.next += draws;
   return ok;
}

static void
print_frame(struct replay *r, uint64_t frame)
{
   if (r->print_plans)
      cap_plans_frame(&r->plans, frame, frame >= r->frames.first && frame <= r->frames.last);
}

bool
cap_replay_perform(struct replay *r, const struct sgcap_record *rec)
{
   switch (rec->type) {
   case SGCAP_SUBMIT:
      if (r->print_plans)
         return submit_planned(r, rec);
      return (r->some_draws || r->until ? submit_pieces(r, rec)
                                        : cap_player_submit(&r->player, rec)) &&
             !r->stopped;
   case SGCAP_PRESENT:
      sgpu_device_presented(r->player.dev);
      print_frame(r, rec->u.present.frame);
      return present(r, rec) && rec->u.present.frame < r->frames.last;
   default:
      return true;
   }
}

/* Returns false, after printing a message, if the file does not contain the requested frames or
 * draws.
 */
static bool
found(const struct replay *r)
{
   if (sgcap_error(r->player.reader) && !sgcap_unclosed(r->player.reader))
      return true;
   const uint64_t draw = r->until ? r->until_draw : r->some_draws ? r->draws.first : 0;
   if ((r->until || r->some_draws) && draw >= r->draw) {
      fprintf(stderr, "sgpu: %s: no draw %" PRIu64 ": the file has %" PRIu64 "%s\n", r->path, draw,
              r->draw, r->frames.last != UINT64_MAX ? " up to these frames" : "");
      return false;
   }
   if (r->until || r->presented || (!r->frames.first && r->frames.last == UINT64_MAX))
      return true;
   if (r->there.first > r->there.last)
      fprintf(stderr, "sgpu: %s: no such frame: the file has no pictures\n", r->path);
   else
      fprintf(stderr,
              "sgpu: %s: no such frame: the file has frames from %" PRIu64 "%s %" PRIu64 "\n",
              r->path, r->there.first, r->there.last < r->frames.last ? " to" : "; the next one is",
              r->there.last);
   return false;
}

/* Command-line arguments. */
struct arguments {
   struct sgpu_device_params params;
   const char *write; /* path of the --write file, or NULL */
   bool help;
};

/* Handles an option without a value, or the file argument. Returns false for any other argument. */
static bool
parse_flag(struct replay *r, struct arguments *args, const char *arg)
{
   if (!strcmp(arg, "--help") || !strcmp(arg, "-h")) {
      args->help = true;
   } else if (!strcmp(arg, "--hash")) {
      r->print_hash = true;
   } else if (!strcmp(arg, "--counters")) {
      r->print_counters = true;
   } else if (!strcmp(arg, "--plans")) {
      r->print_plans = true;
      args->params.plan = cap_plans_add;
      args->params.plan_data = &r->plans;
   } else if (!strcmp(arg, "--memory")) {
      r->print_memory = true;
   } else if (!strcmp(arg, "--virtual")) {
      r->virtual_time = args->params.virtual_threads = true;
   } else if (arg[0] != '-' && !r->path) {
      r->path = arg;
   } else {
      return false;
   }
   return true;
}

/* Handles an option with a value. Returns false if the option or its value is invalid. */
static bool
parse_option(struct replay *r, struct arguments *args, const char *arg, const char *value)
{
   bool ok = true;

   if (!strcmp(arg, "--png")) {
      r->png = value;
   } else if (cap_disk_option(arg, value, &ok)) {
   } else if (!strcmp(arg, "--write")) {
      args->write = value;
   } else if (!strcmp(arg, "--frames")) {
      ok = cap_parse_range(value, &r->frames);
   } else if (!strcmp(arg, "--draws")) {
      ok = r->some_draws = cap_parse_range(value, &r->draws);
   } else if (!strcmp(arg, "--until-draw")) {
      ok = r->until = cap_parse_number(value, &r->until_draw);
   } else if (!strcmp(arg, "--slow")) {
      uint64_t slow;
      ok = cap_parse_number(value, &slow) && slow >= 1 && slow <= 100;
      args->params.virtual_slow = ok ? slow : 0;
   } else if (!strcmp(arg, "--loop")) {
      ok = cap_parse_number(value, &r->loops) && r->loops > 0 && r->loops < 1000000;
   } else {
      ok = cap_device_option(&args->params, arg, value);
   }
   return ok;
}

/* Parses the command line. Prints a message and returns false if it is invalid. */
static bool
parse(struct replay *r, struct arguments *args, int argc, char **argv)
{
   for (int i = 1; i < argc && !args->help; i++) {
      const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
      if (parse_flag(r, args, arg))
         continue;
      if (!value || !parse_option(r, args, arg, value)) {
         fprintf(stderr, "sgpu: replay: invalid argument %s%s%s\n%s", arg, value ? " " : "",
                 value ? value : "", help);
         return false;
      }
      i++;
   }
   if (args->help)
      return true;
   if (!r->path) {
      fputs(help, stderr);
      return false;
   }
   if (r->virtual_time && !r->loops) {
      fprintf(stderr, "sgpu: replay: --virtual measures loops: --loop N\n");
      return false;
   }
   if (r->print_plans && (r->loops || r->some_draws || r->until)) {
      fprintf(stderr, "sgpu: replay: --plans takes whole frames, without --loop, --draws and "
                      "--until-draw\n");
      return false;
   }
   return true;
}

/* Runs the capture. Returns false if its end was not reached. */
static bool
run_capture(struct replay *r)
{
   struct sgcap_record rec;
   bool whole = true;

   if (r->loops) {
      cap_replay_loops(r);
      return true;
   }
   while (whole && next(r, &rec))
      whole = cap_replay_perform(r, &rec);
   if (whole)
      cap_player_finish(&r->player, &rec);
   if (r->print_memory)
      print_all_contents(r);
   return whole;
}

/* Prints the results that the options request after the replay. Returns the exit status. */
static int
report(struct replay *r)
{
   const int status = cap_report(&r->player, r->path);

   if (!r->loops)
      printf("%" PRIu64 " submissions, %" PRIu64 " pictures, %" PRIu64 " of %" PRIu64
             " hashes differ\n",
             r->player.submissions, r->presented, r->differing, r->compared);
   if (r->print_plans) {
      if (r->plans.num_groups)
         print_frame(r, r->there.last + 1);
      cap_plans_summary(&r->plans);
      cap_plans_free(&r->plans);
   }
   if (r->print_counters) {
      struct cap_counters c;
      cap_counters_read(r->player.dev, &c);
      cap_counters_print(stdout, &c);
   }
   return r->differing || r->failed || !found(r) ? 1 : status;
}

int
cap_replay(int argc, char **argv)
{
   struct replay r = {
      .frames.last = UINT64_MAX,
      .draws.last = UINT64_MAX,
      .there = { UINT64_MAX, 0 },
   };
   struct arguments args = { 0 };

   cap_disk_begin();
   if (!sgpu_device_params_from_env(&args.params) || !parse(&r, &args, argc, argv))
      return 2;
   if (args.help) {
      fputs(help, stdout);
      return 0;
   }
   if (r.png && mkdir(r.png, 0777) && errno != EEXIST) {
      fprintf(stderr, "sgpu: %s: %s\n", r.png, strerror(errno));
      return 2;
   }
   if (!cap_player_open(&r.player, r.path, &args.params, true))
      return 1;
   if (args.write && !open_writer(&r, args.write)) {
      cap_player_close(&r.player);
      return 2;
   }
   const bool whole = run_capture(&r);
   int status = report(&r);
   if (r.writer && !close_writer(&r, args.write, whole && !status))
      status = 1;
   cap_player_close(&r.player);
   return status;
}
