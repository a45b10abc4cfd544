/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: prints plans as text for debugging.
 */
#include "control/plan/sgd_plan_make.h"

#include <stdio.h>

#include "sgpu_device.h"
#include "util/bitscan.h"

void
sgd_plan_describe(const struct sgd_plan *plan, enum sgpu_primitive primitive,
                  struct sgpu_draw_plan *out)
{
   *out = (struct sgpu_draw_plan){
      .facts = plan->facts,
      .paths = sgd_plan_draw_paths(plan, primitive),
      .left = sgd_plan_draw_left(plan, primitive),
      .samples = plan->coverage.samples,
      .shades = plan->shades,
      .early = plan->early,
      .late = plan->late,
      .per_sample = plan->coverage.per_sample,
      .order = plan->order.role,
   };
}

static const char *const roles[] = {
   [SGD_ORDER_NONE] = "no colours",
   [SGD_ORDER_LATER] = "order: later",
   [SGD_ORDER_NOW] = "order: now",
   [SGD_ORDER_MIXES] = "order: mixes",
};

static void
print_modes(FILE *fp, const struct sgpu_draw_plan *plan)
{
   fprintf(fp, "%s, ", plan->early ? "early tests" : plan->late ? "late tests" : "no tests");
   if (plan->samples > 1)
      fprintf(fp, "%u samples%s, ", plan->samples, plan->per_sample ? ", shaded one by one" : "");
   fprintf(fp, "%s%s", plan->shades ? "" : "no program, ", roles[plan->order]);
}

/* Prints in parentheses why a path is not used. */
static void
print_reasons(FILE *fp, uint64_t facts)
{
   const char *between = "";

   fputs(" (", fp);
   if (!facts)
      fputs("turned off", fp);
   u_foreach_bit64(n, facts) {
      fprintf(fp, "%s%s", between, sgpu_facts[n]);
      between = "; ";
   }
   fputc(')', fp);
}

void
sgpu_draw_plan_print(void *file, const struct sgpu_draw_plan *plan)
{
   FILE *fp = file;
   const char *between = "";

   print_modes(fp, plan);
   fputs("; takes", fp);
   if (!plan->paths)
      fputs(" no path", fp);
   u_foreach_bit(n, plan->paths)
      fprintf(fp, " %s", sgpu_paths[n].name);
   if (!plan->left)
      return;
   fputs("; leaves ", fp);
   u_foreach_bit(n, plan->left) {
      fprintf(fp, "%s%s", between, sgpu_paths[n].name);
      print_reasons(fp, plan->facts & sgpu_paths[n].unless);
      between = ", ";
   }
}

bool
sgpu_draw_plan_equals(const struct sgpu_draw_plan *a, const struct sgpu_draw_plan *b)
{
   return a->facts == b->facts && a->paths == b->paths && a->left == b->left &&
          a->samples == b->samples && a->shades == b->shades && a->early == b->early &&
          a->late == b->late && a->per_sample == b->per_sample && a->order == b->order;
}
