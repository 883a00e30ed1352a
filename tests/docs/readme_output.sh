#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What README shows of `./dev demo` is what the demo prints, except for numbers: line by line, in order. A line "[...]"
# stands for lines left out. Lines that the report itself cuts ("..") do not belong there. The argument is the build
# directory.
set -euo pipefail
build=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
normalise() { sed -E -e "s#$build/#build/#g" -e 's/[0-9]+/N/g' -e 's/\bNs?\b (task|preemption)s?/N \1/g'; }

mapfile -t shown < <(sed -n '/^\$ build\/bin\/ravel run/,/^```/p' README.md | sed '$d' | normalise)
mapfile -t printed < <(RAVEL_BUILD=$build examples/demo | normalise)
[[ ${#shown[@]} -gt 1 ]]

next=0      # the first line of the demo that README has not passed yet
skipping=1  # lines of the demo may be left out here
for line in "${shown[@]}"; do
  if [[ $line == "[...]" ]]; then
    skipping=1
    continue
  fi
  while [[ $skipping -eq 1 && $next -lt ${#printed[@]} && ${printed[next]} != "$line" ]]; do next=$((next + 1)); done
  if [[ $line == *.. || $next -ge ${#printed[@]} || ${printed[next]} != "$line" ]]; then
    printf 'README.md shows this line, which is cut or not what the demo prints there:\n%s\n\nThe demo prints:\n' "$line"
    printf '%s\n' "${printed[@]}"
    exit 1
  fi
  skipping=0
  next=$((next + 1))
done
