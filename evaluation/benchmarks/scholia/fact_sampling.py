"""Turns an entry of the lexicon into the facts of one paper, with gold sentence and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import Entry, sentence
from evaluation.benchmarks.scholia.naming import Namer
from evaluation.benchmarks.scholia.plans import Kind, MustHave, PlannedFact, Silence
from evaluation.benchmarks.scholia.quantities import (
    MEASURED_TOLERANCE,
    NumberPool,
    Scale,
    wordings_of,
)
from evaluation.records import Key

_KEY = re.compile(r"\[([^\]]+)\]")
COUNT_WORDS = ("two", "three", "four", "five")


def joined(items: list[str]) -> str:
    """``a, b and c``."""
    return f"{', '.join(items[:-1])} and {items[-1]}"


@dataclass(slots=True)
class FactSampler:
    """Samples the facts of one paper, one lexicon entry at a time."""

    paper_id: str
    name: str
    dice: Dice
    namer: Namer
    data_sets: tuple[str, ...]
    numbers: NumberPool = field(init=False)
    _n_facts: int = 0

    def __post_init__(self) -> None:
        self.numbers = NumberPool(self.dice)

    def quantities(self, metric: Entry, axis: Entry, *, only_in_table: bool) -> list[PlannedFact]:
        """The same measure under two conditions: two facts, partners of each other."""
        metric = self._filled(metric)
        axis = self._filled(axis)
        scale = Scale(
            metric["range"][0].split()[0], metric["range"][0].split()[1], metric["unit"][0]
        )
        ids = (self._next_id(), self._next_id())
        facts = []
        for side, fact_id, partner in (("a", *ids), ("b", *reversed(ids))):
            number = self.numbers.draw(scale)
            values = wordings_of(number, scale.unit)
            gold = f"{self.name} has a* {metric['name'][0]} of {values[0]} {axis[side][0]}"
            facts.append(
                PlannedFact(
                    id=fact_id,
                    paper_id=self.paper_id,
                    kind="quantity",
                    topic=f"quantity/{metric['name'][0]}",
                    wordings={"metric": metric["name"], "value": values, "cond": axis[side]},
                    asked={
                        "metric": metric["asked"],
                        "cond": axis[f"{side}_asked"],
                        "best": metric["best"],
                    },
                    must_haves=(
                        MustHave(
                            sentence(gold),
                            (Key("number", number, scale.unit, MEASURED_TOLERANCE),),
                        ),
                    ),
                    partner=partner,
                    value=number,
                    only_in_table=only_in_table,
                )
            )
        return facts

    def threshold(self, entry: Entry) -> PlannedFact:
        return self._number_fact("threshold", entry)

    def setup(self, entry: Entry) -> PlannedFact:
        return self._number_fact("setup", entry)

    def mechanism(self, entry: Entry) -> list[PlannedFact]:
        """What a part does, and why it is there."""
        entry = self._filled({**entry, "choice": (self.dice.pick(entry["choice"]),)})
        does, does_key = _marked(entry["does"])
        why, why_key = _marked((self.dice.pick(entry["why"]),))
        part = entry["part"]
        asked = {"matter": entry.get("matter", ()), "part": part[:1]}
        topic = entry["idea"][0]
        ids = (self._next_id(), self._next_id())
        return [
            PlannedFact(
                id=ids[0],
                paper_id=self.paper_id,
                kind="mechanism",
                topic=f"mechanism/{topic}",
                wordings={"part": part, "does": does},
                asked=asked,
                must_haves=(MustHave(f"The {part[0]} of {self.name} {does[0]}.", (does_key,)),),
                partner=ids[1],
            ),
            PlannedFact(
                id=ids[1],
                paper_id=self.paper_id,
                kind="reason",
                topic=f"reason/{topic}",
                wordings={"part": part, "why": why},
                asked=asked,
                must_haves=(
                    MustHave(
                        f"The {part[0]} of {self.name} is needed because {why[0]}.", (why_key,)
                    ),
                ),
                partner=ids[0],
            ),
        ]

    def enumeration(self, entry: Entry) -> PlannedFact:
        """Three to five named items in one sentence; each item is a must-have fact."""
        n_items = self.dice.between(3, 5)
        items = [self._filled_text(item) for item in self.dice.sample(entry["items"], n_items)]
        count = COUNT_WORDS[n_items - 2]
        return PlannedFact(
            id=self._next_id(),
            paper_id=self.paper_id,
            kind="enumeration",
            topic=f"enumeration/{entry['topic'][0]}",
            wordings={"what": entry["what"], "count": (count,), "items": (joined(items),)},
            asked={"asks": entry["asks"], "count": (count,), "topic": entry["topic"]},
            must_haves=tuple(
                MustHave(
                    f"{item[0].upper()}{item[1:]}: one of the {count} {entry['what'][0]}"
                    f" of {self.name}.",
                    (Key("term", item),),
                )
                for item in items
            ),
        )

    def failure(self, entry: Entry) -> list[PlannedFact]:
        """What goes wrong under a circumstance, and what is done about it."""
        effect = self.dice.pick(entry["effect"])
        remedy = self.dice.pick(entry["remedy"])
        entry = self._filled(entry)
        when = entry["when"]
        ids = (self._next_id(), self._next_id())
        sides: tuple[tuple[Kind, str, str], ...] = (
            ("failure", effect, f"In {self.name}, {effect} when {when[0]}."),
            ("remedy", remedy, f"{self.name} meets the case in which {when[0]} by {remedy}."),
        )
        return [
            PlannedFact(
                id=fact_id,
                paper_id=self.paper_id,
                kind=kind,
                topic=f"{kind}/{entry['asked'][0]}",
                wordings={"when": when, ("effect" if kind == "failure" else "remedy"): (wording,)},
                asked={"asked": entry["asked"]},
                must_haves=(MustHave(gold, (Key("term", wording),)),),
                partner=partner,
            )
            for fact_id, partner, (kind, wording, gold) in zip(
                ids, reversed(ids), sides, strict=True
            )
        ]

    def silence(self, silence: Silence) -> PlannedFact:
        """The paper says that it did not measure the thing."""
        return PlannedFact(
            id=self._next_id(),
            paper_id=self.paper_id,
            kind="silence",
            topic=f"silence/{silence.topic}",
            wordings={"matter": (silence.matter,)},
            asked={"asked": (silence.asked,)},
            must_haves=(
                MustHave(f"The paper on {self.name} does not report {silence.matter}.", ()),
            ),
        )

    def _number_fact(self, kind: Kind, entry: Entry) -> PlannedFact:
        entry = self._filled(entry)
        low, high = entry["range"][0].split()
        scale = Scale(low, high, entry["unit"][0], int(entry.get("step", ("1",))[0]))
        number = self.numbers.draw(scale)
        values = wordings_of(number, scale.unit)
        says = tuple(text.replace("{name}", self.name) for text in entry["says"])
        gold = says[0].replace("{subj}", self.name).replace("{value}", values[0])
        if self.name not in gold:
            gold = f"in {self.name}, {gold}"
        topic = entry["topic"][0]
        return PlannedFact(
            id=self._next_id(),
            paper_id=self.paper_id,
            kind=kind,
            topic=f"{kind}/{topic}" if topic else "",
            wordings={"value": values},
            asked={"asks": entry["asks"], "topic": entry["topic"]},
            must_haves=(MustHave(sentence(gold), (Key("number", number, scale.unit),)),),
            templates=says,
            value=number,
        )

    def _next_id(self) -> str:
        self._n_facts += 1
        return f"{self.paper_id}/f{self._n_facts:02d}"

    def _filled(self, entry: Entry) -> Entry:
        """The entry with its invented names coined, the same names in all of its wordings."""
        names = self._names_for("".join(word for words in entry.values() for word in words))
        choice = entry["choice"][0] if "choice" in entry else ""
        return {
            field_name: tuple(
                _replaced(wording, names).replace("{choice}", choice) for wording in wordings
            )
            for field_name, wordings in entry.items()
        }

    def _filled_text(self, text: str) -> str:
        return _replaced(text, self._names_for(text))

    def _names_for(self, text: str) -> dict[str, str]:
        names = {"{variant}": self.name}
        if "{coin}" in text or "{coin_lc}" in text:
            coin = self.namer.coin()
            names |= {"{coin}": coin, "{coin_lc}": coin.lower()}
        if "{hyper}" in text:
            names["{hyper}"] = self.namer.hyper_parameter()
        if "{kernel}" in text:
            names |= {"{kernel}": self.namer.kernel(), "{kernel2}": self.namer.kernel()}
        if "{dataset}" in text:
            names["{dataset}"] = self.dice.pick(self.data_sets[:10])
        return names


def _replaced(text: str, names: dict[str, str]) -> str:
    for slot, name in names.items():
        text = text.replace(slot, name)
    return text


def _marked(wordings: tuple[str, ...]) -> tuple[tuple[str, ...], Key]:
    """The wordings without their brackets, and the key that the brackets marked."""
    marked = [_KEY.findall(wording)[0] for wording in wordings]
    value, *others = dict.fromkeys(marked)
    clean = tuple(wording.replace("[", "").replace("]", "") for wording in wordings)
    return clean, Key("term", value, aliases=tuple(others))
