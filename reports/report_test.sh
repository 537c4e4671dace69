#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report_test.sh: `fencepost report` from outside: which files it writes, what it answers, and that nothing half-written
# stays. Ends with "N passed, N failed".
. "$(dirname "$0")/../.ci/outside.sh"
library=$tree/scenarios

says_nothing() { if [ ! -s err ] && [ ! -s out ]; then good; else bad "says something"; fi; }

scenario() { printf 'fencepost 1\nscenario "%s"\ncase a %s\nparam v = 1\nstore s\nnode w\nw:\n  write s v\nat end: expect s = %s\n' "$@"; }
mkdir -p lib/one lib/two
scenario first holds 1 >lib/one/x.fence
scenario second holds 1 >lib/two/x.fence
scenario third holds 1 >lib/index.fence

check "a folder" 0 report -o pages lib
says_nothing
is_there pages/index.html
is_there pages/one/x.html
is_there pages/two/x.html
is_there pages/index-2.html
nothing_half
holds pages/index.html '<a href="two/x.html">second</a>'
holds pages/index.html '3 scenarios, 3 cases: all as expected'
holds pages/one/x.html '<a href="../index.html">'
holds pages/one/x.html '"title":"first"'

name="the same bytes twice, in another folder and another locale"
cp -r lib "$work/copy"
(mkdir elsewhere && cd elsewhere && cp -r ../lib lib && env -i LC_ALL=C.UTF-8 TZ=Asia/Kathmandu "$fencepost" report -o pages lib) 2>err
same pages elsewhere/pages

check "a file that is named" 0 report --output=single lib/one/x.fence
is_there single/x.html
check "the same name twice" 0 report -o both lib/one/x.fence lib/two/x.fence
holds both/x.html '"title":"first"'
holds both/x-2.html '"title":"second"'

scenario "not as it says" holds 2 >lib/one/wrong.fence
printf 'fencepost 1\nscenario "an error"\ncase a holds\nnode w\nw:\n  puase w\n' >lib/one/error.fence
check "a case that is not as it says has its page" 1 report -o failing lib/one/wrong.fence lib/two
complains "lib/one/wrong.fence: case a is not as expected: $fencepost run --case a lib/one/wrong.fence"
is_there failing/wrong.html
holds failing/index.html 'NOT as expected'
holds failing/index.html '1 not as expected'
check "a file that is wrong has none, and the others have theirs" 2 report -o mixed lib
complains "error.fence:6:3: "
is_not_there mixed/one/error.html
is_there mixed/two/x.html
is_there mixed/one/wrong.html
check "no such file" 2 report -o mixed2 lib/nowhere.fence
is_not_there mixed2/index.html

check "one case" 0 report -o one-case --case fenced "$library/seeds/f1-paused-leader.fence"
holds one-case/f1-paused-leader.html '"name":"fenced"'
check "a case that nobody has" 2 report -o no-case --case nobody lib/two
complains "no file has a case 'nobody'"
check "another value" 1 report -o valued --set v=2 lib/two
holds valued/x.html 'found s was 2'

check "no folder to write to" 2 report lib
complains "fencepost report -o DIR FILE..."
check "no file" 2 report -o pages
check "a file where a folder should be" 3 report -o lib/one/x.fence lib/two
complains "cannot write lib/one/x.fence/x.html: "

# Lessons: three pages more for each, and a list of all.
check "the lessons" 0 report -o course "$library/lessons"
says_nothing
holds course/index.html '<a href="lessons.html">10 lessons</a>'
holds course/lessons.html '<a href="10-charged-and-not-recorded-lesson.html">'
name="the list has them in the order of their names"
grep -o 'href="[0-9]*-[a-z-]*-lesson.html' course/lessons.html >out
if [ "$(wc -l <out)" -eq 10 ] && sort -c out; then good; else bad "$(cat out)"; fi
page=course/02-seventy-nine-seconds-lesson.html
holds $page '<mark>[yours]    ping wal</mark>'
holds $page '<a href="02-seventy-nine-seconds.html#predict=1">'
holds $page 'fencepost fuzz --reach cut:renewal 02-seventy-nine-seconds.fence'
holds $page 'Next: <a href="03-whose-timestamp-lesson.html">'
name="what a student gets tells no expectation and no answer"
for page in course/*-lesson.html course/*-worksheet.html; do
    grep -nE ': expect |^case |^ask ' "$page" >out
    if [ ! -s out ]; then good; else bad "$page: $(cat out)"; fi
done
sheet=course/02-seventy-nine-seconds-worksheet.html
holds $sheet '<td>1.000s<td>rs-a<td>pauses for 1m19s'
name="the worksheet ends before the question"
if grep -q '<td>80\.0' $sheet; then bad "tells what happens at 80 s"; else good; fi
answers=course/02-seventy-nine-seconds-answers.html
holds $answers '<td>80.002s<td>wal<td>commits rs-a token 1 150'
holds $answers '<td>150<td>100'
holds $answers '<mark>[yours] fence wal</mark>'
name="no page of a lesson has a script, and every link leads somewhere"
if grep -lF '<script' course/*-lesson.html course/*-worksheet.html course/*-answers.html course/lessons.html >out; then
    bad "$(cat out)"
else
    good
fi
for page in course/*-lesson.html course/*-worksheet.html course/*-answers.html course/lessons.html; do
    for link in $(grep -o 'href="[^"#]*' "$page" | cut -c7-); do
        if [ -s "course/$link" ]; then good; else bad "$page: $link"; fi
    done
done
lesson() { printf 'fencepost 1\nscenario "<b>%s"\ncase a holds\ncase yours violates no-stale-write until mended\nstore s\nnode w\nw:\n  write s 1 token 2\n  [a] write s 1 token 2\n  [yours] write s 1 token 1\nat end: expect s = 1\n' "$1"; }
mkdir -p own/deep
sed 's/^case a holds/case a without store-token holds/; s/^case yours/& without store-token/' >own/deep/x.fence <<END
$(lesson mine)
END
check "a lesson with nothing beside it" 0 report -o bare own
holds bare/deep/x-lesson.html '<h1>&lt;b&gt;mine</h1>'
holds bare/deep/x-lesson.html '<a href="../lessons.html">'
holds bare/deep/x-lesson.html 'fencepost trace --case a own/deep/x.fence'
holds bare/deep/x-lesson.html '<mark>[yours] write s 1 token 1</mark>'
if grep -q '<th scope="col">Mended' bare/deep/x-answers.html; then bad "says how it is mended"; else good; fi
echo '[yours] write s 1 token 2' >own/deep/x.key
printf 'What <i>happened</i>.\n' >own/deep/x.md
check "with words and a key" 0 report -o told own
holds told/deep/x-lesson.html '<p>What &lt;i&gt;happened&lt;/i&gt;.</p>'
holds told/deep/x-answers.html '<mark>[yours] write s 1 token 2</mark>'
echo '[yours] write s 1 token 0' >own/deep/x.key
check "a key that mends nothing" 1 report -o false own
complains 'own/deep/x.key: this line does not mend case yours'
echo '[yours] wirte s 1' >own/deep/x.key
check "a key with a slip" 2 report -o slip own
complains 'own/deep/x.key: with this line in the place of line 10 of own/deep/x.fence:'
complains "own/deep/x.fence:10:11: error: unknown step 'wirte'; did you mean 'write'?"
is_there slip/deep/x.html
head -c 1048577 /dev/zero >own/deep/x.key
check "a key that is no line" 2 report -o large own
complains 'own/deep/x.key: too large: what stands beside a lesson has at most 1048576 bytes; this has 1048577'
rm own/deep/x.key
mkdir own/deep/x.key
check "a key that is a folder" 2 report -o folder own
complains 'own/deep/x.key: '
rmdir own/deep/x.key
head -c 4194305 /dev/zero >large.md
check "words that are no page" 2 report -o words --words large.md own
complains 'large.md: too large: a page of words has at most 4194304 bytes; this has 4194305'
cp own/deep/x.fence own/deep/x-lesson.fence
check "a scenario that is called like a lesson's page" 0 report -o clash own
is_there clash/deep/x-lesson.html
is_there clash/deep/x-lesson-2.html
nothing_half

# A disk that is full: what was there stays, and nothing half-written beside it.
name="a full disk"
mkdir full
echo before >full/x.html
(ulimit -f 8; exec "$fencepost" report -o full lib/two) >out 2>err
if [ $? -eq 3 ]; then good; else bad "another status"; fi
complains "cannot write full/x.html: "
holds full/x.html before
is_not_there full/index.html
nothing_half

# A folder and a file whose names are markup, quotes, and letters that turn the direction of writing.
turned=$(printf 'a\342\200\256b')
hostile="<script>alert(1)<&\"'#%?$turned"
mkdir -p "odd/$hostile"
scenario odd holds 1 >"odd/$hostile/$hostile.fence" 2>/dev/null
check "hostile names" 0 report -o odd-pages odd
is_there "odd-pages/$hostile/$hostile.html"
holds odd-pages/index.html '<a href="%3cscript%3ealert%281%29%3c%26%22%27%23%25%3fa%e2%80%aeb/%3cscript'
name="hostile names stay text"
if grep -qF '<script>alert(1)' odd-pages/index.html "odd-pages/$hostile/$hostile.html"; then bad "markup"; else good; fi
if grep -qF "$turned" odd-pages/index.html "odd-pages/$hostile/$hostile.html"; then bad "turned"; else good; fi

# Every page of the library: small enough, and without an absolute path.
check "the library" 0 report -o library "$library"
name="every page of the library has at most 400 KB"
large=$(find library -name '*.html' -size +390k) # as find counts: 399,360 bytes
if [ -z "$large" ]; then good; else bad "$large"; fi
name="no page holds an absolute path"
(cd "$library/.." && "$fencepost" report -o "$work/relative" scenarios) >out 2>err
if grep -rlF "$work" relative >out; then bad "$(cat out)"; else good; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
