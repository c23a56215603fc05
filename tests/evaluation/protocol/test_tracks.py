from __future__ import annotations

import pytest

from evaluation.protocol.tracks import UnknownTrack, parse_track, parse_tracks


@pytest.mark.parametrize(
    ("name", "canonical", "limit"),
    [
        ("30k", "30k", ("chars", 30_000)),
        ("30000", "30k", ("chars", 30_000)),
        ("1500", "1500", ("chars", 1500)),
        ("8kt", "8kt", ("tokens", 8000)),
        ("4096t", "4096t", ("tokens", 4096)),
        ("k20", "k20", ("k", 20)),
    ],
)
def test_a_track_names_its_limit(name: str, canonical: str, limit: tuple[str, int]) -> None:
    track = parse_track(name)
    assert track.name == canonical
    assert getattr(track.budget, limit[0]) == limit[1]


@pytest.mark.parametrize("name", ["", "0", "0k", "-5", "30 k", "big", "k0", "k", "1.5k", "30kk"])
def test_a_track_that_cannot_be_read_is_refused_with_the_known_forms(name: str) -> None:
    with pytest.raises(UnknownTrack, match="native, characters such as 10k"):
        parse_track(name)


def test_tracks_are_ordered_native_first_and_kept_once() -> None:
    names = [track.name for track in parse_tracks(["50k", "native", "10000", "10k", "k5"])]
    assert names == ["native", "10k", "50k", "k5"]
