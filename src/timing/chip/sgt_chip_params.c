/* SPDX-License-Identifier: MIT */
/*
 * Checks the parameters of the Tesla chip that depend on each other.
 */
#include "chip/sgt_chip.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

static_assert(SGT_MAX_TPC_SMS <= SGT_TEX_MAX_SMS, "a texture unit has a port for each SM");
static_assert(SGT_MAX_TPCS <= 64, "a mask of TPCs has 64 bits");
static_assert(SGT_SWITCH_MAX_PORTS <= 256, "port numbers have 8 bits");

struct sgt_core_params
sgt_chip_core_params(const struct sgt_chip_params *p)
{
   return (struct sgt_core_params){ .kind = p->core, .sm = p->sm, .eu = p->eu };
}

/* Checks parameters of different units against each other. */
static bool
check_fit(const struct sgt_chip_params *p, char *error, size_t error_size)
{
   const uint32_t sms = p->front.dist.tpcs * p->front.dist.tpc_sms;
   const struct sgt_core_params core = sgt_chip_core_params(p);
   const struct sgt_core_room room = sgt_core_room(&core);
   if (p->sp_mhz % 2)
      snprintf(error, error_size, "chip.sp_mhz: %" PRIu32 " is odd", p->sp_mhz);
   else if (sms + p->front.dist.tpcs + 1 > SGT_SWITCH_MAX_PORTS)
      snprintf(error, error_size,
               "chip.tpcs x (chip.tpc_sms + 1) + 1 = %" PRIu32 " clients of memory: expected %d or "
               "less",
               sms + p->front.dist.tpcs + 1, SGT_SWITCH_MAX_PORTS);
   else if (p->memory.xbar.partitions > SGT_MAX_ROPS)
      snprintf(error, error_size, "xbar.partitions: %" PRIu32 " is not from 1 to %d",
               p->memory.xbar.partitions, SGT_MAX_ROPS);
   else if (p->memory.xbar.interleave % SGT_ROP_TILE_BYTES)
      snprintf(error, error_size,
               "xbar.interleave: %" PRIu32 " is not a multiple of the %d bytes of a ROP's tile",
               p->memory.xbar.interleave, SGT_ROP_TILE_BYTES);
   else if (p->front.dist.sm_warps > room.warps || p->front.dist.sm_threads > room.threads ||
            p->front.dist.sm_groups > room.groups)
      snprintf(error, error_size,
               "the distribution needs more warps, threads or workgroups than a core has "
               "(chip.core = %s)",
               sgt_core_kind_name(p->core));
   else
      return true;
   return false;
}

bool
sgt_chip_params_check(const struct sgt_chip_params *p, char *error, size_t error_size)
{
   return sgt_chip_params_ranges(p, error, error_size) &&
          sgt_output_params_check(&p->output, error, error_size) &&
          sgt_transfer_params_check(&p->transfer, error, error_size) &&
          sgt_chip_front_params_check(&p->front, error, error_size) &&
          (p->core == SGT_CORE_SM ? sgt_sm_params_check(&p->sm, error, error_size)
                                  : sgt_eu_params_check(&p->eu, error, error_size)) &&
          sgt_tex_params_check(&p->tex, error, error_size) &&
          sgt_memory_params_check(&p->memory, error, error_size) &&
          sgt_rop_params_check(&p->rop, error, error_size) && check_fit(p, error, error_size);
}
