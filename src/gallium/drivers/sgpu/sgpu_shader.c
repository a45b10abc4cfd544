/* SPDX-License-Identifier: MIT */
/* Creates shader objects, which have a compiled program in device memory. */
#include "sgpu_shader.h"

#include "nir/tgsi_to_nir.h"
#include "nir_xfb_info.h"
#include "pipe/p_context.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/ralloc.h"
#include "util/u_memory.h"

#include "sgpu_context.h"
#include "sgpu_printable.h"

/* Maps Gallium's vertex elements to inputs of the shader.  The location of an input of a vertex
 * shader is the index of its element.
 */
static void
map_elements(struct sgpu_shader_state *state)
{
   for (unsigned i = 0; i < state->compiled->num_inputs; i++) {
      const struct sgpu_varying_info *in = &state->compiled->inputs[i];
      const unsigned element = in->location;

      if (element >= PIPE_MAX_ATTRIBS)
         continue;
      state->element_used[element] = true;
      state->num_elements = MAX2(state->num_elements, element + 1);
      struct SGPU_VERTEX_ELEMENT cfg = { .input = in->reg };
      SGPU_VERTEX_ELEMENT_pack(state->element_input[element], &cfg);
   }
}

static bool
is_color(unsigned slot)
{
   return slot == VARYING_SLOT_COL0 || slot == VARYING_SLOT_COL1 || slot == VARYING_SLOT_BFC0 ||
          slot == VARYING_SLOT_BFC1;
}

/* Packs the SHADER packet that binds the shader. */
static void
pack(struct sgpu_shader_state *state, bool per_sample)
{
   const struct sgpu_shader *shader = state->compiled;
   const struct sgpu_program *program = &shader->program;

   sgpu_pack(state->packed[per_sample], SHADER, cfg) {
      cfg.stage = sgpu_stages[state->stage].device;
      /* A pixel shader without instructions keeps address 0, which means that there is no program.
       */
      if (state->code) {
         cfg.address = state->code->address;
         cfg.instructions = program->num_instrs;
         cfg.vp1 = program->vp1;
         cfg.literals = program->num_literals;
         cfg.literal_base = program->literal_base;
         cfg.temps = program->num_temps;
         cfg.early_tests = shader->fs_early_tests;
         cfg.post_depth_coverage = shader->fs_post_depth_coverage;
         cfg.color_outputs = shader->fs_color_outputs;
         cfg.broadcast_color = shader->fs_broadcast_color;
         cfg.interlock = shader->fs_interlock;
         cfg.inner_coverage = shader->fs_inner_coverage;
         cfg.per_sample = per_sample;
         cfg.scratch = program->scratch_size;
         cfg.cull_distances = shader->cull_distances;
         cfg.viewport_mask = shader->viewport_mask;
         cfg.relative_layer = shader->relative_layer;
         cfg.output_vertices = shader->tcs_vertices;
         cfg.tess_domain = shader->tes_domain;
         cfg.tess_spacing = shader->tes_spacing;
         cfg.tess_cw = shader->tes_cw;
         cfg.tess_points = shader->tes_points;
         if (shader->stage == MESA_SHADER_GEOMETRY) {
            cfg.input_primitive = shader->gs_input;
            cfg.output_primitive = shader->gs_output;
            cfg.max_vertices = shader->gs_max_vertices;
            cfg.invocations = shader->gs_invocations;
         }
      }
   }
}

/* Copies the code to device memory and packs the SHADER packets. */
static bool
upload(struct sgpu_screen *screen, struct sgpu_shader_state *state)
{
   const struct sgpu_shader *shader = state->compiled;
   const struct sgpu_program *program = &shader->program;
   size_t instrs = program->num_instrs * 16, literals = program->num_literals * 16;

   if (!instrs) {
      pack(state, false);
      pack(state, true);
      return shader->stage == MESA_SHADER_FRAGMENT;
   }

   state->code = sgpu_buffer_create(screen->ws, instrs + literals, 0, "shader");
   if (!state->code)
      return false;
   memcpy(state->code->map, program->instrs, instrs);
   if (literals)
      memcpy(state->code->map + instrs, program->literals, literals);

   pack(state, false);
   pack(state, true);
   return true;
}

/* Parameters that util_live_shader_cache_get() passes to sgpu_shader_create().  The caller
 * allocates the memory of the shader, because the cache would crash if the creation failed.
 */
struct shader_request {
   struct pipe_shader_state base;
   struct sgpu_shader_state *fresh; /* memory for a new shader, or NULL if it has been used */
};

/* Reports a shader that does not compile.  A shader that doesn't go through the GLSL linker has no
 * other way to report the error.
 */
static void
refuse(struct pipe_context *pctx, const nir_shader *nir, const char *error)
{
   const char *stage = _mesa_shader_stage_to_string(nir->info.stage);

   fprintf(stderr, "sgpu: a %s shader does not compile: %s\n", stage, error);
   util_debug_message(&pctx->debug, ERROR,
                      "a %s shader does not compile, draws with it do nothing: %s", stage, error);
}

/* Compiles the shader and packs its packets.  Returns false on failure. */
static bool
fill_shader(struct pipe_context *pctx, struct sgpu_shader_state *state, const nir_shader *nir)
{
   struct sgpu_screen *screen = sgpu_screen(pctx->screen);
   char *error;

   if (nir->xfb_info && nir->xfb_info->output_count > PIPE_MAX_SO_OUTPUTS) {
      refuse(pctx, nir, "transform feedback records too many outputs");
      return false;
   }
   struct sgpu_shader *shader = state->compiled = sgpu_shader_compile(screen, nir, &error);

   if (!shader) {
      refuse(pctx, nir, error ? error : "out of memory");
      ralloc_free(error);
      return false;
   }
   state->stage = sgpu_stage_index(pipe_shader_type_from_mesa(shader->stage));
   if (!upload(screen, state) || !sgpu_xfb_output_create(nir->xfb_info, shader, &state->xfb_output))
      return false;

   if (state->stage == SGPU_VS)
      map_elements(state);
   for (unsigned i = 0; state->stage == SGPU_FS && i < shader->num_inputs; i++) {
      const struct sgpu_varying_info *in = &shader->inputs[i];
      if (is_color(in->location) && in->interpolation == INTERP_MODE_NONE)
         state->flat_inputs |= 1u << in->reg;
   }
   util_debug_message(&pctx->debug, SHADER_INFO,
                      "%s shader: %u instructions, %u temps, %u literals%s",
                      gl_shader_stage_name(shader->stage), shader->program.num_instrs,
                      shader->program.num_temps, shader->program.num_literals,
                      shader->program.vp1 ? ", base profile" : "");
   return true;
}

/* Adds the shader to the screen's list, which sgpu_shader_describe() searches for error messages.
 */
static void
add_to_screen(struct sgpu_screen *screen, struct sgpu_shader_state *state)
{
   simple_mtx_lock(&screen->shaders_lock);
   list_addtail(&state->link, &screen->shaders);
   simple_mtx_unlock(&screen->shaders_lock);
}

static void *
sgpu_shader_create(struct pipe_context *pctx, const struct pipe_shader_state *templat)
{
   struct shader_request *request = container_of(templat, struct shader_request, base);
   struct sgpu_screen *screen = sgpu_screen(pctx->screen);
   struct sgpu_shader_state *state = request->fresh;
   nir_shader *nir = templat->type == PIPE_SHADER_IR_TGSI
                        ? tgsi_to_nir(templat->tokens, pctx->screen, false)
                        : templat->ir.nir;

   request->fresh = NULL;
   state->id = p_atomic_inc_return(&screen->next_shader_id);
   /* The application chooses the name, so escape unprintable characters. */
   sgpu_printable(state->name, sizeof state->name,
                  nir->info.label  ? nir->info.label
                  : nir->info.name ? nir->info.name
                                   : "no name");
   if (screen->compiler_debug & SGPU_COMPILER_ASM) {
      fprintf(stderr, "# %s shader %u (%s)\n", _mesa_shader_stage_to_string(nir->info.stage),
              state->id, state->name);
   }
   if (!fill_shader(pctx, state, nir)) {
      sgpu_buffer_reference(&state->code, NULL);
      ralloc_free(state->compiled);
      state->compiled = NULL;
   }
   ralloc_free(nir);
   add_to_screen(screen, state);
   return state;
}

static void
sgpu_shader_destroy(struct pipe_context *pctx, void *shader)
{
   struct sgpu_screen *screen = sgpu_screen(pctx->screen);
   struct sgpu_shader_state *state = shader;

   simple_mtx_lock(&screen->shaders_lock);
   list_del(&state->link);
   simple_mtx_unlock(&screen->shaders_lock);
   sgpu_buffer_reference(&state->code, NULL);
   FREE(state->xfb_output);
   ralloc_free(state->compiled);
   FREE(state);
}

static void *
sgpu_create_shader_state(struct pipe_context *pctx, const struct pipe_shader_state *templat)
{
   struct shader_request request = {
      .base = *templat,
      .fresh = CALLOC_STRUCT(sgpu_shader_state),
   };

   if (!request.fresh) {
      if (templat->type == PIPE_SHADER_IR_NIR)
         ralloc_free(templat->ir.nir);
      return NULL;
   }
   void *shader = util_live_shader_cache_get(pctx, &sgpu_screen(pctx->screen)->live_shaders,
                                             &request.base, NULL);
   FREE(request.fresh);
   return shader;
}

/* Only the program is needed from pipe_compute_state, because the NIR also contains the size of
 * shared memory.
 */
static void *
sgpu_create_compute_state(struct pipe_context *pctx, const struct pipe_compute_state *templat)
{
   struct pipe_shader_state state = { .type = templat->ir_type };

   if (templat->ir_type == PIPE_SHADER_IR_TGSI)
      state.tokens = templat->prog;
   else
      state.ir.nir = (void *)templat->prog;
   return sgpu_create_shader_state(pctx, &state);
}

static void
sgpu_delete_shader_state(struct pipe_context *pctx, void *shader)
{
   util_shader_reference(pctx, &sgpu_screen(pctx->screen)->live_shaders, &shader, NULL);
}

void
sgpu_shader_screen_init(struct pipe_screen *pscreen)
{
   list_inithead(&sgpu_screen(pscreen)->shaders);
   simple_mtx_init(&sgpu_screen(pscreen)->shaders_lock, mtx_plain);
   util_live_shader_cache_init(&sgpu_screen(pscreen)->live_shaders, sgpu_shader_create,
                               sgpu_shader_destroy);
}

void
sgpu_shader_forget(struct sgpu_screen *screen)
{
   util_live_shader_cache_deinit(&screen->live_shaders);
   util_live_shader_cache_init(&screen->live_shaders, sgpu_shader_create, sgpu_shader_destroy);
}

void
sgpu_shader_context_init(struct pipe_context *pctx)
{
   pctx->create_vs_state = sgpu_create_shader_state;
   pctx->delete_vs_state = sgpu_delete_shader_state;
   pctx->create_tcs_state = sgpu_create_shader_state;
   pctx->delete_tcs_state = sgpu_delete_shader_state;
   pctx->create_tes_state = sgpu_create_shader_state;
   pctx->delete_tes_state = sgpu_delete_shader_state;
   pctx->create_gs_state = sgpu_create_shader_state;
   pctx->delete_gs_state = sgpu_delete_shader_state;
   pctx->create_fs_state = sgpu_create_shader_state;
   pctx->delete_fs_state = sgpu_delete_shader_state;
   pctx->create_compute_state = sgpu_create_compute_state;
   pctx->delete_compute_state = sgpu_delete_shader_state;
}
