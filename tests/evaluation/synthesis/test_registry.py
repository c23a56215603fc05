import pytest

from evaluation.language_models.errors import EndpointUnknown, KeyMissing
from evaluation.language_models.scripted import ScriptedModel
from evaluation.synthesis.registry import (
    EmbedderMissing,
    UnknownSynthesizer,
    known_synthesizers,
    open_synthesizer,
)
from tests.evaluation.synthesis.hashed_words import HashedWords


def test_a_known_name_opens_its_synthesizer():
    assert open_synthesizer("extractive", embedder=HashedWords()).name == "extractive"
    assert open_synthesizer("scripted").name == "scripted"
    assert set(known_synthesizers()) == {"extractive", "scripted"}


def test_a_model_name_is_opened_by_the_factory_given():
    asked: list[str] = []

    def factory(name: str) -> ScriptedModel:
        asked.append(name)
        return ScriptedModel(name=name)

    assert open_synthesizer("openai:m", model_factory=factory).name == "openai:m"
    assert asked == ["openai:m"]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownSynthesizer, match=r"extractive, scripted.*openai"):
        open_synthesizer("abstractive")


def test_an_unknown_endpoint_and_a_missing_key_are_named(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(EndpointUnknown, match="nowhere"):
        open_synthesizer("nowhere:m")
    with pytest.raises(KeyMissing, match="OPENAI_API_KEY"):
        open_synthesizer("openai:m")


def test_the_extractive_one_needs_an_embedder():
    with pytest.raises(EmbedderMissing, match="embedder"):
        open_synthesizer("extractive")
