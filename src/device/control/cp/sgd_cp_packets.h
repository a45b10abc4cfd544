/* SPDX-License-Identifier: MIT */
/*
 * Command processor: declares one handler for each packet in sgpu_packets.xml. The packet must have
 * passed sgpu_packet_check() before its handler is called. A handler returns NULL on success, or an
 * error message, in which case the submission is stopped.
 */
#ifndef SGD_CP_PACKETS_H
#define SGD_CP_PACKETS_H

#include "sgpu_packets.h"

struct sgd_cp;

#define SGD_CP_DECLARE(NAME, name) const char *sgd_cp_##name(struct sgd_cp *cp, const uint32_t *in);
SGPU_FOREACH_CONTROL_PACKET(SGD_CP_DECLARE)
SGPU_FOREACH_STATE_PACKET(SGD_CP_DECLARE)
SGPU_FOREACH_WORK_PACKET(SGD_CP_DECLARE)
SGPU_FOREACH_QUERY_PACKET(SGD_CP_DECLARE)
#undef SGD_CP_DECLARE

#endif
