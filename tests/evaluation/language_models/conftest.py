from tests.stub_endpoint.fixture import open_stub, stub, waits

__all__ = ["open_stub", "stub", "waits"]
