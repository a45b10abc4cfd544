/* SPDX-License-Identifier: MIT */
/*
 * The options in SGPU_CAPTURE.
 */
#ifndef SGCAP_OPTIONS_H
#define SGCAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgcap_options {
   char path[1024];      /* of the file */
   uint64_t first, last; /* frames, from 0 on; UINT64_MAX: to the end */
   char trigger[1024];   /* path of a file; "": none */
   int signal;           /* 0: none */
   uint64_t count;       /* frames per trigger or signal */
   bool quit;            /* end the process when a capture has ended */
   bool compare_all;     /* also compare buffers that the CPU does not map */
   int level;            /* of zstd */
};

/* Parses "FILE[,frames=A[-B]][,trigger=PATH][,signal=NAME|NUMBER][,count=N]
 * [,level=N][,compare=all][,then=quit]".  Returns false, with a message, if it is invalid.
 */
bool sgcap_options_parse(const char *text, struct sgcap_options *out, char *error,
                         size_t error_size);

#endif
