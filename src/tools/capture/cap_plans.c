/* SPDX-License-Identifier: MIT */
/* Plans of draws: finds which draws of a frame could not use the fast paths of the device, and why.
 */
#include "cap_plans.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"

static struct cap_plan_group *
find_group(struct cap_plans *p, const struct sgpu_draw_plan *plan)
{
   for (unsigned i = 0; i < p->num_groups; i++) {
      if (sgpu_draw_plan_equals(&p->groups[i].plan, plan))
         return &p->groups[i];
   }
   struct cap_plan_group *groups = realloc(p->groups, (p->num_groups + 1) * sizeof(*groups));
   if (!groups)
      return NULL;
   p->groups = groups;
   groups[p->num_groups] = (struct cap_plan_group){ .plan = *plan, .first = 1 };
   return &groups[p->num_groups++];
}

/* Appends the latest range of draw numbers to g->ranges. */
static void
end_range(struct cap_plan_group *g)
{
   char text[64];

   if (g->first > g->last)
      return;
   if (g->first == g->last)
      snprintf(text, sizeof(text), " %" PRIu64, g->first);
   else
      snprintf(text, sizeof(text), " %" PRIu64 "-%" PRIu64, g->first, g->last);
   const size_t length = g->ranges ? strlen(g->ranges) : 0;
   char *ranges = realloc(g->ranges, length + strlen(text) + 1);
   if (!ranges)
      return;
   strcpy(ranges + length, text);
   g->ranges = ranges;
}

void
cap_plans_add(void *plans, const struct sgpu_draw_plan *plan)
{
   struct cap_plans *p = plans;
   /* The draw numbers of a capture include draws without effect, which have no plan. */
   const uint64_t first = p->next + plan->draw - 1, last = first + plan->draws - 1;
   struct cap_plan_group *g = find_group(p, plan);

   if (!g) {
      p->failed = true;
      return;
   }
   if (g->first > g->last || first != g->last + 1) {
      end_range(g);
      g->first = first;
   }
   g->last = last;
   g->draws += plan->draws;
}

static void
count(struct cap_plans *p, const struct cap_plan_group *g)
{
   u_foreach_bit(n, g->plan.paths)
      p->takes[n] += g->draws;
   u_foreach_bit(n, g->plan.left) {
      p->leaves[n] += g->draws;
      u_foreach_bit64(f, g->plan.facts & sgpu_paths[n].unless)
         p->because[n][f] += g->draws;
   }
}

void
cap_plans_frame(struct cap_plans *p, uint64_t frame, bool show)
{
   uint64_t draws = 0, all = 0;

   for (unsigned i = 0; i < p->num_groups; i++) {
      draws += p->groups[i].draws;
      all += p->groups[i].plan.left ? 0 : p->groups[i].draws;
   }
   if (show)
      printf("frame %" PRIu64 ": %" PRIu64 " draws, %" PRIu64 " leave no fast path\n", frame, draws,
             all);
   for (unsigned i = 0; i < p->num_groups; i++) {
      struct cap_plan_group *g = &p->groups[i];
      end_range(g);
      if (show)
         count(p, g);
      if (show && g->plan.left) {
         printf("   draws%s: ", g->ranges ? g->ranges : "");
         sgpu_draw_plan_print(stdout, &g->plan);
         putchar('\n');
      }
      free(g->ranges);
   }
   p->num_groups = 0;
}

void
cap_plans_summary(const struct cap_plans *p)
{
   printf("%-8s %10s %10s  because\n", "path", "takes", "leaves");
   for (unsigned n = 0; n < SGPU_PATHS; n++) {
      printf("%-8s %10" PRIu64 " %10" PRIu64, sgpu_paths[n].name, p->takes[n], p->leaves[n]);
      const char *between = "  ";
      for (unsigned f = 0; f < SGPU_FACTS; f++) {
         if (!p->because[n][f])
            continue;
         printf("%s%s: %" PRIu64, between, sgpu_facts[f], p->because[n][f]);
         between = "; ";
      }
      putchar('\n');
   }
   if (p->failed)
      fprintf(stderr, "sgpu: out of memory: not all draws are listed\n");
}

void
cap_plans_free(struct cap_plans *p)
{
   cap_plans_frame(p, 0, false);
   free(p->groups);
   p->groups = NULL;
}
