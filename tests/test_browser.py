"""The browser finds what is wrong with pages that were spoiled on purpose; and HTML that users type stays text."""

from contextlib import nullcontext

import browser
import pytest

from simlib import experiments
from simlib.experiments import Request

STYLE = "body { font-family: sans-serif } @media print { details::details-content { content-visibility: visible } }"
SOUND = f"""<!DOCTYPE html><html lang="ja"><head><meta charset="utf-8"><title>Sound</title>
<link rel="icon" href="data:,"><style>{STYLE}</style></head>
<body><main><h1>Sound 得点</h1><p>Text.</p><figure><h2>Picture</h2>
<svg role="img" width="300" height="400" aria-labelledby="t" aria-describedby="d"><title id="t">Name</title>
<desc id="d">All of it</desc><rect width="300" height="400"/></svg><figcaption>Caption</figcaption></figure>
<details><summary>More</summary><table><caption>Some</caption><tr><th scope="col">a</th></tr><tr><td>1</td></tr></table>
</details></main></body></html>"""
SPOILED = [  # one page of each
    {
        "Text.": """<img alt="" src="https://a.invalid/x.png"><img alt="" src="x.png"><img src="data:,">
            <script>console.error(1)</script><script>none()</script> <a href="#gone">Link</a> letter \ue123
            <b style="color: #aaa; background: #fff">faint</b> <label>Slide <input type="range"></label>
            <div style="width: 500px">wide</div>""",
        STYLE: "body { font-family: sans-serif } @media (prefers-color-scheme: dark) { main { color: #aaa } }",
        "<td>1</td>": '<td style="min-width: 1500px">1</td>',
        "<h1>": "<h1 hidden>",
        '<title id="t">Name</title>': "",
        "All of it": " ",
    },
    {"Text.": '<div style="height: 17cm">far</div>'},
    {'height="400"': 'height="2500"', "<td>1</td>": '<td style="min-width: 900px">1</td>'},
]
FAULTS = [
    "asks for https://a.invalid/x.png", "asks for file:", "console: 1", "script: none is not defined",
    "axe, light: image-alt", "axe, light: color-contrast", "axe, dark: color-contrast",
    "scrolls sideways at 360", "scrolls sideways at 1440", "a picture has no name", "a picture has no description",
    "no font has \ue123", "input does nothing", "#gone leads nowhere", "no headline",
    "printed on 0 pages: details More", "printed on 2 pages: figure Name", "printed on 3 pages: figure Name",
    "printed over what is beside it: table Some",
]  # fmt: skip


def faults_of(chromium, folder, text):
    (folder / "page.html").write_text(text, encoding="utf-8")
    return browser.faults(chromium(), folder / "page.html")


def test_a_sound_page_has_no_fault(chromium, tmp_path):
    assert faults_of(chromium, tmp_path, SOUND) == []


@pytest.fixture(scope="module")
def found(chromium, tmp_path_factory):
    """Return the faults of all spoiled pages."""
    texts = []
    for spoiled in SPOILED:
        texts.append(SOUND)
        for there, instead in spoiled.items():
            assert there in texts[-1]
            texts[-1] = texts[-1].replace(there, instead)
    return [fault for text in texts for fault in faults_of(chromium, tmp_path_factory.mktemp("spoiled"), text)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoiled_page_has_its_faults(fault, found):
    assert any(one.startswith(fault) for one in found), "\n".join(found)


@pytest.mark.parametrize(("text", "code"), [(SOUND, 0), (SOUND.replace("<h1>", "<h1 hidden>"), 1)])
def test_the_command_exits_with_1_where_it_finds_faults(text, code, chromium, tmp_path, monkeypatch, capsys):
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    monkeypatch.setattr(browser, "opened", lambda: nullcontext(chromium()))
    assert browser.main([str(tmp_path / "page.html")]) == code
    assert ("no headline" in capsys.readouterr().out) == bool(code)


def test_a_large_page_is_one(chromium, tmp_path):
    (tmp_path / "page.html").write_text(SOUND + " " * browser.MOST_BYTES)
    assert "2,000," in browser.faults(chromium(), tmp_path / "page.html")[0]


@pytest.mark.parametrize(("wish", "outcome"), [("", pytest.skip.Exception), ("required", pytest.fail.Exception)])
def test_without_a_browser_it_is_said(wish, outcome, monkeypatch):
    monkeypatch.setenv("SIMLIB_BROWSER", wish)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(outcome, match="there is no chromium"), browser.opened():
        pass


HTML = '<script>window.ran = 1</script><img src="x" onerror="window.ran = 2"><b id="own">bold</b>'


@pytest.mark.kernel
def test_html_in_a_variant_is_text(chromium, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(f"base = 'classic'\nname = '{HTML}'\nnote = '''note {HTML}'''\nhand.size = 3\n")
    request = Request(2, 1, {"players": 4}, file=file)
    experiments.run(experiments.about("gara_decks"), request, tmp_path / "report", 1, quiet=True)
    with browser.visited(chromium(), tmp_path / "report" / "index.html") as (page, heard):
        assert heard == []
        assert page.evaluate("window.ran") is None
        assert page.locator("img, #own").count() == 0
        assert page.get_by_text(f"note {HTML}", exact=False).first.is_visible()
        assert page.get_by_text(f"({HTML})", exact=False).first.is_visible()
