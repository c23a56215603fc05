import pytest

from evaluation.language_models.endpoints import get_endpoint, known_endpoints, open_model
from evaluation.language_models.errors import (
    EndpointMisconfigured,
    EndpointUnknown,
    KeyMissing,
)

LOCAL = {"MEMJURY_ENDPOINT_LOCAL_VLLM_BASE_URL": "http://localhost:8000/v1"}


def test_a_missing_key_names_the_variable():
    with pytest.raises(KeyMissing, match="OPENAI_API_KEY"):
        open_model("openai:gpt-4.1-mini", environ={})
    with pytest.raises(KeyMissing, match="MEMJURY_ENDPOINT_GEMINI_API_KEY"):
        open_model("gemini:x", environ={"MEMJURY_ENDPOINT_GEMINI_BASE_URL": "https://g.example/v1"})


def test_an_unknown_endpoint_lists_the_known_ones():
    with pytest.raises(EndpointUnknown, match="anthropic, local-vllm, openai"):
        open_model("nowhere:x", environ=LOCAL)


@pytest.mark.parametrize("name", ["gpt-4.1-mini", "openai:", ":x", ""])
def test_a_name_that_is_not_endpoint_and_model_is_refused_with_an_example(name):
    with pytest.raises(EndpointUnknown, match="ENDPOINT:MODEL"):
        open_model(name, environ={})


def test_a_local_endpoint_needs_no_key_and_a_model_name_may_hold_colons():
    model = open_model("local-vllm:llama3:8b", environ=LOCAL)
    assert (model.provider, model.model) == ("local-vllm", "llama3:8b")
    assert open_model("local_vllm:x", environ=LOCAL).provider == "local-vllm"


def test_a_kind_chooses_the_back_end():
    environ = {
        "MEMJURY_ENDPOINT_PROXY_BASE_URL": "http://127.0.0.1:9",
        "MEMJURY_ENDPOINT_PROXY_KIND": "anthropic",
    }
    assert type(open_model("proxy:x", environ=environ)).__name__ == "AnthropicModel"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"MEMJURY_ENDPOINT_A_KIND": "cohere", "MEMJURY_ENDPOINT_A_BASE_URL": "http://x"}, "kinds"),
        ({"MEMJURY_ENDPOINT_A_BASE_URL": "ftp://x/y"}, "not an http"),
        ({"MEMJURY_ENDPOINT_A_API_KEY": "k"}, "not an http"),
        ({"MEMJURY_ENDPOINT_A_BASE_URL": "https://me:hush@x/v1"}, "user name or password"),
        ({"MEMJURY_ENDPOINT_A_BASE_URL": "http://[::1/v1"}, "not an http"),
        *(
            (
                {
                    "MEMJURY_ENDPOINT_A_BASE_URL": "http://127.0.0.1:9",
                    "MEMJURY_ENDPOINT_A_TIMEOUT_S": text,
                },
                "MEMJURY_ENDPOINT_A_TIMEOUT_S .* seconds from 1 to 420",
            )
            for text in ("soon", "0", "421", "nan")
        ),
    ],
)
def test_an_endpoint_that_cannot_be_used_is_refused_without_showing_its_address(environ, words):
    with pytest.raises(EndpointMisconfigured, match=words) as caught:
        open_model("a:x", environ=environ)
    assert "hush" not in str(caught.value)


def test_a_reply_is_waited_for_as_long_as_the_environment_says():
    environ = {**LOCAL, "MEMJURY_ENDPOINT_LOCAL_VLLM_TIMEOUT_S": "300", "OPENAI_TIMEOUT_S": "7.5"}
    listed = {endpoint.name: endpoint.timeout_s for endpoint in known_endpoints(environ)}
    assert listed == {"anthropic": 180.0, "local-vllm": 300.0, "openai": 7.5}


def test_what_an_endpoint_shows_of_itself_holds_no_secret():
    environ = {"OPENAI_API_KEY": "sk-very-secret", "OPENAI_BASE_URL": "https://inner.example/v1"}
    endpoint = get_endpoint("openai", environ)
    assert endpoint.api_key == "sk-very-secret"
    assert "secret" not in repr(endpoint)
    assert "inner.example" not in repr(endpoint)


def test_endpoints_are_listed_with_whether_they_are_ready():
    listed = {endpoint.name: endpoint.is_ready for endpoint in known_endpoints(LOCAL)}
    assert listed == {"anthropic": False, "local-vllm": True, "openai": False}


def test_the_scripted_model_needs_no_endpoint():
    assert open_model("scripted", environ={}).provider == "scripted"
