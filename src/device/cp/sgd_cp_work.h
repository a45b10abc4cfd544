/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that make work.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "sgd_cp.h"

/* As sgd_cp_state_packet, for draws, clears, copies, blits and queries. */
const char *sgd_cp_work_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in);

#endif
