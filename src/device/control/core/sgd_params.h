/* SPDX-License-Identifier: MIT */
/*
 * Device parameters and host CPU features.
 */
#ifndef SGD_PARAMS_H
#define SGD_PARAMS_H

#include "common/sgd_worker.h"
#include "sgpu_device.h"

/* Replaces parameters that are 0 by their defaults. */
void sgd_params_complete(struct sgpu_device_params *params);

/* Returns the highest level that the host supports and that is not above `wanted`. */
enum sgpu_host_level sgd_host_level(enum sgpu_host_level wanted);
const struct sgd_arch_ops *sgd_host_ops(enum sgpu_host_level level);

#endif
