/* SPDX-License-Identifier: MIT */
/*
 * Command processor: what it keeps per queue.
 */
#ifndef SGD_CP_H
#define SGD_CP_H

#include "sgd_cp_state.h"
#include "sgd_device.h"
#include "sgpu_packets_unpack.h"

struct sgd_cp {
   struct sgpu_queue *queue;
   struct sgpu_device *dev;
   struct sgd_submission *sub;      /* being parsed, or NULL */
   uint32_t pos;                    /* words */
   uint32_t packet;                 /* number of the packet in its submission */

   /* What packets have set.  It does not outlast a submission, since buffers
    * are named by each.
    */
   struct sgd_state cur;
   bool have_framebuffer;
   uint32_t fb_width, fb_height, fb_layers;   /* without attachments */
   struct sgd_xfb_config stream;
   bool dirty;
   struct sgd_state *snapshot;
   struct sgd_predicate *predicate; /* or NULL: holds */
   struct sgd_grid_key key;         /* of the current framebuffer */
};

#endif
