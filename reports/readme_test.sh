#!/bin/sh
# Every command that README.md and scenarios/README.md show with its output (a line "    $ COMMAND") is run, and prints
# just that. Every other command that they name is there, with the options it is given; so is every target of make. A
# scenario that README.md shows stands in the library, byte for byte; one that scenarios/README.md shows under a name
# (```fence NAME) is there for the commands below it. Ends with "N passed, N failed".
set -u
fencepost=$(realpath "${FENCEPOST:-build/fencepost}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # page name expected actual
    if cmp -s "$3" "$4"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 is not true: $2"
        diff "$3" "$4" | head -n 10
    fi
}

# Splits what a page shows: N.command, N.expected, and its scenarios. A session ends where the indentation does.
split() { # page folder
    awk -v work="$2" '
        /^    \$ /          { n++; print substr($0, 7) > (work "/" n ".command"); on = 1; blank = 0
                              printf "" > (work "/" n ".expected"); next }
        on && /^    /       { while (blank > 0) { print "" > (work "/" n ".expected"); blank-- }
                              print substr($0, 5) > (work "/" n ".expected"); next }
        on && /^$/          { blank++; next }
                            { on = 0; blank = 0 }
        /^```fence$/        { file = "example.fence"; next }
        /^```fence /        { file = substr($0, 10); next }
        /^```$/             { file = ""; next }
        file != ""          { print > (work "/" file) }
    ' "$1"
}

# The commands find the program and the library where a reader has them.
play() { # page folder
    mkdir -p "$2/build"
    ln -s "$fencepost" "$2/build/fencepost"
    ln -s "$(pwd)/scenarios" "$2/scenarios"
    split "$1" "$2"
    for command in "$2"/*.command; do
        (cd "$2" && sh -c "$(cat "$command")") >"$work/actual" 2>&1
        check "$1" "$(cat "$command")" "${command%.command}.expected" "$work/actual"
    done
}

# The commands of a page, without those that play() runs: one a line, from its name on, without what is said about it.
named() { # page
    grep -v '^    \$ ' "$1" | grep -oE '(^    .*|`)(build/)?fencepost [a-z][^`|>]*' |
        sed "s/.*fencepost //; s/   *.*//; s/'.*//"
}

# The options of a command, as its --help has them.
options() { "$fencepost" "$1" --help | grep '^  -' | grep -oE -e '--?[a-z-]+' | LC_ALL=C sort -u; }

exists() { # page
    named "$1" | while read -r command words; do
        options "$command" >"$work/options" 2>/dev/null
        [ -s "$work/options" ] || echo "there is no command $command"
        for word in $words; do
            case $word in -?*) grep -qxF -e "${word%%=*}" "$work/options" || echo "$command has no $word" ;; esac
        done
    done
    grep -oE '(^    |`)make [a-z-]+( [a-z-]+)?' "$1" | sed 's/.*make //' | tr ' ' '\n' | LC_ALL=C sort -u |
        while read -r target; do
            grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" Makefile || echo "there is no make $target"
        done
}

for page in README.md scenarios/README.md; do
    exists $page >"$work/actual"
    : >"$work/expected"
    check $page "a command or target that it names" "$work/expected" "$work/actual"
done
play README.md "$work/readme"
play scenarios/README.md "$work/language"
# The tables of the two documents: each scenario that a row names is there.
sed -n '/^| fenced /,/^## The rooms/p' README.md | awk -F'|' 'NF > 3 && !/^\|---/ && $4 !~ /shown by/ && $4 !~ /`/ { print $4 }' |
    tr ',' '\n' | awk '$1 != "case" { print $1 }' >"$work/named"
for name in $(cat "$work/named"); do
    ls "scenarios/seeds/$name.fence" "scenarios/$name.fence" 2>/dev/null
done >"$work/there"
sed 's|.*/||; s|\.fence$||' "$work/there" >"$work/actual"
sed 's|.*/||' "$work/named" >"$work/expected"
check README.md "a scenario that its tables name" "$work/expected" "$work/actual"
check README.md "the scenario that it shows" "$work/readme/example.fence" scenarios/seeds/f1-paused-leader.fence
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
