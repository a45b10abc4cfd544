/* SPDX-License-Identifier: MIT */
/*
 * The engines are compiled once per host level (x86-64-v2, v3, v4; other hosts
 * once).  Every function that crosses files among them is renamed here, so
 * that each level has its own set.  SGD_ARCH is v2, v3 or v4.
 */
#ifndef SGD_ARCH_H
#define SGD_ARCH_H

#define SGD_PASTE_(a, b) a##_##b
#define SGD_PASTE(a, b) SGD_PASTE_(a, b)
#define SGD_FN(name) SGD_PASTE(name, SGD_ARCH)

#define sgd_arch_ops_this    SGD_FN(sgd_arch_ops)
#define sgd_front_run        SGD_FN(sgd_front_run)
#define sgd_raster_run       SGD_FN(sgd_raster_run)
#define sgd_xfer_run         SGD_FN(sgd_xfer_run)
#define sgd_shader_run       SGD_FN(sgd_shader_run)
#define sgd_texture_op       SGD_FN(sgd_texture_op)
#define sgd_zs_test          SGD_FN(sgd_zs_test)
#define sgd_color_write      SGD_FN(sgd_color_write)

#endif
