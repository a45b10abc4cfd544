/* SPDX-License-Identifier: MIT */
/*
 * Parser of the environment variable SGPU_CAPTURE.
 */
#ifndef SGCAP_OPTIONS_H
#define SGCAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgcap_options {
   char path[1024];      /* path of the capture file */
   uint64_t first, last; /* numbers of the first and last frame, from 0; last UINT64_MAX: no end */
   char trigger[1024];   /* path of a file whose creation starts a capture, or "" */
   int signal;           /* number of the signal that starts a capture, or 0 */
   uint64_t count;       /* number of frames to capture per trigger or signal */
   bool quit;            /* end the process when a capture has ended */
   bool compare_all;     /* also look for CPU writes to buffers that the CPU does not map */
   int level;            /* compression level of zstd */
};

/* Parses "FILE[,frames=A[-B]][,trigger=PATH][,signal=NAME|NUMBER][,count=N]
 * [,level=N][,compare=all][,then=quit]".  Returns false, with a message in `error`, if the
 * text is invalid.
 */
bool sgcap_options_parse(const char *text, struct sgcap_options *out, char *error,
                         size_t error_size);

#endif
