/* SPDX-License-Identifier: MIT */
/*
 * Verifies a timing model by its rendering results. This file compares the shadow with the device's
 * memory, and prints reports.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof/sgt_shadow.h"
#include "proof/sgt_shadow_model.h"

/* Adds the differences in one surface, or in all buffers, to the summary `w`. */
static void
note_wrong(const struct sgt_shadow *s, struct sgt_shadow_wrong *w, bool buffer, unsigned surface,
           const struct sgpu_shadow_difference *diff)
{
   if (!w->surfaces++) {
      w->buffer = buffer;
      w->surface = surface;
      w->difference = *diff;
      w->item = UINT32_MAX;
      if (!buffer) {
         struct sgpu_shadow_surface info;
         sgpu_shadow_image_surface(s->image, surface, &info);
         w->item = sgt_audit_writer(s->audit, info.address + diff->layer * info.layer_stride,
                                    diff->x, diff->y);
      }
   }
   w->pixels += diff->count;
}

bool
sgt_shadow_finish(struct sgt_shadow *s, struct sgt_shadow_report *r)
{
   memset(r, 0, sizeof(*r));
   if (!s->parts)
      sgt_audit_finish(s->audit);
   for (unsigned i = 0; i < SGT_HAZARDS; i++)
      r->violations[i] = *sgt_audit_violations(s->audit, i);
   r->violations_total = sgt_audit_count(s->audit);
   r->fragments = s->fragments;
   r->poison_in_order = s->poison_in_order;
   r->lost = s->lost;
   r->values = s->memory && s->trace->has_values;
   s->failed |= !sgt_audit_ok(s->audit);
   if (r->values) {
      struct sgpu_shadow_difference diff;
      for (unsigned i = 0; i < sgpu_shadow_image_num_surfaces(s->image); i++) {
         sgpu_shadow_compare(s->memory, i, &diff, NULL, 0);
         if (diff.count)
            note_wrong(s, &r->wrong, false, i, &diff);
      }
      sgpu_shadow_compare_buffers(s->memory, &diff);
      if (diff.count)
         note_wrong(s, &r->wrong, true, 0, &diff);
      r->hash = sgpu_shadow_hash(s->memory);
   }
   r->proved = !s->failed && !r->violations_total && !r->poison_in_order && !r->lost &&
               !r->wrong.pixels;
   return !s->failed;
}

static void
print_item(FILE *fp, const struct sgt_shadow *s, uint32_t number)
{
   static const char *const kinds[SGT_ITEM_KINDS] = {
      [SGT_ITEM_TRIANGLE] = "triangle",
      [SGT_ITEM_LINE] = "line",
      [SGT_ITEM_POINT] = "point",
      [SGT_ITEM_CLEAR] = "clear",
      [SGT_ITEM_COPY] = "copy",
      [SGT_ITEM_FILL] = "fill",
      [SGT_ITEM_DIRECT] = "access by the CPU",
   };

   if (number == UINT32_MAX) {
      fprintf(fp, "an unknown item");
      return;
   }
   const struct sgt_item *item = &s->trace->items[number];
   const struct sgt_operation *op = &s->trace->operations[item->operation];
   fprintf(fp, "item %" PRIu32 " (%s %" PRIu32, number, kinds[item->kind], item->number);
   if (op->draw != UINT32_MAX)
      fprintf(fp, " of draw %" PRIu32, op->draw);
   fprintf(fp, ", frame %" PRIu32 ")", op->frame);
}

static void
print_element(FILE *fp, const struct sgpu_shadow_difference *d)
{
   for (unsigned i = 0; i < d->bytes; i++)
      fprintf(fp, "%02x", d->got[i]);
   fprintf(fp, ", not ");
   for (unsigned i = 0; i < d->bytes; i++)
      fprintf(fp, "%02x", d->expected[i]);
}

void
sgt_shadow_print(const struct sgt_shadow *s, const struct sgt_shadow_report *r, void *file)
{
   const struct sgpu_shadow_difference *d = &r->wrong.difference;
   FILE *fp = file;

   if (s->failed)
      fprintf(fp, "not verified: out of memory\n");
   for (unsigned i = 0; i < SGT_HAZARDS; i++) {
      const struct sgt_violations *v = &r->violations[i];
      if (!v->count)
         continue;
      fprintf(fp, "%s violated %" PRIu64 " times, first by ", sgt_hazard_names[i], v->count);
      print_item(fp, s, v->item);
      if (i != SGT_HAZARD_PARTS) {
         fprintf(fp, " against ");
         print_item(fp, s, v->other);
      }
      if (v->cycle != UINT64_MAX)
         fprintf(fp, " in cycle %" PRIu64, v->cycle);
      fprintf(fp, ", pixels %d, %d to %d, %d\n", v->rect.x0, v->rect.y0, v->rect.x1, v->rect.y1);
   }
   if (r->poison_in_order)
      fprintf(fp, "%" PRIu64 " fragments pass, but fail in program order\n", r->poison_in_order);
   if (r->lost)
      fprintf(fp, "%" PRIu64 " fragments fail, but pass in program order\n", r->lost);
   if (r->wrong.pixels && r->wrong.buffer) {
      fprintf(fp, "%" PRIu64 " bytes of buffers are wrong, first at 0x%" PRIx64 ": ",
              r->wrong.pixels, d->address);
      print_element(fp, d);
      fprintf(fp, "\n");
   } else if (r->wrong.pixels) {
      struct sgpu_shadow_surface info;
      sgpu_shadow_image_surface(s->image, r->wrong.surface, &info);
      fprintf(fp,
              "%" PRIu64 " pixels of %" PRIu32 " surfaces are wrong, first of %s %ux%u at "
              "0x%" PRIx64 ", level %u: pixel %u, %u, layer %u, sample %u: ",
              r->wrong.pixels, r->wrong.surfaces, info.depth ? "depth" : "colour", info.width,
              info.height, info.address, info.level, d->x, d->y, d->layer, d->sample);
      print_element(fp, d);
      fprintf(fp, "; last covered by ");
      print_item(fp, s, r->wrong.item);
      fprintf(fp, "\n");
   }
   if (r->proved && r->values)
      fprintf(fp, "verified: %" PRIu64 " fragments, memory equal to the device's\n",
              r->fragments.fragments);
   else if (r->proved)
      fprintf(fp, "schedule verified; the trace has no values\n");
}

uint64_t
sgt_shadow_picture(struct sgt_shadow *s, unsigned surface, unsigned layer, uint8_t *rgba)
{
   struct sgpu_shadow_difference diff;
   struct sgpu_shadow_surface info;
   uint64_t count = 0;

   sgpu_shadow_image_surface(s->image, surface, &info);
   const size_t pixels = (size_t)info.width * info.height;
   uint8_t *wrong = malloc(pixels);
   if (!wrong || !s->memory || !sgpu_shadow_picture(s->memory, surface, layer, false, rgba)) {
      free(wrong);
      return UINT64_MAX;
   }
   sgpu_shadow_compare(s->memory, surface, &diff, wrong, layer);
   for (size_t i = 0; i < pixels; i++) {
      uint8_t *p = rgba + 4 * i;
      const unsigned grey = (p[0] * 77 + p[1] * 151 + p[2] * 28) >> 8;
      count += wrong[i];
      p[0] = wrong[i] ? 255 : grey;
      p[1] = p[2] = wrong[i] ? 0 : grey;
      p[3] = 255;
   }
   free(wrong);
   return count;
}
