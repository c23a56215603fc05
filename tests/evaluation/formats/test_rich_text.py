"""Answers become safe HTML, whatever they contain."""

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.formats.formulas import (
    MAX_FORMULA_CHARS,
    FormulaNotRendered,
    render_formula,
)
from evaluation.formats.rich_text import (
    MAX_HTML_BYTES,
    render_plain_text,
    render_rich_text,
    show_controls,
)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def _parse(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    return parser


def test_markdown_and_latex_become_html_and_mathml() -> None:
    html = render_rich_text("**Bold** and $\\frac{a}{b}$\n\n| x | y |\n|---|---|\n| 1 | 2 |")
    assert "<strong>Bold</strong>" in html
    assert "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>" in html
    assert "<td>1</td>" in html


@pytest.mark.parametrize("source", ["\\(x^2\\)", "\\[x^2\\]", "$$x^2$$", "$x^2$"])
def test_every_usual_delimiter_makes_a_formula(source: str) -> None:
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in render_rich_text(source)


def test_a_formula_in_brackets_may_span_lines_that_look_like_a_list() -> None:
    html = render_rich_text("So\n\\[\na\n- b\n\\]\nholds.")
    assert "<mo>&#8722;</mo>" in html or "<mo>−</mo>" in html
    assert "<ul>" not in html


def test_prices_are_not_formulas() -> None:
    assert "<math" not in render_rich_text("It costs $5 and then $10 more.")


def test_raw_html_and_images_are_shown_as_text() -> None:
    html = render_rich_text("<script>alert(1)</script> ![cat](https://example.org/cat.png)")
    assert "&lt;script&gt;" in html
    assert "![cat](https://example.org/cat.png)" in html
    assert _parse(html).tags == {"p"}


@pytest.mark.parametrize("target", ["javascript:alert(1)", "data:text/html,x", "/admin/", "//x.y"])
def test_only_full_web_links_keep_their_target(target: str) -> None:
    assert "href" not in dict(_parse(render_rich_text(f"[press]({target})")).attributes)


def test_a_link_tells_its_target_nothing() -> None:
    attributes = dict(_parse(render_rich_text("[paper](https://example.org/p)")).attributes)
    assert attributes["rel"] == "noopener noreferrer nofollow"


@pytest.mark.parametrize(
    "latex",
    [
        "\\href{javascript:alert(1)}{x}",
        "\\style{background:url(//x)}{x}",
        "\\text{<img src=x onerror=alert(1)>}",
        "\\class{a}{x}",
    ],
)
def test_a_formula_cannot_carry_markup_links_or_styles(latex: str) -> None:
    try:
        parsed = _parse(render_formula(latex))
    except FormulaNotRendered:
        return
    assert parsed.tags <= {"math", "mrow", "mi", "mtext", "mstyle"}
    assert {name for name, _ in parsed.attributes} <= {"display"}


def test_a_formula_over_the_limit_is_refused_and_shown_as_its_source() -> None:
    latex = "a+" * (MAX_FORMULA_CHARS // 2) + "a"
    with pytest.raises(FormulaNotRendered, match="longer than 2,000"):
        render_formula(latex)
    assert "formula-source" in render_rich_text(f"${latex}$")


def test_a_deeply_nested_formula_is_refused() -> None:
    with pytest.raises(FormulaNotRendered, match="nested deeper"):
        render_formula("\\frac{" * 60 + "a" + "}{b}" * 60)


@pytest.mark.parametrize(
    "latex",
    [
        r"\rule{9999em}{9999em}",
        r"\rule[-500em]{1em}{2em}",
        r"\hspace{9999em} x",
        r"\hspace{-9999em} x",
        r"\hspace{99999999999999999999em} x",
        r"\kern9999em x",
        r"\kern-9999em x",
        r"\mkern9999mu x",
        r"\mspace{9999mu} x",
        r"\raise9999em\hbox{x}",
        r"\moveleft 9999em \hbox{x}",
        r"{a \above 9999em b}",
        r"\phantom{\rule{1em}{9999px}}",
        r"\overset{\rule{1em}{999em}}{x}",
        r"\hspace{9999%} x",
        r"\hspace{9999} x",
        r"x" + r"\hspace{9em} x" * 20,
        r"x" + r"\raise9em\hbox{x}" * 3,
    ],
)
def test_a_formula_that_asks_for_more_room_than_an_answer_has_is_shown_as_its_source(
    latex: str,
) -> None:
    html = render_rich_text(f"Then ${latex}$ holds.")
    assert "<math" not in html
    assert "formula-source" in html


@pytest.mark.parametrize(
    "latex",
    [
        r"a \quad b \qquad c \, d \! e \; f",
        r"\rule{1pt}{2ex} x",
        r"a \hspace{1cm} b \kern-3pt c",
        r"\Bigg( \bigl( x \bigr) \Bigg)" * 20,
        r"\hphantom{x} \mathrlap{x}",
    ],
)
def test_usual_spaces_and_sizes_are_drawn(latex: str) -> None:
    assert "<math" in render_rich_text(f"Then ${latex}$ holds.")


def test_what_is_no_length_reaches_no_page_as_one() -> None:
    html = render_formula(r"\hspace*{9999em} x")
    assert 'width="*"' not in html
    assert "<mn>9999em</mn>" in html


def test_a_formula_that_fails_is_shown_as_its_source() -> None:
    assert '<code class="formula-source">$x^a^b$</code>' in render_rich_text("Then $x^a^b$ holds.")


def test_formulas_beyond_the_allowance_of_one_answer_are_shown_as_source() -> None:
    html = render_rich_text("\n\n".join(["$$" + "a+" * 900 + "a$$"] * 5))
    assert html.count("<math") == 3
    assert html.count("formula-source") == 2


def test_invisible_controls_are_made_visible() -> None:
    assert show_controls("a\u202eb\u200bc\u00add\x07") == ("a⟦U+202E⟧b⟦U+200B⟧c⟦U+00AD⟧d⟦U+0007⟧")
    assert show_controls("\U000e0041") == "⟦U+E0041⟧"


@pytest.mark.parametrize(
    "source",
    [
        "a&#x202E;b",
        "**a&#8238;b**",
        "[a&#x202e;b](https://example.org)",
        "| a |\n|---|\n| a&#x202e;b |",
        "$\\text{a&#x202e;b}$",
        "$\\unicode{x202e}$",
        "$$\\unicode{x202e}$$",
    ],
)
def test_a_control_that_is_written_as_an_entity_is_made_visible_too(source: str) -> None:
    html = render_rich_text(source)
    assert "\u202e" not in html
    assert "⟦U+202E⟧" in html


def test_line_ends_tabs_and_joined_emoji_stay_as_they_are() -> None:
    for text in ("a\n\tb\r\n", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "café שלום"):
        assert show_controls(text) == text


def test_a_joiner_between_letters_is_shown() -> None:
    assert show_controls("a\u200db") == "a⟦U+200D⟧b"


def test_a_huge_answer_is_plain_text_that_says_what_is_left_out() -> None:
    html = render_rich_text("&<" * 200_000)
    assert len(html.encode()) <= MAX_HTML_BYTES
    assert "more characters are not shown" in html


def test_all_that_is_left_out_of_a_huge_answer_is_counted() -> None:
    html = render_rich_text("x" * 1_000_000)
    assert f"<p>{1_000_000 - html.count('x'):,} more characters are not shown.</p>" in html


def test_plain_text_that_fits_is_whole() -> None:
    assert render_plain_text("a <b>") == "<pre>a &lt;b&gt;</pre>"


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "![" * 10_000, "\\(" * 10_000, "*a" * 10_000, "_*" * 10_000, "> " * 10_000,
     "$a$" * 6_600, "&" * 20_000, "$" + "\\frac{a}{b}" * 180 + "$"],
    ids=["brackets", "images", "parentheses", "stars", "mixed", "quotes", "dollars", "ampersands",
         "fractions"],
)  # fmt: skip
def test_hostile_markdown_costs_a_bounded_amount_of_work(text: str) -> None:
    def seconds() -> float:
        started = time.process_time()
        render_rich_text(text)
        return time.process_time() - started

    assert min(seconds() for _ in range(3)) < 0.4
    assert len(render_rich_text(text).encode()) <= MAX_HTML_BYTES


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab <>&\"'`*_[]()!$\\{}^|#-\n:/\u202e"), max_size=80))
def test_no_text_reaches_the_page_as_markup_of_its_own(text: str) -> None:
    parsed = _parse(render_rich_text(text))
    assert not parsed.tags & {"script", "img", "iframe", "style", "form", "svg", "object"}
    assert not [name for name, _ in parsed.attributes if name.startswith("on") or name == "style"]


@given(st.text(max_size=60))
def test_rendering_is_the_same_every_time(text: str) -> None:
    assert render_rich_text(text) == render_rich_text(text)
