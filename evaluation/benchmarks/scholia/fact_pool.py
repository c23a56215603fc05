"""The facts that can still be asked, drawn so that papers are used evenly and no fact twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.plans import Kind, PaperPlan, PlannedFact, Silence


class NothingLeftToAsk(Exception):
    """No paper has an unasked fact of the wanted kind."""


class FactPool:
    """Every ``take`` marks what it returns as asked and prefers the papers used least so far."""

    def __init__(self, plans: Sequence[PaperPlan], dice: Dice) -> None:
        self._dice = dice
        self._papers = {plan.id: plan for plan in dice.shuffled(plans)}
        self._uses = dict.fromkeys(self._papers, 0)
        self._asked: set[str] = set()

    def paper(self, fact: PlannedFact) -> PaperPlan:
        return self._papers[fact.paper_id]

    def take(self, kind: Kind, *, only_in_table: bool = False) -> PlannedFact:
        """One fact of the least used paper that has one."""
        return self._take_first(
            lambda plan: [f for f in plan.of_kind(kind) if f.only_in_table == only_in_table], kind
        )

    def take_secondary_part(self) -> PlannedFact:
        """A mechanism other than the first, which serves to point at its paper."""
        return self._take_first(lambda plan: plan.of_kind("mechanism")[1:], "second mechanism")

    def take_partner(self, fact: PlannedFact) -> PlannedFact:
        partner = self.paper(fact).fact(fact.partner)
        self._asked.add(partner.id)
        return partner

    def take_part_of(self, plan: PaperPlan) -> PlannedFact:
        """A mechanism of this very paper, other than the first."""
        free = [f for f in plan.of_kind("mechanism")[1:] if f.id not in self._asked]
        if not free:
            raise NothingLeftToAsk(f"{plan.id} has no unasked mechanism")
        return self._used(self._dice.pick(free))

    def take_group(self, kind: Kind, n: int, *, alike: bool) -> list[PlannedFact]:
        """Facts of ``n`` different papers, all on one topic if ``alike``; no two figures equal."""
        groups: dict[str, list[PlannedFact]] = {}
        for plan in self._least_used():
            for fact in self._free(plan, kind):
                group = groups.setdefault(fact.topic if alike else kind, [])
                if _can_join(fact, group):
                    group.append(fact)
                if len(group) == n:
                    return [self._used(member) for member in group]
        raise NothingLeftToAsk(f"no {n} papers with unasked facts of kind {kind}")

    def take_twin_group(
        self, kind: Kind, n: int, *, twin: Kind
    ) -> tuple[list[PlannedFact], list[PlannedFact]]:
        """Facts of ``n`` papers on one topic, and facts of kind ``twin`` of the same papers on
        another topic they share. The twins are not marked: the asker takes those it needs."""
        groups: dict[tuple[str, str], list[tuple[PlannedFact, PlannedFact]]] = {}
        for plan in self._least_used():
            for fact in self._free(plan, kind):
                for other in self._free(plan, twin):
                    if not other.topic:
                        continue
                    group = groups.setdefault((fact.topic, other.topic), [])
                    if _can_join(fact, [member for member, _ in group]):
                        group.append((fact, other))
                    if len(group) == n:
                        return [self._used(member) for member, _ in group], [t for _, t in group]
        raise NothingLeftToAsk(f"no {n} papers that share a {kind} and a {twin}")

    def mark(self, fact: PlannedFact) -> PlannedFact:
        self._asked.add(fact.id)
        return fact

    def take_silences(self, n: int) -> list[tuple[PaperPlan, Silence]]:
        """``n`` papers that are silent about the same thing."""
        groups: dict[str, list[tuple[PaperPlan, Silence]]] = {}
        for plan in self._least_used():
            for silence in self._dice.shuffled(plan.silences):
                if f"{plan.id}/{silence.topic}" in self._asked:
                    continue
                group = groups.setdefault(silence.topic, [])
                group.append((plan, silence))
                if len(group) == n:
                    for member, _ in group:
                        self._asked.add(f"{member.id}/{silence.topic}")
                        self._uses[member.id] += 1
                    return group
        raise NothingLeftToAsk(f"no {n} papers with an unasked silence in common")

    def _take_first(
        self, candidates: Callable[[PaperPlan], Sequence[PlannedFact]], what: str
    ) -> PlannedFact:
        for plan in self._least_used():
            free = [fact for fact in candidates(plan) if fact.id not in self._asked]
            if free:
                return self._used(self._dice.pick(free))
        raise NothingLeftToAsk(f"no unasked {what}")

    def _free(self, plan: PaperPlan, kind: Kind) -> list[PlannedFact]:
        free = [f for f in plan.of_kind(kind) if f.id not in self._asked and not f.only_in_table]
        return self._dice.shuffled(free)

    def _least_used(self) -> list[PaperPlan]:
        return sorted(self._papers.values(), key=lambda plan: self._uses[plan.id])

    def _used(self, fact: PlannedFact) -> PlannedFact:
        self._asked.add(fact.id)
        self._uses[fact.paper_id] += 1
        return fact


def _can_join(fact: PlannedFact, group: Sequence[PlannedFact]) -> bool:
    return all(
        other.paper_id != fact.paper_id and not (fact.value and fact.value == other.value)
        for other in group
    )
