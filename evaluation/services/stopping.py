"""What stops a work before its end: the run is told, and the work is given back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.language_models.base import SpendingLimitReached
from evaluation.models import Work
from evaluation.services.dispatch import give_back
from evaluation.services.failures import RunInterrupted, sentence_of
from evaluation.services.leases import lease_kept
from evaluation.services.run_state import pause_because


@contextmanager
def given_back_unless_done(work: Work) -> Iterator[None]:
    """The rest of the block is left out where the run was paused or cancelled, or has spent all
    it may. Anything else that goes wrong pauses the run with its reason and is raised: a work
    whose lease nobody uses would keep the run waiting without a word. The lease is kept
    meanwhile."""
    try:
        with lease_kept(work_id=work.pk):
            yield
    except RunInterrupted:
        give_back(work=work)
    except SpendingLimitReached as error:
        pause_because(run_id=work.run_id, reason=sentence_of(error))
        give_back(work=work, error=sentence_of(error))
    except Exception as error:
        pause_because(run_id=work.run_id, reason=f"{work.kind}: {sentence_of(error)}")
        give_back(work=work, error=sentence_of(error))
        raise
