/* SPDX-License-Identifier: MIT */
/*
 * A memory with clients and ROPs that send lists of requests.
 */
#include "memory_driver.h"
#include "../../unit.h"
#include "kernel/sgt_stats.h"
#include "util/bitscan.h"

struct machine *
machine_create(uint32_t clients, bool rops)
{
   struct machine *m = calloc(1, sizeof(*m));
   assert_non_null(m);
   sgt_memory_params_init(&m->params);
   m->params.xbar.clients = clients;
   m->params.partition.gddr.t_refi = 0;
   m->num_clients = clients;
   m->with_rops = rops;
   m->clients = calloc(clients, sizeof(*m->clients));
   m->rops = calloc(SGT_SWITCH_MAX_PORTS, sizeof(*m->rops));
   assert_non_null(m->clients);
   assert_non_null(m->rops);
   for (unsigned i = 0; i < 4; i++)
      m->mhz[i] = i == 3 ? 1080 : 600;
   return m;
}

void
machine_destroy(struct machine *m)
{
   for (unsigned i = 0; i < m->num_clients; i++)
      free(m->clients[i].list);
   for (unsigned i = 0; i < SGT_SWITCH_MAX_PORTS; i++)
      free(m->rops[i].list);
   free(m->clients);
   free(m->rops);
   free(m);
}

void
driver_add(struct driver *d, uint64_t at, enum sgt_mem_kind kind, uint64_t address,
           uint32_t sectors, uint32_t lanes)
{
   if (!d->list)
      d->list = malloc(DRIVER_MAX_REQUESTS * sizeof(*d->list));
   assert_non_null(d->list);
   assert_true(d->num < DRIVER_MAX_REQUESTS);
   d->list[d->num] = (struct driver_request){
      .at = at,
      .request = { .address = address,
                   .tag = d->num,
                   .kind = kind,
                   .sectors = sectors,
                   .lanes = lanes },
   };
   d->num++;
}

static uint64_t
driver_tick(struct sgt_unit *unit, uint64_t now)
{
   struct driver *d = container_of(unit, struct driver, unit);
   const uint64_t period = unit->clock->period, clock = now / period;
   const struct sgt_mem_response *response;
   while (clock >= d->deaf_until && (response = sgt_channel_peek(d->responses, now))) {
      assert_true(response->tag < d->next);
      struct driver_request *r = &d->list[response->tag];
      assert_int_equal(r->answered, SGT_NEVER);
      assert_int_equal(r->request.address, response->address);
      assert_int_not_equal(r->request.kind, SGT_MEM_WRITE);
      r->answered = d->last = now;
      d->answered += util_bitcount(r->request.sectors);
      d->responses_num++;
      d->open--;
      sgt_channel_take(d->responses, now);
   }
   uint64_t next = clock < d->deaf_until ? d->deaf_until * period : SGT_NEVER;
   if (d->next < d->num && (!d->max_open || d->open < d->max_open)) {
      struct driver_request *r = &d->list[d->next];
      if (r->at > clock)
         return MIN2(next, r->at * period);
      if (!sgt_channel_can_send(d->requests, now))
         return next;
      sgt_channel_send(d->requests, now, &r->request);
      r->sent = now;
      d->open += r->request.kind != SGT_MEM_WRITE;
      if (++d->next < d->num)
         next = MIN2(next, now + period);
   }
   return next;
}

static uint64_t
nag_tick(struct sgt_unit *unit, uint64_t now)
{
   struct machine *m = container_of(unit, struct machine, nag);
   sgt_sched_wake(&m->rig.sched, &m->memory.xbar.requests.unit, now + 1);
   sgt_sched_wake(&m->rig.sched, &m->memory.xbar.responses.unit, now + 1);
   bool busy = !sgt_memory_idle(&m->memory);
   for (unsigned i = 0; i < m->memory.num; i++) {
      sgt_sched_wake(&m->rig.sched, &m->memory.partitions[i].unit, now + 1);
      sgt_sched_wake(&m->rig.sched, &m->memory.partitions[i].gddr.unit, now + 1);
   }
   for (unsigned i = 0; i < m->num_clients; i++)
      busy |= m->clients[i].next < m->clients[i].num;
   return busy ? now + unit->clock->period : SGT_NEVER;
}

static void
start_driver(struct driver *d, struct sgt_channel *requests, struct sgt_channel *responses)
{
   d->requests = requests;
   d->responses = responses;
   d->next = d->open = d->responses_num = 0;
   d->answered = d->last = 0;
   for (unsigned i = 0; i < d->num; i++)
      d->list[i].sent = d->list[i].answered = SGT_NEVER;
}

static void
check_driver(const struct driver *d)
{
   assert_int_equal(d->next, d->num);
   assert_int_equal(d->open, 0);
   for (unsigned i = 0; i < d->num; i++)
      assert_int_equal(d->list[i].answered == SGT_NEVER, d->list[i].request.kind == SGT_MEM_WRITE);
}

void
machine_run(struct machine *m, uint64_t shuffle)
{
   char error[256] = "";
   sgt_memory_params_check(&m->params, error, sizeof(error));
   assert_string_equal(error, "");
   unit_rig_begin_clocks(&m->rig, m->mhz, 4, shuffle);
   assert_true(sgt_memory_init(&m->memory, &m->rig.sched, &m->rig.clock[1], &m->rig.clock[2],
                               &m->rig.clock[3], &m->params));
   for (unsigned i = 0; i < m->num_clients; i++) {
      struct driver *d = &m->clients[i];
      unit_rig_add(&m->rig, &d->unit, "client", driver_tick);
      assert_true(sgt_xbar_connect(&m->memory.xbar, &m->rig.sched, i, &d->unit, 4));
      start_driver(d, &m->memory.xbar.ports[i].requests, &m->memory.xbar.ports[i].responses);
   }
   for (unsigned i = 0; m->with_rops && i < m->memory.num; i++) {
      struct driver *d = &m->rops[i];
      struct sgt_partition *p = &m->memory.partitions[i];
      unit_rig_add(&m->rig, &d->unit, "rop", driver_tick);
      assert_true(sgt_partition_connect_rop(p, &m->rig.sched, &d->unit, m->rig.period, 4));
      start_driver(d, &p->rop.requests, &p->rop.responses);
   }
   if (m->nags)
      unit_rig_add(&m->rig, &m->nag, "nag", nag_tick);
   unit_rig_run(&m->rig);
   m->end = m->rig.sched.now;
   assert_true(sgt_memory_idle(&m->memory));
   for (unsigned i = 0; i < m->num_clients; i++)
      check_driver(&m->clients[i]);
   for (unsigned i = 0; m->with_rops && i < m->memory.num; i++)
      check_driver(&m->rops[i]);

   sgt_memory_account(&m->memory, m->end + m->rig.clock[3].period);
   sgt_memory_conserves(&m->memory, error, sizeof(error));
   assert_string_equal(error, "");
   struct sgt_stats stats;
   sgt_stats_init(&stats);
   sgt_memory_register(&m->memory, &stats);
   unit_rig_check(&stats);
   sgt_stats_finish(&stats);
}

void
machine_finish(struct machine *m)
{
   sgt_memory_finish(&m->memory);
   unit_rig_end(&m->rig);
}
