/* SPDX-License-Identifier: MIT */
/* Measures vertex programs from captures on the vertex engine of 2001. Packets are parsed but not
 * executed, so the number of vertices in a draw comes from its packet. A vertex is counted each
 * time an index refers to it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "cap_program.h"
#include "cap_stream.h"
#include "sgpu_packets_unpack.h"
#include "trace/sgt_array.h"
#include "sim.h"
#include "sim_nv20.h"

struct program {
   /* hash: hash of the program; draws, vertices: number of draws and vertices that use it */
   uint64_t hash, draws, vertices;
   struct sgt_vertex_program p;
};

struct programs {
   struct cap_player player;
   struct program *programs;
   uint64_t num, room;
   uint64_t other_draws; /* number of draws whose packet does not say how many vertices there are */
   bool failed;          /* an allocation has failed */
};

/* Returns the index of the program in a SHADER packet, or SIZE_MAX if there is none. */
static size_t
find(struct programs *c, const uint32_t *packet)
{
   struct sgpu_program program;
   struct sgt_vertex_program p;
   uint64_t hash;
   uint32_t where;

   if (!cap_program(&c->player, packet, &program, &hash) || sgpu_program_gather(&program, &where) ||
       !sgt_vertex_program_describe(&p, &program))
      return SIZE_MAX;
   for (size_t i = 0; i < c->num; i++) {
      if (c->programs[i].hash == hash)
         return i;
   }
   if (!sgt_array_reserve(&c->programs, &c->room, c->num + 1, sizeof(*c->programs))) {
      c->failed = true;
      return SIZE_MAX;
   }
   c->programs[c->num] = (struct program){ .hash = hash, .p = p };
   return c->num++;
}

static bool
walk(struct programs *c, const struct sgcap_record *rec)
{
   const uint32_t *words = cap_player_stream(&c->player, rec);
   struct cap_stream stream;
   struct cap_packet packet;
   struct SGPU_SHADER shader;
   struct SGPU_DRAW draw;
   size_t program = SIZE_MAX;

   if (!words)
      return false;
   cap_stream_init(&stream, words, rec->u.submit.words);
   while (!c->failed && cap_stream_next(&stream, &packet)) {
      if (packet.opcode == SGPU_PACKET_SHADER && !SGPU_SHADER_unpack(packet.words, &shader) &&
          shader.stage == SGPU_STAGE_VERTEX) {
         program = find(c, packet.words);
      } else if (cap_packet_draws(packet.opcode)) {
         if (packet.opcode != SGPU_PACKET_DRAW || SGPU_DRAW_unpack(packet.words, &draw) ||
             draw.count_address || program == SIZE_MAX) {
            c->other_draws++;
            continue;
         }
         c->programs[program].draws++;
         c->programs[program].vertices += (uint64_t)draw.count * draw.instances;
      }
   }
   cap_stream_fini(&stream);
   return !c->failed;
}

static bool
write_program(struct sgt_json *j, const struct program *p, const struct sgt_nv20_params *params)
{
   struct sim_nv20_measured m;
   uint64_t counts[SGT_VERTEX_OPCODES + 1];
   char hash[17];

   for (unsigned i = 0; i <= SGT_VERTEX_OTHER; i++)
      counts[i] = p->p.opcodes[i];
   snprintf(hash, sizeof hash, "%016" PRIx64, p->hash);
   sgt_json_object(j, NULL, true);
   sgt_json_string(j, "hash", hash);
   sgt_json_bool(j, "base", p->p.base);
   sgt_json_u64(j, "instructions", p->p.instructions);
   sgt_json_u64(j, "attributes", __builtin_popcount(p->p.inputs));
   sgt_json_u64(j, "outputs", p->p.outputs);
   sgt_json_u64(j, "columns", p->p.columns);
   sgt_json_u64(j, "draws", p->draws);
   sgt_json_u64(j, "vertices", p->vertices);
   sim_nv20_opcodes(j, "opcodes", counts);
   sim_nv20_classes(j, "classes", counts);
   bool ok = true;
   /* Only run programs of the base profile. Other programs may branch, so it is not known which
    * instructions they execute.
    */
   if (p->p.base) {
      ok = sim_nv20_measure_program(&p->p, params, &m);
      if (ok)
         sgt_json_quotient(j, "cycles_a_vertex", m.cycles, SIM_NV20_MEASURED);
   }
   sgt_json_end(j);
   return ok;
}

static const char *
base_name(const char *path)
{
   const char *slash = strrchr(path, '/');
   return slash ? slash + 1 : path;
}

bool
sim_nv20_capture(struct sgt_json *j, const char *path, const struct sgt_nv20_params *nv20)
{
   struct programs c = { .num = 0 };
   struct sgpu_device_params params;
   struct sgcap_record rec;
   bool ok = true;

   if (!sgpu_device_params_from_env(&params) || !cap_player_open(&c.player, path, &params, false))
      return false;
   while (ok && cap_player_next(&c.player, &rec)) {
      if (rec.type == SGCAP_SUBMIT)
         ok = walk(&c, &rec) && cap_player_submitted(&c.player, &rec, 0);
   }
   const char *error = sgcap_error(c.player.reader);
   if (error && !sgcap_unclosed(c.player.reader))
      ok = false;
   if (!ok)
      fprintf(stderr, "sgpu: %s: %s\n", path, error ? error : "out of memory");
   if (ok) {
      sgt_json_object(j, NULL, false);
      sgt_json_string(j, "file", base_name(path));
      sgt_json_string(j, "program", c.player.program);
      sgt_json_u64(j, "other_draws", c.other_draws);
      sgt_json_array(j, "programs", false);
      for (uint64_t i = 0; ok && i < c.num; i++)
         ok = write_program(j, &c.programs[i], nv20);
      sgt_json_end(j);
      sgt_json_end(j);
   }
   cap_player_close(&c.player);
   free(c.programs);
   return ok;
}
