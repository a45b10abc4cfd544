/* SPDX-License-Identifier: MIT */
/* Exposes device counters as driver queries, for GALLIUM_HUD and GL_AMD_performance_monitor. */
#include "sgpu_screen.h"

#include "pipe/p_defines.h"

#include "sgpu_query.h"

#define MAX_COUNTERS 256

bool
sgpu_is_counter(unsigned type)
{
   return type >= PIPE_QUERY_DRIVER_SPECIFIC &&
          type - PIPE_QUERY_DRIVER_SPECIFIC < sgpu_counter_count();
}

uint64_t
sgpu_counter_read(struct sgpu_screen *screen, unsigned type)
{
   uint64_t values[MAX_COUNTERS];

   assert(sgpu_counter_count() <= MAX_COUNTERS);
   sgpu_device_read_counters(screen->ws->dev, values);
   return values[type - PIPE_QUERY_DRIVER_SPECIFIC];
}

uint64_t
sgpu_counter_begin(struct sgpu_screen *screen, unsigned type)
{
   /* Don't subtract anything from a counter that is a maximum, because the difference between two
    * maxima has no meaning.
    */
   return sgpu_counter_get_info(type - PIPE_QUERY_DRIVER_SPECIFIC)->maximum
             ? 0
             : sgpu_counter_read(screen, type);
}

static int
sgpu_get_driver_query_info(struct pipe_screen *pscreen, unsigned index,
                           struct pipe_driver_query_info *info)
{
   const unsigned all = sgpu_counter_count() + sgpu_timing_counters(sgpu_screen(pscreen));

   if (!info)
      return all;
   if (index >= all)
      return 0;

   memset(info, 0, sizeof *info);
   info->query_type = PIPE_QUERY_DRIVER_SPECIFIC + index;
   if (index >= sgpu_counter_count()) {
      sgpu_timing_counter_info(index - sgpu_counter_count(), info);
      info->group_id = 1;
      return 1;
   }
   const struct sgpu_counter_info *counter = sgpu_counter_get_info(index);

   info->name = counter->name;
   info->type = PIPE_DRIVER_QUERY_TYPE_UINT64;
   info->result_type = counter->maximum ? PIPE_DRIVER_QUERY_RESULT_TYPE_AVERAGE
                                        : PIPE_DRIVER_QUERY_RESULT_TYPE_CUMULATIVE;
   info->group_id = 0;
   return 1;
}

static int
sgpu_get_driver_query_group_info(struct pipe_screen *pscreen, unsigned index,
                                 struct pipe_driver_query_group_info *info)
{
   const unsigned timing = sgpu_timing_counters(sgpu_screen(pscreen));

   if (!info)
      return timing ? 2 : 1;
   if (index > (timing != 0))
      return 0;

   info->name = index ? "timing" : "device";
   info->num_queries = index ? timing : sgpu_counter_count();
   info->max_active_queries = info->num_queries;
   return 1;
}

void
sgpu_counters_screen_init(struct pipe_screen *pscreen)
{
   pscreen->get_driver_query_info = sgpu_get_driver_query_info;
   pscreen->get_driver_query_group_info = sgpu_get_driver_query_group_info;
}
