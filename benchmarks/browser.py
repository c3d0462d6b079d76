"""Measures the size and the speed of the browser client: benchmarks/run browser [--visits N] [--rounds N]

The benchmark uses a real server on this machine and the installed chromium. The first part measures the first visit to
each page, with the phone and desktop profiles of Lighthouse. The score is computed as in Lighthouse, but without the
speed index: the other four metrics share its weight. The second part plays rounds against the computer and measures
every click and every animated frame. Other load on the machine affects all results except sizes and CPU times.
"""

import argparse
import json
import math
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from server.serving import Client, Server, play_game, run_server, two_players
from web.board import (
    SCORE_SHEET,
    action_button,
    click_move,
    pick_move,
    record_sizes,
    wait_for_change,
    wait_for_turn,
)

PLAYED = 30
"""The number of moves played at the table before the visit."""

OBSERVE = """() => {
  window.seen = { fcp: 0, lcp: 0, cls: 0, tasks: [] };
  const watch = (type, look) =>
    new PerformanceObserver(list => list.getEntries().forEach(look)).observe({ type, buffered: true });
  watch("paint", entry => { if (entry.name === "first-contentful-paint") seen.fcp = entry.startTime; });
  watch("largest-contentful-paint", entry => { seen.lcp = entry.startTime; });
  watch("layout-shift", entry => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  watch("longtask", entry => seen.tasks.push([entry.startTime, entry.duration]));
}"""

CLICKS = """() => {
  window.clicks = [];
  const top = card => card.getBoundingClientRect().top;
  addEventListener("click", ({ target, timeStamp }) => {
    if (!target.closest(".act")) return;
    const chosen = [...document.querySelectorAll("[aria-pressed=true] [data-card]")].map(card => [card, top(card)]);
    const moved = ([card, was]) => !card.isConnected || Math.abs(top(card) - was) > 0.5;
    const look = () => {
      if (chosen.some(moved)) clicks.push(performance.now() - timeStamp);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
  let flight = 0;
  const play = Animation.prototype.play;
  Animation.prototype.play = function () {
    play.apply(this);
    if (!flight++) performance.mark("flight");
    const landed = () => { if (!--flight) performance.mark("landed"); };
    this.finished.then(landed, landed);
  };
}"""
"""Measures the time from a click to the first frame in which a card has moved. Also marks the times of animations."""


@dataclass(frozen=True)
class Machine:
    """A device profile of Lighthouse. Each metric has two values: the first scores 0.9, the second scores 0.5."""

    wishes: dict[str, Any]
    slower: float
    latency: float
    bytes_a_second: float
    fcp: tuple[float, float]
    lcp: tuple[float, float]
    tbt: tuple[float, float]
    cls: tuple[float, float] = (0.1, 0.25)


TRACED = ["toplevel", "blink.user_timing", "disabled-by-default-devtools.timeline.frame"]

KBIT = 1024 / 8
MACHINES = {
    "telephone": Machine(
        {"viewport": {"width": 412, "height": 823}, "is_mobile": True, "has_touch": True},
        4, 562.5, 1474.56 * KBIT, (1800, 3000), (2500, 4000), (200, 600),
    ),
    "desktop": Machine(
        {"viewport": {"width": 1350, "height": 940}},
        1, 40, 10240 * KBIT, (934, 1600), (1200, 2400), (150, 350),
    ),
}  # fmt: skip
WEIGHTS = {"fcp": 10, "lcp": 25, "tbt": 30, "cls": 25}


def score(machine: Machine, figures: dict[str, float]) -> float:
    """Compute the score of Lighthouse from 0 to 100, with its log-normal curves."""
    total = 0.0
    for name, weight in WEIGHTS.items():
        good, median = getattr(machine, name)
        spread = math.log(max(figures[name], 1e-9) / median) / math.log(median / good)
        total += weight * (1 - math.erf(0.9061938024368232 * spread)) / 2
    return 100 * total / sum(WEIGHTS.values())


def visit(
    browser: Browser, address: str, path: str, secret: str, machine: Machine
) -> dict[str, float]:
    """Make a first visit, and return the kilobytes transferred and the metrics of Lighthouse."""
    with browser.new_context(locale="en-GB", **machine.wishes) as context:
        context.add_cookies([{"name": "jaipur", "value": secret, "url": address}])
        context.add_init_script(f"({OBSERVE})()")
        page = context.new_page()
        sizes = record_sizes(page)
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": machine.latency,
                "downloadThroughput": machine.bytes_a_second,
                "uploadThroughput": machine.bytes_a_second,
            },
        )
        network.send("Emulation.setCPUThrottlingRate", {"rate": machine.slower})
        page.goto(address + path)
        page.wait_for_timeout(4000)
        seen = page.evaluate("seen")
    blocked = (max(0, lasts - 50) for begins, lasts in seen.pop("tasks") if begins >= seen["fcp"])
    return {**seen, "tbt": sum(blocked), "kB": sum(sizes) / 1000}


def visits(browser: Browser, server: Server, count: int) -> Iterator[str]:
    yield "| first visit | on | kB | FCP ms | LCP ms | TBT ms | worst TBT | CLS | score | worst score |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    trader = table_of(server)
    for name, path in (("home", "/"), ("rules", "/rules"), ("table", f"/t/{trader.table}")):
        for device, machine in MACHINES.items():
            seen = [
                visit(browser, server.address, path, trader.secret, machine) for _ in range(count)
            ]
            middle = {each: statistics.median(one[each] for one in seen) for each in seen[0]}
            scores = [score(machine, one) for one in seen]
            yield (
                f"| {name} | {device} | {middle['kB']:.0f} | {middle['fcp']:.0f} | {middle['lcp']:.0f} "
                f"| {middle['tbt']:.0f} | {max(one['tbt'] for one in seen):.0f} | {middle['cls']:.3f} "
                f"| {statistics.median(scores):.0f} | {min(scores):.0f} |"
            )


def table_of(server: Server) -> Client:
    """Play some moves at a new table, and return one of its players."""
    with httpx.Client(base_url=server.address, timeout=20) as http:
        traders = two_players(http)
        play_game(traders, Random(1), PLAYED)
    return traders[0]


def rounds(browser: Browser, server: Server, count: int) -> Iterator[str]:
    """Play rounds at normal speed. Yield a table of the times of clicks, frames and tasks."""
    clicks: list[float] = []
    frames: list[float] = []
    tasks: list[float] = []
    with browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        page.goto(server.address)
        for number in range(count):
            page.goto(server.address)
            page.get_by_role("button", name="Play", exact=True).click()
            action_button(page).wait_for()
            page.evaluate(CLICKS)
            browser.start_tracing(page=page, categories=TRACED)
            play_a_round(page, Random(number))
            trace = json.loads(browser.stop_tracing())["traceEvents"]
            clicks += page.evaluate("clicks")
            frames += frames_in_flight(trace)
            tasks += tasks_in_flight(trace)
    yield "| in play | how many | median ms | 99 % ms | worst ms |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield row("from the click to the frame in which a card has moved", clicks)
    yield row("from frame to frame while cards fly", frames)
    yield row("the processor, at a stretch, while cards fly", tasks)


def row(name: str, figures: Sequence[float]) -> str:
    ordered = sorted(figures)
    late = ordered[int(len(ordered) * 0.99)]
    return f"| {name} | {len(ordered)} | {statistics.median(ordered):.1f} | {late:.1f} | {ordered[-1]:.1f} |"


def play_a_round(page: Page, rng: Random) -> None:
    while seen := wait_for_turn(page):
        click_move(page, pick_move(seen, rng))
        page.wait_for_function("() => !document.getAnimations().length")
        action_button(page).click()
        wait_for_change(page, seen["version"])
    page.locator(SCORE_SHEET).wait_for()


Trace = list[dict[str, Any]]


def flights(trace: Trace) -> Iterator[tuple[float, float]]:
    """Yield the start and the end of each card animation, in microseconds."""
    begun = 0.0
    for mark in sorted(ours(trace, "flight", "landed"), key=lambda mark: mark["ts"]):
        if mark["name"] == "flight":
            begun = mark["ts"]
        else:
            yield begun, mark["ts"]


def ours(trace: Trace, *names: str) -> list[dict[str, Any]]:
    """Return the trace events of the page's process that have these names."""
    page = next(each["pid"] for each in trace if each["name"] == "flight")
    return [each for each in trace if each["pid"] == page and each["name"] in names]


def frames_in_flight(trace: Trace) -> list[float]:
    """Return the duration of each frame during card animations, in milliseconds."""
    drawn = sorted(each["ts"] for each in ours(trace, "DrawFrame"))
    found: list[float] = []
    for begun, landed in flights(trace):
        seen = [begun, *(at for at in drawn if begun < at <= landed)]
        found += [(after - before) / 1000 for before, after in pairwise(seen)]
    return found


def tasks_in_flight(trace: Trace) -> list[float]:
    """Return the CPU time of each task of the page's main thread during card animations, in milliseconds."""
    (main,) = {each["tid"] for each in ours(trace, "flight")}
    tasks = [each for each in ours(trace, "ThreadControllerImpl::RunTask") if each["tid"] == main]
    return [
        task["tdur"] / 1000
        for begun, landed in flights(trace)
        for task in tasks
        if "tdur" in task and task["ts"] <= landed and task["ts"] + task["dur"] >= begun
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks/run browser")
    parser.add_argument("--visits", type=int, default=5, help="first visits of each page")
    parser.add_argument("--rounds", type=int, default=2, help="rounds that are played")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        parser.error("chromium is not installed (on Debian: apt install chromium)")
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]) as browser,
    ):
        for line in visits(browser, server, options.visits):
            print(line, flush=True)
        print()
        for line in rounds(browser, server, options.rounds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
