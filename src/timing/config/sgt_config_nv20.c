/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the vertex engine of 2001 from those of the configuration.
 */
#include "sgt_config.h"
#include "sgt_nv20.h"
#include "util/macros.h"

static_assert((int)SGT_CHOICE_NV20_SELECT_OLDEST == SGT_NV20_OLDEST,
              "choices are in the order of the model's enums");

bool
sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                size_t error_size)
{
   sgt_nv20_params_init(p);
   p->threads = c->v.nv20.threads;
   p->latency = c->v.nv20.latency;
   p->select = c->v.nv20.select;
   p->input_buffers = c->v.nv20.input_buffers;
   p->output_buffers = c->v.nv20.output_buffers;
   p->push_out = c->v.nv20.push_out;
   p->dirty = c->v.nv20.dirty_bits;
   p->flush = c->v.nv20.flush;
   p->host_fifo = c->v.nv20.host_fifo;
   p->host_clocks = c->v.nv20.host_clocks;
   p->next_fifo = c->v.nv20.next_fifo;
   p->next_clocks = c->v.nv20.next_clocks;
   p->max_cycles = c->v.run.max_cycles;
   return sgt_nv20_params_check(p, error, error_size);
}
