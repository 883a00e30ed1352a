#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks (or with --fix, restores) the formatting of every C++ file. `./dev format` calls it with --fix, ctest without.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v clang-format >/dev/null 2>&1; then
  echo "clang-format is not installed; ./dev check installs it"
  exit 77
fi
mode=(--dry-run --Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
find . \( -path './build*' -o -path './.?*' \) -prune -o \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -type f -print0 |
  xargs -0 -r -n 40 -P 2 clang-format "${mode[@]}"
