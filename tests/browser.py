"""What Debian's Chromium, without a window, shows of pages: ``python tests/browser.py PAGE.html`` lists the faults."""

import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

MOST_BYTES = 2_000_000
WIDTHS = (360, 768, 1440)  # pixels: a phone, a tablet, a screen
PAPER: dict[str, Any] = {"format": "A4", "margin": dict.fromkeys(("top", "right", "bottom", "left"), "1cm")}
PRINTED = {"width": 718, "height": 1047}  # pixels of CSS within the margins
SCHEMES: dict[str, dict[str, Any]] = {  # a dark page differs from the light one in its colours alone
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}

OPEN = "document.querySelectorAll('details').forEach(one => { one.open = true; })"
SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
# What is looked at slowly: axe takes many seconds for large tables, whose rows are alike, and skips what is drawn
TRIM = """() => {
    document.querySelectorAll('tbody').forEach(body => [...body.rows].slice(3).forEach(row => row.remove()));
    document.querySelectorAll('svg > :not(title, desc)').forEach(drawn => drawn.remove());
}"""
VIOLATIONS = """options => axe.run({...options, resultTypes: ['violations'], preload: false}).then(({violations}) =>
    violations.map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`))"""
# U+0378 is no letter: no font has it, and what is drawn in its place is drawn for all letters that are missing
BOXES = r"""() => {
    const side = 40, canvas = Object.assign(document.createElement('canvas'), {width: side, height: side});
    const pen = canvas.getContext('2d', {willReadFrequently: true}), used = new Map(), missing = new Set();
    const drawn = letter => {
        pen.clearRect(0, 0, side, side);
        pen.fillText(letter, 4, 28);
        return pen.getImageData(0, 0, side, side).data.filter((_, at) => at % 4 === 3);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const {parentElement: parent, data} = texts.currentNode;
        if (['STYLE', 'SCRIPT'].includes(parent.nodeName)) continue;
        const {fontFamily} = getComputedStyle(parent);
        if (!used.has(fontFamily)) used.set(fontFamily, new Set());
        for (const letter of data.replace(/[\p{Z}\p{Cc}\p{Cf}\p{M}]/gu, '')) used.get(fontFamily).add(letter);
    }
    for (const [family, letters] of used) {
        pen.font = `24px ${family}`;
        const box = drawn('\u0378');
        for (const letter of letters) if (drawn(letter).every((alpha, at) => alpha === box[at])) missing.add(letter);
    }
    return [...missing].join(' ');
}"""
DEAD = """() => [
    ...[...document.querySelectorAll('input, button, select, textarea')].filter(one => one.checkVisibility())
        .map(one => `${one.nodeName.toLowerCase()} does nothing without a script`),
    ...[...document.querySelectorAll('a[href^="#"]')].filter(one => !document.getElementById(one.hash.slice(1)))
        .map(one => `${one.hash} leads nowhere`),
    ...[...document.querySelectorAll('h1')].filter(one => one.checkVisibility()).length == 1 ? [] : ['no headline'],
]"""
SPILLS = """() => [...document.querySelectorAll('table')].filter(one => one.checkVisibility() &&
    one.getBoundingClientRect().right > one.closest('figure, .table, section, main').getBoundingClientRect().right + 1)
    .map(one => `printed over what is beside it: table ${one.caption?.textContent.slice(0, 60)}`)"""
# A link lies on each page of a print on which a part of it lies; what is not printed has none.
MARK = """() => {
    const shown = name => [...document.querySelectorAll(name)].filter(one => !one.closest('[hidden]'));
    const link = (one, kind, at) => Object.assign(one.appendChild(document.createElement('a')), {
        href: `https://${kind}.invalid/${at}`, style: 'display: block',
    });
    const named = (kind, one, at) => [`https://${kind}.invalid/${at}`,
        `${kind} ${(one.querySelector('h3, summary, title') ?? one).textContent.trim().slice(0, 60)}`];
    const figures = shown('figure'), details = shown('details:not(.folded)');
    figures.forEach((one, at) => {
        const parts = [...one.children].filter(part => part.nodeName !== 'DETAILS'), whole = link(one, 'figure', at);
        one.prepend(whole);
        whole.append(...parts);
    });
    details.forEach((one, at) => { link(one, 'details', at).textContent = '.'; });
    return [['figure', figures], ['details', details]].flatMap(([kind, all]) =>
        all.map((one, at) => named(kind, one, at)));
}"""


@contextmanager
def lazily_opened() -> Iterator[Callable[[], Any]]:
    """Give a function that returns the browser, which starts when it is first asked for."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(opened()))


@contextmanager
def opened() -> Iterator[Any]:
    """Start the browser; without one the test is skipped, or fails where ``SIMLIB_BROWSER=required``."""
    program = shutil.which("chromium")
    if program is None:
        without = pytest.fail if os.environ.get("SIMLIB_BROWSER") == "required" else pytest.skip
        without("there is no chromium to look at pages with (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program)
        yield chromium
        chromium.close()


def faults(chromium: Any, path: Path) -> list[str]:
    """Return what is wrong with a page, as one line each: to read in any way, and printed without a script.

    The whole list is empty for a page under `MOST_BYTES` that asks for nothing but itself and writes no error; where
    axe-core finds nothing in light and dark; that nowhere scrolls sideways at any of `WIDTHS`; whose pictures have a
    name and a description; whose letters the fonts have; and that prints figures whole, tables apart, and details open
    but for folded ones, which are printed as the reader left them.
    """
    size = path.stat().st_size
    large = [f"{size:,} bytes"] if size > MOST_BYTES else []
    with visited(chromium, path) as (page, heard):
        page.evaluate(OPEN)
        found = [*sideways(page, *WIDTHS), *boxes(page)]
        page.evaluate(TRIM)
        found += [*violations(page), *unnamed(page)]
    with visited(chromium, path, java_script_enabled=False, viewport=PRINTED) as (page, heard_again):
        found += [*page.evaluate(DEAD), *torn(page)]
    return [*large, *dict.fromkeys(heard + heard_again), *found]


def faults_of_words(chromium: Any, path: Path) -> list[str]:
    """Return what may be wrong with a page in another language: too wide for a phone, and letters that no font has."""
    with visited(chromium, path) as (page, heard):
        page.evaluate(OPEN)
        return [*heard, *sideways(page, WIDTHS[0]), *boxes(page)]


@contextmanager
def visited(chromium: Any, path: Path, **settings: Any) -> Iterator[tuple[Any, list[str]]]:
    """Give an opened page, and the list of what it asks for, says and complains about."""
    context = chromium.new_context(**{"offline": True, "viewport": window(WIDTHS[0]), **settings})
    heard: list[str] = []
    page, own = context.new_page(), path.resolve().as_uri()
    page.on("request", lambda asked: asked.url.startswith(("data:", own)) or heard.append(f"asks for {asked.url}"))
    page.on("console", lambda said: heard.append(f"console: {said.text}"))
    page.on("pageerror", lambda error: heard.append(f"script: {error}"))
    try:
        page.goto(own)
        yield page, heard
    finally:
        context.close()


def window(width: int) -> dict[str, int]:
    """Return the size of a window."""
    return {"width": width, "height": 900}


def sideways(page: Any, *widths: int) -> Iterator[str]:
    """Yield the widths at which the page is wider than its window."""
    for width in widths:
        page.set_viewport_size(window(width))
        if page.evaluate(SCROLLS):
            yield f"scrolls sideways at {width} pixels"


def unnamed(page: Any) -> Iterator[str]:
    """Yield the pictures that have no name or no description for who can't see them, as the browser tells it."""
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    pictures = "figure svg, figure img, svg[role=img]"
    for node in session.send("DOM.querySelectorAll", {"nodeId": root, "selector": pictures})["nodeIds"]:
        told = session.send("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False})["nodes"][0]
        if any(reason["name"] == "notRendered" for reason in told.get("ignoredReasons", [])):
            continue
        for what in ("name", "description"):
            if not told.get(what, {}).get("value", "").strip():
                shown = session.send("DOM.getOuterHTML", {"nodeId": node})["outerHTML"]
                yield f"a picture has no {what}: {shown[:120]}"


def boxes(page: Any) -> Iterator[str]:
    """Yield the letters that no font has, in one line."""
    missing = page.evaluate(BOXES)
    if missing:
        yield f"no font has {missing} (Japanese on Debian: apt-get install fonts-ipafont-gothic)"


def violations(page: Any) -> Iterator[str]:
    """Yield axe-core's violations in each scheme, with the first element of each."""
    from axe_playwright_python.base import AXE_SCRIPT

    page.evaluate(AXE_SCRIPT)
    for scheme, options in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        yield from (f"axe, {scheme}: {violation}" for violation in page.evaluate(VIOLATIONS, options))


def torn(page: Any) -> Iterator[str]:
    """Yield the figures that a print puts on more than one page, what it leaves out, and tables that are too wide."""
    from pypdf import PdfReader

    marks, lies = page.evaluate(MARK), defaultdict(set)
    for number, sheet in enumerate(PdfReader(BytesIO(page.pdf(**PAPER))).pages, 1):
        for note in sheet.get("/Annots") or ():
            lies[note.get_object().get("/A", {}).get("/URI")].add(number)
    for mark, name in marks:
        if len(lies[mark]) != 1:
            yield f"printed on {len(lies[mark])} pages: {name}"
    page.emulate_media(media="print")
    yield from page.evaluate(SPILLS)


def main(pages: Sequence[str]) -> int:
    """Write the faults of pages, one a line, and return the exit code: 1 if there are any."""
    with opened() as chromium:
        found = [f"{page}: {fault}" for page in pages for fault in faults(chromium, Path(page))]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
