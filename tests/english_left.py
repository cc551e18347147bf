"""What is still English on a page in another language: ``python tests/english_left.py PAGE.html`` lists it."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

EXPERIMENTS = Path(__file__).parent.parent / "experiments"
SPOKEN = ("alt", "aria-label", "title")  # attributes that a reader hears or sees
UNREAD = {"code", "pre", "style", "script"}
ENGLISH = re.compile(r"[A-Za-z]{4,}|[A-Za-z']+[ \u00a0][A-Za-z']+")
KEPT = re.compile(
    r"""
    \b(?:search|clairvoyant|chaser)(?::[a-z_]+=[-\w]+|:\d+)*   # players, as typed
    | \b(?:random|greedy|trained|classic|nine|sixty)\b  # presets, too
    | \b(?:Wilson|Student|Hotelling|Holm|CSV|TOML)\b
    | \b[a-z]+(?:[._][a-z]+)+\b(?:=\S*)? | \b[a-z]+(?=\ =)     # parameters, and names with underscores
    | (?<==\ )\w+                                              # values of parameters
    | `[^`]+`                                                  # code in a sentence
    | "[^"]+" | \b[A-Z]\.\ [A-Z]\w+(?:,(?:\ \w+)+)?            # titles and authors of papers
    | \bplayers=\S+                                           # cells of sweeps
    | \b[0-9a-f]{12}\b                                         # fingerprints
    | \b[A-Z_]{2,}\b                                           # GAMES=400
    | \b(?:giver|together|forfeit|true|false)\b                # more values
    | \b(?:TAKE)\b
    | \b[SGT]\d+\b                                             # readings
    """,
    re.VERBOSE | re.ASCII,
)
AS_TYPED = {"custom", "design", *(path.stem for path in EXPERIMENTS.glob("*.py"))}
VERSIONS = re.compile(r"\w+ [\d.]+(?:, \w+ [\d.]+)+")


class _Texts(HTMLParser):
    """All texts that a reader sees or hears, but what stands in code; a row that a parameter heads holds its values."""

    def __init__(self) -> None:
        super().__init__()
        self.unread: list[str] = []
        self.in_values = False
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        spoken = (*SPOKEN, "content") if given.get("name") == "description" else SPOKEN
        self.found += [given[name] or "" for name in spoken if name in given]
        if tag in UNREAD:
            self.unread.append(tag)
        self.in_values = tag != "tr" and (self.in_values or tag == "code")

    def handle_endtag(self, tag: str) -> None:
        if self.unread and self.unread[-1] == tag:
            self.unread.pop()
        self.in_values = self.in_values and tag not in {"tr", "li", "p"}

    def handle_data(self, data: str) -> None:
        if not self.unread and not self.in_values:
            self.found.append(data)


def english_left(html: str) -> list[str]:
    """Return the texts of a page that hold two English words in a row or one of four letters, each once.

    Names that are typed are no English: players, parameters, presets, experiments, versions.
    """
    parser = _Texts()
    parser.feed(html)
    texts = dict.fromkeys(" ".join(text.split()) for text in parser.found)
    return [text for text in texts if ENGLISH.search(_without_names(text))]


def _without_names(text: str) -> str:
    if text.strip("()") in AS_TYPED or VERSIONS.fullmatch(text):
        return ""
    return KEPT.sub("\u3042", text)


if __name__ == "__main__":
    for page in sys.argv[1:]:
        for left in english_left(Path(page).read_text(encoding="utf-8")):
            sys.stdout.write(f"{left[:300]}\n")
