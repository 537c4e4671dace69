#!/bin/sh
# SPDX-License-Identifier: MIT
#
# coverage_test.sh: `fencepost coverage` from outside: what it says and writes, that two runs write the same, and what it
# answers to what is wrong. Ends with "N passed, N failed".
. "$(dirname "$0")/../.ci/outside.sh"
seeds=$tree/scenarios/seeds converter=$tree/.ci/gcov_info.awk

mkdir lib
cp "$seeds"/*.fence lib

check "the table alone writes nothing" 0 coverage lib
silent
says 'refuses: its token is below the largest that was seen'
says 'conditions of gates seen deciding alone, in '
says 'refuses: the lease of the job is shorter than 3 s (cannot be)'
is_not_there protocol.html

check "pages" 0 coverage -o pages --pages ../runs lib
silent
nothing_half
for file in index.html protocol.html protocol.spec protocol.info; do
    name="pages: $file" && if [ -s "pages/$file" ]; then good; else bad "does not write it"; fi
done
holds pages/index.html '<a href="protocol.html">Gates and what they said</a>'
holds pages/index.html '<a href="../runs/index.html">The scenarios</a>'
holds pages/protocol.html '<h3 id="store-token">'
holds pages/protocol.html 'href="../runs/f1-paused-leader.html#case=fenced&amp;t=13.005"'
holds pages/protocol.html '<h2 id="lines">Lines of the scenarios that no case came to</h2>'
holds_not pages/protocol.html '<script'
holds pages/protocol.info 'TN:lib_f1_paused_leader_fence'
holds pages/protocol.info 'SF:pages/protocol.spec'
holds pages/protocol.info 'SF:lib/f1-paused-leader.fence'

# Every line that the tracefile speaks of is there, and says what the row is.
name="the tracefile speaks of lines of its source"
last=$(sed -n '/^SF:pages/,/^end/s/^DA:\([0-9]*\),.*/\1/p' pages/protocol.info | sort -n | tail -n 1)
if [ "$(wc -l <pages/protocol.spec)" -eq "$last" ]; then good; else bad "its last line is $last"; fi

name="the same bytes twice, in another folder and another locale"
(mkdir elsewhere && cd elsewhere && cp -r ../lib lib &&
    env -i LC_ALL=C.UTF-8 TZ=Asia/Kathmandu "$fencepost" coverage -o pages --pages ../runs lib >/dev/null) 2>err
same pages elsewhere/pages

check "pages without those of the runs" 0 coverage -o bare lib
holds_not bare/protocol.html 'f1-paused-leader.html'
holds bare/protocol.html 'lib/f1-paused-leader.fence, case fenced, 13.005s'

check "data" 0 coverage --json lib
silent
says '"gate":"store-token","name":"not-below-the-mark"'
if command -v python3 >/dev/null; then
    name="the data is JSON, and agrees with the table"
    python3 - <<'EOF' 2>err && good || bad "does not"
import json
d = json.load(open("out"))
rows = [r for r in d["rows"] if r["gate"] == "store-token" and r["said"] == "no" and r["conjunct"] == "not-below-the-mark"]
cell = [c for c in rows[0]["cells"] if c["fault"] is None][0]
names = [d["runs"][r[0]] for r in cell["runs"]]
assert {"file": "lib/f1-paused-leader.fence", "case": "fenced"} in names
assert all(c["gate"] and c["holds"] and c["fails"] for c in d["conjuncts"])
assert d["v"] == 1
EOF
fi

# --- the lines of the code ---------------------------------------------------------------------------------------

mkdir sim
printf 'int a;\nint b; /* <b> */\nint c;\n' >sim/x.c
{
    printf 'TN:lib_f1_paused_leader_fence\nSF:sim/x.c\nDA:1,4\nDA:2,0\nDA:3,1\nend_of_record\n'
    printf 'TN:lib_f2_even_split_fence\nSF:sim/x.c\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\n'
} >code.info
check "which scenarios run a line" 0 coverage -o lines --pages runs --code code.info --see 'lcov/index.html=By lcov' lib
silent
holds lines/index.html '<a href="covered-lines.html">Which scenarios run this line</a>'
holds lines/index.html '<a href="lcov/index.html">By lcov</a>'
holds lines/covered-lines.html '<a href="code/sim-x.c.html">sim/x.c</a>'
holds lines/code/sim-x.c.html '<tr id="L2" class="none">'
holds lines/code/sim-x.c.html '<tr id="L3" class="one">'
holds lines/code/sim-x.c.html '/* &lt;b&gt; */'
holds lines/code/sim-x.c.html '"link":"../runs/f1-paused-leader.html"'
holds lines/code/sim-x.c.html '"sets":[[0,1],[0]]'

printf 'int z;\n' >sim-x.c
printf 'TN:t\nSF:sim/x.c\nDA:1,1\nend_of_record\nSF:sim-x.c\nDA:1,1\nend_of_record\n' >twins.info
check "two sources whose names differ in a slash" 0 coverage -o twins --code twins.info lib
silent
holds twins/covered-lines.html '<a href="code/sim-x.c.html">sim/x.c</a>'
holds twins/covered-lines.html '<a href="code/sim-x.c-2.html">sim-x.c</a>'
holds twins/code/sim-x.c.html 'int a;'
holds twins/code/sim-x.c-2.html 'int z;'

name="what gcov prints becomes a tracefile"
{
    printf '        -:    0:Source:sim/x.c\nfunction f called 2 returned 100%% blocks executed 75%%\n        2:    1:int f(int a)\n'
    printf '        2:    2:    if (a)\nbranch  0 taken 2 (fallthrough)\nbranch  1 taken 0\n    #####:    3:        g();\n'
    printf 'call    0 never executed\n        1:    4:    ASSERT(a);\nbranch  0 taken 1\nbranch  1 taken 0\n        -:    5:}\n'
    printf '        -:    0:Source:reports/y.c\n        9:    1:int y;\n        -:    0:Source:sim/x.c\n        5:    3:        g();\n'
} | awk -v test=t -f "$converter" >made.info
printf 'TN:t\nSF:sim/x.c\nFN:1,f\nFNDA:2,f\nFNF:1\nFNH:1\nBRDA:2,0,0,2\nBRDA:2,0,1,0\nBRF:2\nBRH:1\nDA:1,2\nDA:2,2\nDA:3,5\nDA:4,1\nLF:4\nLH:4\nend_of_record\n' >wanted.info
: >err
if diff wanted.info made.info >err; then good; else bad "another one"; fi

# --- what is wrong -------------------------------------------------------------------------------------------------

check "no file" 2 coverage
complains 'coverage takes FILE...; for example: '
check "no folder" 2 coverage -o '' lib
complains 'coverage takes a folder to write to'
check "no such file" 2 coverage -o none nowhere.fence
complains 'nowhere.fence'
is_not_there none
printf 'fencepost 1\nscenario "an error"\ncase a holds\nnode w\nw:\n  puase w\n' >wrong.fence
check "a scenario that is wrong: nothing is written" 2 coverage -o none lib wrong.fence
complains 'wrong.fence:6:3: '
is_not_there none
check "a link without words" 2 coverage --see lcov lib
complains "--see takes LINK=WORDS, not 'lcov'"
check "no such tracefile" 2 coverage -o none --code nowhere.info lib
complains 'nowhere.info'
printf 'TN:t\nSF:sim/x.c\nDA:0,1\n' >wrong.info
check "a tracefile that is wrong" 2 coverage -o none --code wrong.info lib
complains 'wrong.info:3:1: expected DA:LINE,COUNT, behind TN and SF'
check "what is no tracefile" 2 coverage -o none --code wrong.fence lib
complains 'expected a tracefile of lcov'
printf 'TN:t\nSF:sim/x.c\nDA:1,1\n' >cut.info
check "a tracefile that was cut: nothing is written" 2 coverage -o cut --code cut.info lib
complains 'cut.info:3:1: expected end_of_record behind the last line'
is_not_there cut
printf 'TN:t\nSF:sim/gone.c\nDA:1,1\nend_of_record\n' >gone.info
check "a tracefile of a source that is gone" 2 coverage -o gone --code gone.info lib
complains 'sim/gone.c'
is_not_there gone
for pages in '--pages runs' '--code code.info' '--see lcov/index.html=lcov'; do
    # shellcheck disable=SC2086
    check "$pages without a folder to write to" 2 coverage $pages lib
    complains '--pages, --code and --see are for the pages, and those go to a folder: fencepost coverage -o DIR'
done
check "an unknown option" 2 coverage --page runs lib
complains "did you mean '--pages'?"
: >file
check "a folder that is a file" 3 coverage -o file lib
complains 'cannot write file/'
if [ -c /dev/full ]; then
    name="a full disk"
    "$fencepost" coverage lib >/dev/full 2>err
    if [ $? -eq 3 ]; then good; else bad "another status"; fi
fi
check "help" 0 coverage --help
says 'fencepost coverage FILE...'
says 'fencepost coverage -o coverage scenarios'
says 'status: 0 told, whatever came of the cases'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
