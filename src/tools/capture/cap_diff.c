/* SPDX-License-Identifier: MIT */
/* sgpu diff: finds the first difference between two captures.  Compares the submissions and
 * packets, the contents of buffers, the presented pictures, and the render target after each draw.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_bindings.h"
#include "cap_picture.h"
#include "cap_step.h"
#include "cap_stream.h"
#include "cap_tool.h"
#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"

static const char help[] =
   "usage: sgpu diff [OPTION...] A.sgcap B.sgcap\n"
   "\n"
   "Prints the first difference in submissions and packets, in contents of\n"
   "buffers, in presented pictures with the pixel, and in the target after a\n"
   "draw, or what a draw or grid writes.  Addresses are equal if they are the same\n"
   "place of the same buffer.  The exit status is 1 if something differs.\n"
   "\n"
   "  --no-pixels   compare only submissions and contents, run nothing\n"
   "  --threads N, --dispatch P, --exec MODE, --host V: see sgpu replay\n";

struct side {
   struct cap_player player;
   struct sgcap_record rec;
   const char *path;
};

/* Returns true if two addresses have the same offset in corresponding buffers of the captures. */
static bool
same_address(struct side *a, struct side *b, uint64_t x, uint64_t y)
{
   char text_x[128], text_y[128];
   const bool known = cap_player_name(&a->player, x, text_x, sizeof text_x);

   if (known != cap_player_name(&b->player, y, text_y, sizeof text_y))
      return false;
   return known ? !strcmp(text_x, text_y) : x == y;
}

/* Returns true if two structs are equal.  Addresses are compared with same_address(). */
static bool
same_struct(struct side *a, struct side *b, const struct sgpu_struct_info *info, const uint32_t *x,
            const uint32_t *y)
{
   uint32_t u[256], v[256];

   memcpy(u, x, info->length * 4);
   memcpy(v, y, info->length * 4);
   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      for (unsigned n = 0; n < f->array; n++) {
         if (f->kind == SGPU_FIELD_STRUCT) {
            const unsigned at = f->word + n * f->structure->length;
            if (!same_struct(a, b, f->structure, x + at, y + at))
               return false;
            memset(u + at, 0, f->structure->length * 4);
            memset(v + at, 0, f->structure->length * 4);
         } else if (f->kind == SGPU_FIELD_ADDRESS) {
            const unsigned at = f->word + n * 2;
            if (!same_address(a, b, x[at] | (uint64_t)x[at + 1] << 32,
                              y[at] | (uint64_t)y[at + 1] << 32))
               return false;
            memset(u + at, 0, 8);
            memset(v + at, 0, 8);
         }
      }
   }
   return !memcmp(u, v, info->length * 4);
}

static bool
same_packet(struct side *a, struct side *b, const struct cap_packet *x, const struct cap_packet *y)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(x->opcode);

   if (x->opcode != y->opcode || x->length != y->length)
      return false;
   if (!info || info->length > 256)
      return !memcmp(x->words, y->words, x->length * 4);
   if (!same_struct(a, b, info, x->words, y->words))
      return false;
   for (uint32_t at = info->length; info->tail && at < x->length; at += info->tail->length) {
      if (!same_struct(a, b, info->tail, x->words + at, y->words + at))
         return false;
   }
   return true;
}

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   return cap_player_name(data, address, text, size);
}

static void
print_packet(struct side *s, const struct cap_packet *p)
{
   printf("%s:\n", s->path);
   if (!p) {
      printf("   no more packets\n");
      return;
   }
   sgpu_printer_packet(
      &(struct sgpu_printer){
         .fp = stdout,
         .name_address = name_address,
         .data = &s->player,
      },
      p->words, 3);
}

/* Compares the packets of two submissions.  Returns false after printing the first difference. */
static bool
compare_streams(struct side *a, struct side *b, uint64_t submission)
{
   const uint32_t *x = cap_player_stream(&a->player, &a->rec);
   const uint32_t *y = cap_player_stream(&b->player, &b->rec);
   struct cap_stream sx, sy;
   struct cap_packet px, py;
   bool same = true;

   if (!x || !y)
      return true;
   cap_stream_init(&sx, x, a->rec.u.submit.words);
   cap_stream_init(&sy, y, b->rec.u.submit.words);
   for (uint64_t n = 0; same; n++) {
      const bool more_x = cap_stream_next(&sx, &px), more_y = cap_stream_next(&sy, &py);
      if (!more_x && !more_y)
         break;
      same = more_x == more_y && same_packet(a, b, &px, &py);
      if (!same) {
         printf("submission %" PRIu64 ", packet %" PRIu64 " differs:\n", submission, n);
         print_packet(a, more_x ? &px : NULL);
         print_packet(b, more_y ? &py : NULL);
      }
   }
   cap_stream_fini(&sx);
   cap_stream_fini(&sy);
   return same;
}

/* Compares the contents of the submission's buffers, if the CPU has written them since the last
 * call.
 */
static bool
compare_memory(struct side *a, struct side *b, uint64_t submission)
{
   for (uint32_t i = 0; i < a->rec.u.submit.num_bos; i++) {
      struct cap_bo *x = cap_player_bo(&a->player, a->rec.bos[i]), *y = NULL;
      for (uint32_t k = 0; x && k < b->rec.u.submit.num_bos && !y; k++) {
         struct cap_bo *bo = cap_player_bo(&b->player, b->rec.bos[k]);
         y = bo && bo->ordinal == x->ordinal ? bo : NULL;
      }
      /* Skip command streams, since compare_streams() compares them. */
      if (!x || !y || !(x->written || y->written) || !strcmp(x->label, "stream"))
         continue;
      x->written = y->written = false;
      const uint8_t *u = sgpu_bo_map(x->bo), *v = sgpu_bo_map(y->bo);
      const uint64_t size = x->size < y->size ? x->size : y->size;
      if (x->size == y->size && !memcmp(u, v, size))
         continue;
      uint64_t at = 0;
      while (at < size && u[at] == v[at])
         at++;
      printf("submission %" PRIu64 ": what the CPU wrote to %s#%" PRIu32
             " differs from byte 0x%" PRIx64 " on\n",
             submission, x->label, x->ordinal, at);
      return false;
   }
   return true;
}

/* Reads records until the next record of the given type.  Returns false at the end of the capture.
 */
static bool
forward(struct side *s, enum sgcap_type type)
{
   while (cap_player_next(&s->player, &s->rec)) {
      if (s->rec.type == type)
         return true;
      if (s->rec.type == SGCAP_SUBMIT && !cap_player_submitted(&s->player, &s->rec, 0))
         return false;
   }
   return false;
}

static int
finish(struct side *sides)
{
   int status = 0;
   for (unsigned i = 0; i < 2; i++)
      status |= cap_report(&sides[i].player, sides[i].path);
   return status;
}

static int
compare_submissions(struct side *sides, const struct sgpu_device_params *params)
{
   struct side *a = &sides[0], *b = &sides[1];
   int status = 0;

   if (!cap_player_open(&a->player, a->path, params, false))
      return 2;
   if (!cap_player_open(&b->player, b->path, params, false)) {
      cap_player_close(&a->player);
      return 2;
   }
   for (uint64_t n = 0; status == 0; n++) {
      const bool more_a = forward(a, SGCAP_SUBMIT), more_b = forward(b, SGCAP_SUBMIT);
      if (!more_a && !more_b)
         break;
      if (more_a != more_b) {
         printf("%s has no submission %" PRIu64 "\n", more_a ? b->path : a->path, n);
         status = 1;
         break;
      }
      status = !compare_streams(a, b, n) || !compare_memory(a, b, n);
      if (!cap_player_submitted(&a->player, &a->rec, 0) ||
          !cap_player_submitted(&b->player, &b->rec, 0))
         break;
   }
   if (status == 0)
      printf("the submissions are equal\n");
   status |= finish(sides);
   cap_player_close(&a->player);
   cap_player_close(&b->player);
   return status;
}

/*
 * Pixels
 */
static bool
whole_before(void *data, const struct sgcap_record *rec)
{
   /* limits[0] is the number of the current frame; limits[1] is the number of the frame that
    * differs
    */
   const uint64_t *limits = data;
   return limits[0] < limits[1];
}

/* The memory that a work packet has written. */
struct target {
   /* picture of the render target; pic.rgba is NULL if there is none */
   struct cap_picture pic;
   struct cap_bindings bindings; /* storage buffers and images that the draw or grid can access */
   uint64_t draw, grid, submission, packet;
   uint32_t opcode;
};

static void
free_target(struct target *t)
{
   cap_picture_free(&t->pic);
   cap_bindings_free(&t->bindings);
}

/* Runs the capture up to the next work packet with a render target or bindings.  Fills in `t` with
 * the contents of these after the packet.  Returns false at the end of the frame.
 */
static bool
next_target(struct cap_step *s, struct target *t)
{
   enum cap_event event;

   memset(t, 0, sizeof *t);
   while (cap_step_next(s, &event)) {
      ((uint64_t *)s->data)[0] = s->player->frame;
      if (event == CAP_EVENT_RECORD && s->rec.type == SGCAP_PRESENT &&
          s->rec.u.present.frame >= ((uint64_t *)s->data)[1])
         return false;
      struct SGPU_SURFACE surface;
      if (event != CAP_EVENT_AFTER)
         continue;
      const bool grid = cap_packet_grid(s->packet.opcode);
      if (grid || cap_packet_draws(s->packet.opcode))
         cap_bindings_find(&t->bindings, s->player, &s->stream, grid);
      if ((!cap_work_target(&s->stream, &s->packet, &surface) ||
           !cap_picture_read(s->player, &s->rec, &surface, &t->pic)) &&
          !t->bindings.count)
         continue;
      t->draw = s->draw;
      t->grid = s->grid;
      t->submission = s->submission;
      t->packet = s->packet_number - 1;
      t->opcode = s->packet.opcode;
      return true;
   }
   return false;
}

static bool
first_pixel(const struct cap_picture *x, const struct cap_picture *y, uint32_t *at_x,
            uint32_t *at_y, uint64_t *count)
{
   *count = 0;
   if (!x->rgba || !y->rgba)
      return false;
   if (x->width != y->width || x->height != y->height) {
      *at_x = *at_y = 0;
      *count = 1;
      return true;
   }
   for (size_t i = 0; i < (size_t)x->width * x->height; i++) {
      if (!memcmp(x->rgba + i * 4, y->rgba + i * 4, 4))
         continue;
      if ((*count)++ == 0) {
         *at_x = i % x->width;
         *at_y = i / x->width;
      }
   }
   return *count != 0;
}

static void
print_pixel(const struct cap_picture *x, const struct cap_picture *y, uint32_t px, uint32_t py,
            uint64_t count)
{
   if (x->width != y->width || x->height != y->height) {
      printf("   the sizes differ: %" PRIu32 "x%" PRIu32 ", %" PRIu32 "x%" PRIu32 "\n", x->width,
             x->height, y->width, y->height);
      return;
   }
   const uint8_t *u = x->rgba + ((size_t)py * x->width + px) * 4;
   const uint8_t *v = y->rgba + ((size_t)py * y->width + px) * 4;
   printf("   first at pixel %" PRIu32 ",%" PRIu32 ": %02x%02x%02x%02x, %02x%02x%02x%02x; %" PRIu64
          " pixels\n",
          px, py, u[0], u[1], u[2], u[3], v[0], v[1], v[2], v[3], count);
}

static void
print_place(const struct target *t)
{
   printf("submission %" PRIu64 ", packet %" PRIu64, t->submission, t->packet);
   if (cap_packet_draws(t->opcode))
      printf(" (draw %" PRIu64 ")", t->draw);
   if (cap_packet_grid(t->opcode))
      printf(" (grid %" PRIu64 ")", t->grid);
}

/* Compares the storage buffers and images that the programs of both captures have written. Returns
 * true after printing the first byte that differs.
 */
static bool
written_differs(struct side *sides, const struct target *targets)
{
   const struct cap_bindings *x = &targets[0].bindings, *y = &targets[1].bindings;

   for (unsigned i = 0; i < x->count && i < y->count; i++) {
      const struct cap_binding *a = &x->list[i], *b = &y->list[i];
      const uint64_t size = a->size < b->size ? a->size : b->size;
      const uint8_t *u = cap_player_memory(&sides[0].player, a->address, size);
      const uint8_t *v = cap_player_memory(&sides[1].player, b->address, size);
      char name[64];
      uint64_t at = 0;
      if (!(a->written && b->written) || !u || !v || !memcmp(u, v, size))
         continue;
      while (u[at] == v[at])
         at++;
      cap_binding_name(a, name, sizeof name);
      print_place(&targets[0]);
      printf(" writes otherwise:\n   %s, first at byte 0x%" PRIx64 "\n", name, at);
      return true;
   }
   return false;
}

/* Finds the first work packet in the frame whose pixels or memory differ. */
static void
find_draw(struct side *sides, const struct sgpu_device_params *params, uint64_t frame)
{
   struct cap_step steps[2];
   struct target targets[2];
   uint64_t limits[2][2] = { { 0, frame }, { 0, frame } };
   uint32_t x = 0, y = 0;
   uint64_t count;
   bool open[2];

   for (unsigned i = 0; i < 2; i++) {
      open[i] = cap_player_open(&sides[i].player, sides[i].path, params, true);
      cap_step_init(&steps[i], &sides[i].player);
      steps[i].whole = whole_before;
      steps[i].data = limits[i];
   }
   for (bool more = open[0] && open[1]; more;) {
      const bool more0 = next_target(&steps[0], &targets[0]);
      const bool more1 = next_target(&steps[1], &targets[1]);
      more = more0 && more1;
      if (more && written_differs(sides, targets)) {
         more = false;
      } else if (more && first_pixel(&targets[0].pic, &targets[1].pic, &x, &y, &count)) {
         printf("frame %" PRIu64 ": the target differs first after ", frame);
         print_place(&targets[0]);
         putchar('\n');
         print_pixel(&targets[0].pic, &targets[1].pic, x, y, count);
         more = false;
      }
      free_target(&targets[0]);
      free_target(&targets[1]);
   }
   for (unsigned i = 0; i < 2; i++) {
      cap_step_fini(&steps[i]);
      if (open[i])
         cap_player_close(&sides[i].player);
   }
}

/* Runs submissions up to the next presented picture. */
static bool
next_picture(struct side *s, struct cap_picture *pic)
{
   memset(pic, 0, sizeof *pic);
   while (cap_player_next(&s->player, &s->rec)) {
      if (s->rec.type == SGCAP_SUBMIT && !cap_player_submit(&s->player, &s->rec))
         return false;
      if (s->rec.type != SGCAP_PRESENT)
         continue;
      const uint8_t *rows = cap_player_picture(&s->player, &s->rec);
      const struct sgcap_present *p = &s->rec.u.present;
      return rows && cap_player_finish(&s->player, &s->rec) &&
             cap_picture_convert(pic, p->format, p->width, p->height, rows, p->pitch);
   }
   return false;
}

static int
compare_pixels(struct side *sides, const struct sgpu_device_params *params)
{
   struct side *a = &sides[0], *b = &sides[1];
   struct cap_picture x, y;
   uint64_t count, frame = 0, pictures = 0;
   uint32_t px = 0, py = 0;
   int status = 0;

   if (!cap_player_open(&a->player, a->path, params, true))
      return 2;
   if (!cap_player_open(&b->player, b->path, params, true)) {
      cap_player_close(&a->player);
      return 2;
   }
   for (bool more = true; more && status == 0;) {
      const bool more_a = next_picture(a, &x), more_b = next_picture(b, &y);
      more = more_a && more_b;
      if (more_a != more_b && !sgcap_error(a->player.reader) && !sgcap_error(b->player.reader)) {
         printf("%s has fewer pictures\n", more_a ? b->path : a->path);
         status = 1;
      } else if (more && first_pixel(&x, &y, &px, &py, &count)) {
         frame = a->rec.u.present.frame;
         printf("the picture of frame %" PRIu64 " differs\n", frame);
         print_pixel(&x, &y, px, py, count);
         status = 1;
      }
      pictures += more;
      cap_picture_free(&x);
      cap_picture_free(&y);
   }
   status |= finish(sides);
   cap_player_close(&a->player);
   cap_player_close(&b->player);
   if (status == 0)
      printf("%" PRIu64 " pictures are equal\n", pictures);
   else if (status == 1)
      find_draw(sides, params, frame);
   return status;
}

int
cap_diff(int argc, char **argv)
{
   struct side sides[2] = { 0 };
   struct sgpu_device_params params;
   bool pixels = true;
   unsigned n = 0;

   if (!sgpu_device_params_from_env(&params))
      return 2;
   params.poison = false;
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         return 0;
      } else if (!strcmp(argv[i], "--no-pixels")) {
         pixels = false;
      } else if (argv[i][0] != '-' && n < 2) {
         sides[n++].path = argv[i];
      } else if (argv[i][0] == '-' && i + 1 < argc &&
                 cap_device_option(&params, argv[i], argv[i + 1])) {
         i++;
      } else {
         fprintf(stderr, "sgpu: diff: invalid argument %s\n%s", argv[i], help);
         return 2;
      }
   }
   if (n != 2) {
      fputs(help, stderr);
      return 2;
   }

   int status = compare_submissions(sides, &params);
   if (pixels && status != 2)
      status |= compare_pixels(sides, &params);
   return status == 0 ? 0 : status == 2 ? 2 : 1;
}
