"""Everything that can go wrong in a way the user can fix, each as one clear sentence.

    AuditError
    ├── FileProblem             a file cannot be used; the sentence names it
    │   ├── UnreadableFile      empty, garbage, encrypted, too large to unpack
    │   ├── WrongExport         a known export, but not the one needed here
    │   ├── MissingColumns      needed columns are not there, or have nothing usable
    │   └── NoRowsLeft          every row was removed; says by which filter
    ├── ModelUnavailable        a model is neither on this machine nor to be downloaded
    ├── EmbeddingMismatch       given vectors do not fit these pages or this model
    ├── InvalidSetting          a setting is out of its range (also a ValueError)
    ├── StoreProblem            the store of projects cannot be opened, read or written
    └── Cancelled               the user stopped the run

Browser and terminal show `str(error)` as it is: it says what is wrong, where, and what to do.
"""

OUT_OF_MEMORY = (
    "There is not enough memory. In the terminal, use `backlink-audit audit --engine parts`, which works with "
    "files of any size; in the app, upload fewer rows or close other programs."
)


def is_out_of_memory(problem: BaseException) -> bool:
    return isinstance(problem, MemoryError) or "allocate memory" in str(problem) or "out of memory" in str(problem)


class AuditError(Exception):
    """Anything the user can fix. Its text is one sentence for the user."""


class FileProblem(AuditError):
    """A file cannot be used. `file_name` is the name the user knows it by."""

    def __init__(self, file_name: str, sentence: str) -> None:
        self.file_name = file_name
        self.sentence = " ".join(sentence.split())
        super().__init__(f"{file_name}: {self.sentence}")

    def __reduce__(self) -> tuple[type["FileProblem"], tuple[str, str]]:
        return type(self), (self.file_name, self.sentence)


class UnreadableFile(FileProblem):
    """There is no table in the bytes: empty, garbage, encrypted, or too large to unpack."""


class WrongExport(FileProblem):
    """A known export, but not of the kind needed here."""


class MissingColumns(FileProblem):
    """Needed columns are not there, or have nothing usable."""


class NoRowsLeft(FileProblem):
    """Every row was removed; the sentence names the filter that removed the last ones."""


class ModelUnavailable(AuditError):
    """A model is neither on this machine nor to be downloaded."""


class EmbeddingMismatch(AuditError):
    """Given vectors do not fit these pages or this model."""


class InvalidSetting(AuditError, ValueError):
    """A setting is out of its range."""


class StoreProblem(AuditError):
    """The store of projects cannot be opened, read or written; what was there before is there still."""


class Cancelled(AuditError):
    """The user stopped the run."""

    def __init__(self, sentence: str = "The run was stopped.") -> None:
        super().__init__(sentence)
