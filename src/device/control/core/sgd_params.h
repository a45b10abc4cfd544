/* SPDX-License-Identifier: MIT */
/*
 * Device parameters and host CPU features.
 */
#ifndef SGD_PARAMS_H
#define SGD_PARAMS_H

#include "common/sgd_worker.h"
#include "sgpu_device.h"

/* Replaces all parameters that are 0 with their default values. */
void sgd_params_complete(struct sgpu_device_params *params);

/* Returns the best host level that the CPU supports and that isn't higher than `wanted`. */
enum sgpu_host_level sgd_host_level(enum sgpu_host_level wanted);
const struct sgd_arch_ops *sgd_host_ops(enum sgpu_host_level level);

#endif
