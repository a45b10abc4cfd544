/* SPDX-License-Identifier: MIT */
/* Parts of the HTML page of sgpu inspect before and after its data, from cap_page.html. */
#ifndef CAP_PAGE_H
#define CAP_PAGE_H

extern const char cap_page_head[], cap_page_tail[];

#endif
