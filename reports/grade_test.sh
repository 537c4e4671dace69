#!/bin/sh
# SPDX-License-Identifier: MIT
#
# grade_test.sh: `fencepost run --grade`, from outside: who mends a lesson by its line gets the point, who mends it in
# another way gets none. Each cheat is a lesson in which sed(1) changed what a cheat would change. FENCEPOST names the
# command.
. "$(dirname "$0")/../.ci/outside.sh"
lessons=$tree/scenarios/lessons

# mend FOLDER: every lesson, and in each the one line as somebody would write it who has understood.
mend() {
    mkdir -p "$1"
    cp "$lessons"/*.fence "$1"
    edit "$1" 01 's/^case yours .*/case yours violates no-stale-write until mended/'
    edit "$1" 02 's/\[yours\] *ping wal/[yours] fence wal/'
    edit "$1" 03 's/\[yours\] *update.*/[yours] update locks\/nightly set owner me until now + 2m where until < now/'
    edit "$1" 04 's/\(case yours *without\) safe-clock/\1/'
    edit "$1" 05 's/\(case yours *\)without durable-grant/\1/'
    edit "$1" 06 's/\[yours\] *update keys.*/& where owner = me/'
    edit "$1" 07 's/\[yours\] *write dns.*/[yours] write dns\/endpoint 110 if unchanged token 110/'
    edit "$1" 08 's/\[yours\] *effect.*/& key shard/'
    edit "$1" 09 's/\[yours\] *update jobs.*/& and epoch = job.epoch/'
    edit "$1" 10 's/\[yours\] *effect.*/& key "recharge-1"/'
}

# edit FOLDER LESSON SCRIPT: one file changed by sed, which must change it.
edit() {
    file=$(echo "$1/$2"-*.fence)
    sed "$3" "$file" >"$file.new"
    if cmp -s "$file" "$file.new"; then
        name="edit $2"
        : >out >err
        bad "nothing is changed by $3"
    fi
    mv "$file.new" "$file"
}

# cheat NAME LESSON GRADE SCRIPT: a lesson, mended, and then this; it is told as GRADE, and gives no point.
cheat() {
    rm -rf cheat
    mkdir cheat
    cp mended/"$2"-*.fence cheat
    edit cheat "$2" "$4"
    check "$1" 1 run --grade cheat/"$2"-*.fence
    says "  $3"
    says "0 of 1 lesson mended"
}

# --- what is right --------------------------------------------------------------------------

mend mended
check "all are mended" 0 run --grade mended
says "mended: 10 of 10 lessons mended"
silent
check "a mended file is as expected by itself" 0 run mended
says "  yours     holds     mended"
says "10 scenarios, 20 cases: all as expected"
check "and as it was handed out, too" 0 run "$lessons"
says "  yours     violates  to be mended  no-lost-update: rs-b wrote wal at 90.002s"
says "10 scenarios, 20 cases: all as expected"
check "a program is told which" 0 run --json mended/02-*.fence "$lessons"/02-*.fence
says '"case":"yours","verdict":"holds","as_expected":true,"mended":true,'
says '"case":"yours","verdict":"violates","as_expected":true,"mended":false,'
says '"case":"happened","verdict":"violates","as_expected":true,"violations"'
check "as handed out, nothing is" 1 run --grade "$lessons"
says "0 of 10 lessons mended"
says "as handed out: the line to change is \`[yours] ping wal\`"
check "files alone are asked for alone" 0 run --grade mended/03-*.fence mended/07-*.fence
says "2 of 2 lessons mended"
mkdir other
sed 's/^  */&&/; s/$/   # mine/; /^$/d' mended/01-*.fence | sed '1s/.*/fencepost 1/' >other/01.fence
check "spaces and comments are nobody's business" 0 run --grade other/01.fence
mkdir ann
cp mended/0*.fence ann
check "a folder is a hand-in of all" 1 run --grade ann
says "ann: 9 of 10 lessons mended"
says "10-charged-and-not-recorded  not handed in"
cp "$lessons"/10-*.fence ann
check "two hand-ins, and who got what" 1 run --grade ann mended
says "ann: 9 of 10 lessons mended"
says "mended: 10 of 10 lessons mended"
says "19 of 20 lessons mended"
check "only what is missing" 1 run --grade --quiet ann
says "10-charged-and-not-recorded  as handed out"
if grep -q "^  09" out; then bad "tells what is mended"; else good; fi
check "for programs" 0 run --grade --json mended
says '{"v":1,"handed_in":"mended","lessons":[{"lesson":"01-a-lock-that-stops-nobody","file":"mended/01-a-lock'
says '"grade":"mended","mended":true,"why":null,"digest":"d1:'
says '"mended":10,"of":10,"good":true}'

# Other ways to mend that are as good.
another() { # LESSON SCRIPT
    rm -rf another
    mkdir another
    cp "$lessons/$1"-*.fence another
    edit another "$1" "$2"
    check "another way to mend $1" 0 run --grade another/"$1"-*.fence
}
another 01 's/^case yours .*/case yours holds/'
another 04 's/^case yours .*/case yours holds and single-holder/'
another 09 's/\[yours\] *update jobs.*/& and owner = me/'
another 10 's/\[yours\] *effect.*/& key recharge/'

# --- what is not ------------------------------------------------------------------------------

cheat "the fault is gone" 01 "changed elsewhere: line" '/^before client-1/d'
cheat "the fault is shorter" 01 "changed elsewhere: line" 's/for 15s/for 5s/'
cheat "the case is gone, and all that is said of it" 01 "changed elsewhere: line" '/^case yours/d; /^\[yours/d'
cheat "the case is another" 01 "changed elsewhere: line" 's/^case yours.*/case happened-too holds/; s/\[yours\]/[happened-too]/'
cheat "the last line is gone" 01 "changed elsewhere: it lacks \`[yours] at end: expect client-1 failed" '$d'
cheat "an expectation is gone" 02 "changed elsewhere: line" '/expect wal refuses rs-a/d'
cheat "an expectation is weaker" 03 "changed elsewhere: line" 's/count\/tonight.runs = 1$/count\/tonight.runs > 0/'
cheat "the lock of another case is another" 05 "changed elsewhere: line" 's/ttl 30s/ttl 3s/'
cheat "a gate elsewhere" 02 "changed elsewhere: line" 's/^case happened.*/case happened without lease-check violates no-lost-update/'
cheat "less is said of the case" 02 "changed elsewhere: line" 's/^case yours.*/case yours holds/'
cheat "a second line is changed" 07 "changed elsewhere: line" 's/require plan < 110/require plan < 109/'
cheat "a line is added" 10 "changed elsewhere: line" 's/^until.*//; s/^node billing/&\nuntil 4150s/'
cheat "a line at the end" 08 "changed elsewhere: line" '$s/$/\nuntil 50s/'
cheat "a node is renamed" 06 "changed elsewhere: line" 's/node a b c/node a b d/; s/"c"/"d"/; s/^a, b, c:/a, b, d:/; s/ c holds/ d holds/; s/"c.s"/"d'"'"'s"/'
cheat "the title is another" 09 "changed elsewhere: line 2" 's/^scenario .*/scenario "Mine"/'
cheat "the horizon is nearer" 06 "changed elsewhere: line" 's/until 21s/until 20s/'
cheat "the line reaches the other case too" 02 "another run: case happened was to stay" 's/\[yours\] fence/[happened yours] fence/'
cheat "the line is for every case" 10 "another run: case happened was to stay" 's/\[yours\] *effect/effect/'
cheat "a gate is taken away" 01 "less guarded: the line takes away" 's/^case yours.*/case yours without atomic-check holds/'
cheat "a clock that sleeps no more, but jumps" 04 "less guarded" 's/^case yours.*/case yours without safe-clock store-token with clock wall violates no-stale-write and single-holder until mended/'
cheat "the fence in the place of the clock" 04 "not mended: single-holder" 's/^case yours.*/case yours without safe-clock violates no-stale-write and single-holder until mended/'
cheat "that it breaks is said as if it were good" 01 "not mended: no-stale-write" 's/^case yours.*/case yours without store-token violates no-stale-write/'
cheat "nothing is written, so nothing is overwritten" 07 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] work 1s/'
cheat "the program stops instead" 10 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] stop/'
cheat "a newer plan than there is" 07 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] write dns\/endpoint 146 token 146/'
cheat "half of it: one's own time, judged by the server's" 03 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] update locks\/nightly set owner me until t + 2m where until < now/'
cheat "half of it: the server's time, judged by one's own" 03 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] update locks\/nightly set owner me until now + 2m where until < t/'
cheat "never released" 06 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] update keys\/job set owner none where until < now/'
cheat "a key that is another each time" 08 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] effect "deliver 1001 to 1500" key me/'
cheat "a heartbeat that never beats" 09 "not mended" 's/^\(  *\)\[yours\] .*/\1[yours] work 1s/'

# --- what is no hand-in --------------------------------------------------------------------------

mkdir twice
cp mended/01-*.fence twice
cp "$lessons"/01-*.fence twice/again.fence
check "two of one lesson" 1 run --grade twice
says "handed in twice: twice/01-a-lock-that-stops-nobody.fence and twice/again.fence"
cat >calm.fence <<'END'
fencepost 1
scenario "Nothing goes wrong"
case calm holds
node w1
w1:
  work 1s
END
check "no lesson" 1 run --grade calm.fence
says "no lesson: calm.fence"
mkdir broken
sed 's/fence wal/fench wal/' mended/02-*.fence >broken/02-seventy-nine-seconds.fence
check "a file with errors" 2 run --grade broken/02-seventy-nine-seconds.fence
says "02-seventy-nine-seconds      with errors"
complains "unknown step 'fench'; did you mean 'fence'?"
check "no file" 2 run --grade nowhere.fence
complains "nowhere.fence: no such file or folder"
for option in "--set ttl=5s" "--without store-token" "--case yours" --dry --points "--format tap"; do
    check "with $option" 2 run --grade $option mended
    complains "--grade judges a file as it stands"
done
check "an option that is nearly it" 2 run --grad mended
complains "did you mean '--grade'?"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
