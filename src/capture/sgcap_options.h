/* SPDX-License-Identifier: MIT */
/* Parses the environment variable SGPU_CAPTURE. */
#ifndef SGCAP_OPTIONS_H
#define SGCAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgcap_options {
   char path[1024]; /* path of the capture file */
   /* first and last frame to capture, counted from 0; `last` is UINT64_MAX if there is no limit */
   uint64_t first, last;
   char trigger[1024]; /* path of the file that triggers a capture when it is created, or "" */
   int signal;         /* number of the signal that triggers a capture, or 0 */
   uint64_t count;     /* number of frames to capture per trigger or signal */
   bool quit;          /* terminate the process after the last captured frame */
   bool compare_all;   /* also detect CPU writes to buffers that the CPU should not access */
   int level;          /* zstd compression level */
};

/* Parses "FILE[,frames=A[-B]][,trigger=PATH][,signal=NAME|NUMBER][,count=N]
 * [,level=N][,compare=all][,then=quit]".  Returns false and writes a message to `error` if the text
 * is invalid.
 */
bool sgcap_options_parse(const char *text, struct sgcap_options *out, char *error,
                         size_t error_size);

#endif
