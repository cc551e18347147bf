import csv
import dataclasses
import io
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from simlib.errors import SimlibError
from simlib.figures import charts
from simlib.findings import Chart, Finding, Picture, Table, Tile
from simlib.made import made_in, note_made
from simlib.pages import RunFacts, render, write
from simlib.pages.page import TEMPLATES

HOSTILE = ["<script>alert(1)</script>", "$(x) `y`", "a \"quote\" & 'more'", "日本語", "=1+1", "NA"]
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Tree(HTMLParser):
    """Checks that every tag is closed in order; keeps tags, attributes and the text in view."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.open)))
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)

    def all(self, *names):
        return [(tag, attrs, inside) for tag, attrs, inside in self.tags if tag in names]


def frame():
    return pd.DataFrame(
        {
            "label": HOSTILE,
            "value": [0.1, 1 / 3, math.nan, -2.5e-7, 12.0, math.inf],
            "low": [0.05, 0.3, math.nan, -0.1, 11.5, 2.0],
            "high": [0.15, 0.4, math.nan, 0.1, 12.5, 3.0],
            "games": [1, 20_000, 3, 2**53 + 1, 0, -7],
        }
    )


def chart(key):
    figure = charts.interval_dots(frame(), x_label=HOSTILE[0])
    return Chart(key, f"Title {HOSTILE[0]}", figure, f"Alt {HOSTILE[2]}", HOSTILE[1], Table(key, "Numbers", frame()))


def findings():
    first = Finding(
        "first", f"The answer is nan ({HOSTILE[0]}), 12.3 % (n = 5).", (HOSTILE[2],),
        (Tile("Share", "nan %", "-inf to 3"), Tile(HOSTILE[0], "1", "")),
        (chart("one"), chart("two")), (Table("table", HOSTILE[0], frame(), HOSTILE[3]),), (HOSTILE[4],),
        picture=Picture(charts.interval_dots(frame()), f"Alt {HOSTILE[0]}", "one"),
    )  # fmt: skip
    return [first, Finding("second", "More", title="Short", charts=(chart("three"),), tiles=(Tile("A", "2", "b"),))]


def facts():
    parameters = {"players": 4, "deck.copies": [3, 2], "bid.double": True, "none": None}
    return RunFacts(
        title=HOSTILE[0], question=HOSTILE[2], experiment="try", game="Suppose",
        variants=[("printed", "classic", parameters, "abcdef012345", HOSTILE[0]),
                  ("new", "custom", {**parameters, "players": 3}, "012345abcdef", "")],
        readings={"gift": HOSTILE[0]}, players=[("random", HOSTILE[0])], seed=2**63, games=12_345,
        played=[("both", 12_345)], versions={"simlib": "0.1"}, command=f"make experiment SET='{HOSTILE[1]}'",
        glossary=[("paired", HOSTILE[3])],
    )  # fmt: skip


@pytest.fixture(scope="module")
def page():
    return render(findings(), facts())


@pytest.fixture(scope="module")
def tree(page):
    return Tree(page)


def test_tags_are_balanced_and_ids_unique(tree):
    ids = [attrs["id"] for _, attrs, _ in tree.tags if "id" in attrs]
    assert len(ids) == len(set(ids)) > 20
    for _, attrs, _ in tree.tags:
        wanted = attrs.get("aria-labelledby", "").split()
        wanted += [attrs["href"][1:]] if attrs.get("href", "").startswith("#") else []
        wanted += re.findall(r"url\(#([^)]*)\)", attrs.get("clip-path", ""))
        assert set(wanted) <= set(ids)


def test_nothing_is_fetched_or_run(page, tree):
    rest = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", rest)
    assert not tree.all("script", "iframe", "img", "object", "embed", "form")
    assert all(not name.startswith("on") for _, attrs, _ in tree.tags for name in attrs)
    assert [attrs["href"] for _, attrs, _ in tree.all("link")] == ["data:,"]


def test_hostile_text_is_shown_as_text(page, tree):
    words = "".join(tree.text)
    for text in HOSTILE:
        assert text in words
    assert "<script" not in page


def test_structure(tree):
    assert len(tree.all("h1")) == 1 and len(tree.all("main")) == 1
    assert tree.all("html")[0][1]["lang"] == "en"
    assert len(tree.all("table")) == len(tree.all("caption")) == 7
    assert all(attrs.get("scope") in ("col", "row") for _, attrs, _ in tree.all("th"))
    levels = [int(tag[1]) for tag, _, _ in tree.all("h1", "h2", "h3", "h4")]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    links = [attrs["href"] for _, attrs, _ in tree.all("a") if "download" in attrs]
    assert links == [f"data/{key}.csv" for key in ("one", "two", "table", "three")]


def test_every_chart_speaks(page, tree):
    charts_shown = [attrs for tag, attrs, _ in tree.tags if tag == "svg"]
    assert len(charts_shown) == 4
    for attrs in charts_shown:
        title, description = attrs["aria-labelledby"].split()
        assert attrs["role"] == "img"
        assert re.search(f'<title id="{title}">[^<]+</title>', page)
        assert re.search(f'<desc id="{description}">Alt [^<]+</desc>', page)


def test_no_nan_reaches_the_page(page, tree):
    assert not re.search(r"\b(nan|inf|NaN|None)\b", "".join(tree.text))
    assert "The answer is \u2013 (" in "".join(tree.text) and "12.3\u00a0%" in page


def test_same_bytes_twice_and_in_another_process(page):
    assert render(findings(), facts()) == page
    assert render(findings(), dataclasses.replace(facts(), seed=1)) != page


def test_numbers_in_the_csv_are_those_of_the_frame(tmp_path):
    index = write(tmp_path, findings(), facts())
    assert index == tmp_path / "index.html"
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        "one.csv",
        "table.csv",
        "three.csv",
        "two.csv",
    ]
    back = pd.read_csv(tmp_path / "data/one.csv", keep_default_na=False, na_values=[""])
    for name in ("value", "low", "high"):
        assert np.array_equal(back[name], frame()[name], equal_nan=True)
    assert back.games.tolist() == frame().games.tolist()
    assert back.label.tolist() == [*HOSTILE[:4], "'=1+1", "NA"]


def test_cells_that_spreadsheets_would_run_are_quoted(tmp_path):
    cells = ["=1", "+1", "-1", "@x", "\tx", "x=1", ""]
    table = pd.DataFrame(
        {"=head": cells, "n": [-1, -2, -3, -4, -5, -6, -7], "mixed": [-1, "-1", 2.5, None, "a", 0, "="]}
    )
    write(tmp_path, [Finding("f", "h", tables=(Table("t", "t", table),))], facts())
    rows = list(csv.reader(io.StringIO((tmp_path / "data/t.csv").read_text())))
    assert rows[0] == ["'=head", "n", "mixed"]
    assert [row[0] for row in rows[1:]] == ["'=1", "'+1", "'-1", "'@x", "'\tx", "x=1", ""]
    assert [row[1] for row in rows[1:]] == ["-1", "-2", "-3", "-4", "-5", "-6", "-7"]
    assert [row[2] for row in rows[1:]] == ["-1", "'-1", "2.5", "", "a", "0", "'="]


def test_writing_leaves_no_fragments_and_replaces(tmp_path):
    (tmp_path / "index.html").write_text("old")
    write(tmp_path, findings(), facts())
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == render(findings(), facts())
    assert not [path for path in tmp_path.rglob(".*")]


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SimlibError, match="can't be written"):
        write(tmp_path / "file", findings(), facts())


@pytest.mark.parametrize("where", ["finding", "chart", "table"])
def test_keys_that_clash_are_refused(where, tmp_path):
    first, second = findings()
    clash = {
        "finding": dataclasses.replace(second, key="FIRST"),
        "chart": dataclasses.replace(second, charts=(dataclasses.replace(second.charts[0], key="one"),)),
        "table": dataclasses.replace(second, tables=(Table("T able", "t", frame()), Table("t-able", "t", frame()))),
    }[where]
    with pytest.raises(SimlibError, match=f"two {where}s of this report share the key"):
        write(tmp_path, [first, clash], facts())
    assert not list(tmp_path.iterdir())


def test_pages_of_little():
    bare = RunFacts("Title", "", "name", "Game")
    for given in ([], [Finding("f", "Only a sentence.")]):
        tree = Tree(render(given, bare))
        assert len(tree.all("h1")) == 1


def test_tiles_of_the_first_finding_stand_below_the_answer(page):
    answer, evidence = page.index('class="answer"'), page.index('id="first"')
    assert page.index("<nav") < answer < page.index(">Share<") < evidence < page.index("<dt>A</dt>")


def test_parameters_that_differ_come_first(page):
    differ, alike = page.index("Where they differ"), page.index("The parameters they share")
    assert differ < page.index("<code>players</code>") < alike < page.index("<code>deck.copies</code>")
    assert "3, 2" in page and "<td>yes</td>" in page


def luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_enough_in_light_dark_and_print():
    css = (TEMPLATES / "page.css").read_text()
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]
    assert len(schemes) == 3
    for scheme in schemes:
        for text in ("ink", "muted", "link"):
            assert min(contrast(scheme[text], scheme[back]) for back in ("paper", "soft")) >= 4.5
        assert all(contrast(scheme[f"series-{n}"], scheme["paper"]) >= 3 for n in range(1, 7))


def test_importing_pages_is_light():
    code = "import sys, simlib.pages; print(sorted({'matplotlib.pyplot', 'scipy', 'numba'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_contents_name_sections_by_their_titles(page):
    assert '<li><a href="#first">The evidence</a></li>' in page and '<li><a href="#second">Short</a></li>' in page


def test_the_small_picture_leads_to_the_figure_that_has_its_numbers(page):
    assert re.search('<a class="picture" href="#figure--one"[^>]*><svg', page) and '<figure id="figure--one">' in page
    first, second = findings()
    lost = dataclasses.replace(first, picture=first.picture._replace(of="gone"))
    with pytest.raises(SimlibError, match="'gone', which is no chart"):
        render([lost, second], facts())


def test_when_it_was_made_stands_in_a_block_of_its_own(tmp_path, monkeypatch):
    pages = []
    for day in ("0", "86400"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        note_made(tmp_path)
        pages.append(write(tmp_path, findings(), facts()).read_text(encoding="utf-8"))
    assert "Made on 1970-01-01 at 00:00 UTC.</p>" in pages[0] and "Made on 1970-01-02" in pages[1]
    rest = [re.sub("<!-- made: .*?<!-- end of made -->", "", page, flags=re.DOTALL) for page in pages]
    assert rest[0] == rest[1] and "Made on" not in rest[0]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    note_made(tmp_path)
    assert re.search(r"^Made on 20\d\d-\d\d-\d\d at \d\d:\d\d UTC, in [\d,]+ s\.$", made_in(tmp_path))
    (tmp_path / "made.json").write_text("{}")
    assert made_in(tmp_path) == ""


@pytest.mark.parametrize("columns", [2, 5, 8])
def test_tables_of_figures_abreast_are_printed_whole(columns, tmp_path, looked_at):
    wide = pd.DataFrame(
        {f"player {column} (n = 1,000)": ["49.5\u00a0% [40.25,\u00a058.75]"] * 3 for column in range(columns)}
    )
    figures = [Chart(key, key, charts.interval_dots(frame()), "Alt", "", Table(key, key, wide)) for key in "ab"]
    write(tmp_path, [Finding("first", "Two figures.", charts=tuple(figures))], facts())
    looked_at(tmp_path / "index.html")
