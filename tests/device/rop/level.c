/* SPDX-License-Identifier: MIT */
/*
 * Tests of the raster operations and the copy engine: the functions of one host level.
 */
#include "rop_test.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "pixel/rop/sgd_rop_warp.h"

extern const struct rop_level rop_level;

static void
codec_pack(const struct sgd_codec *codec, const uint32_t (*c)[SGD_WARP], struct sgd_elements *e,
           struct sgd_color *clamped)
{
   sgd_codec_clamp(codec, c, clamped);
   sgd_codec_pack(codec, (const uint32_t(*)[SGD_WARP])clamped->c, e, ~0u);
}

static void
codec_unpack(const struct sgd_codec *codec, const struct sgd_elements *e, uint32_t (*c)[SGD_WARP])
{
   sgd_codec_unpack(codec, e, c, ~0u);
}

const struct rop_level rop_level = {
   .zs_test = sgd_zs_test,
   .color_write = sgd_color_write,
   .xfer_run = sgd_xfer_run,
   .codec_pack = codec_pack,
   .codec_unpack = codec_unpack,
};
