/* SPDX-License-Identifier: MIT */
/*
 * What SGPU_CAPTURE asks for.
 */
#ifndef SGCAP_OPTIONS_H
#define SGCAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgcap_options {
   char path[1024];           /* of the file */
   uint64_t first, last;      /* frames, from 0 on; UINT64_MAX: to the end */
   char trigger[1024];        /* a file; "": none */
   int signal;                /* 0: none */
   uint64_t count;            /* frames for each trigger or signal */
   bool quit;                 /* SIGTERM to the process once a capture has ended */
   bool compare_all;          /* compare also buffers that the CPU does not map */
   int level;                 /* of zstd */
};

/* Parses "FILE[,frames=A[-B]][,trigger=PATH][,signal=NAME|NUMBER][,count=N]
 * [,level=N][,compare=all][,then=quit]".  False, with a text, for what is not understood.
 */
bool sgcap_options_parse(const char *text, struct sgcap_options *out, char *error,
                         size_t error_size);

#endif
