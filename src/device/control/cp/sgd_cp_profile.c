/* SPDX-License-Identifier: MIT */
/*
 * Command processor: describes operations and programs for the profiler, as lines of JSON.
 */
#include "control/cp/sgd_cp_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/plan/sgd_plan_make.h"
#include "observe/profile/sgd_profile.h"
#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_translate.h"
#include "sgpu_device.h"
#include "sgpu_disasm.h"
#include "sgpu_formats.h"
#include "util/macros.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

/* What distinguishes shapes. All bytes are hashed, so there is no padding. */
struct shape {
   uint64_t program[SGD_STAGES];
   uint64_t facts, label;
   uint32_t kind, detail; /* detail: primitive, or kind of transfer */
   uint32_t count, instances, parts, paths;
   uint32_t width, height, layers, samples;
   uint32_t color_format, zs_format, source_format, unused;
};

static const char *const primitives[] = {
   "points",         "lines",      "line loop", "line strip",     "triangles",
   "triangle strip", "fan",        "quads",     "quad strip",     "polygon",
   "lines",          "line strip", "triangles", "triangle strip", "patches",
};

static const char *const transfers[] = {
   [SGD_XFER_CLEAR] = "clear",
   [SGD_XFER_COPY_SURFACE] = "copy",
   [SGD_XFER_BLIT] = "blit",
   [SGD_XFER_RESOLVE] = "expand clear",
   [SGD_XFER_COPY_BUFFER] = "copy buffer",
   [SGD_XFER_FILL_BUFFER] = "fill buffer",
};

static uint32_t
format_of(const struct sgd_surface *s)
{
   return s->valid ? s->format : 0;
}

static void
draw_shape(const struct sgd_draw *draw, struct shape *s)
{
   const struct sgd_state *st = draw->state;

   s->detail = draw->packet.primitive;
   s->count = draw->packet.count;
   s->instances = draw->packet.instances;
   s->parts = draw->num_parts;
   s->facts = st->plan.facts;
   s->paths = sgd_plan_draw_paths(&st->plan, draw->packet.primitive);
   for (unsigned i = 0; i < SGD_STAGES; i++)
      s->program[i] = st->shader[i] && i != SGPU_STAGE_COMPUTE ? st->shader[i]->key : 0;
   s->width = st->fb_width;
   s->height = st->fb_height;
   s->layers = st->fb_layers;
   s->samples = st->samples;
   if (st->num_colors)
      s->color_format = format_of(&st->color[0]);
   s->zs_format = format_of(&st->zs);
}

static void
transfer_shape(const struct sgd_xfer *x, struct shape *s)
{
   const struct sgd_surface *dst = NULL, *src = NULL;

   s->detail = x->kind;
   s->width = (uint32_t)(x->rect.x1 - x->rect.x0);
   s->height = (uint32_t)(x->rect.y1 - x->rect.y0);
   s->layers = x->layers;
   switch (x->kind) {
   case SGD_XFER_CLEAR:
      if (x->u.clear.colors)
         dst = &x->u.clear.color[__builtin_ctz(x->u.clear.colors)];
      if (x->u.clear.clear_depth || x->u.clear.clear_stencil)
         s->zs_format = format_of(&x->u.clear.zs);
      break;
   case SGD_XFER_COPY_SURFACE:
      dst = &x->u.copy.dst;
      src = &x->u.copy.src;
      break;
   case SGD_XFER_BLIT:
      dst = &x->u.blit.dst;
      src = &x->u.blit.src;
      break;
   case SGD_XFER_RESOLVE:
      dst = &x->u.resolve;
      break;
   default:
      break;
   }
   if (dst) {
      s->color_format = format_of(dst);
      s->samples = dst->samples;
   }
   if (src) {
      s->source_format = format_of(src);
      s->samples = MAX2(s->samples, src->samples);
   }
}

static void
put_format(FILE *fp, const char *name, uint32_t format)
{
   const struct sgpu_format_info *info = format ? sgpu_format_info(format) : NULL;
   if (info && info->name)
      fprintf(fp, ",\"%s\":\"%s\"", name, info->name);
}

static void
put_text(FILE *fp, const char *name, const char *text)
{
   fprintf(fp, ",\"%s\":", name);
   sgd_profile_put_string(fp, text);
}

static void
put_plan(FILE *fp, const struct sgd_draw *draw)
{
   struct sgpu_draw_plan plan;
   char *text = NULL;
   size_t size;

   sgd_plan_describe(&draw->state->plan, draw->packet.primitive, &plan);
   FILE *memory = open_memstream(&text, &size);
   if (!memory)
      return;
   sgpu_draw_plan_print(memory, &plan);
   fclose(memory);
   put_text(fp, "plan", text);
   free(text);
}

static void
describe(struct sgd_cp *cp, const struct sgd_node *node, const struct shape *s, uint32_t index)
{
   char *text = NULL;
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   if (!fp)
      return;
   fprintf(fp, "{\"shape\":%" PRIu32, index);
   switch (node->kind) {
   case SGD_NODE_DRAW:
      put_text(fp, "kind", "draw");
      put_text(fp, "what", s->detail < ARRAY_SIZE(primitives) ? primitives[s->detail] : "?");
      fprintf(fp, ",\"count\":%" PRIu32 ",\"instances\":%" PRIu32 ",\"joined\":%" PRIu32, s->count,
              s->instances, s->parts);
      put_plan(fp, &node->draw);
      break;
   case SGD_NODE_XFER:
      put_text(fp, "kind", "transfer");
      put_text(fp, "what", transfers[s->detail]);
      put_format(fp, "from", s->source_format);
      break;
   case SGD_NODE_GRID:
      put_text(fp, "kind", "grid");
      fprintf(fp, ",\"groups\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
              node->compute->packet.groups_x, node->compute->packet.groups_y,
              node->compute->packet.groups_z);
      break;
   default:
      put_text(fp, "kind", "query");
      break;
   }
   fputs(",\"programs\":[", fp);
   const char *comma = "";
   for (unsigned i = 0; i < SGD_STAGES; i++) {
      if (!s->program[i])
         continue;
      fprintf(fp, "%s\"%016" PRIx64 "\"", comma, s->program[i]);
      comma = ",";
   }
   fputc(']', fp);
   if (cp->label[0])
      put_text(fp, "label", cp->label);
   fprintf(fp, ",\"size\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"samples\":%" PRIu32, s->width,
           s->height, s->layers, s->samples);
   put_format(fp, "color", s->color_format);
   put_format(fp, "depth", s->zs_format);
   fputs("}\n", fp);
   fclose(fp);
   sgd_profile_text(cp->sched->profile, text, size);
   free(text);
}

void
sgd_cp_profile_node(struct sgd_cp *cp, struct sgd_node *node)
{
   struct sgd_profile *profile = cp->sched->profile;
   struct shape s;
   bool fresh;

   if (!profile)
      return;
   memset(&s, 0, sizeof(s));
   s.kind = node->kind;
   s.label = cp->label[0] ? XXH64(cp->label, strlen(cp->label), 0) : 0;
   if (node->kind == SGD_NODE_DRAW) {
      draw_shape(&node->draw, &s);
   } else if (node->kind == SGD_NODE_XFER) {
      transfer_shape(node->xfer, &s);
   } else if (node->kind == SGD_NODE_GRID) {
      s.program[SGPU_STAGE_COMPUTE] = node->compute->program->key;
      s.width = node->compute->packet.groups_x;
      s.height = node->compute->packet.groups_y;
      s.layers = node->compute->packet.groups_z;
   }
   if (cp->sub->frame != cp->frame) {
      cp->frame = cp->sub->frame;
      cp->in_frame = 0;
   }
   node->place = (struct sgd_place){
      .frame = cp->frame,
      .draw = ++cp->in_frame,
      .shape = sgd_profile_shape(profile, XXH64(&s, sizeof(s), 0), &fresh),
   };
   if (fresh)
      describe(cp, node, &s, node->place.shape);
}

void
sgd_profile_program(struct sgd_profile *profile, const struct sgd_shader *shader)
{
   char *text = NULL, line[SGPU_DISASM_MAX];
   size_t size;
   FILE *fp = profile ? open_memstream(&text, &size) : NULL;

   if (!fp)
      return;
   fprintf(fp, "{\"program\":\"%016" PRIx64 "\",\"stage\":\"%s\",\"instructions\":[\"\"",
           shader->key, sgpu_stage_name(shader->stage));
   for (uint32_t n = 0; n < shader->num_instrs; n++) {
      struct sgpu_instr instr;
      sgpu_instr_unpack(shader->words + 4 * (size_t)n, &instr);
      sgpu_disasm_instr(&instr, shader->stage, shader->vp1, line);
      fprintf(fp, ",\"%s\"", line);
   }
   fputs("]}\n", fp);
   fclose(fp);
   sgd_profile_text(profile, text, size);
   free(text);
}

void
sgd_profile_code(struct sgd_profile *profile, const struct sgd_shader *shader, uint64_t ns)
{
   char *text = NULL;
   size_t size;
   FILE *fp = profile ? open_memstream(&text, &size) : NULL;

   if (!fp)
      return;
   fprintf(fp, "{\"code\":\"%016" PRIx64 "\",\"ns\":%" PRIu64 ",", shader->key, ns);
   sgd_list_translation(shader, fp);
   fputs("}\n", fp);
   fclose(fp);
   sgd_profile_text(profile, text, size);
   free(text);
}
