import pytest

from evaluation.language_models.base import CompletionRequest, Message
from evaluation.language_models.scripted import ScriptedModel, ScriptHasNoLine


def request(text: str, repeat: int = 0) -> CompletionRequest:
    return CompletionRequest("scripted", (Message("user", text),), 10, repeat=repeat)


def test_a_mapping_is_followed_and_calls_are_counted_by_request():
    model = ScriptedModel({"hello": "hi"})
    assert model.complete(request("hello")).text == "hi"
    model.complete(request("hello"))
    model.complete(request("hello", repeat=1))
    assert (model.n_calls, sorted(model.calls.values())) == (3, [1, 2])


def test_a_function_sees_the_whole_request():
    model = ScriptedModel(lambda asked: asked.messages[0].content.upper())
    assert model.complete(request("hello")).text == "HELLO"


def test_a_prompt_that_the_script_lacks_is_named():
    with pytest.raises(ScriptHasNoLine, match="goodbye"):
        ScriptedModel({}).complete(request("goodbye"))
