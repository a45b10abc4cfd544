/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a device, and features of the host.
 */
#ifndef SGD_PARAMS_H
#define SGD_PARAMS_H

#include "sgd_worker.h"
#include "sgpu_device.h"

/* Puts defaults where a parameter is 0. */
void sgd_params_complete(struct sgpu_device_params *params);

/* The level asked for, or the best below it that the host has. */
enum sgpu_host_level sgd_host_level(enum sgpu_host_level wanted);
const struct sgd_arch_ops *sgd_host_ops(enum sgpu_host_level level);

#endif
