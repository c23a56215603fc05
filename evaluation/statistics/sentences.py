"""Which pairs of a table can be separated, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Pair = tuple[int, int]

ORDINARY = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NAMED_AT_MOST = 5
TAIL_FROM = 4


def separation_sentences(
    labels: Sequence[str],
    separated: Collection[Pair],
    *,
    level: float = 0.95,
    noun: str = "variants",
    least_difference: float = 0.0,
) -> tuple[str, ...]:
    """Plain-text sentences for the foot of a table: the first says how far the top can be told
    apart, the others name every separated pair, rows that beat the same rows together.

    ``labels``: rows in table order, best first. ``separated``: (winner, loser) row indices.
    "Cannot be separated" is not "equal". ``least_difference``: what a difference must have besides
    to count as separated, in points; the sentences then say so. Raises ValueError for a pair
    outside the table, of a row with itself, or listed in both directions.
    """
    n_rows = len(labels)
    pairs = checked(separated, n_rows)
    at_level = f"at {100 * level:g} %"
    if least_difference > 0.0:
        at_level += f" with a difference of at least {least_difference:.2f} points"
    if n_rows == 0:
        return (f"No {singular(noun)} is ranked, so there is nothing to separate.",)
    if n_rows == 1:
        return (f"Only {labels[0]} is ranked, so there is nothing to separate.",)
    if not pairs:
        if n_rows == 2:
            return (f"{labels[0]} and {labels[1]} cannot be separated {at_level}.",)
        return (f"None of the {counted(n_rows)} {noun} can be separated {at_level}.",)
    if n_rows == 2:
        winner, loser = next(iter(pairs))
        return (f"{labels[winner]} is separated from {labels[loser]} {at_level}.",)
    if len(pairs) == n_rows * (n_rows - 1) // 2:
        return (f"All {counted(n_rows)} {noun} are separated from one another {at_level}.",)
    top = top_sentence(labels, pairs, at_level)
    if len(beaten_by(0, pairs)) == n_rows - 1:
        rest = {pair for pair in pairs if pair[0] != 0}
        nothing_more = f"None of the other {counted(n_rows - 1)} can be separated {at_level}."
        return (top, *(beating_sentences(labels, rest) or (nothing_more,)))
    return (top, *beating_sentences(labels, pairs))


def top_sentence(labels: Sequence[str], pairs: frozenset[Pair], at_level: str) -> str:
    """How many rows from the top down no pair separates, or that the first stands alone."""
    n_rows = len(labels)
    n_top = 1
    while n_top < n_rows and not any(
        (i, n_top) in pairs or (n_top, i) in pairs for i in range(n_top)
    ):
        n_top += 1
    if n_top > 1:
        named = f" ({listed(labels[:n_top])})" if n_top <= NAMED_AT_MOST else ""
        return f"The first {counted(n_top)}{named} cannot be separated {at_level}."
    if len(beaten_by(0, pairs)) == n_rows - 1:
        return f"{labels[0]} is separated from every other row {at_level}."
    return f"The first two ({listed(labels[:2])}) are separated {at_level}."


def beating_sentences(labels: Sequence[str], pairs: Collection[Pair]) -> tuple[str, ...]:
    """One sentence for each set of beaten rows, naming all rows that beat exactly that set."""
    winners_of: dict[tuple[int, ...], list[int]] = {}
    for winner in sorted({winner for winner, _ in pairs}):
        winners_of.setdefault(beaten_by(winner, pairs), []).append(winner)
    return tuple(
        f"{listed([labels[i] for i in winners])} {'score' if len(winners) > 1 else 'scores'} "
        f"higher than {beaten_phrase(labels, beaten)}."
        for beaten, winners in winners_of.items()
    )


def beaten_phrase(labels: Sequence[str], beaten: tuple[int, ...]) -> str:
    """The beaten rows by name, the end of the table as "every row from X down"."""
    n_tail = 0
    while n_tail < len(beaten) and beaten[-1 - n_tail] == len(labels) - 1 - n_tail:
        n_tail += 1
    if n_tail < TAIL_FROM:
        return listed([labels[i] for i in beaten])
    first_of_tail = labels[len(labels) - n_tail]
    named = [labels[i] for i in beaten[: len(beaten) - n_tail]]
    return listed([*named, f"every row from {first_of_tail} down"])


def beaten_by(winner: int, pairs: Collection[Pair]) -> tuple[int, ...]:
    return tuple(sorted(loser for first, loser in pairs if first == winner))


def listed(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int) -> str:
    """Two to ten in letters, larger numbers in figures."""
    return ORDINARY[number - 2] if 2 <= number <= len(ORDINARY) + 1 else str(number)


def singular(noun: str) -> str:
    return noun.removesuffix("s")


def checked(separated: Collection[Pair], n_rows: int) -> frozenset[Pair]:
    pairs = frozenset(separated)
    for winner, loser in pairs:
        if winner == loser or not (0 <= winner < n_rows and 0 <= loser < n_rows):
            raise ValueError(f"({winner}, {loser}) is not a pair of the {n_rows} rows")
        if (loser, winner) in pairs:
            raise ValueError(f"rows {winner} and {loser} are each said to beat the other")
    return pairs
