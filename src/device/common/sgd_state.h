/* SPDX-License-Identifier: MIT */
/*
 * Resolved state of a draw. The command processor copies and validates packets and descriptors
 * once, and replaces device addresses with host addresses and sizes. A state block is never
 * modified after its creation, so later writes by the application can't affect it.
 */
#ifndef SGD_STATE_H
#define SGD_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sgd_box.h"
#include "common/sgd_constants.h"
#include "common/sgd_plan.h"
#include "common/sgd_ref.h"
#include "common/sgd_xfb_state.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_isa.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "util/format/u_format.h"

#define SGD_WARP 32
#define SGD_QUADS 8
#define SGD_TILE_LOG2 6
#define SGD_TILE (1 << SGD_TILE_LOG2)

/* Limits of the state. They match the maximum counts and indices that packets can encode. */
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
/* Programs can address exactly the bindings that packets can set. */
static_assert(SGPU_MAX_BANKS == SGD_MAX_BANKS && SGPU_MAX_TEXTURES == SGD_MAX_TEXTURES &&
                 SGPU_MAX_SAMPLERS == SGD_MAX_SAMPLERS &&
                 SGPU_BUFFERS_TAIL_MAX == SGD_MAX_BUFFERS &&
                 SGPU_IMAGES_TAIL_MAX == SGD_MAX_IMAGES &&
                 SGPU_MAX_VERTEX_INPUTS == SGD_MAX_STAGE_INPUTS,
              "");

#define SGD_MAX_GROUP 1024 /* maximum number of invocations per workgroup */
/* maximum number of vertices per primitive; only patches have this many */
#define SGD_PRIMITIVE_VERTICES SGPU_MAX_PATCH_VERTICES

enum { SGD_STAGES = SGPU_STAGE_COMPUTE + 1 };

struct sgpu_bo;

/* A range of buffer memory that the submission is allowed to access. */
struct sgd_span {
   uint8_t *ptr; /* start of the range; NULL if size is 0 */
   uint64_t size;
};

/* Returns true if the span overlaps the address range [first, last). */
static inline bool
sgd_span_meets(const struct sgd_span *span, const uint8_t *first, const uint8_t *last)
{
   return span->size && span->ptr < last && first < span->ptr + span->size;
}

/* A render target, or the source or destination of a copy. All width x height x layers x samples
 * elements are accessible, since the bounds were checked when the surface was resolved.
 */
struct sgd_surface {
   uint8_t *base; /* host address of element (0, 0) of First Layer, sample 0 */
   /* bytes per row of elements, or per row of micro tiles if the surface is tiled */
   uint32_t pitch;
   uint64_t layer_stride;  /* bytes from one layer to the next */
   uint64_t sample_stride; /* bytes from one sample plane to the next */
   enum sgpu_format format;
   enum pipe_format pformat;
   const struct util_format_description *desc;
   uint16_t width, height; /* size in pixels */
   uint16_t layers;        /* number of layers */
   struct sgpu_bo *bo;     /* buffer that contains the surface */
   uint8_t bpe;            /* bytes per element */
   uint8_t samples; /* number of samples per pixel, a power of two, at most SGD_MAX_SAMPLES */
   bool tiled;
   bool valid;
   uint64_t storage;    /* ID of the memory, used to track dependences (SURFACE.Storage) */
   uint64_t begin, end; /* range of device addresses that contains all elements and the metadata */
   uint16_t first_layer;
   uint8_t level;
   bool fast_clear;
   uint8_t *meta;       /* metadata of the tiles of First Layer (sgd_tile_meta.h), or NULL */
   uint32_t meta_layer; /* bytes from the metadata of one layer to the next */
};

/* Window rectangles: draws have fragments only inside of at least one rectangle if `inclusive` is
 * set, and otherwise only outside of all rectangles.
 */
struct sgd_window_rects {
   bool inclusive;
   uint8_t count;
   struct SGPU_WINDOW_RECTANGLE rect[SGPU_WINDOW_RECTANGLES_TAIL_MAX];
};

/* A texture binding. The texture unit reads its own decoded copy of the descriptor (`unit`). The
 * descriptor itself is kept for instructions that query the texture.
 */
struct sgd_texture {
   uint32_t refs; /* atomic reference count */
   struct SGPU_TEXTURE desc;
   uint8_t *base; /* host address of level 0, layer 0 */
   uint64_t size; /* number of accessible bytes, starting at base */
   struct sgpu_bo *bo;
   struct sgpu_layout layout; /* layout of the resource */
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
   uint64_t facts; /* facts about the texture (mask of SGPU_FACT_*), set by sgd_texture_prepare() */
   /* bitmask of the paths (enum sgpu_path) that reads of the texture must not use */
   uint32_t no_paths;
   void *unit;  /* private data of src/device/texture/unit, allocated by sgd_texture_prepare() */
   void *image; /* private data of src/device/texture/image, allocated by sgd_image_prepare() */
};

/* Properties of a sampler that enable fast paths of the texture unit. */
enum sgd_sampler_plan {
   /* no anisotropic filtering, and filters compute averages (not minima or maxima) */
   SGD_SAMPLER_PLAIN = 1 << 0,
   SGD_SAMPLER_ONE_FILTER = 1 << 1, /* minification and magnification use the same filter */
   SGD_SAMPLER_ONE_LEVEL = 1 << 2,  /* no mipmaps */
   /* A level of detail that is at most 0 is still at most 0 after bias and limits are applied. */
   SGD_SAMPLER_KEEPS_MAGNIFIED = 1 << 3,
   SGD_SAMPLER_FAST_WRAPS = 1 << 4, /* the wrap modes of s and t are REPEAT or CLAMP_TO_EDGE */
   SGD_SAMPLER_REPEAT_S = 1 << 5, /* the wrap mode of s is REPEAT, and coordinates are normalized */
   SGD_SAMPLER_REPEAT_T = 1 << 6,
   SGD_SAMPLER_NORMALIZED = 1 << 7, /* coordinates are normalized */
   SGD_SAMPLER_LINEAR = 1 << 8,     /* the magnification filter is linear */
   /* Only set in the plan of a texture. TILED: the view is `simple` and tiled. LEVELS: the view is
    * `simple`, or it is `wide` but not a float format. Float levels are excluded because a level
    * with weight 0 could contain infinities.
    */
   SGD_SAMPLER_TILED = 1 << 9,
   SGD_SAMPLER_LEVELS = 1 << 10,
};

struct sgd_sampler {
   struct SGPU_SAMPLER desc;
   bool valid;
   uint16_t plan; /* mask of enum sgd_sampler_plan, set by sgd_sampler_prepare(); 0 if unknown */
};

struct sgd_handle_set;

/* Resources bound to a program. */
struct sgd_env {
   struct sgd_bank banks[SGD_MAX_BANKS]; /* constants; bank 0 is the CONST file */
   /* Arrays of SGD_MAX_TEXTURES textures and SGD_MAX_SAMPLERS samplers, or NULL if nothing is
    * bound. A texture that is NULL reads as (0, 0, 0, 0).
    */
   const struct sgd_texture *const *textures;
   const struct sgd_sampler *samplers;
   /* array of SGD_MAX_BUFFERS storage buffers, or NULL if no buffer is bound */
   const struct sgd_span *buffers;
   /* Array of SGD_MAX_IMAGES images, or NULL if no image is bound. Each image has a single level
    * (First Level equals Last Level). Accesses to an image that is NULL are treated as out of
    * range.
    */
   const struct sgd_texture *const *images;
   uint32_t clock; /* high 32 bits of the value that the instruction CLK returns */
   uint32_t view;  /* system value VIEW */
   /* bitmask of the constant banks that are versions of contexts, divided into lines */
   uint32_t versioned;
   /* set of bindless handles, or NULL if no handle is bound */
   const struct sgd_handle_set *handles;
};

struct sgd_element {
   struct SGPU_VERTEX_ELEMENT desc;
   enum pipe_format pformat;
   const struct util_format_description *fdesc;
};

struct sgd_vertex_buffer {
   struct sgd_span span;
   uint32_t stride; /* bytes from one vertex to the next */
};

/* Inputs of a stage that reads the vertices of the previous stage. */
struct sgd_stage_link {
   unsigned num_inputs;
   struct SGPU_STAGE_INPUT input[SGD_MAX_STAGE_INPUTS];
};

struct sgd_shader;

/* Textures, samplers, images and storage buffers of a stage. States with the same bindings share
 * one object.
 */
struct sgd_texture_set {
   uint32_t refs;         /* atomic reference count */
   unsigned num_textures; /* index of the highest bound texture, plus 1 */
   struct sgd_texture *textures[SGD_MAX_TEXTURES];
   struct sgd_sampler samplers[SGD_MAX_SAMPLERS];
   unsigned num_images; /* index of the highest bound image, plus 1 */
   bool has_buffers;
   struct sgd_texture *images[SGD_MAX_IMAGES]; /* only valid if num_images is not 0 */
   struct sgd_span buffers[SGD_MAX_BUFFERS];   /* only valid if has_buffers is set */
};
/* Size in bytes of a set without images and storage buffers. */
#define SGD_TEXTURE_SET_SMALL offsetof(struct sgd_texture_set, images)

/* A bindless handle, which refers to a texture and a sampler, or to an image. All stages share one
 * set of handles, and states with the same handles share the set.
 */
struct sgd_handle {
   struct sgd_texture *texture; /* texture; a NULL texture reads as (0, 0, 0, 0) */
   struct sgd_sampler sampler;
   struct sgd_texture *image; /* image, or NULL */
};

struct sgd_handle_set {
   uint32_t refs;  /* atomic reference count */
   unsigned count; /* number of handles */
   struct sgd_handle handle[];
};

/* The state of a command stream, or a copy of this state for draws. Copies are incomplete (see
 * copy_state()): they only contain the constants of stages with a program, and only the used
 * elements of some arrays.
 */
struct sgd_state {
   uint32_t refs;                            /* atomic reference count */
   void (*destroy)(struct sgd_state *state); /* called when the last reference is dropped */

   /* Render targets. */
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS];
   struct sgd_surface zs;
   uint32_t fb_width, fb_height; /* size of the area that all targets cover, in pixels */
   uint32_t fb_layers;
   uint8_t samples; /* number of samples per pixel, the same for all targets */
   struct SGPU_VIEW view;

   struct SGPU_VIEWPORT viewport[SGD_MAX_VIEWPORTS];
   struct SGPU_SCISSOR scissor[SGD_MAX_VIEWPORTS];
   struct sgd_window_rects window_rects;
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

   /* plan of a draw, derived from the other members; only valid in the copy that a draw has */
   struct sgd_plan plan;

   /* ID under which the observer knows this state, or 0 if the state has not been reported yet.
    * Protected by the scheduler's lock.
    */
   uint32_t observed;

   /* In a copy for draws without transform feedback, only xfb.num_words is valid. */
   struct sgd_xfb_state xfb;
   /* Inputs of the tessellation and geometry stages; link[SGPU_STAGE_VERTEX] is unused. Copies only
    * contain the links of stages with a program.
    */
   struct sgd_stage_link link[SGPU_STAGE_GEOMETRY + 1];
};

static inline void
sgd_state_unref(struct sgd_state *state)
{
   if (state && sgd_unref(&state->refs))
      state->destroy(state);
}

/* Returns true if programs select the layers of primitives. Otherwise, all primitives are in the
 * layer that sgd_state_layer() returns.
 */
static inline bool
sgd_state_layered(const struct sgd_state *st)
{
   return st->fb_layers > 1 && !st->view.multiview;
}

static inline unsigned
sgd_state_layer(const struct sgd_state *st)
{
   return st->view.multiview ? st->view.view : 0;
}

/* Returns true if primitives cover individual samples rather than whole pixels. */
static inline bool
sgd_state_multisamples(const struct sgd_state *st)
{
   return st->rast.multisample && st->samples > 1;
}

/* Returns the last program before the clipper, or NULL if there is none. */
static inline const struct sgd_shader *
sgd_state_last(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY]    ? st->shader[SGPU_STAGE_GEOMETRY]
          : st->shader[SGPU_STAGE_TESS_EVAL] ? st->shader[SGPU_STAGE_TESS_EVAL]
                                             : st->shader[SGPU_STAGE_VERTEX];
}

/* Returns how many times the geometry program runs per primitive. The watchdog's limit on the
 * number of vertices is divided by this.
 */
static inline unsigned
sgd_state_geometry_runs(const struct sgd_state *st)
{
   return st->shader[SGPU_STAGE_GEOMETRY] ? st->shader_desc[SGPU_STAGE_GEOMETRY].invocations : 1;
}

/* Returns true if points, lines and polygons can be smooth, i.e. if rasterization is not
 * multisampled (OpenGL 2.1, section 3.2.1).
 */
static inline bool
sgd_state_smooths(const struct sgd_state *st)
{
   return !sgd_state_multisamples(st);
}

#endif
