"""What a corpus looks like to Theoria: communities, theories by confidence, links by relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from memory_systems.adapters.theoria.layers import Layers
from memory_systems.adapters.theoria.system import Theoria
from memory_systems.adapters.theoria.theories import CONFIDENCES, Confidence
from memory_systems.base import Unit
from memory_systems.evidence.links import RELATIONS, Relation, by_relation

DEFAULT_SHOWN = 20
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ShownCommunity:
    """A fine community. ``size`` counts claims, ``n_items`` the items that its members come from.
    ``neighbours`` are numbers of communities, the closest first."""

    id: int
    coarse: int
    size: int
    n_items: int
    terms: tuple[str, ...]
    neighbours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownTheory:
    """``community`` is -1 where none was there when it was observed; ``source_id`` is the item that
    its statement was taken from."""

    id: int
    statement: str
    confidence: Confidence
    support: int
    contradiction: int
    community: int
    terms: tuple[str, ...]
    source_id: str


@dataclass(frozen=True, slots=True)
class ShownLink:
    relation: Relation
    cosine: float
    source_text: str
    source_id: str
    target_text: str
    target_id: str


@dataclass(frozen=True, slots=True)
class Overview:
    """``layers`` counts everything; the tuples hold the leading ones: communities by size, theories
    of each confidence by support, links of each relation the nearest pairs first."""

    n_items: int
    layers: Mapping[str, int]
    communities: tuple[ShownCommunity, ...]
    theories: Mapping[Confidence, tuple[ShownTheory, ...]]
    n_theories: Mapping[Confidence, int]
    links: Mapping[Relation, tuple[ShownLink, ...]]
    n_links: Mapping[Relation, int]


def overview_of(
    memory: Theoria, *, shown: int = DEFAULT_SHOWN, examples: int = _EXAMPLES
) -> Overview:
    """At most ``shown`` communities and theories of each confidence, ``examples`` links of each
    relation. An empty memory gives empty tuples and no counts."""
    stats, layers = memory.stats(), memory.layers()
    theories = layers.theories
    counts = Counter(theory.confidence for theory in theories)
    links = by_relation(layers.links)
    return Overview(
        n_items=stats.n_items,
        layers=stats.layers,
        communities=_communities(memory, layers, shown),
        theories={level: _theories(memory, layers, level, shown) for level in CONFIDENCES},
        n_theories={level: counts[level] for level in CONFIDENCES},
        links={
            relation: tuple(
                ShownLink(
                    relation,
                    link.cosine,
                    source.text,
                    source.source_id,
                    target.text,
                    target.source_id,
                )
                for link in links[relation][:examples]
                for source, target in [memory.units_at((link.source, link.target))]
            )
            for relation in RELATIONS
        },
        n_links={relation: len(links[relation]) for relation in RELATIONS},
    )


def _communities(memory: Theoria, layers: Layers, shown: int) -> tuple[ShownCommunity, ...]:
    n_items = memory.items_by_community()
    return tuple(
        ShownCommunity(
            one.id,
            one.coarse,
            one.size,
            n_items[one.id],
            one.terms,
            tuple(layers.neighbours.get(one.id, ())),
        )
        for one in layers.communities[:shown]
    )


def _theories(
    memory: Theoria, layers: Layers, confidence: Confidence, shown: int
) -> tuple[ShownTheory, ...]:
    kept = [theory for theory in layers.theories if theory.confidence == confidence]
    kept.sort(key=lambda one: (-one.support, one.contradiction, one.id))
    sources: tuple[Unit, ...] = memory.units_at([theory.unit for theory in kept[:shown]])
    return tuple(
        ShownTheory(
            theory.id,
            theory.statement,
            confidence,
            theory.support,
            theory.contradiction,
            theory.community,
            layers.communities[theory.community].terms if theory.community >= 0 else (),
            unit.source_id,
        )
        for theory, unit in zip(kept[:shown], sources, strict=True)
    )
