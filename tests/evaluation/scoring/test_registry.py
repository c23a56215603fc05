import pytest

from evaluation.language_models.errors import KeyMissing
from evaluation.language_models.scripted import ScriptedModel
from evaluation.scoring.registry import UnknownJudge, known_judges, open_judge


@pytest.mark.parametrize("name", known_judges())
def test_a_known_name_opens_its_judge(name):
    judge = open_judge(name)
    assert judge.name == name
    assert judge.is_proxy


def test_a_model_name_is_opened_by_the_factory_given():
    judge = open_judge("openai:m", model_factory=lambda name: ScriptedModel(name=name))
    assert (judge.name, judge.is_proxy) == ("openai:m", False)


def test_the_retrieval_suffix_is_no_part_of_the_model():
    asked: list[str] = []

    def factory(name: str) -> ScriptedModel:
        asked.append(name)
        return ScriptedModel(name=name)

    assert open_judge("openai:m+retrieval", model_factory=factory).name == "openai:m+retrieval"
    assert asked == ["openai:m"]


@pytest.mark.parametrize("name", ["rubrik", "", "rubric+retrieval"])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(UnknownJudge, match="rubric, substring, typed"):
        open_judge(name)


def test_a_missing_key_is_named(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    with pytest.raises(KeyMissing, match="ANTHROPIC_API_KEY"):
        open_judge("anthropic:m")
