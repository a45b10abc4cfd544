/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit, internal: functions that are called before and after a worker computes for an
 * operation.
 */
#ifndef SGD_RUN_H
#define SGD_RUN_H

#include "common/sgd_shader.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_worker;

/* Prepares the worker before it runs programs of the node.  Each stop of a warp by the watchdog
 * reduces the limit for later warps of the node.  So a full screen of warps that never end takes
 * little longer than the first of them.
 */
void sgd_arm_watchdog(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_node *node);
/* Returns and clears the worker's stop after the computation.  Called without the lock, and makes
 * the stop visible to later work of the node and of its submission.  Of all stops of the node by
 * the watchdog, returns only the first one.
 */
struct sgd_stop_info sgd_take_stop(struct sgd_worker *worker, struct sgd_node *node);
/* Reports a stop as an error of the queue.  Called with the lock held. */
void sgd_report_stop(struct sgd_node *node, const struct sgd_stop_info *stop);

#endif
