/* SPDX-License-Identifier: MIT */
/* The page of sgpu inspect: the parts before and after its data. */
#ifndef CAP_PAGE_H
#define CAP_PAGE_H

extern const char cap_page_head[], cap_page_tail[];

#endif
