/* SPDX-License-Identifier: MIT */
/*
 * The front end and the raster engine of one host level, with stand-ins for the shader cores and
 * the ROP.
 */
#include "fixture.h"
#include "pixel/rop/sgd_rop_warp.h"
#include "geometry/setup/sgd_setup.h"

extern const struct fix_level fix_level;

void
sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                 const struct sgd_env *env)
{
}

bool
sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
               const struct sgd_env *env, uint32_t active, uint32_t *live)
{
   return fix_shader_run(worker, shader, active, live);
}

void
sgd_shader_run_all(struct sgd_worker *worker)
{
}

uint32_t
sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *state, const struct sgd_quads *quads,
            const float z[SGD_WARP], const uint32_t *stencil_ref, uint32_t mask)
{
   return fix_zs_test(worker, quads, z, mask);
}

void
sgd_color_write(struct sgd_worker *worker, const struct sgd_state *state,
                const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask)
{
   fix_color_write(worker, quads, out, mask);
}

void
sgd_color_write_samples(struct sgd_worker *worker, const struct sgd_state *state,
                        struct sgd_quads *quads, const struct sgd_vec *out, const uint32_t *live,
                        unsigned first, unsigned count)
{
   for (unsigned n = 0; n < count; n++) {
      quads->sample = first + n;
      if (live[n])
         fix_color_write(worker, quads, out, live[n]);
   }
}

const struct fix_level fix_level = {
   .front = sgd_front_run,
   .raster = sgd_raster_run,
   .setup_offset = sgd_setup_offset,
};
