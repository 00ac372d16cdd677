#!/bin/sh
# Usage: bare_library.sh NM READELF LIBRARY...
# Fails if these libraries, taken together, need more of the system than is listed here (no allocation,
# no lock, no mathematics), have code that runs when they are loaded, or define names without the prefix
# gelu_, which could collide in a program that links them statically.
set -eu
nm=$1 readelf=$2
shift 2
allowed='^(fegetenv|fesetenv|fegetround|fesetround|fetestexcept|feclearexcept|feraiseexcept' # libm: half.c, fpstatus.h
allowed=$allowed'|memcpy|memset|memmove|strcmp|getauxval'              # libc
allowed=$allowed'|__aeabi_[a-z0-9]+|__stack_chk_(fail|guard)|_GLOBAL_OFFSET_TABLE_)$' # the compiler's own

symbols=$("$nm" "$@" | awk '
    NF == 2 && $1 == "U" { needed[$2] }
    NF == 3 { defined[$3] }
    END { for (name in needed) if (!(name in defined)) print name }' | sort)
constructors=$("$readelf" -SW "$@" | grep -E '\.(init_array|preinit_array|ctors)' || true)
foreign=$(echo "$symbols" | grep -vE "$allowed" || true)

unprefixed=$("$nm" "$@" | awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(gelu_|__)/ { print $3 }')

echo "needed:" $symbols
if [ -z "$symbols" ] || [ -n "$foreign" ] || [ -n "$constructors" ] || [ -n "$unprefixed" ]; then
    echo "not allowed:" $foreign "$constructors" $unprefixed
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
echo "1 passed, 0 failed, 0 skipped"
