/* SPDX-License-Identifier: MIT */
/* The version of a loader. */
#ifndef DRI_OLD_VERSION_H
#define DRI_OLD_VERSION_H

/* Returns the version string of the GLX library that contains `address`, a string in that library.
 * Returns NULL for other libraries, and if the library has no version, or several different ones.
 */
const char *old_version_of(const void *address);

#endif
