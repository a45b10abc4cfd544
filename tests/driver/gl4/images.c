/* SPDX-License-Identifier: MIT */
/*
 * Tests images of every target: stores, loads, atomic operations and sizes, inside and outside of
 * the image; single levels and layers; views with other formats of the same size; units without an
 * image.
 */
#include "core.h"

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, LEVELS = 3 };
#define SAMPLES 4

struct target {
   const char *name;
   GLenum target;
   /* Coordinates as an expression of `ivec3 p` and, if the target is multisampled, `int s`. */
   const char *coords;
   /* Number of coordinates. */
   unsigned dims;
   /* Expression of imageSize() as an ivec3. */
   const char *size;
   bool samples;
};

static const struct target targets[] = {
   { "Buffer", GL_TEXTURE_BUFFER, "p.x", 1, "ivec3(imageSize(img), 1, 1)", false },
   { "1D", GL_TEXTURE_1D, "p.x", 1, "ivec3(imageSize(img), 1, 1)", false },
   { "2D", GL_TEXTURE_2D, "p.xy", 2, "ivec3(imageSize(img), 1)", false },
   { "2DRect", GL_TEXTURE_RECTANGLE, "p.xy", 2, "ivec3(imageSize(img), 1)", false },
   { "3D", GL_TEXTURE_3D, "p", 3, "imageSize(img)", false },
   { "Cube", GL_TEXTURE_CUBE_MAP, "p", 3, "ivec3(imageSize(img), 6)", false },
   { "1DArray", GL_TEXTURE_1D_ARRAY, "p.xy", 2, "ivec3(imageSize(img), 1)", false },
   { "2DArray", GL_TEXTURE_2D_ARRAY, "p", 3, "imageSize(img)", false },
   { "CubeArray", GL_TEXTURE_CUBE_MAP_ARRAY, "p", 3,
     "ivec3(imageSize(img).xy, 6 * imageSize(img).z)", false },
   { "2DMS", GL_TEXTURE_2D_MULTISAMPLE, "p.xy, s", 2, "ivec3(imageSize(img), 1)", true },
   { "2DMSArray", GL_TEXTURE_2D_MULTISAMPLE_ARRAY, "p, s", 3, "imageSize(img)", true },
};

/* Creates an R32UI texture that contains zeros.  Returns its size in `size`. */
static GLuint
make_texture(const struct target *t, int size[3])
{
   GLuint texture, buffer;

   memcpy(size, (const int[]){ WIDTH, HEIGHT, DEPTH }, 12);
   glCreateTextures(t->target, 1, &texture);
   switch (t->target) {
   case GL_TEXTURE_BUFFER:
      buffer = core_buffer(4 * WIDTH, NULL);
      glTextureBuffer(texture, GL_R32UI, buffer);
      glDeleteBuffers(1, &buffer);
      size[1] = size[2] = 1;
      break;
   case GL_TEXTURE_1D:
      glTextureStorage1D(texture, 1, GL_R32UI, WIDTH);
      size[1] = size[2] = 1;
      break;
   case GL_TEXTURE_2D:
   case GL_TEXTURE_RECTANGLE:
   case GL_TEXTURE_1D_ARRAY:
      glTextureStorage2D(texture, 1, GL_R32UI, WIDTH, HEIGHT);
      size[2] = 1;
      break;
   case GL_TEXTURE_CUBE_MAP:
      glTextureStorage2D(texture, 1, GL_R32UI, WIDTH, WIDTH);
      size[1] = WIDTH, size[2] = 6;
      break;
   case GL_TEXTURE_CUBE_MAP_ARRAY:
      glTextureStorage3D(texture, 1, GL_R32UI, WIDTH, WIDTH, 12);
      size[1] = WIDTH, size[2] = 12;
      break;
   case GL_TEXTURE_2D_MULTISAMPLE:
      glTextureStorage2DMultisample(texture, SAMPLES, GL_R32UI, WIDTH, HEIGHT, GL_TRUE);
      size[2] = 1;
      break;
   case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      glTextureStorage3DMultisample(texture, SAMPLES, GL_R32UI, WIDTH, HEIGHT, DEPTH, GL_TRUE);
      break;
   default:
      glTextureStorage3D(texture, 1, GL_R32UI, WIDTH, HEIGHT, DEPTH);
   }
   if (!t->samples && t->target != GL_TEXTURE_BUFFER)
      glClearTexImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   return texture;
}

static GLuint
target_program(const struct target *t, const char *body)
{
   return PROGRAM(
         .cs = text(
            "layout(local_size_x = 1) in;\n"
            "layout(r32ui, binding = 3) uniform uimage%s img;\n"
            "layout(std430, binding = 0) buffer B { uint b[]; };\n"
            "layout(location = 0) uniform ivec3 first;\n"
            "void main() {\n"
            "   ivec3 p = ivec3(gl_GlobalInvocationID) + first;\n"
            "   uvec3 n = gl_NumWorkGroups;\n"
            "   for (int s = 0; s < %u; s++) {\n"
            "      uint i = ((gl_WorkGroupID.z * n.y + gl_WorkGroupID.y) * n.x +\n"
            "                gl_WorkGroupID.x) * %uu + uint(s);\n"
            "      uint value = 0x80000000u + uint(p.x + 100 * p.y + 10000 * p.z + 1000000 * s);\n"
            "      %s\n"
            "   }\n"
            "}\n",
            t->name, t->samples ? SAMPLES : 1, t->samples ? SAMPLES : 1, body));
}

struct box {
   int first[3];
   unsigned count[3];
};

/* Returns in `box` the coordinates of the image and two texels around it, and the number of samples
 * in the box.
 */
static unsigned
box_of(const struct target *t, const int size[3], struct box *box)
{
   unsigned n = t->samples ? SAMPLES : 1;

   for (unsigned i = 0; i < 3; i++) {
      const bool used = i < t->dims;
      box->first[i] = used ? -2 : 0;
      box->count[i] = size[i] + (used ? 4 : 0);
      n *= box->count[i];
   }
   return n;
}

static void
run(GLuint program, const struct box *box)
{
   glUseProgram(program);
   glUniform3iv(0, 1, box->first);
   glDispatchCompute(box->count[0], box->count[1], box->count[2]);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

/* Compares the results of a shader in b[] with value + add inside of the image and with 0 outside.
 */
static void
check_values(const struct target *t, const char *what, const int size[3], const struct box *box,
             GLuint buffer, unsigned n, uint32_t add)
{
   uint32_t *found = calloc(n, 4);
   unsigned i = 0;

   core_read(buffer, 4 * n, found);
   for (unsigned z = 0; z < box->count[2]; z++) {
      for (unsigned y = 0; y < box->count[1]; y++) {
         for (unsigned x = 0; x < box->count[0]; x++) {
            for (unsigned s = 0; s < (t->samples ? SAMPLES : 1); s++, i++) {
               const int p[3] = { box->first[0] + (int)x, box->first[1] + (int)y,
                                  box->first[2] + (int)z };
               bool inside = true;
               for (unsigned k = 0; k < 3; k++)
                  inside = inside && p[k] >= 0 && p[k] < size[k];
               const uint32_t value = 0x80000000u + (uint32_t)(p[0] + 100 * p[1] + 10000 * p[2] +
                                                               1000000 * (int)s);
               const uint32_t expected = inside ? value + add : 0;
               CHECK(found[i] == expected, "%s %s: %d %d %d sample %u has 0x%x, not 0x%x", t->name,
                     what, p[0], p[1], p[2], s, found[i], expected);
            }
         }
      }
   }
   free(found);
}

static void
test_target(const struct target *t)
{
   int size[3];
   const GLuint texture = make_texture(t, size);
   const GLuint store = target_program(t, text("imageStore(img, %s, uvec4(value));", t->coords));
   const GLuint load = target_program(t, text("b[i] = imageLoad(img, %s).x;", t->coords));
   const GLuint add = target_program(t, text("b[i] = imageAtomicAdd(img, %s, 7u);", t->coords));
   const GLuint query = target_program(t,
                                       text("ivec3 z = %s; b[0] = z.x; b[1] = z.y; b[2] = z.z; %s",
                                            t->size,
                                            t->samples ? "b[3] = imageSamples(img);" : ""));
   struct box box;
   const unsigned n = box_of(t, size, &box);
   const GLuint buffer = core_storage(0, 4 * n, NULL);
   uint32_t found[4];

   glBindImageTexture(3, texture, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
   run(store, &box);
   run(load, &box);
   check_values(t, "loads", size, &box, buffer, n, 0);
   run(add, &box);
   check_values(t, "adds", size, &box, buffer, n, 0);
   run(load, &box);
   check_values(t, "loads after adds", size, &box, buffer, n, 7);
   run(query, &(struct box){ .count = { 1, 1, 1 } });
   core_read(buffer, sizeof found, found);
   for (unsigned i = 0; i < 3; i++)
      CHECK(found[i] == (uint32_t)size[i], "%s: size %u of %u", t->name, found[i], i);
   CHECK(!t->samples || found[3] == SAMPLES, "%s: %u samples", t->name, found[3]);

   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(store);
   glDeleteProgram(load);
   glDeleteProgram(add);
   glDeleteProgram(query);
}

/* Tests that stores change only the bound level and layer. */
static void
test_level(GLenum target, const char *name, bool layered, unsigned level, unsigned layer)
{
   const bool flat = !layered;
   const struct target t = { flat ? "2D" : name, target, flat ? "p.xy" : "p",
                             flat ? 2 : 3,       "",     false };
   const unsigned layers = target == GL_TEXTURE_CUBE_MAP         ? 6
                           : target == GL_TEXTURE_CUBE_MAP_ARRAY ? 12
                                                                 : 4;
   const GLuint store = target_program(&t, text("imageStore(img, %s, uvec4(value));", t.coords));
   const GLuint load = target_program(&t, text("b[i] = imageLoad(img, %s).x;", t.coords));
   GLuint texture;

   glCreateTextures(target, 1, &texture);
   if (target == GL_TEXTURE_CUBE_MAP)
      glTextureStorage2D(texture, LEVELS, GL_R32UI, 16, 16);
   else
      glTextureStorage3D(texture, LEVELS, GL_R32UI, 16, 16, layers);
   for (unsigned i = 0; i < LEVELS; i++)
      glClearTexImage(texture, i, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   glBindImageTexture(3, texture, level, layered, layer, GL_READ_WRITE, GL_R32UI);

   const int w = 16 >> level;
   const int size[3] = { w, w,
                         flat                      ? 1
                         : target == GL_TEXTURE_3D ? (int)(layers >> level)
                                                   : (int)layers };
   struct box box;
   const unsigned n = box_of(&t, size, &box);
   const GLuint buffer = core_storage(0, 4 * n, NULL);
   run(store, &box);
   run(load, &box);
   check_values(&t, text("%s, level %u, layer %u", name, level, layer), size, &box, buffer, n, 0);

   for (unsigned i = 0; i < LEVELS; i++) {
      const unsigned d = target == GL_TEXTURE_3D ? layers >> i : layers, side = 16 >> i;
      uint32_t texels[16 * 16 * 12];
      glGetTextureImage(texture, i, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof texels, texels);
      for (unsigned j = 0; j < side * side * d; j++) {
         const unsigned x = j % side, y = j / side % side, z = j / side / side;
         const uint32_t value = 0x80000000u + x + 100 * y + (flat ? 0 : 10000 * z);
         const uint32_t expected = i == level && (!flat || z == layer) ? value : 0;
         CHECK(texels[j] == expected, "%s level %u of %u, layer %u: %u %u %u is 0x%x, not 0x%x",
               name, i, level, layer, x, y, z, texels[j], expected);
      }
   }
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(store);
   glDeleteProgram(load);
}

/* Tests that texels have the same bits in all formats of the same texel size. */
static void
test_views(void)
{
   const GLuint program =
      PROGRAM(.cs = "layout(local_size_x = 1) in;\n"
                    "layout(r32ui, binding = 0) uniform uimage2D a;\n"
                    "layout(rgba8, binding = 1) uniform image2D b;\n"
                    "layout(std430, binding = 0) buffer B { uint bits; vec4 color; };\n"
                    "void main() {\n"
                    "   bits = imageLoad(a, ivec2(1, 0)).x;\n"
                    "   imageStore(a, ivec2(2, 0), uvec4(0x80402010u));\n"
                    "   color = imageLoad(b, ivec2(1, 0));\n"
                    "   imageStore(b, ivec2(3, 0), vec4(0.2, 0.4, 0.6, 1.0));\n"
                    "}\n");
   const uint8_t texels[4][4] = { { 1, 2, 3, 4 }, { 51, 102, 153, 255 } };
   uint8_t after[4][4];
   uint32_t found[8];
   float color[4];
   GLuint texture;
   const GLuint buffer = core_storage(0, sizeof found, NULL);

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, GL_RGBA8, 4, 1);
   glTextureSubImage2D(texture, 0, 0, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(1, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
   glDispatchCompute(1, 1, 1);
   core_read(buffer, sizeof found, found);
   memcpy(color, found + 4, sizeof color);
   CHECK(found[0] == 0xff996633u, "0x%x", found[0]);
   for (unsigned i = 0; i < 4; i++) {
      const float expected = texels[1][i] / 255.0f;
      CHECK(color[i] > expected - 1e-6f && color[i] < expected + 1e-6f, "%u: %f", i, color[i]);
   }
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof after, after);
   const uint8_t expected[4][4] = {
      { 1, 2, 3, 4 }, { 51, 102, 153, 255 }, { 16, 32, 64, 128 }, { 51, 102, 153, 255 }
   };
   CHECK(!memcmp(after, expected, sizeof after), "texel 2 %u %u %u %u, texel 3 %u %u %u %u",
         after[2][0], after[2][1], after[2][2], after[2][3], after[3][0], after[3][1], after[3][2],
         after[3][3]);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

/* Tests an array of images with a uniform index.  Units without an image read as zero. */
static void
test_units(void)
{
   const GLuint program =
      PROGRAM(.cs = "layout(local_size_x = 1) in;\n"
                    "layout(r32ui, binding = 1) uniform uimage2D img[4];\n"
                    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                    "layout(location = 0) uniform int unit;\n"
                    "void main() {\n"
                    "   imageStore(img[unit], ivec2(0), uvec4(50 + unit));\n"
                    "   memoryBarrierImage();\n"
                    "   b[unit] = imageLoad(img[unit], ivec2(0)).x;\n"
                    "   b[4 + unit] = imageAtomicAdd(img[unit], ivec2(0), 1u);\n"
                    "   b[8 + unit] = uint(imageSize(img[unit]).x);\n"
                    "}\n");
   uint32_t found[12];
   GLuint textures[4];
   const GLuint buffer = core_storage(0, sizeof found, NULL);

   glCreateTextures(GL_TEXTURE_2D, 4, textures);
   for (unsigned i = 0; i < 4; i++) {
      glTextureStorage2D(textures[i], 1, GL_R32UI, 2 + i, 1);
      glBindImageTexture(1 + i, i == 2 ? 0 : textures[i], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   }
   for (unsigned i = 0; i < 4; i++) {
      glUniform1i(0, i);
      glDispatchCompute(1, 1, 1);
   }
   core_read(buffer, sizeof found, found);
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t value = i == 2 ? 0 : 50 + i;
      CHECK(found[i] == value && found[4 + i] == value, "unit %u: %u %u", i, found[i],
            found[4 + i]);
      CHECK(found[8 + i] == (i == 2 ? 0 : 2 + i), "unit %u: size %u", i, found[8 + i]);
   }
   glDeleteTextures(4, textures);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

int
main(void)
{
   static const struct {
      const char *name;
      GLenum target;
   } layered[] = { { "3D", GL_TEXTURE_3D },
                   { "2DArray", GL_TEXTURE_2D_ARRAY },
                   { "Cube", GL_TEXTURE_CUBE_MAP },
                   { "CubeArray", GL_TEXTURE_CUBE_MAP_ARRAY } };
   GLint samples;

   core_begin();
   glGetIntegerv(GL_MAX_IMAGE_SAMPLES, &samples);
   if (samples < SAMPLES)
      printf("images have no samples\n");
   for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; i++) {
      if (!targets[i].samples || samples >= SAMPLES)
         test_target(&targets[i]);
   }
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned level = 0; level < LEVELS; level++) {
         test_level(layered[i].target, layered[i].name, true, level, 0);
         test_level(layered[i].target, layered[i].name, false, level, 0);
         test_level(layered[i].target, layered[i].name, false, level,
                    layered[i].target == GL_TEXTURE_CUBE_MAP_ARRAY ? 8 : 3 >> level);
      }
   }
   test_views();
   test_units();
   return core_end("images");
}
