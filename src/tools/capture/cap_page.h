/* SPDX-License-Identifier: MIT */
/* The HTML page of sgpu inspect (cap_page.html), split into the part before the data and the part
 * after the data.
 */
#ifndef CAP_PAGE_H
#define CAP_PAGE_H

extern const char cap_page_head[], cap_page_tail[];

#endif
