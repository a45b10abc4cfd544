/* SPDX-License-Identifier: MIT */
/*
 * Internal functions of the dispatch unit, which are called before and after a worker runs programs
 * of an operation.
 */
#ifndef SGD_RUN_H
#define SGD_RUN_H

#include "common/sgd_shader.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_worker;

/* Prepares the worker for programs of the node. Each time the watchdog has stopped a warp of the
 * node, the instruction limit for the other warps is lowered. A draw in which all warps have an
 * endless loop then takes only a little longer than a single warp.
 */
void sgd_arm_watchdog(const struct sgd_dispatch *d, struct sgd_worker *worker,
                      const struct sgd_node *node);
/* Returns the reason why the worker was stopped, and clears it. If the watchdog stopped several
 * warps of the node, only the first stop is returned. Also updates the node and the submission, so
 * that later work is limited or skipped. Called without the lock.
 */
struct sgd_stop_info sgd_take_stop(struct sgd_worker *worker, struct sgd_node *node);
/* Adds an error to the queue if the worker was stopped. Called with the lock held. */
void sgd_report_stop(struct sgd_node *node, const struct sgd_stop_info *stop);

#endif
