/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the streaming multiprocessors from those of the configuration.
 */
#include "sgt_config.h"
#include "sgt_sm_params.h"
#include "util/macros.h"

static_assert((int)SGT_CHOICE_SM_DUAL_FIRST == SGT_SM_DUAL_FIRST &&
                 (int)SGT_CHOICE_SM_ORDER_GREEDY == SGT_SM_GREEDY &&
                 (int)SGT_CHOICE_SM_CONST_SCOPE_PROGRAM == SGT_CONST_PROGRAM &&
                 (int)SGT_CHOICE_SM_CONST_SCOPE_VERSION == SGT_CONST_VERSION &&
                 (int)SGT_CHOICE_SM_PROLOGUE_PERSPECTIVE == SGT_SM_PROLOGUE_PERSPECTIVE &&
                 (int)SGT_CHOICE_SM_COALESCE_WARP == SGT_SM_COALESCE_WARP,
              "choices are in the order of the model's enums");

bool
sgt_config_sm(const struct sgt_config *c, struct sgt_sm_params *p, char *error, size_t error_size)
{
   *p = (struct sgt_sm_params){
      .warps = c->v.sm.warps,
      .threads = c->v.sm.threads,
      .groups = c->v.sm.groups,
      .launch = c->v.sm.launch,
      .sps = c->v.sm.sps,
      .sfus = c->v.sm.sfus,
      .interp = c->v.sm.interp,
      .multipliers = c->v.sm.multipliers,
      .dual = c->v.sm.dual,
      .alu_latency = c->v.sm.alu_latency,
      .sfu_latency = c->v.sm.sfu_latency,
      .interp_latency = c->v.sm.interp_latency,
      .shared_latency = c->v.sm.shared_latency,
      .const_latency = c->v.sm.const_latency,
      .tex_return = c->v.sm.tex_return,
      .mem_return = c->v.sm.mem_return,
      .banks = c->v.sm.banks,
      .bank_cycles = c->v.sm.bank_cycles,
      .level_class = { [SGT_SM_VERTEX] = c->v.sm.level_vertex,
                       [SGT_SM_GEOMETRY] = c->v.sm.level_geometry,
                       [SGT_SM_PIXEL] = c->v.sm.level_pixel,
                       [SGT_SM_COMPUTE] = c->v.sm.level_compute },
      .level_alu = c->v.sm.level_alu,
      .level_mul = c->v.sm.level_mul,
      .level_sfu = c->v.sm.level_sfu,
      .level_transfer = c->v.sm.level_transfer,
      .order = c->v.sm.order,
      .patience = c->v.sm.patience,
      .buffer = c->v.sm.buffer,
      .fetch_width = c->v.sm.fetch_width,
      .fetch_latency = c->v.sm.fetch_latency,
      .jump = c->v.sm.jump,
      .op_bytes = c->v.sm.op_bytes,
      .icache_bytes = c->v.sm.icache_bytes,
      .icache_ways = c->v.sm.icache_ways,
      .const_bytes = c->v.sm.const_bytes,
      .const_ways = c->v.sm.const_ways,
      .const_scope = c->v.sm.const_scope,
      .prologue = c->v.sm.prologue,
      .barrier = c->v.sm.barrier,
      .textures = c->v.sm.textures,
      .accesses = c->v.sm.accesses,
      .coalesce = c->v.sm.coalesce,
   };
   return sgt_sm_params_check(p, error, error_size);
}
