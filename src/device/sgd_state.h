/* SPDX-License-Identifier: MIT */
/*
 * State of a draw, resolved: the command processor copies packets and
 * descriptors once, checks them once, and puts host addresses and sizes in
 * place of device addresses.  A state block never changes after it is made,
 * so that later writes of the program cannot reach it.
 */
#ifndef SGD_STATE_H
#define SGD_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgd_box.h"
#include "sgd_constants.h"
#include "sgd_order.h"
#include "sgd_ref.h"
#include "sgd_rop_state.h"
#include "sgd_xfb_state.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_isa.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "util/format/u_format.h"

#define SGD_WARP 32
#define SGD_QUADS 8
#define SGD_TILE_LOG2 6
#define SGD_TILE (1 << SGD_TILE_LOG2)

/* As many as packets can set. */
#define SGD_MAX_COLORS SGPU_BLEND_TAIL_MAX
#define SGD_MAX_VIEWPORTS (SGPU_VIEWPORT_INDEX_MAX + 1)
#define SGD_MAX_BANKS (SGPU_CONSTANTS_BANK_MAX + 1)
#define SGD_MAX_TEXTURES SGPU_TEXTURES_TAIL_MAX
#define SGD_MAX_SAMPLERS SGPU_SAMPLERS_TAIL_MAX
#define SGD_MAX_BUFFERS SGPU_BUFFERS_TAIL_MAX
#define SGD_MAX_IMAGES SGPU_IMAGES_TAIL_MAX
#define SGD_MAX_ELEMENTS SGPU_VERTEX_ELEMENTS_TAIL_MAX
#define SGD_MAX_VERTEX_BUFFERS SGPU_VERTEX_BUFFERS_TAIL_MAX
#define SGD_MAX_VARYINGS SGPU_VARYINGS_TAIL_MAX
#define SGD_MAX_SAMPLES SGPU_LAYOUT_MAX_SAMPLES
#define SGD_MAX_STAGE_INPUTS SGPU_STAGE_INPUTS_TAIL_MAX
static_assert(SGPU_FRAMEBUFFER_COLORS_MAX == SGD_MAX_COLORS &&
                 SGPU_FRAMEBUFFER_TAIL_MAX == SGD_MAX_COLORS + 1,
              "colours, and depth");
static_assert(SGPU_SCISSOR_INDEX_MAX == SGPU_VIEWPORT_INDEX_MAX, "a scissor each");
/* Programs can name all that packets can bind, and no more. */
static_assert(SGPU_MAX_BANKS == SGD_MAX_BANKS && SGPU_MAX_TEXTURES == SGD_MAX_TEXTURES &&
                 SGPU_MAX_SAMPLERS == SGD_MAX_SAMPLERS &&
                 SGPU_BUFFERS_TAIL_MAX == SGD_MAX_BUFFERS &&
                 SGPU_IMAGES_TAIL_MAX == SGD_MAX_IMAGES &&
                 SGPU_MAX_VERTEX_INPUTS == SGD_MAX_STAGE_INPUTS,
              "");

#define SGD_MAX_GROUP 1024                             /* invocations of a group */
#define SGD_PRIMITIVE_VERTICES SGPU_MAX_PATCH_VERTICES /* patches have the most */

enum { SGD_STAGES = SGPU_STAGE_COMPUTE + 1 };

struct sgpu_bo;

/* A span of buffer memory that the submission may reach. */
struct sgd_span {
   uint8_t *ptr; /* NULL when size is 0 */
   uint64_t size;
};

/* A byte of the span lies in [first, last). */
static inline bool
sgd_span_meets(const struct sgd_span *span, const uint8_t *first, const uint8_t *last)
{
   return span->size && span->ptr < last && first < span->ptr + span->size;
}

/* A render target, or an end of a copy.  All of it lies in reach: the bounds
 * of every element inside width x height x layers x samples were checked.
 */
struct sgd_surface {
   uint8_t *base;          /* element (0,0) of First Layer, sample 0 */
   uint32_t pitch;         /* bytes a row of elements, or of micro tiles */
   uint64_t layer_stride;  /* bytes */
   uint64_t sample_stride; /* bytes */
   enum sgpu_format format;
   enum pipe_format pformat;
   const struct util_format_description *desc;
   uint16_t width, height; /* pixels */
   uint16_t layers;
   struct sgpu_bo *bo;
   uint8_t bpe;     /* bytes an element */
   uint8_t samples; /* 1, 2, 4, ... SGD_MAX_SAMPLES */
   bool tiled;
   bool valid;
   uint64_t storage;    /* names the memory, for dependences */
   uint64_t begin, end; /* device addresses of all its bytes, metadata included */
   uint16_t first_layer;
   uint8_t level;
   bool fast_clear;
   uint8_t *meta;       /* of First Layer's tiles, or NULL: sgd_tile_meta.h */
   uint32_t meta_layer; /* bytes from a layer's to the next */
};

/* Texture units and samplers are decoded by src/device/texture into its own
 * form; it keeps the descriptor for queries.
 */
struct sgd_texture {
   uint32_t refs; /* atomic */
   struct SGPU_TEXTURE desc;
   uint8_t *base; /* level 0, layer 0 */
   uint64_t size; /* bytes from base on that it may read */
   struct sgpu_bo *bo;
   struct sgpu_layout layout; /* of the resource */
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
   void *unit;  /* src/device/texture's own, made by sgd_texture_prepare */
   void *image; /* src/device/image's own, made by sgd_image_prepare */
};

/* What follows from a sampler alone, for the short ways of the texture unit. */
enum sgd_sampler_plan {
   SGD_SAMPLER_PLAIN = 1 << 0,      /* one probe; the result is an average */
   SGD_SAMPLER_ONE_FILTER = 1 << 1, /* minifies as it magnifies */
   SGD_SAMPLER_ONE_LEVEL = 1 << 2,  /* no mipmaps */
   /* Bias and limits leave no positive level of detail of one up to 0. */
   SGD_SAMPLER_KEEPS_MAGNIFIED = 1 << 3,
   SGD_SAMPLER_FAST_WRAPS = 1 << 4, /* s and t are REPEAT or CLAMP_TO_EDGE */
   SGD_SAMPLER_REPEAT_S = 1 << 5,   /* and coordinates are normalized */
   SGD_SAMPLER_REPEAT_T = 1 << 6,
   SGD_SAMPLER_NORMALIZED = 1 << 7, /* coordinates */
   SGD_SAMPLER_LINEAR = 1 << 8,     /* magnifies with a linear filter */
   SGD_SAMPLER_TILED = 1 << 9,      /* of a view alone: `simple`, and tiled */
};

struct sgd_sampler {
   struct SGPU_SAMPLER desc;
   bool valid;
   uint16_t plan; /* enum sgd_sampler_plan, by sgd_sampler_prepare; 0: unknown */
};

struct sgd_handle_set;

/* Resources of a program. */
struct sgd_env {
   struct sgd_bank banks[SGD_MAX_BANKS]; /* constants; bank 0 is the CONST file */
   /* SGD_MAX_TEXTURES and SGD_MAX_SAMPLERS entries; NULL: none is bound. A
    * texture that is NULL reads as (0,0,0,0).
    */
   const struct sgd_texture *const *textures;
   const struct sgd_sampler *samplers;
   const struct sgd_span *buffers; /* SGD_MAX_BUFFERS storage buffers; NULL: none is bound */
   /* SGD_MAX_IMAGES entries, each one level (First Level is Last Level); NULL: none is
    * bound.  Accesses of an image that is NULL are out of range.
    */
   const struct sgd_texture *const *images;
   uint32_t clock;                       /* the high word of CLK */
   uint32_t versioned;                   /* bits: banks in lines */
   const struct sgd_handle_set *handles; /* NULL: none is bound */
};

struct sgd_element {
   struct SGPU_VERTEX_ELEMENT desc;
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
};

struct sgd_vertex_buffer {
   struct sgd_span span;
   uint32_t stride;
};

/* Inputs of a stage that reads the vertices of another. */
struct sgd_stage_link {
   unsigned num_inputs;
   struct SGPU_STAGE_INPUT input[SGD_MAX_STAGE_INPUTS];
};

struct sgd_shader; /* sgd_shader.h */

/* How depth and stencil are tested, decided once for a state: sgd_early.c. */
struct sgd_zs_mode {
   bool test_early; /* depth and stencil test (and write) before the pixel program */
   bool test_late;
   bool count_early;   /* samples that the program then drops have passed */
   bool active;        /* there is a surface and something to test or write */
   bool reject;        /* a pixel that is known to fail the depth test leaves no trace */
   bool reject_bounds; /* nor does one that is known to fail the bounds test */
};

/* Textures, samplers, images and storage buffers of a stage, shared by the states that
 * have them.
 */
struct sgd_texture_set {
   uint32_t refs;         /* atomic */
   unsigned num_textures; /* highest bound, plus 1 */
   struct sgd_texture *textures[SGD_MAX_TEXTURES];
   struct sgd_sampler samplers[SGD_MAX_SAMPLERS];
   unsigned num_images; /* highest bound, plus 1 */
   bool has_buffers;
   struct sgd_texture *images[SGD_MAX_IMAGES]; /* not valid where num_images is 0 */
   struct sgd_span buffers[SGD_MAX_BUFFERS];   /* valid if has_buffers */
};
/* Bytes of a set without images and buffers. */
#define SGD_TEXTURE_SET_SMALL offsetof(struct sgd_texture_set, images)

/* Textures and samplers of handles, for all stages; shared by states, as texture sets are. */
struct sgd_handle {
   struct sgd_texture *texture; /* NULL: reads as (0,0,0,0) */
   struct sgd_sampler sampler;
   struct sgd_texture *image; /* NULL: none */
};

struct sgd_handle_set {
   uint32_t refs;  /* atomic */
   unsigned count; /* entries */
   struct sgd_handle handle[];
};

/* Operations on alpha between the pixel program and the ROP: sgd_fragment.c. */
struct sgd_alpha_mode {
   bool test;        /* the alpha test can drop fragments */
   bool clamp;       /* to 0..1 before: all colour targets are unsigned normalized */
   bool to_coverage; /* it decides how many samples are left */
   bool one;         /* counts as 1 from then on */
   uint8_t cover;    /* bit n: coverage applies to o[COLRn] */
};

/* The copies that draws have hold the constants of stages with a program, and of arrays with
 * a number as much as that: copy_state.
 */
struct sgd_state {
   uint32_t refs;                            /* atomic */
   void (*destroy)(struct sgd_state *state); /* the last reference is gone */

   /* targets */
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS];
   struct sgd_surface zs;
   uint32_t fb_width, fb_height; /* common to all targets */
   uint32_t fb_layers;
   uint8_t samples; /* of all targets */

   struct SGPU_VIEWPORT viewport[SGD_MAX_VIEWPORTS];
   struct SGPU_SCISSOR scissor[SGD_MAX_VIEWPORTS];
   struct SGPU_RASTERIZER rast;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_DEPTH_BOUNDS depth_bounds;
   struct SGPU_STENCIL_REF stencil_ref;
   struct SGPU_BLEND blend;
   struct SGPU_BLEND_TARGET blend_target[SGD_MAX_COLORS];
   float blend_color[4];
   uint32_t sample_mask;
   struct SGPU_COVERAGE coverage;
   uint32_t poly_stipple[32];
   float clip_plane[8][4];

   struct sgd_shader *shader[SGD_STAGES];
   struct SGPU_SHADER shader_desc[SGD_STAGES];
   struct sgd_env env[SGD_STAGES];
   struct sgd_texture_set *sets[SGD_STAGES];
   struct sgd_handle_set *handles;

   unsigned num_elements;
   struct sgd_element element[SGD_MAX_ELEMENTS];
   unsigned num_vertex_buffers;
   struct sgd_vertex_buffer vertex_buffer[SGD_MAX_VERTEX_BUFFERS];

   unsigned num_varyings;
   struct SGPU_VARYING varying[SGD_MAX_VARYINGS];
   struct SGPU_TESS_LEVELS tess_levels;

   /* Derived from the rest when a draw takes its copy. */
   struct sgd_zs_mode zs_mode;
   struct sgd_order order; /* without queries: sgd_order_counted */
   struct sgd_alpha_mode alpha;
   bool writes_memory; /* a program can write storage buffers or images */
   bool joins;         /* draws differ by their elements alone: sgd_cp_join.c */
   uint8_t color_write_mask[SGD_MAX_COLORS]; /* 0 where there is no surface or output */
   struct sgd_rop_state rop;                 /* sgd_rop_prepare */
   /* Pixels that draws may touch, of all their viewports: filled polygons, and others. */
   struct sgd_box filled, reach;
   uint32_t drawn_layers; /* likewise: the first layers of the targets */

   uint32_t observed; /* number for the observer; 0: it was not told.  Scheduler's lock */

   /* Without xfb, copies have num_words alone. */
   struct sgd_xfb_state xfb;
   /* SGPU_STAGE_TESS_CTRL to SGPU_STAGE_GEOMETRY; [SGPU_STAGE_VERTEX] is not used.  Copies
    * have those of stages with a program.
    */
   struct sgd_stage_link link[SGPU_STAGE_GEOMETRY + 1];
};

static inline void
sgd_state_unref(struct sgd_state *state)
{
   if (state && sgd_unref(&state->refs))
      state->destroy(state);
}

/* Primitives cover samples, each alone; else they cover pixels. */
static inline bool
sgd_state_multisamples(const struct sgd_state *st)
{
   return st->rast.multisample && st->samples > 1;
}

/* The program whose outputs go to the clipper, or NULL. */
static inline const struct sgd_shader *
sgd_state_last(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY]    ? st->shader[SGPU_STAGE_GEOMETRY]
          : st->shader[SGPU_STAGE_TESS_EVAL] ? st->shader[SGPU_STAGE_TESS_EVAL]
                                             : st->shader[SGPU_STAGE_VERTEX];
}

/* Runs of the geometry program per primitive, for the watchdog. */
static inline unsigned
sgd_state_geometry_runs(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY] ? st->shader_desc[SGPU_STAGE_GEOMETRY].invocations : 1;
}

/* Smooth points, lines and polygons are a matter of single samples (OpenGL 2.1,
 * 3.2.1).
 */
static inline bool
sgd_state_smooths(const struct sgd_state *st)
{
   return !sgd_state_multisamples(st);
}

#endif
