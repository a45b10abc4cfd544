/* SPDX-License-Identifier: MIT */
/* The page of sgpu inspect: what stands before and behind its data. */
#ifndef CAP_PAGE_H
#define CAP_PAGE_H

extern const char cap_page_head[], cap_page_tail[];

#endif
