#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the table of benchmarks/search.py as a picture: programs down, strategies across, the colour of a cell is the
logarithm of its mean.

  benchmarks/search_picture.py build/bench/search.json docs/pictures/search.svg
"""

import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

# From few schedules to many: light to dark, readable without seeing colours.
SCALE = [(0xff, 0xff, 0xe5), (0xd9, 0xf0, 0xa3), (0x78, 0xc6, 0x79), (0x23, 0x84, 0x43), (0x00, 0x3c, 0x25)]
NOT_FOUND = "#d4d0d6"
INK, PAPER, FAINT = "#1f2328", "#ffffff", "#59636e"
ROW, NAME, CELL, GAP, TOP, EDGE = 18, 168, 58, 28, 92, 14


def colour(mean, limit):
    at = min(math.log(max(mean, 1)) / math.log(limit), 1) * (len(SCALE) - 1)
    below = min(int(at), len(SCALE) - 2)
    mixed = [round(a + (b - a) * (at - below)) for a, b in zip(SCALE[below], SCALE[below + 1])]
    return "#%02x%02x%02x" % tuple(mixed), INK if at < 2.4 else PAPER


def number(mean):
    return f"{mean:.1f}" if mean < 100 else f"{mean:.0f}"


def draw(document, out):
    limit, seeds, table = document["executions"], document["seeds"], document["table"]
    # auto first: it is what the others are compared with.
    strategies = sorted(document["strategies"], key=lambda name: name != "auto")
    names = list(table)
    panel_width = NAME + CELL * len(strategies)
    # A page shows about a thousand pixels; wider pictures would be shrunk until nobody can read them.
    panels = 2 if len(names) > 24 and 2 * EDGE + 2 * panel_width + GAP <= 1000 else 1
    length = math.ceil(len(names) / panels)
    width = max(2 * EDGE + panels * panel_width + (panels - 1) * GAP, 640)
    height = TOP + length * ROW + EDGE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']

    def text(x, y, words, fill=INK, anchor="start", more=""):
        parts.append(f'<text x="{x}" y="{y}" fill="{fill}" text-anchor="{anchor}" {more}>{escape(words)}</text>')

    def box(x, y, w, h, fill):
        parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}"/>')

    text(EDGE, 24, "Schedules to the first failure", more='font-size="15" font-weight="bold"')
    text(EDGE, 42, f"mean of {seeds} seeds; a seed that finds nothing counts as {limit:,}, where the search stops; "
                   "bold: the best of the row", FAINT)
    x = EDGE
    steps = [step for step in (1, 10, 100, 1000, 10_000, 100_000) if step < limit] + [limit]
    for step in steps:
        fill, ink = colour(step, limit)
        box(x, 50, 52, 14, fill)
        text(x + 26, 61, f"{step:,}", ink, "middle")
        x += 52
    box(x + 10, 50, 64, 14, NOT_FOUND)
    text(x + 42, 61, "not found", INK, "middle")
    text(x + 84, 61, "small: seeds that found it, if not all", FAINT)

    for panel in range(panels):
        left = EDGE + panel * (panel_width + GAP)
        for column, strategy in enumerate(strategies):
            text(left + NAME + column * CELL + CELL / 2, TOP - 6, strategy, anchor="middle", more='font-weight="bold"')
        for line, name in enumerate(names[panel * length:(panel + 1) * length]):
            y = TOP + line * ROW
            text(left + NAME - 8, y + 13, name, anchor="end")
            best = min(cell["mean"] for cell in table[name].values())
            for column, strategy in enumerate(strategies):
                cell = table[name][strategy]
                x = left + NAME + column * CELL
                if cell["found"] == 0:
                    box(x, y, CELL - 1, ROW - 1, NOT_FOUND)
                    text(x + CELL / 2, y + 13, "–", INK, "middle")
                    continue
                fill, ink = colour(cell["mean"], limit)
                box(x, y, CELL - 1, ROW - 1, fill)
                bold = 'font-weight="bold"' if cell["mean"] == best else ""
                if cell["found"] == cell["tried"]:
                    text(x + CELL / 2, y + 13, number(cell["mean"]), ink, "middle", bold)
                else:
                    text(x + 3, y + 13, number(cell["mean"]), ink, "start", bold)
                    text(x + CELL - 4, y + 13, f"{cell['found']}/{cell['tried']}", ink, "end", 'font-size="8"')
    parts.append("</svg>")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2]))
