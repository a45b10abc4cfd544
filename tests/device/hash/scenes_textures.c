/* SPDX-License-Identifier: MIT */
/*
 * Scenes of textures: filters, wraps, formats, cubes, levels, offsets, comparison, random programs.
 */
#include <stdio.h>

#include "random_program.h"
#include "scene.h"

static const struct SGPU_SAMPLER nearest = { .max_lod = 1000.0f };
static const struct SGPU_SAMPLER trilinear = {
   .min_filter = SGPU_FILTER_LINEAR,
   .mag_filter = SGPU_FILTER_LINEAR,
   .mip_filter = SGPU_MIP_FILTER_LINEAR,
   .max_lod = 1000.0f,
   .seamless = true,
   .border_0 = 0x3f000000,
   .border_1 = 0x3e000000,
   .border_2 = 0x3f800000,
   .border_3 = 0x3f400000,
};

static struct SGPU_TEXTURE
texture(struct scene *s, enum sgpu_texture_type type, enum sgpu_format format, unsigned width,
        unsigned height, unsigned levels, enum sgpu_memory_layout mode)
{
   struct sgpu_layout_params params = scene_params(format, width, height);
   params.mode = mode;
   params.layers = type == SGPU_TEXTURE_TYPE_CUBE ? 6 : 1;
   params.levels = levels;
   params.depth = type == SGPU_TEXTURE_TYPE_3D ? 9 : 1;
   const struct scene_image image = scene_image(s, &params);
   struct SGPU_TEXTURE view = scene_texture(&image);
   view.type = type;
   scene_noise(s, &image);
   return view;
}

static void
bind(struct scene *s, unsigned unit, struct SGPU_TEXTURE view, struct SGPU_SAMPLER sampler)
{
   s->st.texture[unit] = view;
   s->st.sampler[unit] = sampler;
   if (s->st.num_textures <= unit)
      s->st.num_textures = unit + 1;
}

static void
draw_some(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 5, 90.0f), 15);
}

/* Sets a program that samples at coordinates from about -1 to 3. */
static void
plain_program(struct scene *s, float scale)
{
   s->constants[0][0] = scale;
   s->constants[0][1] = -scale / 4;
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MAD R0, v[1], c[0].x, c[0].y;\n"
                               "TEX o[COLR0], R0, tex[0], smp[0], 2D;\nEND\n");
}

static void
wraps(struct scene *s)
{
   plain_program(s, 4.0f);
   const struct SGPU_TEXTURE view = texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 32,
                                            16, 1, SGPU_LAYOUT_TILED);
   for (unsigned i = 0; i < 16; i++) {
      struct SGPU_SAMPLER sampler = trilinear;
      sampler.wrap_s = i & 7;
      sampler.wrap_t = (i * 5 + 3) & 7;
      sampler.min_filter = sampler.mag_filter = i >> 3;
      sampler.mip_filter = SGPU_MIP_FILTER_NONE;
      bind(s, 0, view, sampler);
      draw_some(s);
   }
}

static void
filters(struct scene *s)
{
   plain_program(s, 3.0f);
   const struct SGPU_TEXTURE view = texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM,
                                            100, 60, 7, SGPU_LAYOUT_TILED);
   for (unsigned i = 0; i < 12; i++) {
      struct SGPU_SAMPLER sampler = trilinear;
      sampler.min_filter = i & 1;
      sampler.mag_filter = i >> 1 & 1;
      sampler.mip_filter = i % 3;
      sampler.lod_bias = scene_float(s, -1.5f, 1.5f);
      sampler.min_lod = i & 4 ? 0.75f : 0.0f;
      sampler.max_lod = i & 8 ? 2.25f : 1000.0f;
      bind(s, 0, view, sampler);
      draw_some(s);
   }
}

/* Anisotropic filters on steep planes: up to sixteen probes, and a different number for each pixel.
 */
static void
anisotropy(struct scene *s)
{
   const float numbers[4] = { 3.0f, -0.75f, 16.0f, 1.0f };
   for (unsigned c = 0; c < 4; c++)
      s->constants[0][c] = numbers[c];
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MAD R0, v[1], c[0].x, c[0].y;\n"
                               "MUL R0.x, R0.x, c[0].z;\n"
                               "MAD R0.y, R0.x, c[0].w, R0.y;\n"
                               "TEX o[COLR0], R0, tex[0], smp[0], 2D;\nEND\n");
   const struct SGPU_TEXTURE view = texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM,
                                            100, 60, 7, SGPU_LAYOUT_TILED);
   for (unsigned i = 0; i < 12; i++) {
      struct SGPU_SAMPLER sampler = trilinear;
      sampler.max_anisotropy = i % 3 ? 1 << (1 + i % 4) : 16;
      sampler.mip_filter = i % 3;
      sampler.wrap_s = i & 7;
      sampler.lod_bias = i & 4 ? scene_float(s, -1.5f, 1.5f) : 0.0f;
      s->constants[0][2] = scene_float(s, 0.5f, 20.0f);
      s->constants[0][3] = scene_float(s, -0.2f, 1.0f);
      bind(s, 0, view, sampler);
      draw_some(s);
   }
}

static void
formats(struct scene *s)
{
   static const enum sgpu_format list[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R8G8B8A8_SRGB,
      SGPU_FORMAT_B5G6R5_UNORM,       SGPU_FORMAT_B4G4R4A4_UNORM,
      SGPU_FORMAT_R8_UNORM,           SGPU_FORMAT_L8A8_UNORM,
      SGPU_FORMAT_I8_UNORM,           SGPU_FORMAT_R8G8B8A8_SNORM,
      SGPU_FORMAT_R16G16B16A16_UNORM, SGPU_FORMAT_R16G16B16A16_FLOAT,
      SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R11G11B10_FLOAT,
      SGPU_FORMAT_R9G9B9E5_FLOAT,     SGPU_FORMAT_R10G10B10A2_UNORM,
      SGPU_FORMAT_DXT1_RGB,           SGPU_FORMAT_DXT5_RGBA,
      SGPU_FORMAT_RGTC2_SNORM,        SGPU_FORMAT_ETC1_RGB8,
      SGPU_FORMAT_Z24X8_UNORM,        SGPU_FORMAT_Z16_UNORM,
   };
   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_FLOAT);
   plain_program(s, 1.25f);
   for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
      struct SGPU_TEXTURE view = texture(s, SGPU_TEXTURE_TYPE_2D, list[i], 36, 28, 3,
                                         sgpu_layout_choose(list[i], false));
      view.swizzle_x = scene_below(s, 6);
      view.swizzle_w = scene_below(s, 6);
      bind(s, 0, view, i & 1 ? trilinear : nearest);
      draw_some(s);
   }
}

static void
cubes(struct scene *s)
{
   s->constants[0][0] = 2.0f;
   s->constants[0][1] = -1.0f;
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MAD R0, v[1], c[0].x, c[0].y;\n"
                               "TEX o[COLR0], R0, tex[0], smp[0], CUBE;\nEND\n");
   const struct SGPU_TEXTURE view = texture(s, SGPU_TEXTURE_TYPE_CUBE, SGPU_FORMAT_R8G8B8A8_UNORM,
                                            32, 32, 6, SGPU_LAYOUT_TILED);
   for (unsigned i = 0; i < 6; i++) {
      struct SGPU_SAMPLER sampler = i & 1 ? trilinear : nearest;
      sampler.seamless = i & 2;
      bind(s, 0, view, sampler);
      for (unsigned k = 0; k < 3; k++)
         draw_some(s);
   }
}

/* 3D textures, with filters, wraps and levels, and fetches of their texels. */
static void
volumes(struct scene *s)
{
   static const enum sgpu_format list[] = {
      SGPU_FORMAT_R32_FLOAT,       SGPU_FORMAT_R8_UNORM,           SGPU_FORMAT_R16_UNORM,
      SGPU_FORMAT_R8G8B8A8_UNORM,  SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R32G32B32A32_FLOAT,
      SGPU_FORMAT_R11G11B10_FLOAT, SGPU_FORMAT_R8G8B8A8_SRGB,
   };
   static const char *const texts[] = {
      "TEX R1, R0, tex[0], smp[0], 3D;",
      "MUL R2, R0, c[0].z; F2I R2, R2; MOV R3, c[5].x; TXF R1, R2, R3.x, tex[0], 3D;",
   };
   const float numbers[4] = { 2.0f, -0.4f, 9.0f, 0.0f };
   for (unsigned c = 0; c < 4; c++)
      s->constants[0][c] = numbers[c];
   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_FLOAT);
   for (unsigned i = 0; i < 2 * sizeof(list) / sizeof(list[0]); i++) {
      char text[300];
      struct SGPU_SAMPLER sampler = i % 3 ? trilinear : nearest;
      sampler.wrap_s = i % 8;
      sampler.wrap_t = (i * 3 + 1) % 8;
      sampler.wrap_r = i % 3;
      sampler.mip_filter = i % 2 ? SGPU_MIP_FILTER_NONE : sampler.mip_filter;
      snprintf(text, sizeof(text),
               "!!SGFP1.0\nMAD R0, v[1], c[0].x, c[0].y;\n%s\nMOV o[COLR0], R1;\nEND\n",
               texts[i % 7 == 6]);
      s->st.ps = scene_program(s, text);
      bind(s, 0,
           texture(s, SGPU_TEXTURE_TYPE_3D, list[i / 2], 20, 13, i % 4 ? 1 : 3, SGPU_LAYOUT_TILED),
           sampler);
      draw_some(s);
   }
}

/* Every operation on two-dimensional textures. */
static void
operations(struct scene *s)
{
   static const char *const texts[] = {
      "TXB R1, R0, v[2].x, tex[0], smp[0], 2D;",
      "MUL R2, v[2], c[0].x; TXL R1, R0, R2.x, tex[0], smp[0], 2D;",
      "MUL R2, v[2], c[0].z; TXD R1, R0, R2, tex[0], smp[0], 2D;",
      "TEX R1, R0, tex[0], smp[0], 2D, (-3, 5);",
      "MUL R2, R0, c[0].w; F2I R2, R2; MOV R3, c[5].x; TXF R1, R2, R3.x, tex[0], 2D;",
      "TG4 R1, R0, tex[0].y, smp[0], 2D;",
      "TXQ R2, c[5].x, tex[0], 2D; I2F R1, R2; MUL R1, R1, c[0].z;",
      "LODQ R1, R0, tex[0], smp[0], 2D;",
      "TEX R1, R0, tex[1], smp[1], SHADOW2D;",
      "TG4 R1, R0, tex[1].x, smp[1], SHADOW2D;",
   };
   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_FLOAT);
   bind(s, 0,
        texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 48, 6, SGPU_LAYOUT_TILED),
        trilinear);
   struct SGPU_SAMPLER shadow = trilinear;
   shadow.compare_enable = true;
   shadow.compare = SGPU_COMPARE_LEQUAL;
   bind(s, 1,
        texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_Z24X8_UNORM, 40, 40, 1, SGPU_LAYOUT_TILED),
        shadow);
   const float numbers[4] = { 3.0f, 0.0f, 0.125f, 40.0f };
   for (unsigned c = 0; c < 4; c++) {
      s->constants[0][c] = numbers[c];
      s->constants[5][c] = 0.0f;
   }
   for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
      char text[400];
      snprintf(text, sizeof(text),
               "!!SGFP1.0\nMAD R0, v[1], c[0].x, -v[0];\n%s\nMOV o[COLR0], R1;\nEND\n", texts[i]);
      s->st.ps = scene_program(s, text);
      for (unsigned k = 0; k < 2; k++)
         draw_some(s);
   }
}

/* Draws to an image and then samples it; then the images are exchanged. */
static void
render_to_texture(struct scene *s)
{
   struct scene_image images[2];
   struct SGPU_TEXTURE views[2];
   for (unsigned i = 0; i < 2; i++) {
      images[i] = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
      scene_noise(s, &images[i]);
      views[i] = scene_texture(&images[i]);
      views[i].swizzle_x = SGPU_CHANNEL_Z;
      views[i].swizzle_z = SGPU_CHANNEL_X;
   }
   plain_program(s, 1.5f);
   for (unsigned i = 0; i < 24; i++) {
      s->st.color[0] = images[i & 1];
      bind(s, 0, views[~i & 1], i % 3 ? trilinear : nearest);
      draw_some(s);
      if (i % 5 == 4)
         scene_submit(s);
   }
}

static void
random_programs(struct scene *s)
{
   struct sgpu_instr instrs[RANDOM_PROGRAM_MAX];
   struct isa_random r = { 0x7777777 };
   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_UINT);
   scene_random_constants(s, 2.0f);
   bind(s, 0,
        texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 48, 6, SGPU_LAYOUT_TILED),
        trilinear);
   bind(s, 1,
        texture(s, SGPU_TEXTURE_TYPE_CUBE, SGPU_FORMAT_R16G16B16A16_FLOAT, 16, 16, 4,
                SGPU_LAYOUT_TILED),
        trilinear);
   bind(s, 2, texture(s, SGPU_TEXTURE_TYPE_2D, SGPU_FORMAT_Z32_FLOAT, 30, 30, 1, SGPU_LAYOUT_TILED),
        nearest);
   bind(s, 3, texture(s, SGPU_TEXTURE_TYPE_1D, SGPU_FORMAT_R8_UNORM, 50, 1, 1, SGPU_LAYOUT_LINEAR),
        nearest);
   for (unsigned i = 0; i < 24; i++) {
      const unsigned n = random_program(&r, SGPU_STAGE_PIXEL, 4, instrs);
      s->st.ps = scene_code(s, SGPU_STAGE_PIXEL, instrs, n, RANDOM_PROGRAM_TEMPS,
                            RANDOM_PROGRAM_SCRATCH);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 2, 50.0f), 6);
   }
}

const struct scene_info scenes_textures[] = {
   { "texture-wraps", wraps },
   { "texture-filters", filters },
   { "texture-anisotropy", anisotropy },
   { "texture-formats", formats },
   { "texture-cubes", cubes },
   { "texture-volumes", volumes },
   { "texture-operations", operations },
   { "render-to-texture", render_to_texture },
   { "texture-random", random_programs },
   { NULL, NULL },
};
