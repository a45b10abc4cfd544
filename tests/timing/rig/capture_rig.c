/* SPDX-License-Identifier: MIT */
#include "capture_rig.h"

#include "cap_player.h"
#include "events.h"
#include "unit_rig.h"

void
capture_rig_load(const char *path, struct sgt_trace **trace, struct sgt_work **work)
{
   const struct events_way *way = &events_work_ways[1];
   struct sgt_store *store = events_store(way);
   const struct sgpu_device_params params = events_params(way, store);
   struct sgcap_record rec;
   struct cap_player p;
   char error[256] = "";

   unit_rig_require(path && cap_player_open(&p, path, &params, true), "usage: PROGRAM FILE.sgcap");
   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   while (cap_player_next(&p, &rec)) {
      if (rec.type == SGCAP_SUBMIT)
         unit_rig_require(cap_player_submit(&p, &rec), "a submission failed");
   }
   cap_player_wait(&p);
   cap_player_close(&p);
   struct sgt_trace *t = sgt_store_finish(store, error, sizeof(error));
   *work = t ? sgt_store_work(store) : NULL;
   unit_rig_require(*work, t ? "the trace has no work" : error);
   if (trace)
      *trace = t;
   else
      sgt_trace_destroy(t);
   sgt_store_destroy(store);
}
