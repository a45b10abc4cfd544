/* SPDX-License-Identifier: MIT */
/*
 * The table of shader stages.
 */
#include "sgpu_stage.h"

#include "sgpu_context.h"

const struct sgpu_stage_info sgpu_stages[SGPU_NUM_STAGES] = {
   [SGPU_VS] = {
      .pipe = PIPE_SHADER_VERTEX,
      .device = SGPU_STAGE_VERTEX,
      .name = "vertex",
      .decides = SGPU_DIRTY_VERTEX_ELEMENTS | SGPU_DIRTY_XFB,
   },
   [SGPU_TCS] = {
      .pipe = PIPE_SHADER_TESS_CTRL,
      .device = SGPU_STAGE_TESS_CTRL,
      .name = "tessellation control",
      .optional = true,
   },
   [SGPU_TES] = {
      .pipe = PIPE_SHADER_TESS_EVAL,
      .device = SGPU_STAGE_TESS_EVAL,
      .name = "tessellation evaluation",
      .optional = true,
      .decides = SGPU_DIRTY_XFB | SGPU_DIRTY_TESS_LEVELS,
   },
   [SGPU_GS] = {
      .pipe = PIPE_SHADER_GEOMETRY,
      .device = SGPU_STAGE_GEOMETRY,
      .name = "geometry",
      .optional = true,
      .decides = SGPU_DIRTY_XFB,
   },
   [SGPU_FS] = {
      .pipe = PIPE_SHADER_FRAGMENT,
      .device = SGPU_STAGE_PIXEL,
      .name = "fragment",
      .decides = SGPU_DIRTY_RASTERIZER,
   },
   [SGPU_CS] = {
      .pipe = PIPE_SHADER_COMPUTE,
      .device = SGPU_STAGE_COMPUTE,
      .name = "compute",
   },
};
