/* SPDX-License-Identifier: MIT */
/*
 * What a loadable driver needs of the sgpu pipe driver: the screen.
 */
#ifndef SGPU_PUBLIC_H
#define SGPU_PUBLIC_H

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_screen;
struct pipe_screen_config;
struct sw_winsys;

/* Takes over `winsys` (through which pictures reach the window system) if it
 * succeeds; NULL if there is no device.  `config` may be NULL.
 */
struct pipe_screen *sgpu_screen_create(struct sw_winsys *winsys,
                                       const struct pipe_screen_config *config);

#ifdef __cplusplus
}
#endif
#endif
