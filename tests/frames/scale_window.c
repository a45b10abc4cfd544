/* SPDX-License-Identifier: MIT */
/*
 * A library to preload that makes the window of Cannon Smash 640x480 instead of 800x600: the
 * game has no option for it, and draws to the whole window.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void *
SDL_SetVideoMode(int width, int height, int bits, uint32_t flags)
{
   void *(*next)(int, int, int, uint32_t) = dlsym(RTLD_NEXT, __func__);
   return next(width * 4 / 5, height * 4 / 5, bits, flags);
}
