#!/bin/sh
# fuzz_seeds.sh TARGET DIR: writes DIR/seeds and DIR/TARGET.dict, anew each time, so that neither is ever out of date. A
# target with no fuzz/TARGET_seeds.c begins with the empty input alone.
. .ci/steps.sh

target=$1 dir=$2
rm -rf "$dir/seeds"
mkdir -p "$dir/seeds"
if [ -f "fuzz/${target}_seeds.c" ]; then
    $MAKE -s SAY=@ BUILD="$BUILD" "$BUILD/${target}_seeds" || exit
    "$BUILD/${target}_seeds" "$dir/seeds" || exit
    "$BUILD/${target}_seeds" --dictionary >"$dir/$target.dict" || exit
else
    : >"$dir/seeds/empty"
    echo "# $target has no words" >"$dir/$target.dict"
fi
[ "$target" != language ] || find scenarios -name '*.fence' | LC_ALL=C sort | while read -r file; do
    cp "$file" "$dir/seeds/$(echo "$file" | tr / _)" || exit
done
