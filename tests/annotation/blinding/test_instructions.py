from __future__ import annotations

from annotation.blinding.instructions import default_instructions


def test_the_default_instructions_say_what_each_choice_means() -> None:
    text = default_instructions(allow_both_bad=True, show_context=False)
    for words in ("**A** or **B**", "**Tie**", "**Both bad**", "Length and style do not matter"):
        assert words in text
    assert "Below each answer" not in text


def test_they_leave_out_what_a_campaign_does_not_have() -> None:
    text = default_instructions(allow_both_bad=False, show_context=True)
    assert "Both bad" not in text
    assert "Below each answer" in text
    assert "\n\n\n" not in text
