"""Chunks keep to the sections of a paper."""

from __future__ import annotations

from memory_systems.evidence.sections import Chunk, chunks_of, sections_of

MARKDOWN = "# Title\n\nLead.\n\n## A\n\nText a.\n\n### A1\n\nText a1.\n\n## B\n\nText b.\n"


def test_sections_carry_their_headings_without_the_title() -> None:
    told = [(one.heading, MARKDOWN[one.start : one.end].strip()) for one in sections_of(MARKDOWN)]
    assert told == [
        ("Title", "Lead."),
        ("A", "Text a."),
        ("A › A1", "Text a1."),
        ("B", "Text b."),
    ]


def test_numbered_lines_are_headings_where_there_is_no_markdown() -> None:
    text = "Lead.\n\n1 Introduction\nWhy.\n\n2.1. Methods\n\nHow 3 of 4.\n\n2019 was warm. Yes.\n"
    assert [one.heading for one in sections_of(text)] == ["", "Introduction", "Methods"]


def test_short_sections_share_a_chunk_and_long_ones_are_cut_at_paragraphs() -> None:
    paragraph = "A sentence of some length stands here.\n\n" * 30
    text = f"## One\n\n{paragraph}## Two\n\n{paragraph}## Three\n\n{paragraph * 8}"
    chunks = chunks_of(text, chunk_chars=3000)
    assert chunks[0] == Chunk(6, text.index("## Three"))
    assert all(2000 < chunk.end - chunk.start < 3400 for chunk in chunks[:-1])
    assert text[chunks[-1].end :].strip() == ""


def test_a_text_of_white_space_has_no_chunk() -> None:
    assert chunks_of(" \n\n ") == []
    assert sections_of("") == []
