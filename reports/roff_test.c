/* SPDX-License-Identifier: MIT */
#include "reports/roff.h"

#include "sim/test.h"

static void writes(void (*add)(struct text *t, const char *string), const char *string, const char *expected)
{
    struct text t = {0};
    add(&t, string);
    CHECK_STR(text_c(&t), expected);
    text_free(&t);
}

TEST("what roff would take for an escape, or draw as another character, is written by its name")
{
    writes(roff_text, "a\\b --c 'd' \"e\" `f` ~/g ^",
           "a\\eb \\-\\-c \\(aqd\\(aq \\(dqe\\(dq \\(gaf\\(ga \\(ti/g \\(ha");
}

TEST("a name of two lines stays in its line, so that nothing in it begins a macro")
{
    writes(roff_text, "a\n.so /etc/x\r\n.Sh", "a\\ .so /etc/x\\ \\ .Sh");
    writes(roff_prose, "a\n.so b", "a .so b\n");
}

TEST("a dot begins no macro where it begins a line, and is a dot elsewhere")
{
    writes(roff_text, ".Sh", "\\&.Sh");
    writes(roff_prose, ".fence ends the name of a .fence", "\\&.fence ends the name of a .fence\n");
    struct text t = {0};
    text_add(&t, ".It ");
    roff_text(&t, ".fence");
    CHECK_STR(text_c(&t), ".It .fence");
    text_free(&t);
}

TEST("prose is filled to lines of at most 80 bytes, and each sentence begins one")
{
    writes(roff_prose, "One  sentence.\nAnother, of `two words` ... and more",
           "One sentence.\nAnother, of \\fBtwo words\\fP ... and more\n");
    struct text t = {0}, long_text = {0};
    for (int i = 0; i < 100; i++)
        text_add(&long_text, "store-token, ");
    roff_prose(&t, text_c(&long_text));
    size_t column = 0, longest = 0;
    for (size_t i = 0; i < t.n; i++) {
        column = t.bytes[i] == '\n' ? 0 : column + 1;
        longest = column > longest ? column : longest;
    }
    CHECK(longest > 60 && longest <= 80);
    text_free(&t);
    text_free(&long_text);
}

TEST("a sentence of the tables gets its capital and its full stop, but a word in backquotes stays as it is")
{
    writes(roff_sentence, "remove a gate; again for another", "Remove a gate; again for another.\n");
    writes(roff_sentence, "`kinds`, or `all`", "\\fBkinds\\fP, or \\fBall\\fP.\n");
    writes(roff_sentence, "2 * acks", "2 * acks.\n");
}
