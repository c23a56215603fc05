"""Words of pages."""

from __future__ import annotations

from webapp.templatetags.words import breakable, rich, spoken, version, visible


def test_a_label_may_break_before_its_embedder_and_parameters() -> None:
    assert breakable("simple-rag+bm25@static,chunk_chars=500") == (
        "simple-rag<wbr>+bm25<wbr>@static,<wbr>chunk_chars=500"
    )


def test_a_label_cannot_bring_markup() -> None:
    assert breakable("<b>@x") == "&lt;b&gt;<wbr>@x"


def test_names_of_dimensions_are_spoken() -> None:
    assert spoken("hallucination_avoidance") == "hallucination avoidance"


def test_rich_text_is_html_and_visible_text_is_not() -> None:
    assert rich("**a**") == "<p><strong>a</strong></p>\n"
    assert visible("a\u200b<b>") == "a⟦U+200B⟧<b>"


def test_the_version_is_the_projects() -> None:
    assert version().count(".") == 2
