# Wheels without containers: zig's C compiler has headers and stubs of any glibc, and of musl. To be
# sourced by `full`.

# zig_wheel TARGET TRIPLE [OPTION...]: build a wheel in $work/TARGET; `headers` may hold the root of
# another architecture's Python.
zig_wheel() {
    local target=$1 binutils=${2:+$2-} root=${headers:-} config=$work/$1.ini kind=native
    cat >"$work/$target-cc" <<END
#!/bin/sh
exec $tools/python -m ziglang cc -target $target -g0 ${root:+-I$root/usr/include/python3.11} "\$@" \
    -idirafter $root/usr/include
END
    chmod +x "$work/$target-cc"
    cat >"$config" <<END
[binaries]
c = '$work/$target-cc'
ar = '${binutils}ar'
strip = '${binutils}strip'
numpy-config = '$tools/numpy-config'
END
    if [[ $root ]]; then
        kind=cross
        sed -n '/host_machine/,$p' .ci/aarch64.ini >>"$config"
    fi
    PATH=$tools:$PATH pip wheel -q --no-build-isolation --no-deps --wheel-dir "$work/$target" . \
        -Csetup-args="--$kind-file=$config" \
        -Csetup-args=-Dpython.allow_limited_api=true -Cinstall-args=--strip
}

# check_wheel FILE: the size that is promised, and what auditors say.
check_wheel() {
    ls -l "$1"
    [[ $(stat -c %s "$1") -le 400000 ]]
    "$tools/abi3audit" --strict --verbose "$1"
    "$tools/check-wheel-contents" "$1"
    "$tools/twine" check --strict "$1"
}

wheel_tools() {
    need binutils gcc-aarch64-linux-gnu musl-tools
    "$tools/pip" install -q -r .ci/requirements-wheels.txt
}

# The oldest glibc that zig knows; auditwheel then grants what the symbols allow.
manylinux() {
    zig_wheel x86_64-linux-gnu.2.17 ''
    PATH=$tools:$PATH auditwheel repair -z 9 --strip --wheel-dir "$work/wheelhouse" "$work"/x86_64-linux-gnu.*/*.whl
    check_wheel "$work"/wheelhouse/*manylinux*_x86_64.whl
}

# manylinux_with PYTHON NUMPY: the suite against the same file.
manylinux_with() {
    local python venv=$work/with-$1-${2//[^0-9]/}
    python=$(find_python "$1") || return "$skipped"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install -q "$(echo "$work"/wheelhouse/*manylinux*_x86_64.whl)[test]" "numpy$2"
    "$venv/bin/pip" list | grep -i numpy
    "$venv/bin/pytest" -q
}

# debian_root FOLDER ARCHITECTURE SUITE PACKAGES: unpacked there, not installed.
debian_root() {
    local package
    need debootstrap
    debootstrap --foreign --arch="$2" --variant=minbase --include="$4" "$3" "$1"
    for package in "$1"/var/cache/apt/archives/*.deb; do dpkg -x "$package" "$1"; done
}

# suite_in ROOT ARCHITECTURE PYTHON RUNNER: the whole suite on the wheel of that architecture and the
# Python of that root, which RUNNER runs; so are the processes that tests start.
suite_in() {
    local site=$1/usr/local/lib/$3/dist-packages program=$1/python
    "$tools/pip" install -q --target "$site" --only-binary=:all: --python-version "${3#python}" \
        --platform "manylinux_2_28_$2" --platform "manylinux2014_$2" \
        "$(echo "$work"/wheelhouse/*manylinux*_"$2".whl)[test]" pytest-xdist
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$4" "$1/usr/bin/$3" >"$program"
    chmod +x "$program"
    printf 'import sys; sys.executable = "%s"\n' "$program" >"$site/executable.pth"
    OPENBLAS_NUM_THREADS=1 "$program" -P -m pytest -q -n "$(nproc)" --dist loadfile
}

# The same file on a newer Python than is installed here: Debian's, by its own dynamic linker.
manylinux_sid() {
    local root=$work/sid
    debian_root "$root" amd64 sid "$1"
    suite_in "$root" x86_64 "$1" \
        "$root/usr/lib64/ld-linux-x86-64.so.2 --library-path $root/usr/lib/x86_64-linux-gnu"
}

# aarch64 with Debian's Python of that architecture: its headers, and the suite, emulated. The
# compilers here are of no use to it.
manylinux_aarch64() {
    local headers=$work/arm64
    need qemu-user-static
    debian_root "$headers" arm64 bookworm python3,libpython3-dev
    _PYTHON_HOST_PLATFORM=linux-aarch64 zig_wheel aarch64-linux-gnu.2.17 aarch64-linux-gnu
    PATH=$tools:$PATH auditwheel repair -z 9 --wheel-dir "$work/wheelhouse" "$work"/aarch64-linux-gnu.*/*.whl
    check_wheel "$work"/wheelhouse/*manylinux*_aarch64.whl
    suite_in "$headers" aarch64 python3.11 \
        "/usr/bin/env PATH=/nowhere $(command -v qemu-aarch64-static) -L $headers"
}

# Built, and its library run on Debian's musl; no Python for musl is at hand. zig calls musl's library
# libc.so, which auditwheel does not know.
musllinux() {
    local unpacked=$work/unpacked library
    zig_wheel x86_64-linux-musl ''
    "$tools/wheel" unpack --dest "$unpacked" "$work"/x86_64-linux-musl/*.whl
    library=$(echo "$unpacked"/*/gelu_ufunc/lib)
    strip "$library/libgelu_ufunc.so" "$library"/../_core.*.so # what auditwheel does to the others
    "$tools/patchelf" --replace-needed libc.so libc.musl-x86_64.so.1 "$library/libgelu_ufunc.so"
    "$tools/patchelf" --replace-needed libc.so libc.musl-x86_64.so.1 "$library"/../_core.*.so
    "$tools/wheel" pack --dest-dir "$unpacked" "$unpacked"/gelu_ufunc-*/
    PATH=$tools:$PATH auditwheel show "$unpacked"/*.whl | grep musllinux_1_2_x86_64
    (cd "$unpacked" && "$tools/wheel" tags --remove --platform-tag musllinux_1_2_x86_64 ./*.whl)
    mv "$unpacked"/*.whl "$work/wheelhouse"
    check_wheel "$work"/wheelhouse/*musllinux*.whl
    musl-gcc -std=c99 "-I$library/../include" .ci/program.c "$library/libgelu_ufunc.so" \
        "-Wl,-rpath,$library" -o "$work/musl-program"
    "$work/musl-program"
}

# Windows and macOS: the C library compiles. More is not at hand.
other_systems() {
    local target level config=$work/other
    mkdir "$config"
    for target in {x86_64,aarch64}-{windows-gnu,macos}; do
        echo "--- $target"
        case $target in
            x86_64*) levels='baseline avx2 avx512' ;;
            *) levels='baseline neon' ;;
        esac
        {
            printf '#define GELU_LEVELS(X) X(baseline, 0)'
            for level in ${levels#baseline}; do printf ' X(%s, GELU_CPU_%s)' "$level" "${level^^}"; done
            echo
        } >"$config/config.h"
        for level in $levels; do
            case $level in
                avx2) flags='-mavx2 -mfma' ;;
                avx512) flags='-mavx2 -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl' ;;
                *) flags= ;;
            esac
            # shellcheck disable=SC2086
            zig_object "$target" "$config" $flags "-DGELU_LEVEL=$level" src/kernels.c
        done
        for file in src/[!k]*.c src/math/*.c; do zig_object "$target" "$config" "$file"; done
    done
}

zig_object() {
    "$tools/python" -m ziglang cc -target "$1" -std=c11 -O2 -Wall -Wextra -Werror -ffp-contract=off \
        -fno-math-errno -ftrapping-math "-I$2" -Isrc -Igelu_ufunc/include -c -o "$2/object.o" "${@:3}"
}

# In an empty environment, from the source distribution.
sdist() {
    fresh_clone "$work/sdist-clone"
    "$tools/python" -m build --outdir "$work/sdist-dist" "$work/sdist-clone"
    "$tools/twine" check --strict "$work"/sdist-dist/*
}

# A root folder with Python and NumPy, and nothing else.
minimal_root() {
    local root=$work/root
    need debootstrap
    debootstrap --variant=minbase --include=python3 bookworm "$root"
    "$tools/pip" install -q --target "$root/usr/local/lib/python3.11/dist-packages" --no-deps \
        --only-binary=:all: --python-version 3.11 --platform manylinux_2_28_x86_64 \
        --platform manylinux_2_5_x86_64 numpy "$work"/wheelhouse/*manylinux*_x86_64.whl
    chroot "$root" python3 -P -m gelu_ufunc demo
}

# Import beside NumPy's: the median of many, in turns.
import_time() {
    "$work/here/bin/pip" uninstall -q -y ml_dtypes
    "$work/here/bin/python" -P bench/import_time.py --limit 3
    "$work/here/bin/pip" install -q ml_dtypes
}

workflows() {
    local command sources folder=$work/test-sources
    "$tools/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
    "$tools/zizmor" --offline .github/workflows
    "$tools/cibuildwheel" --platform linux --print-build-identifiers
    # Its tests see no more than the files that it copies.
    {
        read -r command
        read -ra sources
    } < <(python3 -c 'import tomllib
options = tomllib.load(open("pyproject.toml", "rb"))["tool"]["cibuildwheel"]
print(options["test-command"])
print(*options["test-sources"])')
    mkdir "$folder"
    cp -r "${sources[@]}" "$folder"
    (cd "$folder" && PATH=$work/here/bin:$PATH bash -c "$command")
}
