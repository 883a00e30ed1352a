#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles a program that touches the whole TSan ABI and checks that the runtime answers for every symbol.
#
#   check.sh symbols LIBRARY               every name in symbols.txt is exported
#   check.sh compiler LIBRARY CC CXX       every __tsan_ symbol these compilers ask for is exported, and the program
#                                          does the same with the passive runtime as the language says
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mode=$1
library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/exported"

# Fails with the names in the given sorted list that the runtime does not export.
require() {
  missing=$(comm -23 "$1" "$work/exported")
  [ -z "$missing" ] && return 0
  echo "$2: the runtime does not export:" >&2
  echo "$missing" >&2
  return 1
}

if [ "$mode" = symbols ]; then
  grep -v '^#' "$here/symbols.txt" | sort -u > "$work/listed"
  require "$work/listed" "symbols.txt"
  exit
fi

cc=$3
cxx=$4
# Both know accesses that are only announced when asked for.
if "$cc" --version | grep -q clang; then
  variants="none|-mllvm -tsan-distinguish-volatile|-mllvm -tsan-compound-read-before-write|-mllvm -tsan-compound-read-before-write -mllvm -tsan-distinguish-volatile"
else
  variants="none|--param tsan-distinguish-volatile=1"
fi

failed=0
: > "$work/all_wanted"
for level in -O0 -O1 -O2; do
  for source in all_accesses.c all_accesses.cpp; do
    case $source in *.c) compiler=$cc ;; *) compiler=$cxx ;; esac
    IFS='|'
    for variant in $variants; do
      IFS=' '
      [ "$variant" = none ] && variant=
      what="$compiler $level $variant $source"
      # shellcheck disable=SC2086 # the variant is a list of flags
      "$compiler" $level $variant -w -mcx16 -g -I"$here/../../../include" -fsanitize=thread -c "$here/$source" -o "$work/program.o"
      nm -u "$work/program.o" | awk '{ print $2 }' | grep -E '^(__tsan_|__sanitizer_|Annotate)' | sort -u > "$work/wanted"
      cat "$work/wanted" >> "$work/all_wanted"
      if ! require "$work/wanted" "$what"; then
        failed=1
        continue
      fi
      # Not -fsanitize=thread here: that would bring the compiler's own runtime.
      "$compiler" "$work/program.o" "$library" -Wl,-rpath,"$(dirname "$library")" -o "$work/program"
      if ! "$work/program"; then
        echo "$what: the program went wrong" >&2
        failed=1
      fi
    done
    unset IFS
  done
done

# The program must be worth its name: what it did not make the compiler ask for was not tested.
for name in __tsan_func_entry __tsan_func_exit __tsan_vptr_update __tsan_atomic_thread_fence __tsan_atomic_signal_fence \
  __tsan_read1 __tsan_write8 __tsan_unaligned_read4 __tsan_volatile_read4 __tsan_volatile_write8 \
  __tsan_atomic8_fetch_nand __tsan_atomic32_load; do
  case $name in
    # gcc announces unaligned accesses as ranges
    __tsan_unaligned_*) "$cc" --version | grep -q clang || continue ;;
  esac
  if ! grep -qx "$name" "$work/all_wanted"; then
    echo "$cxx: the program never made it call $name" >&2
    failed=1
  fi
done
[ "$failed" = 0 ] || exit 1
echo "$cxx: $(sort -u "$work/all_wanted" | wc -l) symbols, all exported"
