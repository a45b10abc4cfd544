/* SPDX-License-Identifier: MIT */
/*
 * Scenes of 64-bit arithmetic, and of atomic operations on images.
 */
#include <stdio.h>

#include "scene.h"

#define INVOCATIONS 1024
/* size of the inputs, three pairs of doubles for each invocation, and of the results, 16 bytes each
 */
#define IN_BYTES (INVOCATIONS * 48)
#define OUT_BYTES (INVOCATIONS * 16)

/* Returns a random double: subnormal, infinite, of similar size, or random bits. */
static uint64_t
bits(struct scene *s)
{
   static const uint64_t corners[] = {
      0,
      1,
      0x000fffffffffffff,
      0x0010000000000000,
      0x3ff0000000000000,
      0x3fe0000000000001,
      0x7fefffffffffffff,
      0x7ff0000000000000,
      0x7ff8000000000001,
      0x43e0000000000000,
      0x41dfffffffc00000,
   };
   const uint64_t any = (uint64_t)scene_random(s) << 32 | scene_random(s);

   switch (scene_below(s, 5)) {
   case 0:
      return corners[scene_below(s, sizeof(corners) / sizeof(corners[0]))] ^
             (any & 0x8000000000000000);
   case 1:
      return any >> (12 + scene_below(s, 50)) | (any & 0x8000000000000000);
   case 2:
      return any;
   default:
      return (any & 0x800fffffffffffff) | (uint64_t)(1000 + scene_below(s, 50)) << 52;
   }
}

/* Start of a program: loads two numbers into each of R1 to R3. R4 is the result. */
#define BEGIN                                                       \
   "!!SGCP1.0\nTEMPS 6;\nDEF c[64] = { 0x30, 0x10, 0x20, 0x7f };\n" \
   "IMAD R0.x, s[GROUP_ID].x, s[GROUP_SIZE].x, s[LOCAL_ID].x;\n"    \
   "IMUL R0.y, R0.x, c[64].x;\nIMUL R0.x, R0.x, c[64].y;\n"         \
   "LDB R1, buf[0][R0.y];\nLDB R2, buf[0][R0.y + 16];\nLDB R3, buf[0][R0.y + 32];\n"

static void
run(struct scene *s, struct sgpu_bo *in, const char *code)
{
   char text[2048];
   struct sgpu_bo *out = scene_bo(s, OUT_BYTES);
   const struct SGPU_GRID grid = scene_grid_of(96, 1, 1, INVOCATIONS / 96, 1, 1);

   snprintf(text, sizeof(text), BEGIN "%sSTB buf[1][R0.x], R4;\nEND\n", code);
   const struct SGPU_SHADER program = scene_program(s, text);
   scene_result(s, out);
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, in, 0, IN_BYTES);
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 1, out, 0, OUT_BYTES);
   scene_grid(s, &program, &grid);
}

static struct sgpu_bo *
numbers(struct scene *s)
{
   struct sgpu_bo *bo = scene_bo(s, IN_BYTES);
   uint64_t *p = sgpu_bo_map(bo);

   for (unsigned i = 0; i < IN_BYTES / 8; i++)
      p[i] = bits(s);
   return bo;
}

static void
doubles(struct scene *s)
{
   static const char *const codes[] = {
      "DADD R4, R1, R2;\nDMUL R5, R1, R3;\nDADD R4, R4, -R5;\n",
      "DFMA R4, R1, R2, R3;\n",
      "DMUL R5, R1, R2;\nDFMA R4, R1, R2, -R5;\n",
      "DDIV R4, R1, R2;\n",
      "DSQRT R4, |R1|;\nDDIV R4, R2, R4;\n",
      "DMIN R4, R1, R2;\nDMAX R4, R4, R3;\n",
      "DFLR R4, R1;\nDCEIL R5, R2;\nDADD R4, R4, R5;\n",
      "DTRUNC R4, R1;\nDROUND R5, R2;\nDADD R4, R4, R5;\nDFRC R5, R3;\nDADD R4, R4, R5;\n",
      "DSSG R4, R1;\nDSET.LT R5, R1, R2;\nAND R4, R4, R5;\n",
      "DSETP.GE P0, R1, R2;\nMOV R4, R3;\n(P0.x) DMUL R4.xy, R1, R2;\n"
      "(!P0.z) DADD R4.zw, R1, R2;\n",
      "D2F R4, R1;\nF2D R5.xy, R1;\nDADD R4.zw, R5.xyxy, R2;\n",
      "D2I R4.xy, R1;\nD2U R4.zw, R2;\nI2D R5, R4;\nDADD R4, R5, R3;\n",
      "D2L R4.xy, R1;\nD2Q R4.zw, R2;\nL2D R5.xy, R4;\nQ2D R5.zw, R4;\nLADD R4, R4, R5;\n",
      "L2F R4, R1;\nQ2F R5, R2;\nF2L R4.xy, R4;\nF2Q R4.zw, R5;\n",
   };
   struct sgpu_bo *in = numbers(s);

   for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
      run(s, in, codes[i]);
}

static void
integers(struct scene *s)
{
   static const char *const codes[] = {
      "LADD R4, R1, R2;\nLMUL R5, R1, R3;\nLSUB R4, R4, R5;\n",
      "LDIV R4, R1, R2;\nQDIV R5, R2, R3;\nXOR R4, R4, R5;\n",
      "LREM R4, R1, R2;\nLMOD R5, R2, R3;\nXOR R4, R4, R5;\nQMOD R5, R3, R1;\nLADD R4, R4, R5;\n",
      "AND R5, R2, c[64].wwww;\nLSHL R4, R1, R5;\nQSHR R5, R3, R5;\nXOR R4, R4, R5;\n",
      "LASHR R4, R1, R2;\nLNEG R5, R3;\nLADD R4, R4, R5;\nLABS R5, R2;\nXOR R4, R4, R5;\n",
      "LMIN R4, R1, R2;\nLMAX R5, R1, R3;\nXOR R4, R4, R5;\nQMIN R5, R2, R3;\nLADD R4, R4, R5;\n"
      "QMAX R5, R1, R3;\nXOR R4, R4, R5;\n",
      "LSET.LT R4, R1, R2;\nQSET.LE R5, R1, R3;\nAND R5, R5, R1;\nXOR R4, R4, R5;\nLSSG R5, R1;\n"
      "LADD R4, R4, R5;\n",
   };
   struct sgpu_bo *in = numbers(s);

   for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
      run(s, in, codes[i]);
}

/* Vertices whose positions are computed in doubles, and pixels that iterate in doubles. */
static void
drawn(struct scene *s)
{
   const uint32_t first = scene_triangles(s, 60, 90.0f);

   s->st.vs = scene_program(s, "!!SGVP1.0\nTEMPS 4;\n"
                               "F2D R0, v[0].xxyy;\nF2D R1, v[0].zzww;\n"
                               "DMUL R2.xy, R0, R1.zwzw;\nDMUL R2.zw, R0, R1.zwzw;\n"
                               "DDIV R2.xy, R2, R1.zwzw;\nDDIV R2.zw, R2, R1.zwzw;\n"
                               "D2F R3.xy, R2;\nD2F R3.zw, R2;\n"
                               "MOV o[HPOS], v[0];\nMOV o[HPOS].x, R3.x;\nMOV o[HPOS].y, R3.z;\n"
                               "MOV o[GEN0], v[1];\nEND\n");
   s->st.ps = scene_program(s, "!!SGFP1.0\nTEMPS 4;\nF2D R0, v[0].xxyy;\nDMOV R1, R0;\n"
                               "DFMA R1, R1, R1, R0;\nDFMA R1, R1, R1, -R0;\nDSQRT R1, |R1|;\n"
                               "DFMA R1, R1, R1, R0;\nDDIV R1, R0, R1;\nDFRC R1, R1;\n"
                               "D2F R2, R1;\nMOV o[COLR0], R2.xzxz;\nEND\n");
   scene_varyings(s, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 180);
}

/* Atomic operations on texels: operations that commute, and operations whose results are drawn. */
static void
image_atomics(struct scene *s)
{
   static const char *const ops[] = { "ADD",  "IMIN", "UMAX", "XOR", "EXCH",
                                      "INCW", "FADD", "FMIN", "CAS", "OR" };
   char text[512];

   scene_blend_over(s);
   for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      const bool is_float = ops[i][0] == 'F';
      struct scene_image image =
         scene_target(s, is_float ? SGPU_FORMAT_R32_FLOAT : SGPU_FORMAT_R32_UINT, 64, 64);

      scene_bind_image(s, SGPU_STAGE_PIXEL, 0, &image, 0, 0, 0);
      snprintf(text, sizeof(text),
               "!!SGFP1.0\nTEMPS 4;\nDEF c[64] = { 0x3f, 0x1, 0xff, 0.00392 };\n"
               "F2I R0.xy, s[POSITION];\nAND R0.xy, R0, c[64].xxxx;\n"
               "MUL R1, v[0], c[64].wwww;\n%s"
               "ATI.%s %s, R0, R1, img[0], 2D;\n%sMOV o[COLR0], v[0];\n%sEND\n",
               is_float
                  ? ""
                  : "MOV R1.y, R1.x;\nF2U R1.x, v[0].y;\nIADD R1.x, R1.x, s[PRIMITIVE_ID].x;\n",
               ops[i], i & 1 ? "R2" : "_", "",
               i & 1 ? "AND R2, R2, c[64].zzzz;\nU2F R2, R2;\nMUL o[COLR0].x, R2.x, c[64].w;\n"
                     : "");
      s->st.ps = scene_program(s, text);
      scene_varyings(s, 1, SGPU_INTERPOLATION_PERSPECTIVE);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 40, 60.0f), 120);
   }
}

/* Atomic operations on 64-bit values of buffers and of shared memory: those that commute, in two
 * widths, and those whose results are stored.
 */
static void
wide_atomics(struct scene *s)
{
   static const char *const ops[] = { "ADD", "IMIN", "UMIN", "IMAX", "UMAX",
                                      "AND", "OR",   "XOR",  "EXCH", "CAS" };
   const struct SGPU_GRID grid = scene_grid_of(50, 1, 1, 9, 1, 1);
   char text[1024];

   for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      struct sgpu_bo *bo[3];
      for (unsigned b = 0; b < 3; b++) {
         bo[b] = scene_bo(s, 16 * 1024);
         scene_result(s, bo[b]);
         scene_bind_buffer(s, SGPU_STAGE_COMPUTE, b, bo[b], 0, 16 * 1024);
      }
      /* R1.x: the place of a value, R3.xy: the data, R3.zw: the new value of CAS, which is 0, R1.z: the
       * place of the result.
       */
      snprintf(text, sizeof(text),
               "!!SGCP1.0\nTEMPS 6;\nDEF c[64] = { 0x18, 0x1f, 0x9e3779b1, 0x10 };\n"
               "DEF c[65] = { 0x4, 0, 0, 0 };\n" SCENE_INVOCATION
               "IMUL R3, R0.x, c[64].z;\nSHL R3.y, R3.x, c[65].x;\nMOV R3.zw, c[65].y;\n"
               "AND R1.x, R0.x, c[64].y;\nIMUL R1.x, R1.x, c[64].x;\nIMUL R1.z, R0.x, c[64].w;\n"
               "ATBW.%s _, buf[0][R1.x + 8], R3;\n"
               "ATSW.%s R5.xy, sh[R1.x], R3;\n"
               "ATBW.%s R4.zw, buf[1][R1.x], R3;\nMOV R4.xy, R5;\n"
               "STB buf[2][R1.z], R4;\nEND\n",
               ops[i], ops[i], ops[i]);
      const struct SGPU_SHADER program = scene_program(s, text);
      struct SGPU_GRID shared = grid;
      shared.shared_size = 512;
      scene_grid(s, &program, &shared);
   }
   /* Additions of 32 and of 64 bits to the same buffer don't commute, since the former drop the
    * carry.
    */
   struct sgpu_bo *bo = scene_bo(s, 4096);
   scene_result(s, bo);
   for (unsigned i = 0; i < 6; i++) {
      snprintf(text, sizeof(text),
               "!!SGCP1.0\nTEMPS 4;\nDEF c[64] = { 0x9e3779b1, 0x1f, 0x8, 0 };\n" SCENE_INVOCATION
               "IMUL R3, R0.x, c[64].x;\nAND R1.x, R0.x, c[64].y;\nIMUL R1.x, R1.x, c[64].z;\n"
               "ATB%s.ADD _, buf[0][R1.x], R3;\nEND\n",
               i & 1 ? "W" : "");
      const struct SGPU_SHADER program = scene_program(s, text);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, bo, 0, 4096);
      scene_grid(s, &program, &grid);
   }
}

const struct scene_info scenes_wide[] = {
   { "wide-doubles", doubles },
   { "wide-integers", integers },
   { "wide-drawn", drawn },
   { "image-atomics", image_atomics },
   { "compute-wide-atomics", wide_atomics },
   { NULL, NULL },
};
