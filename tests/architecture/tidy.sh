#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over the sources of the product, with the flags of the build directory given as the first argument.
# A file that passed is not looked at again until it, a header or the configuration changes.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v clang-tidy >/dev/null 2>&1; then
  echo "clang-tidy is not installed; ./dev check installs it"
  exit 77
fi
folders=(base model include trace strategies reports driver runtime)

# Any change of a header is a change of every file: simple, and right.
common=$(find "${folders[@]}" \( -name '*.h' -o -name '*.def' \) -type f -print0 | sort -z |
  xargs -0 cat .clang-tidy | sha256sum | cut -d' ' -f1)

tidy() {
  local file=$1 stamp="$build/tidy/$1" key
  key="$common $(sha256sum <"$file")"
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return 0
  clang-tidy --quiet --warnings-as-errors='*' -p "$build" "$file" 2>/dev/null || return 1
  mkdir -p "$(dirname "$stamp")"
  echo "$key" >"$stamp"
}
export -f tidy
export build common

# A source that no build rule compiles has no flags; the architecture test for layers speaks about those.
find "${folders[@]}" -name '*.cpp' -type f -print0 | sort -z |
  xargs -0 -r -n 1 -P "${RAVEL_JOBS:-$(nproc)}" bash -c 'tidy "$1"' tidy
