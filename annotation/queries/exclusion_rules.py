"""The exclusion rules that a campaign fixed before it opened, which raters meet one, and what is
said of too fast ones where no rule was fixed."""

from __future__ import annotations

from typing import Final

from annotation.campaign_options import CampaignOptions

OFTEN: Final = 0.25
"""Too fast on more than this share of the votes is said to the lead where no rule is about it."""


def rules_in_words(options: CampaignOptions) -> tuple[str, ...]:
    """One sentence a rule; none where a campaign has none."""
    sentences = []
    if options.attention_exclude_below is not None:
        sentences.append(
            f"Fewer than {percent(options.attention_exclude_below)} of the attention checks right."
        )
    if options.exclude_too_fast_above is not None:
        sentences.append(
            f"More than {percent(options.exclude_too_fast_above)} of the votes too fast: "
            f"{too_fast_in_words(options)}."
        )
    return tuple(sentences)


def met_rules(
    options: CampaignOptions, *, n_checks: int, n_checks_right: int, n_votes: int, n_too_fast: int
) -> tuple[str, ...]:
    """What a rater is to be excluded for, with the counts; a rule says nothing about no votes."""
    met = []
    least = options.attention_exclude_below
    if least is not None and n_checks and n_checks_right / n_checks < least:
        met.append(f"{n_checks_right} of {n_checks} attention checks right, below {percent(least)}")
    most = options.exclude_too_fast_above
    if most is not None and n_votes and n_too_fast / n_votes > most:
        met.append(f"{n_too_fast} of {n_votes} votes too fast, above {percent(most)}")
    return tuple(met)


def too_fast_in_words(options: CampaignOptions) -> str:
    return (
        f"under {percent(options.too_fast_share)} of the estimated reading time (250 words a "
        f"minute) or under {options.too_fast_floor_s:g} s"
    )


def is_often_too_fast(options: CampaignOptions, *, n_votes: int, n_too_fast: int) -> bool:
    """Whether the lead is told, since no rule looks at it; never of no votes."""
    return options.exclude_too_fast_above is None and n_too_fast > OFTEN * n_votes


def percent(share: float) -> str:
    """0.75 as ``75 %``."""
    return f"{share * 100:g} %"
