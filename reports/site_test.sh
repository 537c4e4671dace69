#!/bin/sh
# SPDX-License-Identifier: MIT
#
# site_test.sh: the class site, as `make report` writes it: every link leads to a page that is there, none leads out of
# the folder but to the world, and two sites are the same bytes.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 3
BUILD=${BUILD:-build}
SEARCHED=scenarios/seeds/f1-paused-leader.fence
export SEARCHED
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAIL  $1"
}

# Links of all pages below $1 that lead nowhere: "page: link".
broken_links() {
    (cd "$1" && find . -type f | sed 's|^\./||' | LC_ALL=C sort >"$work/files" &&
        find . -name '*.html' -exec grep -oHE '(href|src)="[^"#]*' {} + |
        awk -F: -v files="$work/files" '
            BEGIN { while ((getline file < files) > 0) there[file] = 1 }
            {
                page = $1; sub(/^\.\//, "", page)
                link = $0; sub(/^[^:]*:(href|src)="/, "", link)
                if (link == "" || link ~ /^https?:/) next
                gsub(/%20/, " ", link)
                n = split(page, up, "/"); path = ""
                for (i = 1; i < n; i++) path = path up[i] "/"
                path = path link
                sub(/^\.\//, "", path)
                gsub(/\/\.\//, "/", path)
                while (path ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", path)
                sub(/\/$/, "/index.html", path)
                if (!(path in there)) print page ": " link
            }')
}

OUT="$work/one" BUILD=$BUILD sh .ci/site.sh >/dev/null || bad 'make report'
mv "$work/one" "$work/two"
OUT="$work/one" BUILD=$BUILD sh .ci/site.sh >/dev/null || bad 'make report, again'
if diff -r "$work/one" "$work/two" >"$work/diff"; then good; else
    bad 'two sites differ'
    head -n 5 "$work/diff"
fi
broken_links "$work/one" >"$work/broken"
if [ ! -s "$work/broken" ]; then good; else
    bad 'links that lead nowhere'
    head -n 10 "$work/broken"
fi
for page in index.html lessons.html gates.html results.html coverage/index.html search.html coverage/protocol.html coverage/situations.html; do
    if [ -s "$work/one/$page" ]; then good; else bad "there is no $page"; fi
    case $page in
    index.html) ;;
    *) if grep -rlF --include='*.html' "${page##*/}" "$work/one" | grep -qv "/$page\$"; then good; else bad "nothing leads to $page"; fi ;;
    esac
done
# The check itself: a link that leads nowhere is seen.
mkdir -p "$work/bad/a"
echo '<a href="../no.html">' >"$work/bad/a/b.html"
if [ "$(broken_links "$work/bad")" = 'a/b.html: ../no.html' ]; then good; else bad 'a broken link is not seen'; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
