/* SPDX-License-Identifier: MIT
 *
 * embedded.h - scripts and styles, as the build put them into the program (Makefile, "EMBED").
 *
 * Their sources are files of their own: viewer*.js and viewer.css draw a run, page.css is for what can be read
 * without scripts, index.js filters the list of scenarios, coverage.css and covered_lines.js are for `fencepost
 * coverage`. They are bytes of UTF-8 and never hold `</`. The parts of a shell's completion that no table changes are
 * completion.bash, completion.zsh and completion.fish.
 */
#ifndef FENCEPOST_REPORTS_EMBEDDED_H
#define FENCEPOST_REPORTS_EMBEDDED_H

#include <stddef.h>

extern const unsigned char embedded_viewer_js[], embedded_viewer_css[], embedded_page_css[], embedded_index_js[];
extern const unsigned char embedded_coverage_css[], embedded_covered_lines_js[];
extern const size_t embedded_viewer_js_n, embedded_viewer_css_n, embedded_page_css_n, embedded_index_js_n;
extern const unsigned char embedded_completion_bash[], embedded_completion_zsh[], embedded_completion_fish[];
extern const size_t embedded_completion_bash_n, embedded_completion_zsh_n, embedded_completion_fish_n;
extern const size_t embedded_coverage_css_n, embedded_covered_lines_js_n;

#endif
