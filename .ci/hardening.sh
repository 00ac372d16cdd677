# What looks for crashes, undefined behaviour and races. To be sourced by `full`. The lines that begin
# with "reliability:" are the figures of docs/reliability.md: `bench/report.py --reliability LOG`.

minutes=${GELU_MINUTES:-10} # of the fuzz target, and of each soak

# build_c_tests NAME [OPTION...]
build_c_tests() {
    PATH=$tools:$PATH meson setup "$work/$1" -Dwerror=true -Dctests=true -Dpython=disabled \
        -Dbuildtype=debugoptimized "${@:2}"
    PATH=$tools:$PATH meson compile -C "$work/$1"
}

# On each level, all at once. What is worth keeping becomes corpus by
# `fuzz -merge=1 -set_cover_merge=1 -use_counters=0 tests/fuzz/corpus FOUND`.
fuzz() {
    local build=$work/fuzz level levels
    need clang libclang-rt-14-dev
    CC=clang build_c_tests fuzz -Db_sanitize=address,undefined -Db_lundef=false \
        -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=all'
    levels=$("$work/here/bin/python" -P -c 'from gelu_ufunc import simd; print(*simd.available())')
    mkdir "$build/found"
    for level in $levels; do
        GELU_UFUNC_SIMD=$level "$build/tests/fuzz/fuzz" -max_len=256 -print_final_stats=1 \
            -max_total_time=$((60 * minutes)) -artifact_prefix="$build/" \
            "$build/found" tests/fuzz/corpus >"$build/$level.log" 2>&1 &
    done
    for level in $levels; do
        wait -n || {
            kill $(jobs -p) || true
            tail -n 40 "$build"/*.log
            return 1
        }
    done
    awk -v minutes="$minutes" -v levels="$levels" '/number_of_executed_units/ { n += $2 }
        END { print "reliability: fuzz: " n " calls in " minutes " minutes on " levels ", 0 findings" }' \
        "$build"/*.log
}

# The C tests but for those of flags, which valgrind does not keep, and those that take hours there.
# Python's own errors are not counted.
valgrind() {
    local log=$work/valgrind.log counts
    need valgrind
    build_c_tests valgrind
    PATH=$tools:$PATH meson test -C "$work/valgrind" --print-errorlogs --timeout-multiplier 20 \
        --wrapper 'valgrind -q --error-exitcode=9' api dispatch fuzz half memory threads
    echo "reliability: valgrind, C: $(c_groups valgrind), 0 errors"
    counts=$(GELU_UFUNC_SIMD=avx2 PYTHONMALLOC=malloc command valgrind --log-file="$log" \
        "$work/here/bin/python" tests/soak.py 0)
    if grep -E '_core\.|libgelu_ufunc' "$log"; then return 1; fi
    echo "reliability: valgrind, Python: $counts, 0 errors of ours"
}

# The tests that call the functions in ever new ways; those of values would take hours.
sanitized_python() {
    local venv=$work/sanitized log=$work/sanitized.txt
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q '.[test]' -Csetup-args=-Dbuildtype=debugoptimized \
        -Csetup-args=-Db_sanitize=address,undefined -Csetup-args=-Db_lundef=false
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 PYTHONMALLOC=malloc \
        "$venv/bin/pytest" -q tests/test_{memory,compositions,protocol,ufunc,special,quiet}.py \
        tests/test_{bfloat16,threaded,processes,c_api,failures}.py | tee "$log"
    echo "reliability: ASan and UBSan, Python: $(tail -n 1 "$log" | sed 's/ in [0-9].*//')"
}

thread_sanitizer() {
    need clang libclang-rt-14-dev
    CC=clang build_c_tests races -Db_sanitize=thread -Db_lundef=false
    "$work/races/tests/c/test_threads" $((6 * minutes)) | tee "$work/races.txt"
    echo "reliability: ThreadSanitizer, C: $(soak_counts "$work/races.txt"), 0 races"
}

soak() {
    local counts
    "$work/here-c/tests/c/test_threads" $((60 * minutes)) | tee "$work/soak.txt"
    echo "reliability: soak, C: $(soak_counts "$work/soak.txt") in $minutes minutes"
    counts=$("$work/here/bin/python" tests/soak.py "$minutes")
    echo "reliability: soak, Python: $counts in $minutes minutes"
}

large() {
    "$work/here-c/tests/c/proof_large" | tee "$work/large.txt"
    echo "reliability: 2^32 numbers in one call: $(tail -n 1 "$work/large.txt")"
}

soak_counts() {
    awk -F ', ' '/ mismatches/ { calls += $3; wrong += $4 }
        END { print calls " calls by 8 threads, " wrong " mismatches" }' "$1"
}
