"""The exclusion rules that a campaign fixed before it opened, and which raters meet one."""

from __future__ import annotations

from annotation.campaign_options import CampaignOptions


def rules_in_words(options: CampaignOptions) -> tuple[str, ...]:
    """One sentence a rule; none where a campaign has none."""
    sentences = []
    if options.attention_exclude_below is not None:
        sentences.append(
            f"Fewer than {percent(options.attention_exclude_below)} of the attention checks right."
        )
    if options.exclude_too_fast_above is not None:
        sentences.append(
            f"More than {percent(options.exclude_too_fast_above)} of the votes too fast: under "
            f"{percent(options.too_fast_share)} of the estimated reading time (250 words a minute) "
            f"or under {options.too_fast_floor_s:g} s."
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


def percent(share: float) -> str:
    """0.75 as ``75 %``."""
    return f"{share * 100:g} %"
