/* SPDX-License-Identifier: MIT */
/*
 * Tests storage buffers, shared memory, images, barriers and compute shaders: the instruction of
 * each operation, its address, and operations that must not be moved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"

static nir_builder
begin(unsigned x, unsigned y, unsigned z)
{
   nir_builder b = listing_begin(MESA_SHADER_COMPUTE);

   b.shader->info.workgroup_size[0] = x;
   b.shader->info.workgroup_size[1] = y;
   b.shader->info.workgroup_size[2] = z;
   b.shader->info.shared_size = 4096;
   return b;
}

static nir_def *
load(nir_builder *b, unsigned n, unsigned buffer, nir_def *offset)
{
   return nir_load_ssbo(b, n, 32, nir_imm_int(b, buffer), offset, .align_mul = 4);
}

static void
store(nir_builder *b, nir_def *value, unsigned buffer, nir_def *offset)
{
   nir_store_ssbo(b, value, nir_imm_int(b, buffer), offset, .align_mul = 4,
                  .write_mask = nir_component_mask(value->num_components));
}

/* Returns a word of the uniforms.  Each operation uses a different word. */
static nir_def *
word(nir_builder *b, unsigned n)
{
   return nir_channel(b, listing_uniform(b, n / 4), n % 4);
}

/* Constant parts of an address are part of the instruction. */
static void
addresses(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *at = nir_ishl_imm(b, nir_channel(b, nir_load_local_invocation_id(b), 0), 4);

   store(b, load(b, 2, 1, nir_iadd_imm(b, at, 32)), 0, nir_imm_int(b, 0x100));
   store(b, load(b, 1, 1, nir_iadd_imm(b, at, -4)), 2, nir_imm_int(b, 0));
   listing_expect(b, "SHL R0.x, s[LOCAL_ID].x, c[0].x;\n"
                     "LDB R1.xy, buf[1][R0.x + 32];\n"
                     "IADD R0.x, R0.x, c[0].y;\n"
                     "STB buf[0][256].xy, R1;\n"
                     "LDB R0.x, buf[1][R0.x];\n"
                     "STB buf[2][0].x, R0.x;\n");
}

/* Accesses to neighbouring words are combined. */
static void
neighbours(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *at = word(b, 0), *x[4];

   for (unsigned i = 0; i < 4; i++)
      x[i] = load(b, 1, 0, nir_iadd_imm(b, at, 4 * i));
   for (unsigned i = 0; i < 4; i++)
      store(b, nir_iadd(b, x[i], word(b, 1)), 1, nir_iadd_imm(b, at, 4 * i));
   listing_expect(b, "LDB R0, buf[0][c[0].x];\n"
                     "IADD R0, R0, c[0].y;\n"
                     "STB buf[1][c[0].x], R0;\n");
}

/* Atomic operations whose results are not used have no destination, and none is removed. */
static void
atomics(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *zero = nir_imm_int(b, 0);

   nir_ssbo_atomic(b, 32, zero, nir_iadd_imm(b, word(b, 0), 8), word(b, 1),
                   .atomic_op = nir_atomic_op_iadd);
   nir_def *old = nir_ssbo_atomic(b, 32, nir_imm_int(b, 3), zero, word(b, 2),
                                  .atomic_op = nir_atomic_op_umax);
   old = nir_ssbo_atomic_swap(b, 32, zero, zero, old, word(b, 4),
                              .atomic_op = nir_atomic_op_cmpxchg);
   nir_shared_atomic(b, 32, word(b, 0), old, .base = 64, .atomic_op = nir_atomic_op_fadd);
   listing_expect(b, "ATB.ADD _, buf[0][c[0].x + 8], c[0].y;\n"
                     "ATB.UMAX R0.x, buf[3][0], c[0].z;\n"
                     "MOV R0.y, c[1].x;\n"
                     "ATB.CAS R0.x, buf[0][0], R0;\n"
                     "ATS.FADD _, sh[c[0].x + 64], R0.x;\n");
}

static nir_def *
wide_word(nir_builder *b, unsigned n)
{
   return nir_pack_64_2x32_split(b, word(b, n), word(b, n + 1));
}

/* Atomic operations on 64-bit values. */
static void
wide_atomics(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *zero = nir_imm_int(b, 0);

   nir_ssbo_atomic(b, 64, zero, nir_iadd_imm(b, word(b, 0), 8), wide_word(b, 2),
                   .atomic_op = nir_atomic_op_iadd);
   nir_def *old = nir_ssbo_atomic(b, 64, nir_imm_int(b, 3), zero, wide_word(b, 4),
                                  .atomic_op = nir_atomic_op_umax);
   old = nir_ssbo_atomic_swap(b, 64, zero, zero, old, wide_word(b, 6),
                              .atomic_op = nir_atomic_op_cmpxchg);
   nir_shared_atomic(b, 64, word(b, 0), old, .base = 64, .atomic_op = nir_atomic_op_xchg);
   listing_expect(b, "ATBW.ADD _, buf[0][c[0].x + 8], c[0].zwww;\n"
                     "ATBW.UMAX R0.xy, buf[3][0], c[1];\n"
                     "MOV R0.zw, c[1];\n"
                     "ATBW.CAS R0.xy, buf[0][0], R0;\n"
                     "ATSW.EXCH _, sh[c[0].x + 64], R0;\n");
}

/* An exchange that compares floats is repeated as long as the word changes. */
static void
float_swap(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *old = nir_shared_atomic_swap(b, 32, word(b, 0), word(b, 1), word(b, 2), .base = 64,
                                         .atomic_op = nir_atomic_op_fcmpxchg);

   store(b, old, 0, nir_imm_int(b, 0));
   listing_expect(b, "PBK L10;\n"
                     "L1:\n"
                     "LDS R0.x, sh[c[0].x + 64];\n"
                     "FSETP.NE P0.x, R0.x, c[0].y;\n"
                     "(P0.x) BRK;\n"
                     "MOV R0.y, R0.x;\n"
                     "MOV R0.z, c[0].z;\n"
                     "ATS.CAS R0.y, sh[c[0].x + 64], R0.yzzz;\n"
                     "USETP.EQ P1.x, R0.y, R0.x;\n"
                     "(P1.x) BRK;\n"
                     "BRA L1;\n"
                     "L10:\n"
                     "STB buf[0][0].x, R0.x;\n");
}

/* A variable binding becomes a relative operand. */
static void
relative(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *index = nir_iadd_imm(b, word(b, 0), 2);

   nir_def *size = nir_get_ssbo_size(b, index);
   nir_store_ssbo(b, size, index, nir_imm_int(b, 16), .align_mul = 4, .write_mask = 1);
   listing_expect(b, "ARI A0.x, c[0].x;\n"
                     "SZB R0.x, buf[A0.x + 2];\n"
                     "STB buf[A0.x + 2][16].x, R0.x;\n");
}

/* Tests system values of the workgroup. */
static void
groups(void **state)
{
   nir_builder builder = begin(8, 8, 1), *b = &builder;

   store(b, nir_load_local_invocation_index(b), 0, nir_imm_int(b, 0));
   store(b, nir_load_workgroup_id(b), 1, nir_imm_int(b, 0));
   store(b, nir_load_num_workgroups(b), 2, nir_imm_int(b, 0));
   listing_expect(b, "SHL R0.x, s[SUBGROUP].x, c[0].x;\n"
                     "OR R0.x, R0.x, s[LANE].x;\n"
                     "STB buf[0][0].x, R0.x;\n"
                     "STB buf[1][0].xyz, s[GROUP_ID];\n"
                     "STB buf[2][0].xyz, s[NUM_GROUPS];\n");
}

static void
variable_group(void **state)
{
   nir_builder builder = begin(0, 0, 0), *b = &builder;

   b->shader->info.workgroup_size_variable = true;
   store(b, nir_load_workgroup_size(b), 0, nir_imm_int(b, 0));
   nir_barrier(b, .execution_scope = SCOPE_WORKGROUP);
   listing_expect(b, "STB buf[0][0].xyz, s[GROUP_SIZE];\n"
                     "BAR;\n");
}

/* Builds an exchange through shared memory.  Warps of a workgroup wait for each other; if the
 * workgroup has only one warp, it needs no barrier.
 */
static void
exchange_with(nir_builder *b)
{
   nir_def *at = nir_ishl_imm(b, nir_channel(b, nir_load_local_invocation_id(b), 0), 2);

   nir_store_shared(b, word(b, 0), at, .align_mul = 4, .write_mask = 1);
   nir_barrier(b, .execution_scope = SCOPE_WORKGROUP, .memory_scope = SCOPE_WORKGROUP,
               .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_mem_shared);
   store(b, nir_load_shared(b, 1, 32, nir_ixor(b, at, nir_imm_int(b, 4)), .align_mul = 4), 0, at);
}

static void
barriers(void **state)
{
   nir_builder b = begin(64, 1, 1);

   exchange_with(&b);
   listing_expect(&b, "SHL R0.x, s[LOCAL_ID].x, c[1].x;\n"
                      "STS sh[R0.x].x, c[0].x;\n"
                      "BAR;\n"
                      "XOR R0.y, R0.x, c[1].y;\n"
                      "LDS R1.x, sh[R0.y];\n"
                      "STB buf[0][R0.x].x, R1.x;\n");
   b = begin(32, 1, 1);
   exchange_with(&b);
   listing_expect(&b, "SHL R0.x, s[LOCAL_ID].x, c[1].x;\n"
                      "STS sh[R0.x].x, c[0].x;\n"
                      "XOR R0.y, R0.x, c[1].y;\n"
                      "LDS R1.x, sh[R0.y];\n"
                      "STB buf[0][R0.x].x, R1.x;\n");
}

/* Loads keep their order across a memory barrier.  Without one, the second load is scheduled first,
 * because it is on the longer path.
 */
static void
two_loads(nir_builder *b, bool barrier)
{
   nir_def *flag = load(b, 1, 0, nir_imm_int(b, 0));
   if (barrier)
      nir_barrier(b, .memory_scope = SCOPE_DEVICE, .memory_semantics = NIR_MEMORY_ACQ_REL,
                  .memory_modes = nir_var_mem_ssbo);
   nir_def *data = load(b, 1, 1, nir_imm_int(b, 0));
   data = nir_udiv(b, nir_imul(b, data, word(b, 0)), word(b, 1));
   store(b, nir_vec2(b, data, flag), 2, nir_imm_int(b, 0));
}

static void
memory_barrier(void **state)
{
   nir_builder b = begin(64, 1, 1);

   two_loads(&b, false);
   listing_expect(&b, "LDB R1.x, buf[1][0];\n"
                      "LDB R0.x, buf[0][0];\n"
                      "IMUL R0.z, R1.x, c[0].x;\n"
                      "MOV R0.y, R0.x;\n"
                      "UDIV R0.x, R0.z, c[0].y;\n"
                      "STB buf[2][0].xy, R0;\n");
   b = begin(64, 1, 1);
   two_loads(&b, true);
   listing_expect(&b, "LDB R0.x, buf[0][0];\n"
                      "LDB R1.x, buf[1][0];\n"
                      "IMUL R0.z, R1.x, c[0].x;\n"
                      "MOV R0.y, R0.x;\n"
                      "UDIV R0.x, R0.z, c[0].y;\n"
                      "STB buf[2][0].xy, R0;\n");
}

static void
images(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *at = nir_load_workgroup_id(b), *zero = nir_imm_int(b, 0);
   nir_def *undef = nir_undef(b, 1, 32);
   nir_def *coord = nir_vec4(b, nir_channel(b, at, 0), nir_channel(b, at, 1), nir_channel(b, at, 2),
                             undef);

   nir_def *texel = nir_image_load(b, 4, 32, nir_imm_int(b, 2), coord, undef, zero,
                                   .image_dim = GLSL_SAMPLER_DIM_3D);
   nir_image_store(b, zero, coord, undef, texel, zero, .image_dim = GLSL_SAMPLER_DIM_2D);
   nir_image_store(b, zero, coord, word(b, 3), texel, zero, .image_dim = GLSL_SAMPLER_DIM_MS);
   nir_image_store(b, zero, coord, undef, texel, zero, .image_dim = GLSL_SAMPLER_DIM_CUBE,
                   .image_array = true);
   nir_image_atomic(b, 32, nir_imm_int(b, 5), coord, undef, word(b, 0),
                    .image_dim = GLSL_SAMPLER_DIM_BUF, .format = PIPE_FORMAT_R32_SINT,
                    .atomic_op = nir_atomic_op_imin);
   nir_def *old = nir_image_atomic_swap(b, 32, nir_imm_int(b, 5), coord, undef, word(b, 0),
                                        word(b, 1), .image_dim = GLSL_SAMPLER_DIM_1D,
                                        .image_array = true, .format = PIPE_FORMAT_R32_UINT,
                                        .atomic_op = nir_atomic_op_cmpxchg);
   store(b, old, 0, zero);
   listing_expect(b, "LDI R0, s[GROUP_ID], img[2], 3D;\n"
                     "MOV R1.xy, s[GROUP_ID];\n"
                     "MOV R1.z, c[0].w;\n"
                     "STI s[GROUP_ID], R0, img[0], 2D;\n"
                     "STI R1.xyzz, R0, img[0], 2D_MS;\n"
                     "STI s[GROUP_ID], R0, img[0], 2D_ARRAY;\n"
                     "ATI.IMIN _, s[GROUP_ID].x, c[0].x, img[5], BUFFER;\n"
                     "ATI.CAS R0.x, s[GROUP_ID], c[0], img[5], 1D_ARRAY;\n"
                     "STB buf[0][0].x, R0.x;\n");
}

/* The size of a cube image has six layers. */
static void
image_sizes(void **state)
{
   nir_builder builder = begin(64, 1, 1), *b = &builder;
   nir_def *zero = nir_imm_int(b, 0);

   store(b,
         nir_image_size(b, 3, 32, zero, zero, .image_dim = GLSL_SAMPLER_DIM_CUBE,
                        .image_array = true),
         0, zero);
   store(b, nir_image_samples(b, 32, nir_imm_int(b, 1), .image_dim = GLSL_SAMPLER_DIM_MS), 1, zero);
   listing_expect(b, "SZI R0.xyz, img[0], 2D_ARRAY;\n"
                     "SZI R1.w, img[1], 2D_MS;\n"
                     "IMULH R0.w, R0.z, c[0].x;\n"
                     "MOV R0.xy, R0;\n"
                     "SHR R1.x, R0.w, c[0].y;\n"
                     "IADD R0.z, R0.w, R1.x;\n"
                     "STB buf[0][0].xyz, R0;\n"
                     "STB buf[1][0].x, R1.w;\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses),  cmocka_unit_test(neighbours),
      cmocka_unit_test(atomics),    cmocka_unit_test(wide_atomics),
      cmocka_unit_test(float_swap), cmocka_unit_test(relative),
      cmocka_unit_test(groups),     cmocka_unit_test(variable_group),
      cmocka_unit_test(barriers),   cmocka_unit_test(memory_barrier),
      cmocka_unit_test(images),     cmocka_unit_test(image_sizes),
   };

   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
