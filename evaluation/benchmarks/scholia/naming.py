"""Invented names: systems, parts, kernels, hyper-parameters, data sets and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.benchmarks.scholia.dice import Dice


class Namer:
    """Coins names that no one else in the corpus has, from the syllables of ``rules``."""

    def __init__(self, rules: Mapping[str, Sequence[str]], dice: Dice) -> None:
        self._rules = rules
        self._dice = dice
        self._taken: set[str] = set()

    def coin(self) -> str:
        """A word that does not exist, capitalised: two or three syllables."""
        while True:
            syllables = self._dice.between(1, 2)
            word = "".join(
                self._dice.pick(self._rules["onset"]) + self._dice.pick(self._rules["nucleus"])
                for _ in range(syllables)
            )
            word = (word + self._dice.pick(self._rules["coda"])).capitalize()
            if 5 <= len(word) <= 10 and self._take(word):
                return word

    def hyper_parameter(self) -> str:
        return f"{self._dice.pick(self._rules['hyper_stem'])}_{self.coin().lower()}"

    def kernel(self) -> str:
        verb = self._dice.pick(self._rules["kernel_verb"])
        tail = self._dice.pick(self._rules["kernel_tail"])
        return f"{verb}_{self.coin().lower()}_{tail}"

    def data_set(self) -> str:
        return f"{self.coin()}{self._dice.pick(self._rules['dataset_tail'])}"

    def plain_name(self) -> str:
        """Two everyday words, such as a person would give to a tool."""
        while True:
            name = (
                f"{self._dice.pick(self._rules['first'])} {self._dice.pick(self._rules['second'])}"
            )
            if self._take(name):
                return name

    def _take(self, name: str) -> bool:
        if name in self._taken:
            return False
        self._taken.add(name)
        return True
