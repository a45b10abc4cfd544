/* SPDX-License-Identifier: MIT */
/*
 * Shader core: loads and stores of the outputs that the invocations of a tessellation control
 * program share, per vertex and per patch.
 *
 * All invocations of a patch are lanes of the same warp, so that the per-vertex outputs are the
 * OUTPUT registers of these lanes.
 */
#include "shader/interp/sgd_exec.h"
#include "common/sgd_observe.h"
#include "shader/interp/sgd_shader_observe.h"

/* Returns src0.x + offset for a lane, which is the index of a vertex or of a patch output. */
static inline uint32_t
place(const struct sgd_warp *w, const struct sgd_ins *i, const struct sgpu_instr *instr,
      unsigned lane)
{
   const uint32_t base = instr->src[0].file == SGPU_FILE_NONE
                            ? 0
                            : sgd_lanes(w->file, i->comp[0].a)[lane];
   return base + instr->offset;
}

static void
store_result(const struct sgd_ins *i, uint8_t *dst, const struct sgd_vec *value)
{
   for (unsigned n = 0; n < i->num_comps; n++)
      memcpy(sgd_lanes(dst, i->comp[n].d), value->c[i->dcomp[n]], sizeof(value->c[0]));
}

void
sgd_load_output(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgd_stage_io *io = w->worker->stage_io;
   const int32_t *rel = instr->urel ? sgd_addr(w, instr->urelcomp) : NULL;
   /* The result is stored last, because it can overwrite outputs that other lanes must still load.
    */
   struct sgd_vec value = { 0 };

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t vertex = place(w, i, instr, l);
      const int64_t output = (int64_t)instr->unit + (rel ? rel[l] : 0);

      if (!io || !(w->running >> l & 1) || vertex >= io->output_vertices || output < 0 ||
          output >= w->code->layout.num_out || !(w->shader->outputs_written >> output & 1))
         continue;
      for (unsigned n = 0; n < i->num_comps; n++) {
         const unsigned c = i->dcomp[n];
         value.c[c][l] = w->out[output].c[c][io->first_lane[l] + vertex];
      }
   }
   store_result(i, dst, &value);
}

void
sgd_load_patch(struct sgd_warp *w, const struct sgd_ins *i, uint8_t *dst)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgd_stage_io *io = w->worker->stage_io;
   struct sgd_vec value = { 0 };

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t output = place(w, i, instr, l);

      if (!io || !io->patches || !(w->running >> l & 1) || output >= SGPU_MAX_PATCH_OUTPUTS)
         continue;
      for (unsigned c = 0; c < 4; c++)
         value.c[c][l] = io->patches[io->patch[l]].output[output][c];
   }
   store_result(i, dst, &value);
}

void
sgd_store_patch(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgd_stage_io *io = w->worker->stage_io;

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if (SGD_OBSERVED_LEVEL)
      sgd_shader_observe_memory(w, i, mask);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t output = place(w, i, instr, l);

      if (!(mask >> l & 1) || !io || !io->patches || output >= SGPU_MAX_PATCH_OUTPUTS)
         continue;
      for (unsigned c = 0; c < 4; c++) {
         if (i->mask >> c & 1)
            io->patches[io->patch[l]].output[output][c] = sgd_lanes(w->file, i->comp[c].b)[l];
      }
   }
}
