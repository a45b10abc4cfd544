/* SPDX-License-Identifier: MIT */
/* The HTML page of sgpu inspect, split into the parts before and after its data (cap_page.html). */
#ifndef CAP_PAGE_H
#define CAP_PAGE_H

extern const char cap_page_head[], cap_page_tail[];

#endif
