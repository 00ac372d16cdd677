#!/bin/sh
# Usage: baseline_without_fma.sh NM LIBRARY
# Fails if the library of the baseline calls libm's fma or fmaf: on processors without such an
# instruction, each call costs as much as a hundred others.
set -eu
symbols=$("$1" "$2")
if ! echo "$symbols" | grep -q gelu_level_baseline; then
    echo "$2 is not the baseline's library"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
if echo "$symbols" | grep -wE '_*fmaf?'; then
    echo "the baseline calls fma"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
echo "the baseline does not call fma"
echo "1 passed, 0 failed, 0 skipped"
