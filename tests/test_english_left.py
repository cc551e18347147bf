"""What counts as English that was left on a page in another language."""

import pytest
from english_left import english_left


@pytest.mark.parametrize(
    "page",
    [
        "<p>Two guesses</p>",
        "<p>\u4e88\u60f3 guesses</p>",
        '<svg><text>of it</text></svg>',
        '<a aria-label="Download">\u4e88\u60f3</a>',
        '<meta name="description" content="is it?">',
        "<table><tr><td>lead seat</td></tr></table>",
    ],
)  # fmt: skip
def test_english_is_found_wherever_a_reader_meets_it(page):
    assert len(english_left(page)) == 1


@pytest.mark.parametrize(
    "page",
    [
        "<p>greedy\u3001search:25\u3001n = 24\u3001GAMES=400</p>",
        "<pre>make experiment NAME=choices</pre><code>deck.copies</code>",
        "<table><tr><th><code>deck.preset</code></th><td>six ranks</td></tr></table>",
        "<style>margin: auto</style>",
        "<dd>choices</dd>",
        "<p>\u5b66\u7fd2\uff1ahand.size = 11\u3001rounds = 1</p>",
    ],
)
def test_names_that_are_typed_are_none(page):
    assert english_left(page) == []
