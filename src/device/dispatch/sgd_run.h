/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit, inside: around a worker's computation for an operation.
 */
#ifndef SGD_RUN_H
#define SGD_RUN_H

#include "sgd_shader.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_worker;

/* Before it.  Where the watchdog has stopped warps of the draw, further ones get less time,
 * and ever less: a full screen of warps that never end takes little longer than the first
 * of them.
 */
void sgd_arm_watchdog(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_node *node);
/* After it, the lock not held: later work of the node and of its submission sees the stop.
 * Of the stops by the watchdog, only the node's first one is returned.
 */
struct sgd_stop_info sgd_take_stop(struct sgd_worker *worker, struct sgd_node *node);
/* Lock held. */
void sgd_report_stop(struct sgd_node *node, const struct sgd_stop_info *stop);

#endif
