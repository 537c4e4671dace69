#!/bin/sh
# tidy.sh ROOT: the rules of the house that a machine can check. Prints "file:line: what" for each breach.
#
#   top level   only the rooms and the files named below
#   files       an SPDX line; no tabs, no blanks at a line's end, no line over 120 columns
#   includes    one way: fencepost.c -> reports -> fuzz -> scenarios -> model -> sim
#   calls       nothing that allocates, prints, or reads the machine, below the places named in `allowed`
#   types       no float, no 128-bit integer, no type whose size the machine chooses
#   structs     those that live in the world or the trace assert their size and have no padding
set -u
root=${1:-.}
cd "$root" || exit 2
CC=${CC:-cc}
bad=$(mktemp) || exit 3
trap 'rm -f "$bad"' EXIT

# --- top level --------------------------------------------------------------------------

for name in *; do
    case $name in
    sim | model | scenarios | fuzz | reports | build | Makefile | README.md | LICENSE | fencepost.c) ;;
    *) echo "$name: nothing but the rooms stands at the top" >>"$bad" ;;
    esac
done

sources=$(find sim model scenarios fuzz reports fencepost.c -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)

# --- line by line -----------------------------------------------------------------------

[ -z "$sources" ] || awk '
function breach(what) { print FILENAME ":" FNR ": " what }
function room(path) {
    if (path ~ /^sim\//) return 0
    if (path ~ /^model\//) return 1
    if (path ~ /^scenarios\//) return 2
    if (path ~ /^fuzz\//) return 3
    if (path ~ /^reports\//) return 4
    return 5
}
# Does the file, by its path, have leave to use a group of words? Each row is a decision.
function allowed(group) {
    if (FILENAME ~ /_test\.c$/ || FILENAME ~ /^sim\/test\.[ch]$/ || FILENAME ~ /^fuzz\/(driver|.*_(fuzz|seeds))\.c$/) return 1
    if (group == "alloc")  # before a run, and between runs: sim_new, the loader, a search; base.c has abort()
        return FILENAME == "sim/world.c" || FILENAME == "sim/base.c" || FILENAME ~ /^(scenarios|fuzz|reports)\// || FILENAME == "fencepost.c"
    if (group == "stdio")  # below the front door only those who read or keep files
        return FILENAME ~ /^(scenarios|fuzz|reports)\// || FILENAME == "fencepost.c"
    if (group == "clock" || group == "float")  # only who measures this machine
        return FILENAME ~ /^reports\/bench/ || FILENAME == "fuzz/selftest_clock.c"
    if (group == "env")
        return FILENAME == "fencepost.c" || FILENAME ~ /^reports\//
    return 0
}
# Comments, texts and characters taken out, so that words in prose are free.
function code(line,    out, c, i, n) {
    out = ""
    n = length(line)
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        if (in_comment) {
            if (substr(line, i, 2) == "*/") { in_comment = 0; i++ }
        } else if (substr(line, i, 2) == "/*") { in_comment = 1; i++ }
        else if (substr(line, i, 2) == "//") break
        else if (c == "\"" || c == "\047") {
            for (i++; i <= n && substr(line, i, 1) != c; i++)
                if (substr(line, i, 1) == "\\") i++
            out = out c c
        } else out = out c
    }
    return out
}
function word(list) { return (" " text " ") ~ ("[^A-Za-z0-9_](" list ")[^A-Za-z0-9_]") }
function call(list) { return (" " text) ~ ("[^A-Za-z0-9_.>](" list ")[ \t]*\\(") }

FNR == 1 {
    in_comment = 0
    if ($0 !~ /SPDX-License-Identifier: MIT/) breach("the first line has no SPDX-License-Identifier")
}
/\t/ { breach("a tab") }
/[ \t]$/ { breach("blanks at the end of the line") }
length($0) > 120 { breach("longer than 120 columns") }
!in_comment && /^[ \t]*#[ \t]*include[ \t]*"/ {
    path = $0
    sub(/^[^"]*"/, "", path)
    sub(/".*/, "", path)
    if (path !~ /^(sim|model|scenarios|fuzz|reports)\//) breach("an include names its room: " path)
    else if (room(path) > room(FILENAME)) breach("a lower room includes a higher one: " path)
    if (path == "sim/test.h" && !(FILENAME ~ /_test\.c$/ || FILENAME == "sim/test.c"))
        breach("only tests include sim/test.h")
}
!in_comment && /^[ \t]*#[ \t]*include[ \t]*</ {
    path = $0
    sub(/^[^<]*</, "", path)
    sub(/>.*/, "", path)
    if (path !~ /^(stdbool|stddef|stdint|limits|inttypes|string)\.h$/) {
        group = path == "stdlib.h" ? "alloc" : path ~ /^(time|sys\/resource|sys\/time)\.h$/ ? "clock" : \
                path ~ /^(math|float)\.h$/ ? "float" : path ~ /^(ctype|locale|wchar|wctype|threads|pthread)\.h$/ ? "never" : "stdio"
        if (!allowed(group)) breach("a header of libc that this room has no use for: <" path ">")
    }
}
{
    raw = $0
    text = code($0)
    if (call("malloc|calloc|realloc|free|strdup|strndup|posix_memalign|aligned_alloc|getline|getdelim|asprintf") && !allowed("alloc"))
        breach("allocates")
    if (call("alloca")) breach("alloca")
    if ((call("[a-z]*printf|f?puts|f?putc|putchar|perror|fopen|fread|fwrite|fclose|fflush|scanf|[fs]scanf|gets") || word("FILE|stdout|stderr|stdin")) && !allowed("stdio"))
        breach("stdio")
    if (call("time|clock|gettimeofday|clock_gettime|timespec_get|getrusage|localtime|gmtime|strftime|sleep|nanosleep|usleep") && !allowed("clock"))
        breach("a clock of this machine")
    if (call("rand|random|srand|srandom|drand48|lrand48|getrandom|arc4random|getentropy")) breach("a random number that is not ours")
    if (call("getenv|secure_getenv") && !allowed("env")) breach("the environment")
    if (call("setlocale|strcoll|strxfrm|isalpha|isdigit|isspace|isalnum|isupper|islower|isprint|toupper|tolower|ispunct|isxdigit|strcasecmp"))
        breach("the locale")
    if (call("qsort|bsearch") && room(FILENAME) < 2) breach("qsort: equal keys come out in an order of libc")
    if (call("strtod|strtof|atof|atoi|atol|strtol|strtoul")) breach("a number read by libc: locale, silent overflow")
    if (word("float|double") && !allowed("float")) breach("a floating-point type")
    if (word("__int128|_BitInt|__int128_t|__uint128_t")) breach("an integer of 128 bits")
    if (room(FILENAME) < 2 && word("long|size_t[ ]*\\*|time_t|intptr_t|uintptr_t|ssize_t") && !allowed("never"))
        breach("a type whose size the machine chooses")
    if (room(FILENAME) < 2 && word("goto|setjmp|longjmp|volatile") && !allowed("never")) breach("a jump, or worse")
    if (raw ~ /%p/ && raw !~ /%[%]p/ && text ~ /""/) breach("%p prints an address")
}
' $sources >>"$bad"

# --- structs ----------------------------------------------------------------------------

# In a header that describes the world every struct asserts its size, but those with pointers, which cannot
# live in it.
for file in sim/world.h model/state.h model/invariant.h; do
    [ -f "$file" ] || continue
    for name in $(awk '/^struct [a-z_0-9]+ \{/ { name = $2; pointer = 0 }
                       name && /^[^\/]*[ *]\*[a-z_]+(\[.*\])?;/ { pointer = 1 }
                       /^\};/ { if (name && !pointer) print name; name = "" }' "$file"); do
        grep -q "_Static_assert(sizeof(struct $name) " "$file" ||
            echo "$file: struct $name does not assert its size" >>"$bad"
    done
done

# And wherever a struct asserts its size, the compiler finds no padding in it. Padding is added up by the
# compiler's own warning, whose line is looked up in the file.
asserted=$(grep -l '_Static_assert(sizeof(struct ' $sources /dev/null 2>/dev/null)
for file in $asserted; do
    "$CC" -std=c11 -I. -D_POSIX_C_SOURCE=200809L -fsyntax-only -Wpadded -x c "$file" 2>&1 |
        sed -n 's/^\([^: ]*\):\([0-9]*\):[0-9]*: warning: .*padd.*/\1 \2/p'
done | LC_ALL=C sort -u | while read -r file line; do
    [ -f "$file" ] || continue
    name=$(sed -n "1,${line}s/^struct \([a-z_0-9]*\) {.*/\1/p" "$file" | tail -n 1)
    [ -n "$name" ] && grep -q "_Static_assert(sizeof(struct $name) " "$file" &&
        echo "$file:$line: struct $name has padding"
done >>"$bad"

# --- layout -----------------------------------------------------------------------------

# Versions of clang-format differ; this is the one that the committed layout was made by.
if [ -f .clang-format ] && [ -n "$sources" ]; then
    case $(clang-format --version 2>/dev/null) in
    *"version 14."*)
        # All at once, in a tenth of the time; one by one only to say which.
        clang-format --dry-run -Werror $sources >/dev/null 2>&1 || for file in $sources; do
            clang-format --dry-run -Werror "$file" >/dev/null 2>&1 || echo "$file: make format" >>"$bad"
        done
        ;;
    *) echo "skipped: layout: no clang-format 14" ;;
    esac
fi

# ----------------------------------------------------------------------------------------

[ -s "$bad" ] || exit 0
LC_ALL=C sort -u "$bad"
exit 1
