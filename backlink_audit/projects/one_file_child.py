"""What the limited child does that looks through a stranger's project file (`limited_child`).

Sizes are looked at before anything is unpacked, and then every part is
unpacked, one at a time, and measured: what a part says of itself may be untrue. The exit code says what was found.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO

from backlink_audit.limited_child import TOO_LARGE
from backlink_audit.projects.store_tables import ROWS_OF_PART

NO_PROJECT_FILE = 3

DATA = "project.json"
MOST_BYTES = 4 * 2**30
"""Of all members unpacked: 24 snapshots of a million links take less."""
MOST_MEMBERS = 20_000
MOST_OF_MEMBER = 2**30
"""Of one member: an upload has no more."""
MOST_PLAIN = 64 * 2**20
"""Of project.json: a decision takes about 200 bytes."""
MOST_VALUES = 3_000_000
"""In project.json: a decision has ten. Each takes about a hundred bytes once it is read."""
MOST_COLUMNS = 500
NEEDED = frozenset({"referring_url", "target_url", "referring_domain", "target_domain", "is_lost"})
"""Columns that every snapshot has."""
MOST_OF_PART = 2**30
"""Bytes of one part of a snapshot's links in memory: a quarter of a million rows take 0.4 GB."""
ALWAYS = 2**28
RATIO = 200
"""What unpacks to more than `ALWAYS` bytes may do so by this factor; links reach 30."""
PART = re.compile(r"links/\d{1,9}/(?:scored|aside)-\d{5}")


class TooLarge(Exception):
    """Something in the file is larger than a project can have it."""


def main(path: str) -> bytes | int:
    """Look through a file; return nothing, or what failed."""
    try:
        check(path)
    except (TooLarge, MemoryError):
        return TOO_LARGE
    except Exception:  # whatever it is: it is not as `write_project` writes it
        return NO_PROJECT_FILE
    return b""


def check(path: str) -> None:
    """Raise TooLarge or MemoryError for a file that unpacks to too much, anything else for one that is damaged."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        _check_sizes(members)
        for member in members:
            content = archive.read(member)
            if member.filename == DATA:
                _check_plain(content)
        archive.getinfo(DATA)
        if len({member.filename for member in members}) < len(members):
            raise ValueError("a member twice")
        parts = (archive.read(member) for member in members if member.filename.startswith("links/"))
        _check_parts(parts, sum(member.compress_size for member in members))
        if not all(PART.fullmatch(member.filename) for member in members if member.filename.startswith("links/")):
            raise ValueError("a part of another name")


def _check_sizes(members: list[zipfile.ZipInfo]) -> None:
    packed, unpacked = (sum(sizes) for sizes in zip(*((m.compress_size, m.file_size) for m in members), strict=True))
    plain = max((member.file_size for member in members if member.filename == DATA), default=0)
    _at_most(len(members), MOST_MEMBERS)
    _at_most(unpacked, min(MOST_BYTES, max(ALWAYS, RATIO * packed)))
    _at_most(max(member.file_size for member in members), MOST_OF_MEMBER)
    _at_most(plain, MOST_PLAIN)


def _check_plain(content: bytes) -> None:
    """Check that the plain data can be read in little memory, and has no half of a character."""
    _at_most(sum(map(content.count, (b",", b"[", b"{"))), MOST_VALUES)
    json.dumps(json.loads(content), ensure_ascii=False).encode()


def _check_parts(parts: Iterator[bytes], packed: int) -> None:
    """Check the tables: rows and columns by what they say, then every column by what it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    unpacked = 0
    for part in parts:
        file = pq.ParquetFile(BytesIO(part))
        _at_most(file.metadata.num_rows, ROWS_OF_PART)
        _at_most(file.metadata.num_columns, MOST_COLUMNS)
        size = 0
        for name in file.schema_arrow.names:
            for column in file.read(columns=[name]).columns:
                if pa.types.is_dictionary(column.type):
                    column = column.cast(column.type.value_type)
                size += column.nbytes
                _at_most(size, MOST_OF_PART)
        unpacked += size
        _at_most(unpacked, max(ALWAYS, RATIO * packed))
        if not NEEDED.issubset(file.schema_arrow.names):
            raise ValueError("links of other columns")
        file.schema_arrow.empty_table().to_pandas()


def _at_most(number: int, most: int) -> None:
    if number > most:
        raise TooLarge
