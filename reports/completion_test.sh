#!/bin/sh
# SPDX-License-Identifier: MIT
#
# completion_test.sh: the scripts of `fencepost completion`, each in its shell. A line is completed there as a user's
# is, and what the shell offers is compared with what `--help`, `list` and the files say. bash is asked by its function,
# fish by `complete -C`, zsh by a tab on a terminal of its own. A shell that is not here is skipped. FENCEPOST names the
# command.
set -u
fencepost=$(realpath "${FENCEPOST:-build/fencepost}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 3
passed=0 failed=0 skipped=0
PATH=$work/bin:$PATH HOME=$work/home
mkdir -p bin home scripts pages
ln -s "$fencepost" bin/fencepost
for shell in bash zsh fish; do
    fencepost completion $shell >scripts/$shell || exit 1
done

cat >paused.fence <<'END'
fencepost 1
scenario "Three cases"
param ttl = 10s
case advisory   without store-token lease-check   violates no-stale-write
case checked holds
case fenced holds
END
# What a file says is never run: neither by a shell that expands it, nor as a name.
cat >evil.fence <<'END'
case $(touch hacked) holds
case `touch${IFS}hacked` holds
case x$(touch${IFS}hacked) holds
case $(touch${IFS}hacked)=1
param $(touch hacked) = 1
END
cp paused.fence home/tilde.fence
touch paused.txt

# --- what a shell offers for the words that follow; the last is the one to complete -----------------------------

ask_bash() { # readline makes words of = and :, and so do the callers
    bash --norc -c '. scripts/bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _fencepost 2>/dev/null
        [ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

ask_fish() {
    LINE=$(line "$@") fish --no-config -c 'source scripts/fish; complete -C $LINE' | cut -f 1
}

# Every candidate passes through compadd; a call with -O, -A or -D only asks.
cat >inside.zsh <<'END'
fpath=(scripts/zsh-functions $fpath)
autoload -Uz compinit && compinit -u -d home/zcompdump
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-[a-zA-Z]#[OAD]* ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- $hits >>offered
    builtin compadd "$@"
}
LISTMAX=10000
print >ready
END
cat >outside.zsh <<'END'
zmodload zsh/zpty
zpty child zsh -f -i
zpty -w child 'setopt extendedglob; comppostfuncs=(); PS1=; source inside.zsh'
wait_for() {
    local i output
    for i in {1..1000}; do
        while zpty -r -t child output; do :; done
        [[ -e $1 ]] && return
        sleep 0.01
    done
    print "no $1 after 10 s" >&2
    exit 1
}
wait_for ready
while IFS= read -r line; do
    rm -f done
    : >offered
    zpty -w child 'post() { : >done }; comppostfuncs=(post)'
    zpty -w -n child "$line"$'\t'
    wait_for done
    zpty -w -n child $'\C-u'
    cat offered
    print -- ---
done
zpty -d child
END
mkdir -p scripts/zsh-functions
cp scripts/zsh scripts/zsh-functions/_fencepost
ask_zsh() { line "$@" | zsh -f outside.zsh | grep -v '^---$'; }

# As it is typed.
line() { printf '%s\n' "$*"; }

# --- checks -----------------------------------------------------------------------------------------------------

# offers EXPECTED WORD...: EXPECTED is what is offered, in any order.
offers() {
    expected=$1
    shift
    offered=$(ask_$shell "$@" 2>err | sed 's/=$//' | LC_ALL=C sort -u | tr '\n' ' ' | sed 's/ $//')
    if [ "$offered" = "$expected" ] && [ ! -s err ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $shell: '$*' is offered '$offered', not '$expected'"
        head -n 5 err
    fi
}

words() { tr -s ' \n' '\n\n' | grep . | LC_ALL=C sort -u | tr '\n' ' ' | sed 's/ $//'; }
commands=$(fencepost --help | sed -n 's/^  fencepost \([a-z]*\).*/\1/p')
options_of() { fencepost "$1" --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | words; }
# Of a group, those that this version has.
listed() { fencepost list "$1" | grep -v 'not in this version' | sed -n 's/^  \([^ ]*\) .*/\1/p'; }

# Words of --help and of `list` are what is offered, and no other.
tables() {
    offers "$(echo "$commands" help | words)" fencepost ''
    for command in $commands; do
        offers "$(options_of "$command")" fencepost "$command" --
    done
    offers "$(listed gates | words)" fencepost run --without ''
    offers "$({ listed invariants; echo split-brain; } | words)" fencepost fuzz --find ''
    for command in run trace; do
        offers "$(fencepost $command --help | sed -n '/^formats/,/^$/s/^  \([a-z]*\) .*/\1/p' | words)" \
            fencepost $command --format ''
    done
    offers "$(fencepost list | awk '/^[a-z]/ { print $1 } /^formats/ { exit } /^  [^ ]+  / { print $1 }' | words)" \
        fencepost list ''
}

places() {
    offers '--help' fencepost --he
    offers 'gates' fencepost help ga
    offers 'store-token' fencepost run --without store
    offers 'store-token' fencepost run paused.fence --without store
    offers '' fencepost run --without zz
    offers 'split-brain' fencepost exhaust --find sp
    offers 'guided' fencepost fuzz --strategy g
    offers 'kinds' fencepost fuzz --rediscover k
    offers 'digest' fencepost bench --workload d
    offers 'perfetto' fencepost trace --format p
    offers '' fencepost fuzz --schedules ''
    offers '' fencepost fuzz -n ''
    offers 'zsh' fencepost completion z
    offers 'checked' fencepost run paused.fence --case c
    offers 'fenced' fencepost run "~/tilde.fence" --case f
    offers 'ttl' fencepost run paused.fence --set t
    offers '' fencepost run --case c
    offers '' fencepost run -- --wi
    offers '' fencepost nothing --
    offers '' fencepost run evil.fence --case ''
    offers '' fencepost run evil.fence --set ''
    if [ ! -e hacked ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAIL  $shell: runs a file"; fi
}

# refuses WORDS ARGUMENTS...: the command line is wrong, and why.
refuses() {
    why=$1
    shift
    fencepost "$@" >out 2>err
    if [ $? -eq 2 ] && [ ! -s out ] && grep -qF -- "$why" err; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  fencepost $*: not refused with: $why"
    fi
}
refuses 'completion takes SHELL' completion
refuses "there is bash, zsh and fish; did you mean 'zsh'?" completion zhs
refuses "one shell, not 'fish' too" completion bash fish
refuses "completion has no option '--json'" completion --json bash

for shell in bash fish zsh; do
    if ! command -v $shell >/dev/null 2>&1; then
        skipped=$((skipped + 1))
        echo "skipped: there is no $shell here"
        continue
    fi
    if $shell -n scripts/$shell 2>err; then passed=$((passed + 1)); else failed=$((failed + 1)) && cat err; fi
    tables
    places
    case $shell in
    bash)
        offers 'paused.fence' fencepost run pau
        offers 'paused.fence' fencepost run -- pau
        offers 'paused.txt' fencepost fuzz --merge paused.t
        offers 'pages' fencepost report -o pa
        offers 'store-token' fencepost run --without = store
        offers 'drain-first durable-grant' fencepost run --without = d
        offers 'checked' fencepost trace paused.fence : c
        offers 'advisory checked fenced' fencepost diff paused.fence :
        ;;
    fish)
        offers 'paused.fence paused.txt' fencepost run pau
        offers 'pages/' fencepost report -o pa
        offers '--without=store-token' fencepost run --without=store
        offers 'paused.fence:checked' fencepost trace paused.fence:c
        ;;
    zsh)
        offers 'paused.fence' fencepost run pau
        offers 'paused.txt' fencepost fuzz --merge paused.t
        offers 'pages' fencepost report -o pa
        offers 'store-token' fencepost run --without=store
        offers 'checked' fencepost trace paused.fence:c
        ;;
    esac
done

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
