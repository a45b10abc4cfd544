/* SPDX-License-Identifier: MIT */
/* The Xauthority file of an X server that a tool starts. */
#ifndef X_COOKIE_H
#define X_COOKIE_H

#include <stdbool.h>
#include <sys/random.h>
#include <unistd.h>

/* Writes a new cookie for any host and display into an empty file: see xauth(1), family FamilyWild,
 * no address, no number.  Without a cookie, any user of the machine may see the windows of an X
 * server and type into them.  Returns false and sets errno on failure.
 */
static inline bool
x_cookie_write(int fd)
{
   static const char head[] = "\377\377\0\0\0\0\0\022MIT-MAGIC-COOKIE-1\0\020";
   char cookie[16];

   return getrandom(cookie, sizeof cookie, 0) == sizeof cookie &&
          write(fd, head, sizeof head - 1) == sizeof head - 1 &&
          write(fd, cookie, sizeof cookie) == sizeof cookie;
}

#endif
