# What looks for crashes, undefined behaviour and races. To be sourced by `full`. The lines that begin
# with "reliability:" are the figures of docs/reliability.md: `bench/report.py --reliability LOG`.

minutes=${GELU_MINUTES:-10} # of the fuzz target, and of each soak

# build_c_tests NAME [OPTION...]
build_c_tests() {
    PATH=$tools:$PATH meson setup "$work/$1" -Dwerror=true -Dctests=true -Dpython=disabled \
        -Dbuildtype=debugoptimized "${@:2}"
    PATH=$tools:$PATH meson compile -C "$work/$1"
}

# By two workers. What they found worth keeping becomes corpus by
# `fuzz -merge=1 -set_cover_merge=1 tests/fuzz/corpus FOLDER`.
fuzz() {
    local build=$work/fuzz calls
    need clang libclang-rt-14-dev
    CC=clang build_c_tests fuzz -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=all'
    mkdir "$build/found"
    cp -r tests/fuzz/corpus "$build/kept"
    (cd "$build" && tests/fuzz/fuzz -jobs=2 -workers=2 -max_len=256 -print_final_stats=1 \
        "-max_total_time=$((60 * minutes))" found kept >fuzz.log 2>&1) || {
        tail -n 50 "$build"/fuzz-*.log
        return 1
    }
    calls=$(awk '/number_of_executed_units/ { n += $2 } END { print n }' "$build"/fuzz-*.log)
    echo "reliability: fuzz: $calls calls in $minutes minutes by 2 workers, 0 findings"
}

# The C tests but for those of flags, which valgrind does not keep, and of errors, which take hours.
# It shows them no AVX-512.
valgrind() {
    local log=$work/valgrind.log
    need valgrind
    build_c_tests valgrind
    PATH=$tools:$PATH meson test -C "$work/valgrind" --print-errorlogs --timeout-multiplier 20 \
        --wrapper 'valgrind -q --error-exitcode=9' api dispatch half special threads
    echo "reliability: valgrind, C: $(c_groups valgrind), 0 errors"
    GELU_UFUNC_SIMD=avx2 PYTHONMALLOC=malloc command valgrind --log-file="$log" \
        "$work/here/bin/python" -P -m pytest -q tests/test_special.py | tee "$work/valgrind-python"
    ! grep -E '_core\.|libgelu_ufunc' "$log"
    echo "reliability: valgrind, Python: $(pytest_summary "$work/valgrind-python"), 0 errors of ours"
}

sanitized_python() {
    local venv=$work/sanitized-python
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q '.[test]' -Csetup-args=-Dbuildtype=debugoptimized \
        -Csetup-args=-Db_sanitize=address,undefined -Csetup-args=-Db_lundef=false
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
        PYTHONMALLOC=malloc "$venv/bin/pytest" -q | tee "$work/sanitized-python.txt"
    echo "reliability: ASan and UBSan, Python: $(pytest_summary "$work/sanitized-python.txt")"
}

thread_sanitizer() {
    need clang libclang-rt-14-dev
    CC=clang build_c_tests threads -Db_sanitize=thread -Db_lundef=false
    "$work/threads/tests/c/test_threads" $((6 * minutes)) | tee "$work/threads.txt"
    echo "reliability: ThreadSanitizer: $(soak_summary "$work/threads.txt")"
}

soak() {
    "$work/here-c/tests/c/test_threads" $((60 * minutes)) | tee "$work/soak.txt"
    echo "reliability: soak, C: $(soak_summary "$work/soak.txt") in $minutes minutes"
    echo "reliability: soak, Python: $("$work/here/bin/python" tests/soak.py "$minutes") in $minutes minutes"
}

# ---- what the tests have printed

c_groups() {
    awk '/^[0-9]+ passed, 0 failed/ { n += $1 } END { print n " groups of checks passed" }' \
        "$work/$1"/meson-logs/testlog*.txt
}

pytest_summary() { tail -n 1 "$1" | sed 's/ in [0-9].*//'; }

soak_summary() {
    awk -F ', ' '/ mismatches/ { calls += $3; wrong += $4 }
        END { print calls " calls by 8 threads, " wrong " mismatches" }' "$1"
}
