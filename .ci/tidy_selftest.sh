#!/bin/sh
# A check that never fails is no check: each bad line below, put into an otherwise good tree, must make
# tidy.sh fail, and by the rule named. The good tree must pass.
set -u
BUILD=${BUILD:-build}
tree=$BUILD/tidy
here=$(pwd)
passed=0 failed=0

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/sim" "$tree/model" "$tree/scenarios/language" "$tree/fuzz" "$tree/reports"
    echo '/* SPDX-License-Identifier: MIT */' | tee "$tree/sim/a.c" "$tree/model/a.c" "$tree/sim/world.h" \
        "$tree/scenarios/language/a.c" "$tree/fuzz/a.c" "$tree/reports/a.c" >"$tree/fencepost.c"
}

verdict() { # rule, what was tried: reads the output of tidy, and its status
    if [ "$status" -ne 0 ] && echo "$out" | grep -q -- "$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not caught ($1): $2"
        echo "$out"
    fi
}

tidy() {
    status=0
    out=$(sh .ci/tidy.sh "$tree" 2>&1) || status=$?
}

bad() { # file, rule, lines
    fresh
    printf '%b\n' "$3" >>"$tree/$1"
    tidy
    verdict "$2" "$1: $3"
}

good() {
    printf '%b\n' "$2" >>"$tree/$1"
}

fresh
good sim/a.c '/* malloc(1), 1.0 as a double, "time(0)" */\nconst char *text = "malloc(double) %d";'
good scenarios/language/a.c '#include <stdlib.h>\n#include "model/a.h"\n#include "sim/sim.h"'
good fuzz/a.c '#include <stdlib.h>\nvoid f(void *p)\n{\n    free(p);\n}'
good fencepost.c '#include "reports/a.h"'
good sim/world.h 'struct tight {\n    int a;\n};\n_Static_assert(sizeof(struct tight) == 4, "no padding");'
tidy
if [ $status -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "the good tree fails:"; echo "$out"; fi

bad sim/a.c 'lower room' '#include "model/words.h"'
bad model/a.c 'lower room' '#include "scenarios/run.h"'
bad scenarios/language/a.c 'lower room' '#include "fuzz/sample.h"'
bad fuzz/a.c 'lower room' '#include "reports/text.h"'
bad sim/a.c 'names its room' '#include "queue.h"'
bad model/a.c 'only tests' '#include "sim/test.h"'
bad sim/a.c 'no use for' '#include <stdio.h>'
bad model/a.c 'no use for' '#include <stdlib.h>'
bad scenarios/language/a.c 'no use for' '#include <ctype.h>'
bad model/a.c 'allocates' 'void *p(void)\n{\n    return malloc(1);\n}'
bad model/a.c 'allocates' 'void f(void *p)\n{\n    free(p);\n}'
bad sim/a.c 'alloca' 'char *p = alloca(1);'
bad sim/a.c 'stdio' 'int n = snprintf(b, 1, "x");'
bad model/a.c 'stdio' 'FILE *f;'
bad scenarios/language/a.c 'clock' 'long t = time(NULL);'
bad sim/a.c 'clock' 'int t = clock_gettime(0, 0);'
bad fuzz/a.c 'random' 'int r = rand();'
bad scenarios/language/a.c 'environment' 'char *e = getenv("X");'
bad reports/a.c 'locale' 'int a = setlocale(0, "");'
bad scenarios/language/a.c 'locale' 'int a = isdigit(c);'
bad sim/a.c 'qsort' 'int f(void)\n{\n    qsort(a, 1, 1, 0);\n}'
bad scenarios/language/a.c 'read by libc' 'int a = atoi(s);'
bad model/a.c 'floating' 'double x;'
bad reports/a.c 'floating' 'static const float x = 1;'
bad sim/a.c '128' '__int128 x;'
bad sim/a.c 'machine chooses' 'unsigned long x;'
bad sim/a.c 'a tab' '\tint x;'
bad sim/a.c 'blanks' 'int x;  '
bad reports/a.c 'prints an address' 'const char *s = "%p";'
bad sim/world.h 'does not assert' 'struct loose {\n    int a;\n};'
bad sim/world.h 'has padding' \
    'struct wide {\n    int a;\n    long long b;\n};\n_Static_assert(sizeof(struct wide) == 16, "no padding");'

fresh
echo 'int x;' >"$tree/sim/b.c"
tidy
verdict 'SPDX' 'a file without a licence line'

fresh
mkdir "$tree/src"
tidy
verdict 'at the top' 'another folder at the top'

rm -rf "$tree"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
