/* SPDX-License-Identifier: MIT */
/*
 * The header of cmocka with the headers that it requires, and those that most tests use.
 */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
