"""An audit in parts on several processes of this machine, each of which does whole parts.

A part that is written is not made again, so a run whose processes were ended goes on with the same command.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial

from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import MODELS, load_encoder
from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.pipelines.audit.part_stages import AuditRun, LinkedSites
from backlink_audit.pipelines.audit.parts import Here, Work, Workers
from backlink_audit.progress import Progress, silent

PROCESSES_SETTING = "BACKLINK_AUDIT_PROCESSES"
"""Environment variable: how many processes do the parts of an audit."""
MOST_PROCESSES = 4
"""More are not started unasked: each needs about 600 MB."""
Load = Callable[[str], Encoder]


def process_count(model: str, parts: int) -> int:
    """Return how many processes do the parts of an audit with this model: as set, else one for each core.

    One for models of one's own, and for those on torch: they use all cores, or the graphics card, by themselves.
    Raises InvalidSetting.
    """
    asked = os.environ.get(PROCESSES_SETTING, "")
    if asked and not (asked.isdecimal() and int(asked)):
        raise InvalidSetting(f"{PROCESSES_SETTING} is “{asked}”: set it to a whole number from 1.")
    if asked:
        return min(int(asked), parts)
    light = any(known.name == model and not known.needs_torch for known in MODELS)
    return min(cpu_count(only_physical_cores=True), MOST_PROCESSES, parts) if light else 1


def machine_workers(encoder: Encoder, parts: int, on_progress: Progress) -> Workers:
    """Return who does the parts of an audit on this machine: this process alone, or a pool. Raises InvalidSetting."""
    count = process_count(encoder.name, parts)
    return Here(encoder, on_progress) if count == 1 else Processes(encoder, count, on_progress)


class Processes:
    """Workers: a pool of processes of this machine."""

    def __init__(self, encoder: Encoder, count: int, on_progress: Progress, load: Load = load_encoder) -> None:
        """`load` gives each of the `count` processes the model by its name; the progress is in rows of the export."""
        self.model, self.device = encoder.name, encoder.device
        self._count, self._on_progress, self._load = count, on_progress, load

    def each(self, what: str, run: AuditRun, work: Work) -> None:
        """Do the work for every part. Raises what it raises, and AuditError where a process was ended."""
        self._on_progress(what, 0, run.export.rows)
        done = 0
        for number in self._finished(work, run.parts):
            done += run.export.parts[number].rows
            self._on_progress(what, done, run.export.rows)

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]:
        """Return what gives the encoder in the process that does a part."""
        return partial(_loaded, self._load, self.model)

    def _finished(self, work: Work, parts: int) -> Iterator[int]:
        pool = Parallel(self._count, return_as="generator_unordered", pre_dispatch=self._count)
        try:
            yield from pool(delayed(_do)(work, number) for number in range(parts))
        except TerminatedWorkerError as error:
            raise AuditError(
                "A process of the audit ended early, probably because memory ran out. Set "
                f"{PROCESSES_SETTING} to 1 and run the same command again: it continues where it stopped."
            ) from error
        finally:
            get_reusable_executor().shutdown()  # its memory is needed by what is done between two stages


def _do(work: Work, number: int) -> int:
    work(number, silent)
    return number


def _loaded(load: Load, model: str, number: int) -> Encoder:
    return load(model)
