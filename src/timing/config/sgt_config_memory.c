/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a chip's memory from those of the configuration.
 */
#include "sgt_config_memory.h"

#include "util/macros.h"

static_assert((int)SGT_CHOICE_L2_REPLACE_PLRU == SGT_CACHE_PLRU &&
                 (int)SGT_CHOICE_L2_WRITES_THROUGH == SGT_CACHE_THROUGH &&
                 (int)SGT_CHOICE_L2_WRITES_BACK == SGT_CACHE_BACK,
              "choices are in the order of the cache's enums");

static void
put_xbar(const struct sgt_config *c, struct sgt_xbar_params *p)
{
   *p = (struct sgt_xbar_params){
      .clients = 1,
      .partitions = c->v.xbar.partitions,
      .interleave = c->v.xbar.interleave,
      .request_bytes = c->v.xbar.request_bytes,
      .response_bytes = c->v.xbar.response_bytes,
      .header_bytes = c->v.xbar.header_bytes,
      .operand_bytes = c->v.xbar.operand_bytes,
      .queue = c->v.xbar.queue,
      .latency = c->v.xbar.latency,
   };
}

static void
put_gddr(const struct sgt_config *c, struct sgt_gddr_params *p)
{
   *p = (struct sgt_gddr_params){
      .bus_bits = c->v.gddr.bus_bits,
      .burst = c->v.gddr.burst,
      .banks = c->v.gddr.banks,
      .row_bytes = c->v.gddr.row_bytes,
      .hash = c->v.gddr.hash,
      .close = c->v.gddr.close,
      .queue = c->v.gddr.queue,
      .hit_limit = c->v.gddr.hit_limit,
      .write_high = c->v.gddr.write_high,
      .write_low = c->v.gddr.write_low,
      .run_limit = c->v.gddr.run_limit,
      .pipe = c->v.gddr.pipe,
      .t_rcd = c->v.gddr.t_rcd,
      .t_rp = c->v.gddr.t_rp,
      .t_ras = c->v.gddr.t_ras,
      .t_rc = c->v.gddr.t_rc,
      .t_rrd = c->v.gddr.t_rrd,
      .t_ccd = c->v.gddr.t_ccd,
      .t_cl = c->v.gddr.t_cl,
      .t_wl = c->v.gddr.t_wl,
      .t_rtp = c->v.gddr.t_rtp,
      .t_rtw = c->v.gddr.t_rtw,
      .t_wr = c->v.gddr.t_wr,
      .t_cdlr = c->v.gddr.t_cdlr,
      .t_refi = c->v.gddr.t_refi,
      .t_rfc = c->v.gddr.t_rfc,
   };
}

static void
put_partition(const struct sgt_config *c, struct sgt_partition_params *p)
{
   *p = (struct sgt_partition_params){
      .l2 = {
         .line_bytes = c->v.l2.line_bytes,
         .sets = c->v.l2.sets,
         .ways = c->v.l2.ways,
         .mshrs = c->v.l2.mshrs,
         .waiters = c->v.l2.waiters,
         .replace = c->v.l2.replace,
         .writes = c->v.l2.writes,
         .hash = c->v.l2.hash,
      },
      .accesses = c->v.l2.accesses,
      .tag_clocks = c->v.l2.tag_clocks,
      .data_clocks = c->v.l2.data_clocks,
      .atomics = c->v.l2.atomics,
      .atomic_clocks = c->v.l2.atomic_clocks,
      .queue = c->v.l2.queue,
      .rop_cached = c->v.l2.rop,
   };
   put_gddr(c, &p->gddr);
}

bool
sgt_config_memory(const struct sgt_config *c, struct sgt_memory_params *p, char *error,
                  size_t error_size)
{
   *p = (struct sgt_memory_params){
      .xbar_mhz = c->v.xbar.mhz,
      .l2_mhz = c->v.l2.mhz,
      .gddr_mhz = c->v.gddr.mhz,
      .loads_cached = c->v.l2.loads,
   };
   put_xbar(c, &p->xbar);
   put_partition(c, &p->partition);
   return sgt_memory_params_check(p, error, error_size);
}
