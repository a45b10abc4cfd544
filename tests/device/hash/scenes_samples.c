/* SPDX-License-Identifier: MIT */
/*
 * Scenes on targets with several samples.
 */
#include <string.h>

#include "scene.h"

/* Creates targets with `samples` samples and clears them. */
static void
targets(struct scene *s, unsigned samples, enum sgpu_format color, enum sgpu_format depth)
{
   static const float background[4] = { 0.125f, 0.25f, 0.5f, 0.75f };
   s->st.color[0] = scene_sampled(s, color, samples, 1);
   s->st.zs = scene_sampled(s, depth, samples, 1);
   s->st.rast.multisample = true;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   scene_clear(s, background, 0.875, 1);
}

static void
blit(struct scene *s, const struct scene_image *from, const struct scene_image *to,
     enum sgpu_filter filter, struct SGPU_RECT source, struct SGPU_RECT destination)
{
   SCENE_EMIT(s, BLIT, cfg) {
      cfg.mask = 15;
      cfg.depth = cfg.stencil = true;
      cfg.filter = filter;
      cfg.layers = 1;
      cfg.source = scene_surface(from, 0, 0, 1);
      cfg.destination = scene_surface(to, 0, 0, 1);
      cfg.source_rect = source;
      cfg.destination_rect = destination;
      cfg.source_z1 = 1.0f;
   }
}

/* Resolves the target to a new target of one sample. */
static struct scene_image
resolve(struct scene *s, const struct scene_image *from)
{
   static const struct SGPU_RECT all = { 0, 0, SCENE_W, SCENE_H };
   const struct scene_image to = scene_target(s, from->layout.format, SCENE_W, SCENE_H);
   blit(s, from, &to, SGPU_FILTER_NEAREST, all, all);
   return to;
}

static void
draw_kinds(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 20, 120.0f), 60);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 120, 9.0f), 360);
   for (unsigned i = 0; i < 4; i++) {
      s->st.rast.line_width = scene_float(s, 0.5f, 7.0f);
      s->st.rast.line_stipple = i & 1;
      s->st.rast.stipple_pattern = 0xf3a5;
      s->st.rast.stipple_factor = i;
      scene_draw(s, i & 2 ? SGPU_PRIMITIVE_LINES : SGPU_PRIMITIVE_LINE_STRIP,
                 scene_triangles(s, 4, 140.0f), 12);
      s->st.rast.point_size = scene_float(s, 1.0f, 20.0f);
      s->st.rast.point_quad = i & 1;
      scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 8, 140.0f), 24);
   }
   s->st.rast.line_stipple = s->st.rast.point_quad = false;
}

/* Draws all kinds of primitives, opaque and blended, and resolves the target. */
static void
coverage(struct scene *s, uint64_t samples)
{
   targets(s, samples, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
   draw_kinds(s);
   scene_blend_over(s);
   s->st.dsa.depth_write = false;
   draw_kinds(s);
   s->st.rast.fill_front = SGPU_FILL_LINE;
   s->st.rast.fill_back = SGPU_FILL_POINT;
   s->st.rast.poly_stipple = true;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 6, 120.0f), 18);
   resolve(s, &s->st.color[0]);
   resolve(s, &s->st.zs);
}

/* Draws without multisampling to targets with samples; smooth primitives. */
static void
samples_single(struct scene *s)
{
   targets(s, 4, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
   s->st.rast.multisample = false;
   draw_kinds(s);
   scene_blend_over(s);
   s->st.rast.line_smooth = s->st.rast.point_smooth = s->st.rast.poly_smooth = true;
   draw_kinds(s);
   s->st.sample_mask.mask = 5;
   draw_kinds(s);
   resolve(s, &s->st.color[0]);
}

/* Inputs at centres, centroids and samples. Programs run for pixels, or for samples. */
static void
samples_places(struct scene *s)
{
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nADD R0, v[0], v[1]; MUL o[COLR0], R0, v[2];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nDDX R0, v[0]; DDY R1, v[1]; ADD R0, R0, R1;\n"
                       "MAD o[COLR0], R0, v[2], v[1];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nI2F R0.x, s[SAMPLE_ID].x; I2F R0.y, s[SAMPLE_MASK].x;\n"
                       "MUL R0.xy, R0, c[0].x; MOV R0.zw, s[SAMPLE_POS].yxyx;\n"
                       "MAD o[COLR0], v[0], v[1], R0;\nEND\n"),
      scene_program(s, "!!SGFP1.0\nI2F R0.x, s[SAMPLE_MASK].x; MUL R0.x, R0.x, c[0].x;\n"
                       "MUL R0.yzw, s[POSITION].xxyz, c[0].x;\n"
                       "ADD o[COLR0], v[0], R0;\nEND\n"),
   };
   static const unsigned counts[] = { 2, 4, 8, 16 };

   s->constants[0][0] = 0.0078125f;
   for (unsigned i = 0; i < 4; i++) {
      targets(s, counts[i], SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_Z32_FLOAT);
      for (unsigned k = 0; k < 8; k++) {
         s->st.ps = programs[(i + k) % 4];
         s->st.ps.per_sample = k & 4;
         for (unsigned n = 0; n < 3; n++) {
            s->st.varying[n].place = (n + k) % 3 && !(k == 3 && (n + k) % 3 == 2) ? (n + k) % 3 : 0;
            s->st.varying[n].interpolation = (n + i) % 3;
         }
         scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 40.0f), 90);
      }
      resolve(s, &s->st.color[0]);
   }
}

/* Inputs at places that the program computes. */
static void
samples_interpolation(struct scene *s)
{
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nIPAC R0, v[0]; DDXF R1, R0; IPAC_SAT R2, -|v[1].wzyx|;\n"
                       "ADD R0, R0, R1; MAD o[COLR0], R0, v[2], R2;\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMUL R1.x, v[1].x, c[0].x; F2I R1.x, R1.x;\n"
                       "IPAS R0, v[0], R1.x; IPAS R1, v[2], R1.x; MUL o[COLR0], R0, R1;\nEND\n"),
      scene_program(s,
                    "!!SGFP1.0\nADD R1, v[1], -v[2]; IPAO R0, v[0], R1; IPAO R1, v[2], -R1.zwzw;\n"
                    "FSETP.LT P0.x, R0.y, v[1].z; (P0.x) IPAO R0.yz, v[2], R1;\n"
                    "MUL o[COLR0], R0, R1;\nEND\n"),
      scene_program(s, "!!SGFP1.0\nI2F R1.x, s[SAMPLE_ID].x; MUL R1.y, v[1].y, c[0].x;\n"
                       "ARL A0.y, R1.y; IPAC R0, v[A0.y - 1]; IPAO R2, v[0], s[SAMPLE_POS];\n"
                       "MAD o[COLR0], R0, R1.x, R2;\nEND\n"),
   };
   static const unsigned counts[] = { 1, 2, 4, 8, 16 };

   s->constants[0][0] = 5.0f;
   for (unsigned i = 0; i < 5; i++) {
      targets(s, counts[i], SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_Z32_FLOAT);
      for (unsigned k = 0; k < 4; k++) {
         s->st.ps = programs[k];
         s->st.ps.per_sample = (i + k) % 3 == 0;
         for (unsigned n = 0; n < 3; n++)
            s->st.varying[n].interpolation = (n + i + k) % 3;
         draw_kinds(s);
      }
   }
}

/* Alpha to coverage, alpha to one, the alpha test, and sample masks of state and program. */
static void
samples_alpha(struct scene *s)
{
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMUL R0.x, v[1].x, c[0].x; F2I o[SMASK].x, R0.x;\n"
                       "MOV o[COLR0], v[0];\nEND\n"),
   };
   static const unsigned counts[] = { 4, 8 };

   s->constants[0][0] = 255.0f;
   for (unsigned i = 0; i < 2; i++) {
      targets(s, counts[i], SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
      for (unsigned k = 0; k < 32; k++) {
         s->st.ps = programs[k & 1];
         s->st.blend.alpha_to_coverage = k & 2;
         s->st.blend.alpha_to_one = k & 4;
         s->st.dsa.alpha_test = k & 8;
         s->st.dsa.alpha_func = SGPU_COMPARE_GREATER;
         s->st.dsa.alpha_ref = 0.625f;
         s->st.sample_mask.mask = k & 16 ? scene_random(s) : ~0u;
         scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 4, 90.0f), 12);
      }
      resolve(s, &s->st.color[0]);
      resolve(s, &s->st.zs);
   }
}

/* Alpha to coverage with dithering, which depends on the place of the pixel. */
static void
samples_dither(struct scene *s)
{
   for (unsigned i = 0; i < 4; i++) {
      targets(s, 2u << i, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
      for (unsigned k = 0; k < 6; k++) {
         s->st.ps.per_sample = k & 1;
         s->st.blend.alpha_to_coverage = true;
         s->st.blend.alpha_to_coverage_dither = k != 3;
         s->st.dsa.alpha_test = k & 2;
         s->st.dsa.alpha_func = SGPU_COMPARE_GREATER;
         s->st.dsa.alpha_ref = 0.25f;
         draw_kinds(s);
      }
      resolve(s, &s->st.color[0]);
   }
}

/* Tests before and after programs that drop pixels or write depth. */
static void
samples_tests(struct scene *s)
{
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMUL o[DEPR].x, v[1].x, c[0].x; MOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\n"
                       "FSETP.LT P0.x, v[1].y, c[0].x; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\n"
                       "FSETP.LT P0.x, v[1].z, c[0].x; (P0.x) DMT; DDX R0, v[0];\n"
                       "ADD o[COLR0], v[0], R0;\nEND\n"),
   };
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_Z24_UNORM_S8_UINT,
      SGPU_FORMAT_Z32_FLOAT_S8X24_UINT,
      SGPU_FORMAT_S8_UINT_Z24_UNORM,
      SGPU_FORMAT_Z16_UNORM,
   };

   s->constants[0][0] = 0.75f;
   for (unsigned i = 0; i < 4; i++) {
      targets(s, 4, SGPU_FORMAT_R8G8B8A8_UNORM, formats[i]);
      s->st.rast.offset_tri = i & 1;
      s->st.rast.offset_scale = 0.75f;
      for (unsigned k = 0; k < 16; k++) {
         struct SGPU_STENCIL_FACE *face = &s->st.dsa.front;
         *face = (struct SGPU_STENCIL_FACE){
            .enable = k & 8,
            .read_mask = 0xff,
            .write_mask = 0xff,
         };
         face->func = 1 + scene_below(s, 7);
         face->fail = scene_below(s, 8);
         face->depth_fail = scene_below(s, 8);
         face->pass = scene_below(s, 8);
         s->st.dsa.depth_func = 1 + scene_below(s, 7);
         s->st.ref.front = scene_below(s, 4);
         s->st.ps = programs[k & 3];
         s->st.ps.early_tests = k & 4;
         scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, 90.0f), 24);
      }
      s->st.dsa.front.enable = false;
      resolve(s, &s->st.color[0]);
      resolve(s, &s->st.zs);
   }
}

/* Resolves of many formats, some mirrored or scaled. Integer formats have no resolve. */
static void
samples_formats(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_B8G8R8A8_SRGB,      SGPU_FORMAT_R8_UNORM,          SGPU_FORMAT_R32G32B32A32_FLOAT,
      SGPU_FORMAT_R11G11B10_FLOAT,    SGPU_FORMAT_R8G8B8A8_SNORM,    SGPU_FORMAT_B5G6R5_UNORM,
      SGPU_FORMAT_R16G16B16A16_UNORM, SGPU_FORMAT_R32G32B32A32_UINT,
   };

   for (unsigned i = 0; i < 8; i++) {
      const unsigned samples = 2u << i % 4;
      targets(s, samples, formats[i], SGPU_FORMAT_Z32_FLOAT);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 60.0f), 90);
      const struct scene_image one = resolve(s, &s->st.color[0]);
      blit(s, &s->st.color[0], &one, SGPU_FILTER_LINEAR, (struct SGPU_RECT){ 70, 10, 20, 60 },
           (struct SGPU_RECT){ 3, 5, 53, 55 });
      blit(s, &s->st.color[0], &one, SGPU_FILTER_LINEAR, (struct SGPU_RECT){ 10, 10, 40, 50 },
           (struct SGPU_RECT){ 60, 5, 149, 100 });
   }
}

/* Copies and blits between surfaces with samples, clears of parts, layers. */
static void
samples_transfers(struct scene *s)
{
   const struct SGPU_RECT part = { 17, 9, 101, 77 };

   targets(s, 4, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
   draw_kinds(s);
   for (unsigned zs = 0; zs < 2; zs++) {
      const struct scene_image from = zs ? s->st.zs : s->st.color[0];
      const struct scene_image to = scene_sampled(s, from.layout.format, 4, 3);
      const struct scene_image one = resolve(s, &from);
      SCENE_EMIT(s, COPY_SURFACE, cfg) {
         cfg.layers = 1;
         cfg.source = scene_surface(&from, 0, 0, 1);
         cfg.destination = scene_surface(&to, 0, 1, 1);
         cfg.source_x = 20;
         cfg.source_y = 3;
         cfg.rect = part;
      }
      blit(s, &from, &to, SGPU_FILTER_LINEAR, (struct SGPU_RECT){ 90, 20, 10, 60 },
           (struct SGPU_RECT){ 30, 30, 110, 70 });
      blit(s, &one, &to, SGPU_FILTER_NEAREST, part, (struct SGPU_RECT){ 1, 1, 85, 21 });
      SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
         cfg.color = cfg.depth = cfg.stencil = true;
         cfg.stencil_value = 77;
         cfg.surface = scene_surface(&to, 0, 1, 2);
         cfg.color_0 = 0x3f000000;
         cfg.depth_value = 0.25;
         cfg.rect = (struct SGPU_RECT){ 40, 40, 60, 50 };
      }
   }
}

/* Texels of single samples, also out of range. */
static void
samples_texels(struct scene *s)
{
   targets(s, 4, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
   draw_kinds(s);
   const struct scene_image from = s->st.color[0];

   s->st.texture[0] = scene_texture(&from);
   s->st.num_textures = 1;
   s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, 8, 1);
   s->st.zs = (struct scene_image){ 0 };
   s->constants[0][0] = 6.0f;
   s->constants[0][1] = -1.0f;
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "F2I R0, s[POSITION]; MAD R1, v[0], c[0].x, c[0].y; F2I R1, R1;\n"
                               "IADD R0.xy, R0, R1.zwzw;\n"
                               "TXF R2, R0, R1.x, tex[0], 2D_MS;\n"
                               "TXQS R3.x, tex[0], 2D_MS; I2F R3.x, R3.x;\n"
                               "MUL R2.w, R2.w, R3.x; MUL o[COLR0], R2, v[1].x;\nEND\n");
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 120.0f), 90);
   resolve(s, &s->st.color[0]);
}

/* Queries of samples that pass and of program invocations, also without targets. */
static void
samples_queries(struct scene *s)
{
   static const enum sgpu_query_type types[] = {
      SGPU_QUERY_TYPE_OCCLUSION_COUNTER,
      SGPU_QUERY_TYPE_PIPELINE_STATISTICS,
   };
   struct sgpu_bo *bo = scene_bo(s, 4096);

   scene_result(s, bo);
   for (unsigned i = 0; i < 16; i++) {
      if (i % 4 == 0)
         targets(s, 2u << i / 4, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
      if (i % 4 == 2) {
         s->st.num_colors = 0;
         s->st.zs = (struct scene_image){ 0 };
         s->st.samples_log2 = 1 + i / 4;
      }
      s->st.ps.per_sample = i & 8;
      for (unsigned k = 0; k < 2; k++) {
         scene_begin_query(s, types[k], k);
      }
      draw_kinds(s);
      for (unsigned k = 0; k < 2; k++) {
         scene_end_query(s, types[k], k, sgpu_bo_address(bo) + i * 256 + k * 128);
      }
      s->st.num_colors = 1;
   }
}

/* Conservative rasterization: primitives cover all pixels that they touch, and programs read which
 * pixels a triangle covers whole.
 */
static void
conservative(struct scene *s)
{
   const struct SGPU_SHADER plain = s->st.ps;
   struct SGPU_SHADER inner = scene_program(
      s, "!!SGFP1.0\nU2F R0, s[SAMPLE_MASK].x; MUL R0, R0, c[0].x; MUL o[COLR0].xyz, v[0], R0;\n"
         "MOV o[COLR0].w, v[0];\nEND\n");

   inner.inner_coverage = true;
   for (unsigned i = 0; i < 6; i++) {
      s->constants[0][0] = i & 1 ? 0.25f : 1.0f;
      targets(s, i & 1 ? 4 : 1, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT);
      s->st.coverage.conservative = true;
      s->st.rast.multisample = i != 3;
      s->st.ps = i < 2 ? plain : inner;
      s->st.ps.per_sample = i == 5;
      draw_kinds(s);
      s->st.coverage.conservative = false;
      draw_kinds(s);
   }
}

/* Programmable sample locations, also for pixels with one sample. */
static void
locations(struct scene *s)
{
   const struct SGPU_SHADER plain = s->st.ps;
   const struct SGPU_SHADER places = scene_program(
      s, "!!SGFP1.0\nMOV o[COLR0], s[SAMPLE_POS]; ADD o[COLR0].zw, v[0], v[1];\nEND\n");

   for (unsigned i = 0; i < 8; i++) {
      targets(s, 1u << (i & 3), SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_Z32_FLOAT);
      for (unsigned w = 0; w < 4; w++)
         s->st.coverage.location[w] = scene_random(s);
      s->st.coverage.locations = true;
      s->st.ps = i < 4 ? plain : places;
      draw_kinds(s);
      s->st.coverage.locations = false;
      draw_kinds(s);
   }
}

const struct scene_info scenes_samples[] = {
   { "samples-2", NULL, coverage, 2 },
   { "samples-4", NULL, coverage, 4 },
   { "samples-8", NULL, coverage, 8 },
   { "samples-16", NULL, coverage, 16 },
   { "samples-single", samples_single },
   { "samples-places", samples_places },
   { "samples-alpha", samples_alpha },
   { "samples-dither", samples_dither },
   { "samples-tests", samples_tests },
   { "samples-formats", samples_formats },
   { "samples-transfers", samples_transfers },
   { "samples-texels", samples_texels },
   { "samples-queries", samples_queries },
   { "samples-interpolation", samples_interpolation },
   { "samples-conservative", conservative },
   { "samples-locations", locations },
   { NULL, NULL },
};
