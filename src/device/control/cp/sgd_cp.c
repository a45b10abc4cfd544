/* SPDX-License-Identifier: MIT */
/*
 * Command processor: parses the packets of a submission one by one. Each packet is copied before it
 * is checked, since the application could modify the command stream between the check and the use.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"
#include "common/sgd_once.h"
#include "sgpu_packets_print.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Maximum number of operations that sgd_cp_run() creates before it returns, so that the worker can
 * run other work.
 */
#define SGD_CP_QUANTUM 32

struct sgd_cp *
sgd_cp_create(struct sgd_dispatch *dispatch, struct sgd_shader_cache *cache)
{
   struct sgd_cp *cp = calloc(1, sizeof(*cp));
   if (cp) {
      cp->sched = dispatch->sched;
      cp->memory = dispatch->memory;
      cp->dispatch = dispatch;
      cp->cache = cache;
      cp->params = dispatch->params;
      util_dynarray_init(&cp->printed, NULL);
      sgd_cp_state_reset(cp);
   }
   return cp;
}

void
sgd_cp_destroy(struct sgd_cp *cp)
{
   sgd_pool_lock(cp->sched);
   for (unsigned i = 0; i < SGD_QUERY_SLOTS; i++) {
      if (cp->slots[i])
         sgd_query_unref(cp->slots[i]);
   }
   sgd_pool_unlock(cp->sched);
   sgd_cp_state_reset(cp);
   util_dynarray_fini(&cp->printed);
   free(cp);
}

/* Prints the command stream of a submission for debugging. The printer gets a copy of the stream,
 * because the application may modify the original at the same time.
 */
static void
print_commands(const struct sgd_cp *cp, const struct sgd_submission *sub)
{
   const size_t size = (size_t)sub->words * 4;
   uint32_t *words = malloc(size ? size : 1);

   fprintf(stderr, "submission %" PRIu64 " at %" PRIx64 "\n", sub->seqno, sub->address);
   if (!words) {
      fprintf(stderr, "out of memory\n");
      return;
   }
   sgd_copy_once(words, cp->memory->base + sub->address, size);
   sgpu_stream_print(stderr, words, sub->words);
   free(words);
}

static void
begin_submission(struct sgd_cp *cp, struct sgd_submission *sub)
{
   cp->sub = sub;
   cp->pos = 0;
   cp->packet = 0;
   cp->draws = 0;
   if (cp->params->print_commands)
      print_commands(cp, sub);
}

static bool
is_draw(uint32_t opcode)
{
   return opcode == SGPU_PACKET_DRAW || opcode == SGPU_PACKET_DRAW_INDIRECT;
}

static void
fail_packet(struct sgd_cp *cp, uint32_t opcode, const char *error)
{
   const char *name = sgpu_packet_name(opcode);
   char message[192];

   snprintf(message, sizeof(message), "packet %u (%s) at word %u: %s", cp->packet,
            name ? name : "unknown", cp->pos, error);
   sgd_pool_lock(cp->sched);
   sgd_submission_fail(cp->sub, cp->packet, is_draw(opcode) ? cp->draws : 0, message);
   sgd_pool_unlock(cp->sched);
}

const char *
sgd_cp_nop(struct sgd_cp *cp, const uint32_t *in)
{
   return NULL;
}

const char *
sgd_cp_marker(struct sgd_cp *cp, const uint32_t *in)
{
   if (!cp->sched->profile)
      return NULL;
   const size_t size = MIN2(SGPU_MARKER_count(in) * 4, sizeof(cp->label) - 1);
   memcpy(cp->label, SGPU_MARKER_tail(in, 0), size);
   cp->label[size] = 0;
   return NULL;
}

const char *
sgd_cp_end(struct sgd_cp *cp, const uint32_t *in)
{
   cp->end = true;
   return NULL;
}

typedef const char *(*packet_handler)(struct sgd_cp *cp, const uint32_t *in);

/* Returns true if a state packet of this type can change the plan of later draws. sgd_cp_view()
 * decides for itself.
 */
static bool
affects_plan(enum sgpu_packet opcode)
{
   switch (opcode) {
   case SGPU_PACKET_CONSTANTS:
   case SGPU_PACKET_CONSTANT_VERSION:
   case SGPU_PACKET_CLOCK:
   case SGPU_PACKET_VIEW:
   case SGPU_PACKET_VERTEX_ELEMENTS:
   case SGPU_PACKET_VERTEX_BUFFERS:
   case SGPU_PACKET_TESS_LEVELS:
   case SGPU_PACKET_CLIP_PLANES:
   case SGPU_PACKET_POLYGON_STIPPLE:
   case SGPU_PACKET_STENCIL_REF:
      return false;
   default:
      return true;
   }
}

/* Executes a packet. `in` is a copy that the application can't modify. */
static const char *
step(struct sgd_cp *cp, const uint32_t *in)
{
   /* clang-format off */
#define HANDLER(NAME, name) [SGPU_PACKET_##NAME] = sgd_cp_##name,
   static const packet_handler handlers[] = {
      SGPU_FOREACH_CONTROL_PACKET(HANDLER)
      SGPU_FOREACH_STATE_PACKET(HANDLER)
      SGPU_FOREACH_WORK_PACKET(HANDLER)
      SGPU_FOREACH_QUERY_PACKET(HANDLER)
   };
#undef HANDLER
   /* clang-format on */
   const enum sgpu_packet opcode = in[0] & 0xff;

   /* The predicate is not part of the state that draws copy, so their copy stays up to date. */
   if (sgpu_packet_class(opcode) == SGPU_PACKET_CLASS_STATE && opcode != SGPU_PACKET_PREDICATE) {
      cp->dirty = true;
      cp->replan |= affects_plan(opcode);
   }
   return handlers[opcode](cp, in);
}

static void
count_same(struct sgd_cp *cp)
{
   u_foreach_bit(n, cp->same_paths)
      cp->path_draws[n] += cp->same_draws;
   cp->same_draws = 0;
}

/* Counts `draws` draws for each path in cp->paths. */
static void
count_draws(struct sgd_cp *cp, unsigned draws)
{
   if (cp->paths != cp->same_paths)
      count_same(cp);
   cp->same_paths = cp->paths;
   cp->same_draws += draws;
}

static_assert(SGPU_PATH_JOIN == 0, "counters in the order of enum sgpu_path");

bool
sgd_cp_run(struct sgd_cp *cp, struct sgd_submission *sub, struct sgd_worker *worker)
{
   if (!cp->sub)
      begin_submission(cp, sub);

   const uint32_t *stream = (const uint32_t *)(cp->memory->base + sub->address);
   cp->made = 0;
   cp->end = false;

   while (!cp->end && !sub->failed && cp->pos < sub->words) {
      uint32_t packet[SGPU_PACKET_MAX_WORDS];
      const uint32_t left = sub->words - cp->pos;

      /* Read the header only once, so that the check and the handler see the same value. */
      packet[0] = sgd_read_once32(&stream[cp->pos]);
      const uint32_t words = sgpu_packet_words(packet[0]);
      const char *error = sgpu_packet_check(packet, left);

      const unsigned made = cp->made;
      if (is_draw(packet[0] & 0xff)) {
         cp->draws++;
         worker->counters[SGPU_COUNTER_DRAWS]++;
      }
      worker->counters[SGPU_COUNTER_GRIDS] += (packet[0] & 0xff) == SGPU_PACKET_GRID;
      if (!error) {
         assert(words <= SGPU_PACKET_MAX_WORDS);
         sgd_copy_once(packet + 1, stream + cp->pos + 1, (words - 1) * 4);
         cp->joined = 0;
         cp->paths = 0;
         error = step(cp, packet);
      }
      if (error) {
         fail_packet(cp, packet[0] & 0xff, error);
         break;
      }
      /* Skip the packets that were joined into this one. They are draws, too, so they have the same
       * length.
       */
      cp->pos += words * (1 + cp->joined);
      cp->packet += 1 + cp->joined;
      cp->draws += cp->joined;
      worker->counters[SGPU_COUNTER_PACKETS] += 1 + cp->joined;
      worker->counters[SGPU_COUNTER_DRAWS] += cp->joined;
      if (cp->paths)
         count_draws(cp, 1 + cp->joined);

      if (cp->made > made && (cp->made >= SGD_CP_QUANTUM || !cp->room) && !cp->end &&
          cp->pos < sub->words)
         return false;
   }

   sub->draws = cp->draws;
   cp->sub = NULL;
   sgd_cp_state_reset(cp);
   return true;
}

void
sgd_cp_count_paths(struct sgd_cp *cp)
{
   count_same(cp);
   for (unsigned n = 0; n < SGPU_PATHS; n++) {
      cp->sched->counters[SGPU_COUNTER_DRAWS_JOIN + n] += cp->path_draws[n];
      cp->path_draws[n] = 0;
   }
}
