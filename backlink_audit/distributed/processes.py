"""An audit in parts on several processes of this machine, each of which does whole parts.

A part that is written is not made again, so a run whose processes were ended goes on with the same command.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from backlink_audit.audit.parts import AuditRun, Here, Work, Workers
from backlink_audit.embedding.catalogue import MODELS
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.exports.parts import drafted, has_part, read_part, write_part
from backlink_audit.progress import Progress, silent
from backlink_audit.text.link_texts import LinkedSites

PROCESSES_SETTING = "BACKLINK_AUDIT_PROCESSES"  # environment variable: how many processes do the parts of an audit
MOST_PROCESSES = 4  # more are not started unasked: each needs about 600 MB
Load = Callable[[str], Encoder]
TEXTS, NUMBERS, CHUNKS, VECTORS = "texts", "numbers", "chunk", "vectors"
TEXTS_PER_CHUNK = 2_048  # texts embedded by one worker at a time, and lost with it: seconds of work


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


def write_texts(run: AuditRun, number: int, sites: LinkedSites) -> None:
    """Write the distinct texts of a part, in the order in which comparing it asks for them."""
    if not has_part(run.folder, TEXTS, number):
        texts = run.texts(number, sites)
        write_part(pd.DataFrame({"text": pd.Series(texts, dtype="str")}), run.folder, TEXTS, number)


def chunk_texts(run: AuditRun, texts_per_chunk: int = TEXTS_PER_CHUNK) -> int:
    """Number the distinct texts of all parts, write them in chunks, and return how many chunks there are.

    A text is known by a hash of 64 bits: two in a million are taken for one about once in forty million audits.
    """
    hashes = [pd.util.hash_array(_texts(run, number).to_numpy(object), categorize=False) for number in range(run.parts)]
    codes, _ = pd.factorize(np.concatenate(hashes))
    is_first = np.zeros(len(codes), dtype=bool)
    is_first[np.unique(codes, return_index=True)[1]] = True
    ends = np.cumsum([len(part) for part in hashes])[:-1]
    waiting: list[str] = []
    chunks = 0
    for number, (numbers, first) in enumerate(zip(np.split(codes, ends), np.split(is_first, ends), strict=True)):
        chunk, row = np.divmod(numbers, texts_per_chunk)
        write_part(pd.DataFrame({"chunk": chunk, "row": row}), run.folder, NUMBERS, number)
        waiting.extend(_texts(run, number)[first])
        while len(waiting) >= texts_per_chunk or (waiting and number == run.parts - 1):
            write_chunk(run.folder, chunks, waiting[:texts_per_chunk])
            waiting, chunks = waiting[texts_per_chunk:], chunks + 1
    return chunks


def write_chunk(folder: Path, chunk: int, texts: list[str]) -> None:
    """Write the texts of a chunk, if they are not there."""
    if not has_part(folder, CHUNKS, chunk):
        write_part(pd.DataFrame({"text": pd.Series(texts, dtype="str")}), folder, CHUNKS, chunk)


def embed_chunk(folder: Path, chunk: int, encoder: Encoder) -> None:
    """Write the vectors of a chunk's texts, if they are not there; whole or not at all."""
    target = vectors_of(folder, chunk)
    if not target.exists():
        vectors = encoder.encode(read_part(folder, CHUNKS, chunk)["text"].tolist())
        with drafted(target) as draft, draft.open("wb") as file:
            np.save(file, vectors)


def vectors_of(folder: Path, chunk: int) -> Path:
    return folder / f"{VECTORS}-{chunk:05}.npy"


class StoredVectors:
    """An Encoder for the texts of one part, all of which have been embedded."""

    name = identity = "stored"
    device = "cluster"

    def __init__(self, folder: Path, part: int) -> None:
        self._folder = folder
        self._part = part
        self.dimensions = int(np.load(vectors_of(folder, 0), mmap_mode="r").shape[1])

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return the vectors of all of the part's texts, in the order in which they were numbered."""
        numbers = read_part(self._folder, NUMBERS, self._part)
        if len(numbers) != len(texts):
            raise ValueError(f"The part has {len(numbers)} texts, but {len(texts)} were expected.")
        vectors = np.empty((len(numbers), self.dimensions), np.float32)
        chunks, rows = numbers["chunk"].to_numpy(), numbers["row"].to_numpy()
        for chunk in np.unique(chunks):
            here = np.flatnonzero(chunks == chunk)
            vectors[here] = np.load(vectors_of(self._folder, int(chunk)), mmap_mode="r")[rows[here]]
        return vectors


def _texts(run: AuditRun, number: int) -> pd.Series:
    return read_part(run.folder, TEXTS, number)["text"]
