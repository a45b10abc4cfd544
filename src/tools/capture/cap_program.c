/* SPDX-License-Identifier: MIT */
/* Reads programs from the capture's memory. */
#include "cap_program.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_packets_unpack.h"
#include "sgcap_hash.h"

bool
cap_program(struct cap_player *p, const uint32_t *packet, struct sgpu_program *out, uint64_t *hash)
{
   struct SGPU_SHADER cfg;

   memset(out, 0, sizeof *out);
   if (SGPU_SHADER_unpack(packet, &cfg) || !cfg.address || cfg.address % 4)
      return false;
   if (cfg.instructions > SGPU_MAX_INSTRUCTIONS || cfg.literals > SGPU_CONST_SIZE)
      return false;
   const uint64_t bytes = ((uint64_t)cfg.instructions + cfg.literals) * 16;
   uint32_t(*code)[4] = cap_player_memory(p, cfg.address, bytes);
   if (!code)
      return false;
   out->stage = cfg.stage;
   out->vp1 = cfg.vp1;
   out->num_temps = cfg.temps;
   out->scratch_size = cfg.scratch;
   out->literal_base = cfg.literal_base;
   out->num_literals = cfg.literals;
   out->literals = code + cfg.instructions;
   out->num_instrs = cfg.instructions;
   out->instrs = code;
   *hash = XXH64(code, bytes, cfg.stage);
   return true;
}

bool
cap_seen(struct cap_seen *seen, uint64_t hash)
{
   for (unsigned i = 0; i < seen->count; i++) {
      if (seen->hashes[i] == hash)
         return true;
   }
   if (seen->count == seen->max) {
      const unsigned n = seen->max ? seen->max * 2 : 64;
      uint64_t *h = realloc(seen->hashes, n * sizeof *h);
      if (!h)
         return false;
      seen->hashes = h;
      seen->max = n;
   }
   seen->hashes[seen->count++] = hash;
   return false;
}
