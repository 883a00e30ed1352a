#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What README shows of `./dev demo` is what the demo prints, numbers aside. The argument is the build directory.
set -euo pipefail
build=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
normalise() { sed -E -e "s#$build/#build/#g" -e 's/[0-9]+/N/g' -e 's/\bNs?\b (task|preemption)s?/N \1/g'; }

shown=$(sed -n '/^\$ build\/bin\/ravel run/,/^```/p' README.md | sed '$d' | normalise)
printed=$(RAVEL_BUILD=$build examples/demo | normalise)
[[ -n $shown ]]
while IFS= read -r line; do
  if ! grep -qxF -- "$line" <<<"$printed"; then
    printf 'README.md shows this line, which the demo does not print:\n%s\n\nThe demo prints:\n%s\n' "$line" "$printed"
    exit 1
  fi
done <<<"$shown"
