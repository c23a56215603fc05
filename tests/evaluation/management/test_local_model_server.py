from types import SimpleNamespace

import pytest

from evaluation.management import local_model_server


class Parameters:
    """What llama.cpp is told, as far as it is set."""

    def __init__(self) -> None:
        self.model = SimpleNamespace()
        self.cpuparams = SimpleNamespace()
        self.cpuparams_batch = SimpleNamespace()
        self.model_alias = ""


@pytest.mark.parametrize(("n_cores", "n_threads"), [(8, 7), (2, 1), (1, 1), (None, 1)])
def test_the_local_model_leaves_a_core_to_others(n_cores, n_threads, monkeypatch, tmp_path):
    monkeypatch.setattr(local_model_server, "model_file", lambda: tmp_path / "model.gguf")
    monkeypatch.setattr("os.cpu_count", lambda: n_cores)
    chosen = local_model_server.parameters(8091, SimpleNamespace(CommonParams=Parameters))
    assert chosen.cpuparams.n_threads == chosen.cpuparams_batch.n_threads == n_threads


def test_the_local_model_is_served_to_this_machine_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(local_model_server, "model_file", lambda: tmp_path / "model.gguf")
    chosen = local_model_server.parameters(8091, SimpleNamespace(CommonParams=Parameters))
    assert (chosen.hostnames, chosen.port) == (["127.0.0.1"], 8091)
    assert chosen.model.path == str(tmp_path / "model.gguf")
