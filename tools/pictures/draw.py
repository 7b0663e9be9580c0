#!/usr/bin/env python3
"""Draws the pictures of docs/algorithms.md from the decisions that decide.cc prints.

    draw.sh, or: pictures | draw.py docs/pictures

One SVG a picture, light or dark as the reader's system is, without fonts or scripts of its own.
Every line and mark is a decision of the library; nothing here decides anything.
"""

import sys
from pathlib import Path

PERIOD = 10_000_000  # of every limit in decide.cc, in microseconds
TOKENS = 10

TITLES = {
    "steady": "A steady stream at twice the rate: one request every 500 ms",
    "edge": "A burst across a window's edge: 20 requests in 2 s, at 10 s and again at 20 s",
    "idle": "A trickle, a pause, a burst: one request every 2 s, none for 18 s, then one every 250 ms",
    "bounds": "The worst each can be made to admit: 10 at once just before 10 s, then one every 100 ms",
}
ALGORITHMS = {
    "10/10s": "sliding_window",
    "10/10s algorithm sliding_window_counter": "sliding_window_counter",
    "10/10s algorithm fixed_window": "fixed_window",
    "10/10s burst 10": "token_bucket",
    "10/10s burst 10 refill interval": "token_bucket",
}
ALIGNED = {"sliding_window_counter", "fixed_window"}

# Geometry, in pixels.
WIDTH, LEFT, RIGHT = 840, 44, 20
HEAD, FOOT = 62, 46
TITLE, CHART, MARKS, GAP = 26, 84, 26, 22
PANEL = TITLE + CHART + MARKS + GAP
MOST = 20  # the top of the vertical axis

STYLE = """
.paper{fill:#fff;stroke:#d8dee4}
text{font:12px -apple-system,BlinkMacSystemFont,"Segoe UI",Helvetica,Arial,sans-serif;fill:#57606a}
.title{font-size:15px;font-weight:600;fill:#1f2328}
.name{font-size:13px;font-weight:600;fill:#1f2328}
.limit{fill:#57606a;font-weight:400;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:11px}
.end{text-anchor:end}.mid{text-anchor:middle}
.strong{fill:#1f2328;font-weight:600}.bad{fill:#b35900}
.grid{stroke:#e6eaee;fill:none}.axis{stroke:#8c959f;fill:none}
.edge{stroke:#8c959f;stroke-dasharray:1 3;fill:none}
.bound{stroke:#57606a;stroke-dasharray:6 4;fill:none}
.area{fill:#0969da;fill-opacity:.14}.over{fill:#e36209;fill-opacity:.45}
.line{stroke:#0969da;stroke-width:1.6;fill:none;stroke-linejoin:round}
.yes{stroke:#0969da;fill:none}.no{stroke:#c2590a;fill:none}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117;stroke:#30363d}
text,.limit{fill:#9aa4af}.title,.name,.strong{fill:#e6edf3}.bad{fill:#f0a35e}
.grid{stroke:#21272e}.axis,.edge{stroke:#6e7681}.bound{stroke:#9aa4af}
.area{fill:#58a6ff;fill-opacity:.18}.over{fill:#f0883e;fill-opacity:.5}
.line,.yes{stroke:#58a6ff}.no{stroke:#f0883e}
}
"""


def read_pictures(lines):
    """{picture: [(limit, [(microseconds, admitted)])]} in the order printed."""
    pictures = {}
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "picture":
            panels = pictures.setdefault(rest, [])
        elif word == "panel":
            panels.append((rest, []))
        else:
            panels[-1][1].append((int(word), rest == "1"))
    return pictures


def admitted_in_period(requests):
    """Steps (microseconds, count): how many were admitted in (t - PERIOD, t]."""
    changes = {}
    for at, admitted in requests:
        if admitted:
            changes[at] = changes.get(at, 0) + 1
            changes[at + PERIOD] = changes.get(at + PERIOD, 0) - 1
    count, steps = 0, []
    for at in sorted(changes):
        if changes[at]:
            count += changes[at]
            steps.append((at, count))
    return steps


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Panel:
    """One algorithm's answers: the running count above, a mark for each request below."""

    def __init__(self, limit, requests, top, axis):
        self.limit, self.requests, self.top, self.axis = limit, requests, top, axis
        self.algorithm = ALGORITHMS[limit]
        self.base = top + TITLE + CHART
        self.x = axis.x

    def y(self, count):
        return self.base - CHART * count / MOST

    def draw(self):
        parts = [self.heading(), self.grid(), self.edges()]
        return "\n".join(parts + self.count() + self.marks())

    def heading(self):
        most = max(count for _, count in admitted_in_period(self.requests))
        admitted = sum(1 for _, yes in self.requests if yes)
        mood = "strong" if most <= TOKENS else "strong bad"
        return (
            f'<text class="name" x="{LEFT}" y="{self.top + 14}">{self.algorithm}'
            f'<tspan class="limit" dx="10">{self.limit}</tspan></text>'
            f'<text class="end" x="{WIDTH - RIGHT}" y="{self.top + 14}">admitted {admitted} of '
            f'{len(self.requests)}, <tspan class="{mood}">at most {most} in any 10 s</tspan></text>'
        )

    def grid(self):
        right = WIDTH - RIGHT
        lines = "".join(f"M{LEFT} {number(self.y(n))}H{right}" for n in (0, MOST))
        labels = "".join(
            f'<text class="end" x="{LEFT - 8}" y="{number(self.y(n) + 4)}">{n}</text>'
            for n in (0, TOKENS, MOST)
        )
        bound = f'<path class="bound" d="M{LEFT} {number(self.y(TOKENS))}H{right}"/>'
        return f'<path class="grid" d="{lines}"/>{labels}{bound}'

    def edges(self):
        if self.algorithm not in ALIGNED and "interval" not in self.limit:
            return ""
        lines = "".join(
            f"M{number(self.x(at))} {self.top + TITLE - 4}V{self.base + MARKS}"
            for at in range(0, self.axis.end + 1, PERIOD)
            if at >= self.axis.start
        )
        return f'<path class="edge" d="{lines}"/>'

    def count(self):
        steps = [s for s in admitted_in_period(self.requests) if s[0] < self.axis.end]
        line = f"M{LEFT} {number(self.y(0))}"
        for at, count in steps:
            line += f"H{number(self.x(at))}V{number(self.y(count))}"
        line += f"H{WIDTH - RIGHT}"
        area = f"{line}V{number(self.y(0))}H{LEFT}Z"
        return [
            f'<path class="area" d="{area}"/>',
            self.over(steps),
            f'<path class="line" d="{line}"/>',
        ]

    def over(self, steps):
        """The part of the area that lies above the limit."""
        ends = [at for at, _ in steps[1:]] + [self.axis.end]
        bars = "".join(
            f"M{number(self.x(at))} {number(self.y(TOKENS))}V{number(self.y(count))}"
            f"H{number(self.x(end))}V{number(self.y(TOKENS))}Z"
            for (at, count), end in zip(steps, ends)
            if count > TOKENS
        )
        return f'<path class="over" d="{bars}"/>' if bars else ""

    def marks(self):
        """A long mark for each admitted request, a short low one for each denied."""
        shapes = {True: (5, 10), False: (18, 5)}
        width = 1.8 if len(self.requests) < 100 else 1.4
        drawn = []
        for admitted, (drop, length) in shapes.items():
            spots = sorted({number(self.x(at)) for at, yes in self.requests if yes == admitted},
                           key=float)
            path = "".join(f"M{x} {self.base + drop}v{length}" for x in spots)
            kind = "yes" if admitted else "no"
            drawn.append(f'<path class="{kind}" stroke-width="{width}" d="{path}"/>')
        return drawn + [self.crowd()]

    def crowd(self):
        """How many came at the first instant, when that is more than a mark can show."""
        first = self.requests[0][0]
        together = sum(1 for at, _ in self.requests if at == first)
        if together == 1:
            return ""
        x = number(self.x(first) - 6)
        return f'<text class="end" x="{x}" y="{self.base + 15}">{together} at once</text>'


class Axis:
    """Time, from the even second before the first request to the one after the last."""

    def __init__(self, panels):
        times = [at for _, requests in panels for at, _ in requests]
        self.start = min(times) // 2_000_000 * 2_000_000
        self.end = -(-max(times) // 2_000_000) * 2_000_000

    def x(self, at):
        share = (at - self.start) / (self.end - self.start)
        return LEFT + (WIDTH - LEFT - RIGHT) * share

    def draw(self, y):
        step = 5_000_000 if self.end - self.start > 20_000_000 else 2_000_000
        times = range(self.start, self.end + 1, step)
        ticks = "".join(f"M{number(self.x(at))} {y}v5" for at in times)
        labels = "".join(
            f'<text class="mid" x="{number(self.x(at))}" y="{y + 18}">{at // 1_000_000}'
            f'{" s" if at == times[-1] else ""}</text>'
            for at in times
        )
        return f'<path class="axis" d="M{LEFT} {y}H{WIDTH - RIGHT}{ticks}"/>{labels}'


LEGEND = [  # a sample's shape, its width, what it means, the width of that
    ('class="line" d="M{x} {y}h24"', 24, "admitted in the last 10 s", 150),
    ('class="bound" d="M{x} {y}h24"', 24, "the limit", 68),
    ('class="yes" stroke-width="1.8" d="M{x} {y}m0-5v10"', 2, "a request admitted", 120),
    ('class="no" stroke-width="1.8" d="M{x} {y}m0-2v5"', 2, "denied", 56),
    ('class="edge" d="M{x} {y}m0-7v14"', 2, "a window's edge", 0),
]


def legend(y):
    x, parts = LEFT, []
    for shape, width, meaning, room in LEGEND:
        parts.append(f"<path {shape.format(x=x, y=y - 4)}/>")
        parts.append(f'<text x="{x + width + 7}" y="{y}">{meaning}</text>')
        x += width + 7 + room + 14
    return "".join(parts)


def draw(name, panels):
    axis = Axis(panels)
    height = HEAD + PANEL * len(panels) + FOOT - GAP
    body = [
        Panel(limit, requests, HEAD + PANEL * i, axis).draw()
        for i, (limit, requests) in enumerate(panels)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">\n<title>{TITLES[name]}</title>\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="paper" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>\n'
        f'<text class="title" x="{LEFT}" y="27">{TITLES[name]}</text>\n{legend(48)}\n'
        + "\n".join(body)
        + f"\n{axis.draw(height - FOOT + 8)}\n</svg>\n"
    )


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pictures | draw.py FOLDER")
    folder = Path(sys.argv[1])
    for name, panels in read_pictures(sys.stdin).items():
        (folder / f"{name}.svg").write_text(draw(name, panels))


if __name__ == "__main__":
    main()
