/* SPDX-License-Identifier: MIT */
/*
 * Helpers for scenes, whose images are compared across hosts, threads and policies. Scenes use the
 * device's public header and packets only; programs are texts. Numbers are made from integers by
 * exact operations, one in a statement, so that each host and compiler makes the same streams.
 */
#ifndef HASH_SCENE_H
#define HASH_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../rounds.h"
#include "sgpu_device.h"
#include "sgpu_isa.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

#define SCENE_W 150
#define SCENE_H 110
#define SCENE_MAX_BOS 64
#define SCENE_MAX_COLORS 8
#define SCENE_STAGES 3 /* vertex, pixel, geometry */
#define SCENE_TEXTURES 8
#define SCENE_WORDS (64 * 1024)
#define SCENE_VERTICES (16 * 1024)
#define SCENE_CONSTANTS 64

/* number of inputs, v[0] (position) to v[3] */
#define SCENE_INPUTS 4
struct scene_vertex {
   float v[SCENE_INPUTS][4];
};

struct scene_image {
   struct sgpu_bo *bo; /* memory of the image, or NULL if there is none */
   struct sgpu_layout layout;
};

/* If set, images have metadata if their format allows it, and clears are fast. Pictures are the
 * same.
 */
extern bool scene_metadata;

/* State in the form of packets. Scenes change it, and draws emit the packets that differ from those
 * emitted last.
 */
struct scene_state {
   struct scene_image color[SCENE_MAX_COLORS], zs;
   unsigned num_colors;
   unsigned first_layer, layers; /* first layer and number of layers of the targets */
   struct SGPU_VIEW view;        /* draws emit no packet if it has never had one and is all zeros */
   unsigned samples_log2;        /* log2 of the number of samples if there are no targets */
   struct SGPU_VIEWPORT viewport[2];
   struct SGPU_SCISSOR scissor[2];
   struct SGPU_RASTERIZER rast;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_DEPTH_BOUNDS depth_bounds; /* depth bounds, used if dsa tests them */
   struct SGPU_STENCIL_REF ref;
   struct SGPU_BLEND blend;
   struct SGPU_BLEND_TARGET target[SCENE_MAX_COLORS];
   struct SGPU_BLEND_COLOR blend_color;
   struct SGPU_SAMPLE_MASK sample_mask;
   struct SGPU_COVERAGE coverage;
   struct SGPU_POLYGON_STIPPLE stipple;
   /* window rectangles; draws emit no packet if it has never had one and there are none */
   struct SGPU_WINDOW_RECTANGLES window;
   struct SGPU_WINDOW_RECTANGLE rect[SGPU_WINDOW_RECTANGLES_TAIL_MAX];
   struct SGPU_SHADER vs, ps;
   struct SGPU_SHADER gs; /* geometry program; none if Address is 0 */
   struct SGPU_STAGE_INPUT input[SGPU_STAGE_INPUTS_TAIL_MAX]; /* inputs of the geometry program */
   unsigned num_inputs;
   struct SGPU_VARYING varying[SGPU_VARYINGS_TAIL_MAX];
   unsigned num_varyings;
   struct SGPU_VERTEX_ELEMENT element[SGPU_VERTEX_ELEMENTS_TAIL_MAX];
   unsigned num_elements;
   struct SGPU_VERTEX_BUFFER buffer[4];
   unsigned num_buffers;
   struct SGPU_TEXTURE texture[SCENE_TEXTURES]; /* textures of the pixel program */
   struct SGPU_SAMPLER sampler[SCENE_TEXTURES];
   unsigned num_textures;
};

struct scene {
   struct sgpu_device *dev;
   struct sgpu_queue *queue;
   uint64_t random;

   struct sgpu_bo *bos[SCENE_MAX_BOS];
   unsigned num_bos;
   struct sgpu_bo *results[SCENE_MAX_BOS]; /* buffers whose bytes are hashed, in this order */
   unsigned num_results;

   struct scene_image images[SCENE_MAX_BOS]; /* images with metadata */
   unsigned num_images;

   struct sgpu_bo *stream;
   uint32_t *words;
   uint32_t count;
   /* packets emitted last, and their sizes in words; scene_stream.c numbers the kinds of packets */
   uint32_t last[32][192];
   uint32_t last_words[32];

   struct sgpu_bo *vertex_bo, *index_bo, *constant_bo, *program_bo;
   struct scene_vertex *vertices;
   uint32_t num_vertices;
   uint32_t *indices;     /* memory for indices of any size, in 32-bit words */
   float (*constants)[4]; /* constants c[0], c[1], ... of all stages */
   uint32_t program_bytes;

   struct scene_state st;
};

/* A scene. Each scenes_*.c has a list of scenes, which ends with a NULL name. */
struct scene_info {
   const char *name;
   void (*draw)(struct scene *s); /* or NULL for a scene with a parameter */
   /* draws the scene with `parameter`, for scenes that share a function */
   void (*draw_with)(struct scene *s, uint64_t parameter);
   uint64_t parameter;
};
extern const struct scene_info scenes_geometry[], scenes_lines[], scenes_depth[], scenes_blend[],
   scenes_programs[], scenes_samples[], scenes_transfers[], scenes_textures[], scenes_order[],
   scenes_stages[], scenes_tessellation[], scenes_compute[], scenes_fetch[], scenes_wide[],
   scenes_states[];
/* All these lists, then NULL. */
extern const struct scene_info *const scene_lists[];

/* A scene that is drawn with a geometry program (`with` is 1), and without one (0). Lists end with a
 * NULL name.
 */
struct scene_pair {
   const char *name;
   void (*draw)(struct scene *s, uint64_t with);
};
extern const struct scene_pair scene_pairs[];
/* Scenes drawn with LDT, and with blending instead; scenes drawn with states, and without them. */
extern const struct scene_pair scene_fetch_pairs[], scene_state_pairs[];

/* Create a device, or end the test with a message. Other parameters come from the environment. */
struct sgpu_device *scene_device(unsigned threads, enum sgpu_dispatch_policy policy,
                                 uint64_t shuffle);
struct sgpu_device *scene_device_of(const struct sgpu_device_params *params);

/* Returns a counter of the device by its name. */
uint64_t scene_counter(struct sgpu_device *dev, const char *name);

/* Creates device `way` of SCENE_WAYS, which must all draw the same bits. They differ in threads,
 * policies and seeds of a shuffled order of work. The first device runs one operation after the
 * other. The first four have each policy once.
 */
#define SCENE_WAYS (TEST_ROUNDS_DIVISOR == 1 ? 9 : 4)
struct sgpu_device *scene_way_device(unsigned way);
/* Runs a test with seeds 0 to seeds - 1 on each of these devices. */
void scene_each_way(unsigned seeds, void (*test)(struct sgpu_device *dev, uint64_t seed));
/* Compares pictures of seeds 0 to seeds - 1. On each device, picture(dev, seed, true) must have the
 * hash of picture(dev, seed, false) on the first one. Otherwise the test ends with a message, and
 * also if all seeds have the same hash.
 */
void scene_compare_ways(unsigned seeds,
                        uint64_t (*picture)(struct sgpu_device *dev, uint64_t seed, bool other));

/* Begins a scene with a colour target of R8G8B8A8_UNORM and a depth target of Z24S8, cleared and
 * hashed. Programs pass v[0] and v[1] on; no tests and no blending. Ends the test with a message if
 * the device refuses a call.
 */
void scene_begin(struct scene *s, struct sgpu_device *dev);
/* Draws the scene of a list, between scene_begin() and scene_end(). */
void scene_run(struct scene *s, const struct scene_info *info);
/* Ends the scene and returns its hash. Writes the hashed bytes to `save` unless that is NULL. */
uint64_t scene_end(struct scene *s, FILE *save);
/* Draws a whole scene, with or without the feature of a pair, and returns its hash. */
uint64_t scene_pair_picture(struct sgpu_device *dev, const struct scene_pair *pair, bool with);
/* The same for a device that may run out of memory. Sets *lost to the text of its error, which is
 * valid until the next call, or to NULL.
 */
uint64_t scene_end_lossy(struct scene *s, FILE *save, const char **lost);
/* Ends the scene.  Returns the text of the first error, or NULL if there was none. */
const char *scene_refusal(struct scene *s);
/* Ends the scene and copies its hashed bytes, whose number is `size`. */
void scene_end_bytes(struct scene *s, void *out, size_t size);

/* Random numbers. */
uint32_t scene_random(struct scene *s);
uint32_t scene_below(struct scene *s, uint32_t n);
/* Returns first + k / 2^16 for an integer k, below last. */
float scene_float(struct scene *s, float first, float last);

/* Memory. */
struct sgpu_bo *scene_bo(struct scene *s, uint64_t size);
void scene_result(struct scene *s, struct sgpu_bo *bo);
/* Returns the parameters of a tiled image of one level, layer and sample. */
struct sgpu_layout_params scene_params(enum sgpu_format format, unsigned width, unsigned height);
struct scene_image scene_image(struct scene *s, const struct sgpu_layout_params *params);
/* Makes a tiled and hashed image of one level and layer. */
struct scene_image scene_target(struct scene *s, enum sgpu_format format, unsigned width,
                                unsigned height);
/* Makes such an image of the size of the targets, with samples and layers. */
struct scene_image scene_sampled(struct scene *s, enum sgpu_format format, unsigned samples,
                                 unsigned layers);
/* Returns a two-dimensional texture of all levels and layers of the image, unswizzled. */
struct SGPU_TEXTURE scene_texture(const struct scene_image *image);
struct SGPU_SURFACE scene_surface(const struct scene_image *image, unsigned level,
                                  unsigned first_layer, unsigned layers);
/* Stores pixels that fast clears have left out. Must come before images are read, except by copies
 * and targets.
 */
void scene_resolve(struct scene *s);
/* Fills all of the image with random bytes. */
void scene_noise(struct scene *s, const struct scene_image *image);

/* Replaces the first colour target by one of this format. */
void scene_color_format(struct scene *s, enum sgpu_format format);
/* Makes the first target blend, with all components written. */
void scene_blend(struct scene *s, enum sgpu_blend_factor rgb_src, enum sgpu_blend_factor rgb_dst,
                 enum sgpu_blend_factor alpha_src, enum sgpu_blend_factor alpha_dst);
/* The same: by the source's alpha; with sums of source and destination. */
void scene_blend_over(struct scene *s);
void scene_blend_add(struct scene *s);

/* Uploads a program from assembler text, which also gives the fields of its SHADER packet. */
struct SGPU_SHADER scene_program(struct scene *s, const char *text);
struct SGPU_SHADER scene_code(struct scene *s, enum sgpu_stage stage,
                              const struct sgpu_instr *instrs, unsigned count, unsigned temps,
                              unsigned scratch);
/* Sets a geometry program with the inputs HPOS as va[0], and GEN0 to GEN2 as va[1] to va[3]. */
void scene_geometry(struct scene *s, const char *text, enum sgpu_primitive input,
                    enum sgpu_primitive output, unsigned max_vertices, unsigned invocations);
/* Sets the constants that random programs read, with a number of repetitions of loops. */
void scene_random_constants(struct scene *s, float loops);
/* Links varyings v[0] to v[n - 1] to GEN0 to GEN(n - 1). */
void scene_varyings(struct scene *s, unsigned n, enum sgpu_interpolation interpolation);

/* Adds a vertex at window coordinates x and y, with depth z (0 to 1) and clip w. Its other inputs
 * are random in 0 to 1. Returns the number of the vertex.
 */
uint32_t scene_vertex(struct scene *s, float x, float y, float z, float w);
uint32_t scene_random_vertex(struct scene *s);
/* Adds n random vertices, and returns the number of the first. */
uint32_t scene_random_vertices(struct scene *s, unsigned n);
/* Adds n triangles whose corners are at most `size` pixels from a random point. Returns the number
 * of the first vertex.
 */
uint32_t scene_triangles(struct scene *s, unsigned n, float size);

/* Reserves words in the stream. */
uint32_t *scene_get(struct scene *s, uint32_t words);
#define SCENE_EMIT(s, X, cfg) sgpu_pack(scene_get(s, SGPU_##X##_LENGTH), X, cfg)

/* Emits the state packets that have changed. */
void scene_emit_state(struct scene *s);
void scene_draw(struct scene *s, enum sgpu_primitive primitive, uint32_t first, uint32_t count);
void scene_draw_packet(struct scene *s, const struct SGPU_DRAW *draw);
void scene_clear(struct scene *s, const float color[4], double depth, unsigned stencil);
/* Bind bytes of a buffer as buf[n], or layers of a level as img[n], for the rest of the stream. */
void scene_bind_buffer(struct scene *s, enum sgpu_stage stage, unsigned n, struct sgpu_bo *bo,
                       uint64_t offset, uint32_t size);
void scene_bind_image(struct scene *s, enum sgpu_stage stage, unsigned n,
                      const struct scene_image *image, unsigned level, unsigned first_layer,
                      unsigned last_layer);
/* Returns a grid by sizes of groups and numbers of groups. */
struct SGPU_GRID scene_grid_of(unsigned x, unsigned y, unsigned z, unsigned groups_x,
                               unsigned groups_y, unsigned groups_z);
/* Emits a grid of the program, with the same constants c[] as draws. */
void scene_grid(struct scene *s, const struct SGPU_SHADER *program, const struct SGPU_GRID *grid);
/* Begin and end a query, which stores its result at the address. */
void scene_begin_query(struct scene *s, enum sgpu_query_type type, unsigned slot);
void scene_end_query(struct scene *s, enum sgpu_query_type type, unsigned slot, uint64_t address);
void scene_copy_buffer(struct scene *s, uint64_t destination, uint64_t source, uint32_t size);
/* Fills bytes with a word. */
void scene_fill_buffer(struct scene *s, uint64_t destination, uint32_t size, uint32_t word);
/* Submits the stream without a wait. */
void scene_submit(struct scene *s);
/* Submits the stream, and waits until no submission uses the buffer. */
void scene_wait(struct scene *s, struct sgpu_bo *bo);

/* For scene.c: begin the first stream; submit the last one and return its seqno. */
void scene_new_stream(struct scene *s);
uint64_t scene_end_stream(struct scene *s);

/* Start of a compute program. R0.x: number of the invocation in the grid, counted in the order of groups; R0.y: number of its
 * group; R0.z: number of the invocation in its group.
 */
#define SCENE_INVOCATION                                         \
   "IMAD R0.z, s[LOCAL_ID].z, s[GROUP_SIZE].y, s[LOCAL_ID].y;\n" \
   "IMAD R0.z, R0.z, s[GROUP_SIZE].x, s[LOCAL_ID].x;\n"          \
   "IMAD R0.y, s[GROUP_ID].z, s[NUM_GROUPS].y, s[GROUP_ID].y;\n" \
   "IMAD R0.y, R0.y, s[NUM_GROUPS].x, s[GROUP_ID].x;\n"          \
   "IMUL R0.w, s[GROUP_SIZE].x, s[GROUP_SIZE].y;\n"              \
   "IMUL R0.w, R0.w, s[GROUP_SIZE].z;\n"                         \
   "IMAD R0.x, R0.y, R0.w, R0.z;\n"

/* Evaluation program: bilinear interpolation of four corners. Other inputs are those of the first
 * one.
 */
#define SCENE_BILINEAR                                                         \
   "!!SGTE1.0\nTEMPS 4;\n"                                                     \
   "LDV R0, va[0][0]; LDV R1, va[0][1]; LDV R2, va[0][3]; LDV R3, va[0][2];\n" \
   "ADD R1, R1, -R0; MAD R0, s[TESS_COORD].x, R1, R0;\n"                       \
   "ADD R3, R3, -R2; MAD R2, s[TESS_COORD].x, R3, R2;\n"                       \
   "ADD R2, R2, -R0; MAD o[HPOS], s[TESS_COORD].y, R2, R0; LDV o[GEN0], va[1][0];\nEND\n"

/* Control program that passes vertices on. The levels, c[40] and c[41], pass through the outputs of
 * the last vertex, from which the first invocation loads them.
 */
#define SCENE_CONTROL                                                                  \
   "!!SGTC1.0\nTEMPS 2;\n"                                                             \
   "LDV o[HPOS], va[0][s[INVOCATION_ID].x]; LDV o[GEN0], va[1][s[INVOCATION_ID].x];\n" \
   "MOV o[GEN1], c[40]; MOV o[GEN2], c[41];\n"                                         \
   "USETP.EQ P0.x, s[INVOCATION_ID].x, c[42].x;\n"                                     \
   "LDO R0, vo[GEN1][3]; (P0.x) STP pa[TESS_OUTER], R0;\n"                             \
   "LDO R0, vo[GEN2][3]; (P0.x) STP pa[TESS_INNER].xy, R0;\nEND\n"
/* Tessellation state, which is valid until the stream ends: programs; how patches are subdivided;
 * the levels of TESS LEVELS; the levels of SCENE_CONTROL, which are the same for all draws of a
 * scene.
 */
void scene_control(struct scene *s, const char *text, unsigned vertices);
void scene_evaluation(struct scene *s, const char *text, const struct SGPU_SHADER *how);
void scene_no_tessellation(struct scene *s);
void scene_levels(struct scene *s, const float outer[4], const float inner[2]);
void scene_tess_constants(struct scene *s, const float outer[4], const float inner[2]);
void scene_draw_patches(struct scene *s, uint32_t first, uint32_t count, unsigned patch_vertices);
/* Draws patches of many kinds. */
void scene_any_patches(struct scene *s, uint64_t seed);

/* Prints a message and ends the test. */
_Noreturn void scene_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
