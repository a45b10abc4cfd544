/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit, internal: functions called before and after a worker computes for an operation.
 */
#ifndef SGD_RUN_H
#define SGD_RUN_H

#include "common/sgd_shader.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_worker;

/* Prepares the worker for running programs of the node. Each time the watchdog stops a warp of the
 * node, the limit for later warps is reduced, so that a full screen of endless warps takes little
 * longer than the first warp.
 */
void sgd_arm_watchdog(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_node *node);
/* Returns and clears the worker's stop reason after a computation. Called without the lock. Makes
 * the stop visible to later work of the node and its submission. Only returns the first stop of the
 * node by the watchdog.
 */
struct sgd_stop_info sgd_take_stop(struct sgd_worker *worker, struct sgd_node *node);
/* Reports a stop as an error of the queue. Called with the lock held. */
void sgd_report_stop(struct sgd_node *node, const struct sgd_stop_info *stop);

#endif
