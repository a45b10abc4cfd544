/* SPDX-License-Identifier: MIT */
/* Reports which uses of a format are supported.  A format is only supported if the device has a
 * code for it.  The format tables in src/isa describe the properties of each code.
 */
#include "sgpu_screen.h"

#include "frontend/sw_winsys.h"
#include "pipe/p_defines.h"
#include "sgpu_formats.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_layout.h"
#include "util/format/u_format.h"

static bool
is_index_format(enum pipe_format format)
{
   return format == PIPE_FORMAT_R8_UINT || format == PIPE_FORMAT_R16_UINT ||
          format == PIPE_FORMAT_R32_UINT;
}

/* Returns true for formats that only vertex elements support: scaled, fixed-point, 64-bit and
 * normalized 32-bit formats.  Returns false for compressed formats, because u_format describes a
 * whole block as one large channel.
 */
static bool
is_vertex_only(const struct util_format_description *desc)
{
   if (desc->layout != UTIL_FORMAT_LAYOUT_PLAIN)
      return false;
   for (unsigned i = 0; i < desc->nr_channels; i++) {
      const struct util_format_channel_description *c = &desc->channel[i];
      if (c->type == UTIL_FORMAT_TYPE_FIXED || c->size > 32)
         return true;
      if ((c->type == UTIL_FORMAT_TYPE_UNSIGNED || c->type == UTIL_FORMAT_TYPE_SIGNED) &&
          ((!c->normalized && !c->pure_integer) || c->size == 32) &&
          desc->colorspace != UTIL_FORMAT_COLORSPACE_ZS && !c->pure_integer)
         return true;
   }
   return false;
}

/* Returns true for the formats of MESA_ycbcr_texture.  Other subsampled formats are not reported as
 * supported, because the loaders would then offer them for EGLImages.
 */
static bool
is_ycbcr(enum pipe_format format)
{
   return format == PIPE_FORMAT_UYVY || format == PIPE_FORMAT_YUYV;
}

static bool
is_sample_count(unsigned samples)
{
   return samples == 2 || samples == 4 || samples == 8 || samples == 16;
}

/* Returns true if the format can be used for shader images.  Image loads and stores use the format
 * conversions of the ROP.  OpenGL has no sRGB or three-component image formats.
 */
static bool
is_image_format(enum pipe_format format, unsigned flags)
{
   const unsigned no_image = SGPU_FORMAT_FLAG_DEPTH | SGPU_FORMAT_FLAG_STENCIL |
                             SGPU_FORMAT_FLAG_COMPRESSED | SGPU_FORMAT_FLAG_SUBSAMPLED;
   const struct util_format_description *desc = util_format_description(format);

   return !(flags & no_image) && desc->colorspace == UTIL_FORMAT_COLORSPACE_RGB &&
          format != PIPE_FORMAT_R9G9B9E5_FLOAT && util_is_power_of_two_nonzero(desc->block.bits) &&
          !is_vertex_only(desc);
}

/* Returns true if the sample count is supported.  Multisampling needs a 2D texture that is not
 * shared with a window system.
 */
static bool
has_samples(enum pipe_format format, unsigned samples, unsigned storage_samples,
            enum pipe_texture_target target, unsigned bind)
{
   const unsigned binds = PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL | PIPE_BIND_BLENDABLE |
                          PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_SHADER_IMAGE;

   return is_sample_count(samples) && samples == storage_samples &&
          (target == PIPE_TEXTURE_2D || target == PIPE_TEXTURE_2D_ARRAY) &&
          !util_format_is_compressed(format) && !(bind & ~binds);
}

static bool
sgpu_is_format_supported(struct pipe_screen *pscreen, enum pipe_format format,
                         enum pipe_texture_target target, unsigned samples,
                         unsigned storage_samples, unsigned bind)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);
   const struct util_format_description *desc = util_format_description(format);
   enum sgpu_format code = sgpu_format_from_pipe(format);

   /* Mesa passes PIPE_FORMAT_NONE to query the sample counts of framebuffers without attachments.
    */
   if (format == PIPE_FORMAT_NONE)
      return !(bind & ~PIPE_BIND_RENDER_TARGET) && (samples <= 1 || is_sample_count(samples));
   if (code == SGPU_FORMAT_NONE)
      return false;

   const unsigned zs = SGPU_FORMAT_FLAG_DEPTH | SGPU_FORMAT_FLAG_STENCIL;
   const unsigned blocks = SGPU_FORMAT_FLAG_COMPRESSED | SGPU_FORMAT_FLAG_SUBSAMPLED;
   unsigned flags = sgpu_format_info(code)->flags;

   if ((samples > 1 || storage_samples > 1) &&
       !has_samples(format, samples, storage_samples, target, bind))
      return false;
   if ((bind & PIPE_BIND_SHADER_IMAGE) && !is_image_format(format, flags))
      return false;
   if (target == PIPE_BUFFER) {
      if (bind & ~(PIPE_BIND_VERTEX_BUFFER | PIPE_BIND_INDEX_BUFFER | PIPE_BIND_SAMPLER_VIEW |
                   PIPE_BIND_SHADER_IMAGE))
         return false;
      if ((bind & PIPE_BIND_SAMPLER_VIEW) && ((flags & (zs | blocks)) || is_vertex_only(desc)))
         return false;
      if ((bind & PIPE_BIND_VERTEX_BUFFER) && (flags & (zs | blocks)))
         return false;
      return !(bind & PIPE_BIND_INDEX_BUFFER) || is_index_format(format);
   }

   if (bind & (PIPE_BIND_VERTEX_BUFFER | PIPE_BIND_INDEX_BUFFER))
      return false;
   /* Don't support Z32_UNORM, which other GPUs don't have either.  Applications that request 32
    * depth bits expect to get 24: they resolve to 24-bit depth buffers, and OpenGL only allows this
    * between equal formats.
    */
   if (format == PIPE_FORMAT_Z32_UNORM)
      return false;
   if (!sgpu_layout_can_tile(code) || is_vertex_only(desc))
      return false;
   if ((flags & SGPU_FORMAT_FLAG_SUBSAMPLED) && !is_ycbcr(format))
      return false;

   if ((bind & PIPE_BIND_RENDER_TARGET) &&
       ((flags & (zs | blocks)) || format == PIPE_FORMAT_R9G9B9E5_FLOAT))
      return false;
   if ((bind & PIPE_BIND_BLENDABLE) && (flags & (zs | blocks | SGPU_FORMAT_FLAG_INTEGER)))
      return false;
   if ((bind & PIPE_BIND_DEPTH_STENCIL) && !(flags & zs))
      return false;

   /* These formats are only used for stencil views of packed depth-stencil resources. */
   if ((format == PIPE_FORMAT_X24S8_UINT || format == PIPE_FORMAT_S8X24_UINT ||
        format == PIPE_FORMAT_X32_S8X24_UINT) &&
       (bind & PIPE_BIND_DEPTH_STENCIL))
      return false;

   if ((bind & PIPE_BIND_LINEAR) && (flags & (zs | blocks)))
      return false;
   if ((bind & (PIPE_BIND_SHADER_BUFFER | PIPE_BIND_CURSOR)) != 0)
      return false;
   if ((bind & (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED)) &&
       !screen->display->is_displaytarget_format_supported(screen->display, bind, format))
      return false;
   return true;
}

static void
sgpu_get_sample_pixel_grid(struct pipe_screen *pscreen, unsigned samples, unsigned *width,
                           unsigned *height)
{
   *width = *height = 1;
}

void
sgpu_format_init(struct pipe_screen *pscreen)
{
   pscreen->get_sample_pixel_grid = sgpu_get_sample_pixel_grid;
   pscreen->is_format_supported = sgpu_is_format_supported;
}
