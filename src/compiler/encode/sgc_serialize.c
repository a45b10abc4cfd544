/* SPDX-License-Identifier: MIT */
/*
 * Serialization of compiled shaders, for shader caches. Deserialized data is untrusted, so all
 * numbers are range-checked and the driver can safely bind any shader that is returned. Like on the
 * device, sgpu_program_gather() validates the instructions.
 */
#include "sgpu_compiler.h"

#include <stdlib.h>

#include "compiler/nir/nir_serialize.h"
#include "sgpu_packets.h"
#include "util/blob.h"
#include "util/macros.h"
#include "util/mesa-sha1.h"
#include "util/ralloc.h"

bool
sgpu_nir_sha1(const nir_shader *nir, unsigned char sha1[20])
{
   struct blob blob;

   blob_init(&blob);
   nir_serialize(&blob, nir, true);
   blob_write_uint8(&blob, nir->info.use_legacy_math_rules);
   const bool ok = !blob.out_of_memory;
   if (ok)
      _mesa_sha1_compute(blob.data, blob.size, sha1);
   blob_finish(&blob);
   return ok;
}

/* Maximum value of the Shared Size field in the GRID packet, in bytes. */
#define MAX_SHARED_SIZE 65536

/* State of a serialization or deserialization. The same functions handle both, so that the formats
 * they write and read can't diverge. `in` is NULL when serializing, and `out` is NULL when
 * deserializing.
 */
struct facts {
   struct blob *out;
   struct blob_reader *in;
   bool ok; /* false once any number has been out of range */
};

/* Writes `value` when serializing, or reads the number when deserializing. The valid range is
 * [0, end). Returns the number, or 0 if this number or an earlier one was out of range.
 */
static uint32_t
number(struct facts *f, uint32_t value, uint32_t end)
{
   if (f->out)
      blob_write_uint32(f->out, value);
   else
      value = blob_read_uint32(f->in);
   f->ok &= value < end;
   return f->ok ? value : 0;
}

#define NUMBER(f, field, end) field = number(f, field, end)
#define FLAG(f, field) field = number(f, field, 2) != 0

static void
varyings(struct facts *f, struct sgpu_varying_info *list, unsigned count, unsigned registers)
{
   for (unsigned i = 0; i < count; i++) {
      struct sgpu_varying_info *v = &list[i];
      NUMBER(f, v->location, VARYING_SLOT_TESS_MAX);
      NUMBER(f, v->reg, registers);
      NUMBER(f, v->mask, 16);
      NUMBER(f, v->interpolation, INTERP_MODE_COUNT);
      FLAG(f, v->centroid);
      FLAG(f, v->sample);
   }
}

static void
all(struct facts *f, struct sgpu_shader *s)
{
   const bool registers = s->stage == MESA_SHADER_VERTEX || s->stage == MESA_SHADER_FRAGMENT;

   NUMBER(f, s->num_inputs, ARRAY_SIZE(s->inputs) + 1);
   NUMBER(f, s->num_outputs, ARRAY_SIZE(s->outputs) + 1);
   varyings(f, s->inputs, s->num_inputs, registers ? SGPU_INPUT_SIZE : SGPU_MAX_INPUTS);
   varyings(f, s->outputs, s->num_outputs, SGPU_OUTPUT_SIZE);
   for (unsigned i = 0; s->stage == MESA_SHADER_VERTEX && i < s->num_inputs; i++)
      f->ok &= s->inputs[i].location < 64;
   FLAG(f, s->fs_early_tests);
   FLAG(f, s->fs_post_depth_coverage);
   FLAG(f, s->fs_broadcast_color);
   FLAG(f, s->fs_interlock);
   FLAG(f, s->fs_inner_coverage);
   NUMBER(f, s->fs_color_outputs, 9);
   NUMBER(f, s->gs_input, SGPU_PRIMITIVE_PATCHES + 1);
   NUMBER(f, s->gs_output, SGPU_PRIMITIVE_PATCHES + 1);
   NUMBER(f, s->gs_max_vertices, 1025);
   NUMBER(f, s->gs_invocations, 33);
   NUMBER(f, s->tcs_vertices, 33);
   NUMBER(f, s->tes_domain, SGPU_TESS_DOMAIN_ISOLINES + 1);
   NUMBER(f, s->tes_spacing, SGPU_TESS_SPACING_FRACTIONAL_EVEN + 1);
   FLAG(f, s->tes_cw);
   FLAG(f, s->tes_points);
   NUMBER(f, s->cull_distances, 256);
   FLAG(f, s->viewport_mask);
   FLAG(f, s->relative_layer);
   NUMBER(f, s->shared_size, MAX_SHARED_SIZE + 1);
}

static enum sgpu_stage
device_stage(gl_shader_stage stage)
{
   switch (stage) {
   case MESA_SHADER_VERTEX:
      return SGPU_STAGE_VERTEX;
   case MESA_SHADER_TESS_CTRL:
      return SGPU_STAGE_TESS_CTRL;
   case MESA_SHADER_TESS_EVAL:
      return SGPU_STAGE_TESS_EVAL;
   case MESA_SHADER_GEOMETRY:
      return SGPU_STAGE_GEOMETRY;
   case MESA_SHADER_FRAGMENT:
      return SGPU_STAGE_PIXEL;
   default:
      return SGPU_STAGE_COMPUTE;
   }
}

bool
sgpu_shader_write(struct blob *blob, const struct sgpu_shader *shader)
{
   struct sgpu_shader copy = *shader;
   struct facts f = { .out = blob, .ok = true };
   size_t size;
   void *program = sgpu_program_serialize(&shader->program, &size);

   if (!program)
      return false;
   blob_write_uint32(blob, shader->stage);
   all(&f, &copy);
   blob_write_string(blob, shader->not_vp1 ? shader->not_vp1 : "");
   blob_write_uint32(blob, size);
   blob_write_bytes(blob, program, size);
   free(program);
   return f.ok && !blob->out_of_memory;
}

static void
finish_program(void *shader)
{
   sgpu_program_finish(&((struct sgpu_shader *)shader)->program);
}

struct sgpu_shader *
sgpu_shader_read(const void *data, size_t size, gl_shader_stage stage)
{
   struct blob_reader blob;
   struct facts f = { .in = &blob, .ok = true };
   struct sgpu_shader *s = rzalloc(NULL, struct sgpu_shader);

   if (!s)
      return NULL;
   blob_reader_init(&blob, data, size);
   s->stage = stage;
   f.ok = blob_read_uint32(&blob) == (uint32_t)stage;
   all(&f, s);
   /* Check for an overrun first, because blob_read_string() asserts that there was none. */
   const char *not_vp1 = blob.overrun ? NULL : blob_read_string(&blob);
   const uint32_t bytes = blob_read_uint32(&blob);
   const void *program = blob_read_bytes(&blob, bytes);
   f.ok = f.ok && !blob.overrun && blob.current == blob.end;
   if (f.ok && not_vp1[0])
      s->not_vp1 = ralloc_strdup(s, not_vp1);
   if (!f.ok || sgpu_program_deserialize(program, bytes, &s->program)) {
      ralloc_free(s);
      return NULL;
   }
   ralloc_set_destructor(s, finish_program);
   if (s->program.stage != device_stage(stage)) {
      ralloc_free(s);
      return NULL;
   }
   return s;
}
