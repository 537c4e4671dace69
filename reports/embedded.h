/* SPDX-License-Identifier: MIT
 *
 * embedded.h - the scripts and styles of the pages, as the build put them into the program (Makefile, "pages").
 *
 * Their sources are files of their own: viewer*.js and viewer.css draw a run, page.css is for what can be read
 * without scripts, index.js filters the list of scenarios. They are bytes of UTF-8 and never hold `</`.
 */
#ifndef FENCEPOST_REPORTS_EMBEDDED_H
#define FENCEPOST_REPORTS_EMBEDDED_H

#include <stddef.h>

extern const unsigned char embedded_viewer_js[], embedded_viewer_css[], embedded_page_css[], embedded_index_js[];
extern const size_t embedded_viewer_js_n, embedded_viewer_css_n, embedded_page_css_n, embedded_index_js_n;

#endif
