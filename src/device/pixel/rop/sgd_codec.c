/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: selects the code that converts a colour format.
 */
#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "common/sgd_rop_state.h"
#include "util/macros.h"

static bool
has_functions(enum pipe_format format)
{
   const struct util_format_pack_description *pack = util_format_pack_description(format);
   const struct util_format_unpack_description *unpack = util_format_unpack_description(format);

   if (!pack || !unpack || !unpack->unpack_rgba)
      return false;
   if (util_format_is_pure_uint(format))
      return pack->pack_rgba_uint;
   if (util_format_is_pure_sint(format))
      return pack->pack_rgba_sint;
   return pack->pack_rgba_float;
}

static enum sgd_codec_path
path_of(const struct util_format_description *desc)
{
   const int first = util_format_get_first_non_void_channel(desc->format);
   bool unorm = true, fixed = true, half = true, words = true, bytes = true;

   if (desc->layout != UTIL_FORMAT_LAYOUT_PLAIN || first < 0 ||
       (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB &&
        desc->colorspace != UTIL_FORMAT_COLORSPACE_SRGB))
      return SGD_CODEC_OTHER;
   const struct util_format_channel_description *f = &desc->channel[first];
   for (unsigned i = 0; i < desc->nr_channels; i++) {
      const struct util_format_channel_description *c = &desc->channel[i];
      const bool is_void = c->type == UTIL_FORMAT_TYPE_VOID;
      unorm &= c->size <= 16 &&
               (is_void || (c->type == UTIL_FORMAT_TYPE_UNSIGNED && c->normalized));
      fixed &= c->size <= 16 &&
               (is_void ||
                ((c->type == UTIL_FORMAT_TYPE_UNSIGNED || c->type == UTIL_FORMAT_TYPE_SIGNED) &&
                 c->pure_integer == f->pure_integer && c->type == f->type &&
                 c->normalized == f->normalized));
      bytes &= c->size == 8;
      half &= c->size == 16 && (is_void || c->type == UTIL_FORMAT_TYPE_FLOAT);
      words &= c->size == 32 && (is_void || c->type == UTIL_FORMAT_TYPE_FLOAT || c->pure_integer);
   }
   const unsigned n = desc->nr_channels, bits = desc->block.bits;
   if (desc->colorspace == UTIL_FORMAT_COLORSPACE_SRGB)
      return unorm && bytes && n == 4 ? SGD_CODEC_SRGB8 : SGD_CODEC_OTHER;
   if (unorm && bytes && n == 4)
      return SGD_CODEC_UNORM8;
   if (unorm && (bits == 8 || bits == 16 || bits == 32))
      return SGD_CODEC_UNORM;
   if (fixed && !(unorm && bytes))
      return SGD_CODEC_FIXED;
   if (half && n != 3)
      return SGD_CODEC_HALF;
   if (words && n != 3)
      return SGD_CODEC_WORDS;
   return SGD_CODEC_OTHER;
}

static void
set_channels(struct sgd_codec *codec, const struct util_format_description *desc)
{
   codec->channels = desc->nr_channels;
   for (unsigned i = 0; i < desc->nr_channels; i++) {
      codec->comp[i] = SGD_COMP_NONE;
      codec->shift[i] = desc->channel[i].shift;
      codec->size[i] = desc->channel[i].size;
      for (int c = 3; c >= 0; c--) {
         if (desc->channel[i].type != UTIL_FORMAT_TYPE_VOID && desc->swizzle[c] == i)
            codec->comp[i] = c;
      }
      if (codec->path == SGD_CODEC_UNORM8) {
         const bool none = codec->comp[i] == SGD_COMP_NONE;
         const unsigned comp = none ? 3 : codec->comp[i];
         codec->byte_comp[codec->shift[i] / 8] = comp;
         codec->comp_shift[comp] = codec->shift[i];
         codec->ones |= none ? 0xffu << codec->shift[i] : 0;
      }
   }
}

struct sgd_codec
sgd_codec(enum pipe_format format)
{
   const struct util_format_description *desc = util_format_description(format);
   struct sgd_codec codec = { .pformat = format };

   if (!desc || format == PIPE_FORMAT_NONE || desc->block.width != 1 || desc->block.height != 1 ||
       desc->block.bits > 128 || util_format_is_depth_or_stencil(format) || !has_functions(format))
      return codec;

   codec.path = path_of(desc);
   codec.bytes = desc->block.bits / 8;
   codec.is_int = util_format_is_pure_integer(format);
   codec.alpha = desc->swizzle[3] != PIPE_SWIZZLE_1;
   const int first = util_format_get_first_non_void_channel(format);
   if (first >= 0) {
      codec.normalized = desc->channel[first].normalized;
      codec.is_signed = desc->channel[first].type == UTIL_FORMAT_TYPE_SIGNED;
   }
   for (unsigned c = 0; c < 4; c++) {
      codec.from[c] = desc->swizzle[c] <= PIPE_SWIZZLE_W   ? desc->swizzle[c]
                      : desc->swizzle[c] == PIPE_SWIZZLE_1 ? SGD_FROM_ONE
                                                           : SGD_FROM_ZERO;
   }

   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      codec.path = SGD_CODEC_SMALL;
      codec.channels = 3;
      for (unsigned i = 0; i < 3; i++) {
         codec.comp[i] = i;
         codec.shift[i] = 11 * i;
         codec.size[i] = i < 2 ? 11 : 10;
      }
   } else if (desc->layout == UTIL_FORMAT_LAYOUT_PLAIN) {
      set_channels(&codec, desc);
   }
   return codec;
}

static void
set_bits(uint8_t bits[16], unsigned first, unsigned count)
{
   for (unsigned i = first; i < first + count; i++)
      bits[i / 8] |= 1 << (i % 8);
}

bool
sgd_codec_bits(const struct sgd_codec *codec, unsigned write_mask, uint8_t bits[16])
{
   bool all = true, any = false;

   memset(bits, 0, 16);
   /* These formats have no separate channels, so the whole element is written. */
   if (!codec->channels) {
      if (write_mask)
         memset(bits, 0xff, codec->bytes);
      return write_mask;
   }
   for (unsigned i = 0; i < codec->channels; i++) {
      if (codec->comp[i] == SGD_COMP_NONE)
         continue;
      if (write_mask & (1 << codec->comp[i])) {
         set_bits(bits, codec->shift[i], codec->size[i]);
         any = true;
      } else {
         all = false;
      }
   }
   for (unsigned i = 0; i < codec->channels && any; i++) {
      if (codec->comp[i] == SGD_COMP_NONE)
         set_bits(bits, codec->shift[i], codec->size[i]);
   }
   return all && any;
}
