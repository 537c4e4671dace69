/* SPDX-License-Identifier: MIT
 *
 * words_page.c - see words_page.h. A page is called as its file is, in small letters; its title is the heading in its
 * first line, or where there is none the file's name.
 */
#include "reports/words_page.h"

#include "reports/embedded.h"
#include "reports/html.h"
#include "reports/problem.h"
#include "reports/prose.h"
#include "reports/report.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_BYTES_MAX (UINT32_C(4) << 20)

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* "fuzz/GATES.md" makes "gates.fence", as which folder_name() takes names; NULL: no memory, or another has it. */
static const char *name_of(struct folder_names *names, const char *path)
{
    struct text t = {0};
    const char *name = last_part(path), *dot = strrchr(name, '.');
    for (const char *s = name; *s != '\0' && s != dot; s++)
        text_char(&t, *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s);
    text_add(&t, ".fence");
    const char *taken = t.failed ? NULL : folder_name(names, text_c(&t), text_c(&t));
    text_free(&t);
    return taken;
}

static void find_title(struct text *t, const char *path, const char *bytes, size_t n)
{
    const char *head = n > 2 && memcmp(bytes, "# ", 2) == 0 ? bytes + 2 : NULL;
    const char *end = head == NULL ? NULL : memchr(head, '\n', n - 2);
    if (head == NULL)
        text_add(t, last_part(path));
    else
        text_bytes(t, head, end == NULL ? n - 2 : (size_t)(end - head));
}

static int write_page(const struct options *o, struct words_page *page, const char *bytes, size_t n)
{
    struct text t = {0};
    html_head(&t, text_c(&page->title));
    text_bytes(&t, (const char *)embedded_page_css, embedded_page_css_n);
    text_add(&t, "</style>\n</head>\n<body class=\"lesson words\">\n<header>\n<nav><a href=\"index.html\">"
                 "All scenarios</a></nav>\n</header>\n<main>\n");
    prose_page(&t, bytes, n);
    text_add(&t, "</main>\n</body>\n</html>\n");
    int status = report_put(o, page->name, &t);
    text_free(&t);
    return status;
}

static int take_file(const struct options *o, struct folder_names *names, const char *path, struct words_page *page)
{
    char *bytes;
    size_t n;
    int error;
    enum file_problem problem = file_read(path, &bytes, &n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    if (n > WORDS_BYTES_MAX) {
        front_complain("%s: too large: a page of words has at most %u bytes; this has %zu", path, WORDS_BYTES_MAX, n);
        free(bytes);
        return STATUS_WRONG;
    }
    page->name = name_of(names, path);
    find_title(&page->title, path, bytes, n);
    int status = page->name == NULL || page->title.failed ? front_no_memory() : write_page(o, page, bytes, n);
    free(bytes);
    return status;
}

int words_pages_write(const struct options *o, struct folder_names *names, struct words_page *pages)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_words && status == STATUS_GOOD; i++)
        status = take_file(o, names, o->words[i], &pages[i]);
    return status;
}

void words_pages_free(struct words_page *pages)
{
    for (uint32_t i = 0; i < WORDS_PAGES_MAX; i++)
        text_free(&pages[i].title);
}
