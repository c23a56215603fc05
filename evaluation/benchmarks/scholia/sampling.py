"""Samples what every paper of a corpus says: the facts come first, the words later."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.fact_sampling import FactSampler
from evaluation.benchmarks.scholia.grammar import Entry
from evaluation.benchmarks.scholia.lexicon import Lexicon
from evaluation.benchmarks.scholia.naming import Namer
from evaluation.benchmarks.scholia.plans import PaperPlan, PlannedFact, Silence, Wordings

N_METRICS = 5
N_THRESHOLDS = 3
N_PARTS = 3
N_ENUMERATIONS = 2
N_FAILURES = 2
N_SETUPS = 4
N_SILENCES = 3


@dataclass(frozen=True, slots=True)
class WorldNames:
    """Names that belong to the field and not to one paper."""

    data_sets: tuple[str, ...]
    kernels: tuple[str, ...]
    hyper_parameters: tuple[str, ...]
    blocks: tuple[str, ...]


def sample_papers(lexicon: Lexicon, *, n_papers: int, seed: int) -> list[PaperPlan]:
    """Plans of all papers, in document order."""
    dice = Dice(lexicon.corpus, seed, "papers")
    namer = Namer(lexicon.name_rules, Dice(lexicon.corpus, seed, "names"))
    world = _world_names(lexicon, namer)
    subjects = _subjects(lexicon, n_papers, dice)
    names = [namer.plain_name() if lexicon.is_plain else namer.coin() for _ in range(n_papers)]
    plans = []
    for number, (setting, main_mechanism) in enumerate(subjects, start=1):
        paper_id = f"{lexicon.id_prefix}-{number:03d}"
        name = names[number - 1]
        others = [other for other in names if other != name]
        plans.append(
            _sample_paper(
                lexicon,
                Dice(lexicon.corpus, seed, "paper", number),
                namer,
                world,
                paper_id=paper_id,
                name=name,
                others=others,
                setting=setting,
                main_mechanism=main_mechanism,
            )
        )
    return plans


def _world_names(lexicon: Lexicon, namer: Namer) -> WorldNames:
    if lexicon.is_plain:
        return WorldNames((), (), (), ())
    return WorldNames(
        data_sets=tuple(namer.data_set() for _ in range(24)),
        kernels=tuple(namer.kernel() for _ in range(60)),
        hyper_parameters=tuple(namer.hyper_parameter() for _ in range(90)),
        blocks=tuple(f"{namer.coin()} block" for _ in range(40)),
    )


def _subjects(lexicon: Lexicon, n_papers: int, dice: Dice) -> list[tuple[Entry, Entry]]:
    """A setting and a main mechanism for each paper; no two papers share both."""
    settings = dice.shuffled(lexicon.settings)
    mechanisms = dice.shuffled(lexicon.mechanisms)
    subjects: list[tuple[Entry, Entry]] = []
    for number in range(n_papers):
        lap, at = divmod(number, len(settings))
        subjects.append((settings[at], mechanisms[(at + lap * 7) % len(mechanisms)]))
    return subjects


def _sample_paper(
    lexicon: Lexicon,
    dice: Dice,
    namer: Namer,
    world: WorldNames,
    *,
    paper_id: str,
    name: str,
    others: list[str],
    setting: Entry,
    main_mechanism: Entry,
) -> PaperPlan:
    sampler = FactSampler(
        paper_id=paper_id, name=name, dice=dice, namer=namer, data_sets=world.data_sets
    )
    facts: list[PlannedFact] = []
    metrics = dice.sample(lexicon.metrics, N_METRICS)
    axes = dice.sample(lexicon.conditions, N_METRICS)
    for number, (metric, axis) in enumerate(zip(metrics, axes, strict=True)):
        facts += sampler.quantities(metric, axis, only_in_table=number == N_METRICS - 1)
    for threshold in dice.sample(lexicon.thresholds, N_THRESHOLDS):
        facts.append(sampler.threshold(threshold))
    rest = [mechanism for mechanism in lexicon.mechanisms if mechanism is not main_mechanism]
    mechanisms = [main_mechanism, *dice.sample(rest, N_PARTS - 1)]
    for mechanism in mechanisms:
        facts += sampler.mechanism(mechanism)
    for enumeration in dice.sample(lexicon.enumerations, N_ENUMERATIONS):
        facts.append(sampler.enumeration(enumeration))
    for failure in dice.sample(lexicon.failures, N_FAILURES):
        facts += sampler.failure(failure)
    for setup in dice.sample(lexicon.setups, N_SETUPS):
        facts.append(sampler.setup(setup))
    silences = _silences(dice.sample(lexicon.unreported, N_SILENCES))
    facts += [sampler.silence(silence) for silence in silences if silence.is_said]
    return PaperPlan(
        id=paper_id,
        name=name,
        facts=tuple(facts),
        silences=silences,
        scene=_scene(lexicon, dice, world, name, others, setting, main_mechanism, facts),
        reference={
            "name": (name,),
            "setting": setting.get("asked", ()),
            "own_setting": setting.get("records", ()),
            "mech": main_mechanism.get("asked", ()),
        },
    )


def _silences(entries: list[Entry]) -> tuple[Silence, ...]:
    """The first is said in so many words; of the others the paper has not a word."""
    return tuple(
        Silence(
            topic=entry["words"][0],
            matter=entry["matter"][0],
            asked=entry["asked"][0],
            words=entry["words"],
            is_said=number == 0,
        )
        for number, entry in enumerate(entries)
    )


def _scene(
    lexicon: Lexicon,
    dice: Dice,
    world: WorldNames,
    name: str,
    others: list[str],
    setting: Entry,
    main_mechanism: Entry,
    facts: list[PlannedFact],
) -> Wordings:
    parts = dict.fromkeys(
        f"the {part}"
        for fact in facts
        if fact.kind == "mechanism"
        for part in fact.wordings["part"]
    )
    subjects = (name, "the system", "our approach", "this design")
    scene = {
        "name": (name,),
        "subj": subjects if lexicon.is_plain else (name, name, "the model", "our design"),
        "records": setting["records"],
        "people": setting["people"],
        "idea": main_mechanism["idea"],
        "part": tuple(parts),
        "model_other": tuple(dice.sample(others, 14)),
    }
    if not lexicon.is_plain:
        scene |= {
            "dataset_any": tuple(dice.sample(world.data_sets, 6)),
            "kernel_filler": tuple(dice.sample(world.kernels, 9)),
            "hyper_filler": tuple(dice.sample(world.hyper_parameters, 12)),
            "block_filler": tuple(dice.sample(world.blocks, 6)),
        }
    return scene
