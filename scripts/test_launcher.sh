#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2034  # conditions are text until claim evaluates them
# Tests ../ductile on a small checkout of its own in a temporary folder: no package is installed,
# the project itself is not built. Prints "ok - CLAIM" or "not ok - CLAIM" a line.
set -uo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# The place is readable for everyone, and has a blank, as some people's folders do.
chmod 755 "$work"
checkout="$work/my checkout"
failures=0

# claim TEXT CONDITION: the condition is shell, about the last call.
claim() {
    if eval "$2"; then
        printf 'ok - %s\n' "$1"
    else
        printf 'not ok - %s\n' "$1"
        sed 's/^/    out: /' "$work/out"
        sed 's/^/    err: /' "$work/err"
        printf '    status: %s\n' "$status"
        failures=$((failures + 1))
    fi
}

# call [NAME=VALUE...] COMMAND...: runs it; what came of it is in $status, $work/out, $work/err.
call() {
    env "$@" </dev/null >"$work/out" 2>"$work/err"
    status=$?
}
said() { grep -qF -- "$1" "$work/err"; }
printed() { grep -qxF -- "$1" "$work/out"; }

make_checkout() {
    mkdir -p "$checkout/scripts"
    cp "$here/../ductile" "$checkout/"
    cp "$here/../CMakePresets.json" "$checkout/"
    printf '# A list.\ng++\ncmake  # says how\n\nninja-build\n' \
        >"$checkout/scripts/debian-packages.txt"
    printf '# More.\nviewer grep  # a command that is there\nbrowser nonesuch\n' \
        >"$checkout/scripts/test-packages.txt"
    cat >"$checkout/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(launcher_test LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(ductile_cli main.cpp)
set_target_properties(ductile_cli PROPERTIES OUTPUT_NAME ductile)
add_custom_target(slow COMMAND sleep 30)
END
    write_main 'version one'
}

write_main() {
    cat >"$checkout/main.cpp" <<END
#include <cstdio>
#include <cstring>
#include <unistd.h>
int main(int count, char** words) {
    char folder[4096];
    std::printf("$1\nfolder %s\n", getcwd(folder, sizeof folder));
    for (int i = 1; i < count; ++i) std::printf("word %s\n", words[i]);
    int c;
    while ((c = std::getchar()) != EOF) std::putchar(c);
    return count > 1 && std::strcmp(words[1], "seven") == 0 ? 7 : 0;
}
END
}

# A folder of stand-ins for what the launcher asks about the machine: which packages there are
# (state/installed), who we are (state/user), apt-get and sudo. Each call is written down.
make_machine() {
    machine="$work/machine"
    state="$work/state"
    rm -rf "$machine" "$state"
    mkdir -p "$machine" "$state"
    printf 'cmake\nninja-build\n' >"$state/installed"
    echo 0 >"$state/user"
    stand_in dpkg-query "for p in \"\${@:3}\"; do
        if grep -qxF -- \"\$p\" '$state/installed'; then echo \"\$p installed\"
        else echo \"no packages found matching \$p\" >&2; fi; done; exit 1"
    stand_in id "cat '$state/user'"
    stand_in apt-get "echo \"\$*\" >>'$state/apt'; echo 'apt was here'
        [[ ! -e '$state/broken' ]] || exit 100
        for w in \"\$@\"; do [[ \$w != install ]] || echo g++ >>'$state/installed'; done"
    : >"$state/apt"
    local tool
    for tool in bash env readlink sed grep cat cksum tail mkdir flock awk nproc cmake ninja; do
        ln -s "$(type -P "$tool")" "$machine/$tool"
    done
}
stand_in() {
    printf '#!/bin/bash\n%s\n' "$2" >"$machine/$1"
    chmod +x "$machine/$1"
}

test_missing_packages() {
    make_machine
    call PATH="$machine" DUCTILE_NO_INSTALL=1 "$checkout/ductile" run
    claim 'with DUCTILE_NO_INSTALL=1 it names what is missing and stops with 3' \
        '[[ $status == 3 && ! -s $state/apt ]] && said "are missing: g++" && ! said cmake'
    claim 'and it has not begun to build' '[[ ! -e $checkout/build ]]'

    rm "$machine/apt-get"
    call PATH="$machine" "$checkout/ductile" run
    claim 'without apt-get it names what is missing and stops with 3' \
        '[[ $status == 3 ]] && said "are missing: g++" && said "There is no apt-get"'

    make_machine
    rm "$machine/dpkg-query" "$machine/apt-get"
    call PATH="$machine" "$checkout/ductile" run
    claim 'on a system without dpkg it names every package and stops with 3' \
        '[[ $status == 3 ]] && said "are missing: g++ cmake ninja-build"'

    make_machine
    echo 1000 >"$state/user"
    call PATH="$machine" "$checkout/ductile" run
    claim 'neither root nor sudo: it names what is missing and stops with 3' \
        '[[ $status == 3 && ! -s $state/apt ]] && said "are missing: g++"'

    stand_in sudo 'exit 1'
    call PATH="$machine" "$checkout/ductile" run
    claim 'a sudo that wants a password is not asked where nobody can type it' \
        '[[ $status == 3 && ! -s $state/apt ]] && said "are missing: g++"'

    call PATH="$machine" "$checkout/ductile" --help
    claim 'help installs nothing and still shows the commands of the launcher' \
        '[[ $status == 0 && ! -s $state/apt ]] && grep -qF "test [--fast | --all]" "$work/out"'
}

test_installing() {
    local wanted='-o DPkg::Lock::Timeout=300 install -y --no-install-recommends g++'
    make_machine
    call PATH="$machine" "$checkout/ductile" setup
    claim 'root installs exactly the missing packages, without recommended ones' \
        '[[ $status == 0 && $(tail -n 1 "$state/apt") == "$wanted" ]]'
    claim 'after an update of the lists' 'grep -q " update$" "$state/apt"'
    : >"$state/apt"
    call PATH="$machine" "$checkout/ductile" setup
    claim 'what is there is not installed again' '[[ $status == 0 && ! -s $state/apt ]]'

    call PATH="$machine" DUCTILE_NO_INSTALL=1 "$checkout/ductile" setup --tests
    claim 'setup --tests wants what only tests need, too, unless a command stands for it' \
        '[[ $status == 3 ]] && said "are missing: browser" && ! said viewer'
    call PATH="$machine" "$checkout/ductile" setup --nonesuch
    claim 'setup refuses other arguments' '[[ $status == 1 ]] && said "--nonesuch"'

    make_machine
    echo 1000 >"$state/user"
    stand_in sudo "echo \"\$*\" >>'$state/sudo'; shift; [[ \$1 == true ]] || exec \"\$@\""
    call PATH="$machine" "$checkout/ductile" setup
    claim 'a user with sudo installs through sudo' \
        '[[ $status == 0 && $(tail -n 1 "$state/apt") == "$wanted" ]] &&
                        grep -q "^-n env DEBIAN_FRONTEND=noninteractive apt-get" "$state/sudo"'

    make_machine
    touch "$state/broken"
    call PATH="$machine" "$checkout/ductile" setup
    claim 'a failed installation stops with 3 and shows what apt said' \
        '[[ $status == 3 ]] && said "apt was here" && said "could not install: g++"'
    rm -rf "$checkout/build"
}

test_building() {
    cd "$work" || exit 1
    call "$checkout/ductile" seven 'two words' '' '*'
    claim 'the first call builds and hands over every argument as it is' \
        'printed "version one" && printed "word two words" && printed "word " && printed "word *"'
    claim 'the exit status is that of the command' '[[ $status == 7 ]]'
    claim 'the working folder is that of the caller' 'printed "folder $work"'
    claim 'the launcher itself prints nothing on stdout' '! grep -q ductile: "$work/out"'

    printf 'through\n' | "$checkout/ductile" x >"$work/out" 2>"$work/err"
    claim 'stdin reaches the command' 'printed through'

    mkdir -p "$work/links"
    ln -s "$checkout/ductile" "$work/links/one"
    ln -s one "$work/links/two"
    local began=$EPOCHREALTIME
    call "$work/links/two" x
    local took_ms=$(((${EPOCHREALTIME/./} - ${began/./}) / 1000))
    claim "a second call, through links, builds nothing and starts within 2 s (took $took_ms ms)" \
        '[[ $status == 0 && ! -s $work/err && $took_ms -lt 2000 ]] && printed "word x"'

    call "$checkout/ductile"
    claim 'without arguments it shows the help of the command and then its own' \
        '[[ $status == 0 ]] && printed "word --help" && grep -q "^  setup" "$work/out"'
    eval "$(sed -n '/^time_left() {/,/^}/p' "$checkout/ductile")"
    claim 'a build says about how long it goes on, once that can be told' \
        '[[ $(time_left 10/100 60) == ", about 9 min left" ]] && [[ -z $(time_left 1/100 60; time_left Get:3 60) ]]'
    call DUCTILE_TEST_MINUTES=1.5 "$checkout/ductile" test
    claim 'a DUCTILE_TEST_MINUTES that is no count is refused' \
        '[[ $status == 1 ]] && said "DUCTILE_TEST_MINUTES"'
    call DUCTILE_BUILD_JOBS=some "$checkout/ductile" x
    claim 'a DUCTILE_BUILD_JOBS that is no number is refused' \
        '[[ $status == 1 ]] && said "DUCTILE_BUILD_JOBS"'
    echo 'import sys; print(sys.argv[1:])' >"$checkout/scripts/run_mutate.py"
    call "$checkout/ductile" mutate geom --count 3
    claim 'mutate hands its words to its script, which builds what it needs' \
        '[[ $status == 0 && ! -s $work/err ]] && printed "['"'geom', '--count', '3'"']"'
    call "$checkout/ductile" build nonesuch
    claim 'an unknown preset stops with 4' '[[ $status == 4 ]] && said nonesuch'
}

test_changes() {
    write_main 'version two'
    "$checkout/ductile" x </dev/null >"$work/out.first" 2>"$work/err.first" &
    local first=$!
    call "$checkout/ductile" x
    wait "$first"
    claim 'of two calls at a time both wait for the same build' \
        'printed "version two" && grep -qx "version two" "$work/out.first"'

    echo 'this is no C++' >>"$checkout/main.cpp"
    call "$checkout/ductile" x
    claim 'a failed build stops with 4, shows the error and does not run the old command' \
        '[[ $status == 4 && ! -s $work/out ]] && said "main.cpp" && said "error:"'
    write_main 'version three'

    call timeout --preserve-status --signal=INT 1 "$checkout/ductile" build release slow
    claim 'Ctrl-C in a build ends it with 130' '[[ $status == 130 ]] && said interrupted'
    call "$checkout/ductile" x
    claim 'and the next call builds on' \
        '[[ $status == 0 ]] && printed "version three"'

    mv "$checkout" "$work/moved"
    mkdir "$checkout"
    checkout="$work/moved"
    write_main 'version four'
    call "$checkout/ductile" x
    claim 'a checkout that moved with its build folder builds its own sources' \
        '[[ $status == 0 ]] && printed "version four"'
}

test_as_another_user() {
    [[ $(id -u) == 0 ]] && type -P setpriv >/dev/null || return 0
    rm -rf "$checkout/build"
    chown -R 65534:65534 "$checkout"
    call HOME=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups "$checkout/ductile" x
    claim 'a user without root, sudo or a home builds where the packages are there' \
        '[[ $status == 0 ]] && printed "version four"'
}

make_checkout
test_missing_packages
test_installing
test_building
test_changes
test_as_another_user
((failures == 0))
