# What `run` and `full` share. To be sourced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$work/tools/bin

# step FUNCTION [ARGUMENT...]: its name first, its duration last. It is not called under `if` or
# `||`, where bash would ignore a failure inside it.
step() {
    local start=$SECONDS
    printf '\n=== %s\n' "$*"
    "$@"
    printf '=== %s: %d s\n' "$*" $((SECONDS - start))
}

# need PACKAGE...: install what is missing of them.
need() {
    local package missing=()
    for package; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [[ ${#missing[@]} -eq 0 ]] && return
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${missing[@]}"
}

python_packages() {
    python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
    local include
    include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [[ -e $include/Python.h ]] || need python3-dev
}

# The pinned tools, and what builds without isolation need.
install_tools() {
    python_packages
    python3 -m venv "$work/tools"
    "$tools/pip" install -q -r .ci/requirements.txt
}

# fresh_clone FOLDER: a repository of the work tree as it is, committed or not. Through an index of
# its own, so that ours and the work tree stay as they are.
fresh_clone() {
    export GIT_INDEX_FILE=$work/index
    git add --all
    git checkout-index --all --prefix="$1/"
    unset GIT_INDEX_FILE
    git -C "$1" init -q
    git -C "$1" add --all
    git -C "$1" -c user.name=ci -c user.email=ci@localhost commit -q -m 'work tree'
}

# meson_tests NAME [OPTION...]: build in a folder of that name, warnings as errors, and run the C
# tests; the variable `wrapper` may hold a program to run them with.
meson_tests() {
    local build=$work/$1
    PATH=$tools:$PATH meson setup "$build" -Dwerror=true -Dctests=true "${@:2}"
    PATH=$tools:$PATH meson compile -C "$build"
    PATH=$tools:$PATH meson test -C "$build" --print-errorlogs --timeout-multiplier 10 \
        ${wrapper:+--wrapper "$wrapper"}
}

# c_groups NAME: how many groups of checks the C tests of that build have passed.
c_groups() {
    awk '/^[0-9]+ passed, 0 failed/ { n += $1 } END { print n " groups of checks passed" }' \
        "$work/$1"/meson-logs/testlog*.txt
}
