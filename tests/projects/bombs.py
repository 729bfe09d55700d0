"""Project files made to harm: small ones that unpack to gigabytes, and plain data that this app never writes."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

MEGABYTE = 1024**2


def changed(data: bytes, members: Mapping[str, bytes] | None = None, **values: Any) -> bytes:
    """Return a project file with other plain data, and with these members beside or in place of its own."""
    members, target = dict(members or {}), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            content = members.pop(member, None) or old.read(member)
            if member == "project.json" and values:
                content = json.dumps(json.loads(content) | values).encode()
            new.writestr(member, content)
        for member, content in members.items():
            new.writestr(member, content)
    return target.getvalue()


def plain(data: bytes) -> dict[str, Any]:
    """Return the plain data of a project file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found: dict[str, Any] = json.loads(archive.read("project.json"))
        return found


def links(data: bytes) -> list[str]:
    """Return the members with the links of a snapshot."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [name for name in archive.namelist() if name.startswith("links/")]


def rows(number: int, cell: str = "x") -> bytes:
    """Return a table of equal rows: their number costs next to nothing."""
    table = pa.table({"referring_url": pa.DictionaryArray.from_arrays(pa.array([0] * number, pa.int8()), [cell])})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", store_schema=False)
    return buffer.getvalue()


def wide() -> bytes:
    """Return a table of 20,000 columns."""
    buffer = io.BytesIO()
    pq.write_table(pa.table({f"c{number}": ["x"] for number in range(20_000)}), buffer)
    return buffer.getvalue()


def with_links(data: bytes, part: bytes, times: int = 1) -> bytes:
    """Return a project file with other links, in so many parts."""
    first, *_ = links(data)
    folder = first.rpartition("/")[0]
    return changed(data, {first: part} | {f"{folder}/scored-{number:05d}": part for number in range(1, times)})


def with_rows(data: bytes, table: str, **values: Any) -> bytes:
    """Return a project file with other values in each row of a table."""
    return changed(data, None, **{table: [row | values for row in plain(data)[table]]})


def twice(data: bytes, table: str) -> bytes:
    """Return a project file that has each row of a table twice."""
    return changed(data, None, **{table: plain(data)[table] * 2})


def with_figures(data: bytes, **values: Any) -> bytes:
    """Return a project file with other figures in each snapshot."""
    found = [row | {"figures": row["figures"] | values} for row in plain(data)["snapshots"]]
    return changed(data, snapshots=found)


def many_members(data: bytes) -> bytes:
    """Return a project file with 100,000 empty members."""
    target = io.BytesIO(data)
    with zipfile.ZipFile(target, "a") as archive:
        for number in range(100_000):
            archive.writestr(f"n/{number}", b"")
    return target.getvalue()


def member_twice(data: bytes) -> bytes:
    """Return a project file that has the links of a snapshot twice under one name."""
    target, name = io.BytesIO(data), links(data)[0]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read(name)
    with zipfile.ZipFile(target, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile says that the name is there already
        archive.writestr(zipfile.ZipInfo(name), content)
    return target.getvalue()


def lying_size(data: bytes) -> bytes:
    """Return a project file whose directory says that its plain data is a single byte."""
    size = data.rindex(b"project.json") - 46 + 24  # of the record of 46 bytes before its name
    return data[:size] + (1).to_bytes(4, "little") + data[size + 4 :]


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "8,000,000 equal rows in 64 KB": lambda data: with_links(data, rows(8_000_000)),
    "a row of 5 MB, 200,000 times": lambda data: with_links(data, rows(200_000, "x" * 5 * MEGABYTE)),
    "20 parts of 250,000 rows of 2 kB": lambda data: with_links(data, rows(250_000, "x" * 2_000), 20),
    "20,000 columns": lambda data: with_links(data, wide()),
    "100 MB of decisions in 100 KB": lambda data: changed(data, decisions=[[]] * 34_000_000),
    "60 MB of numbers": lambda data: changed(data, page_states=[{"name": "a", "value": {"b": [1] * 20_000_000}}]),
    "1.5 GB of zeros in 1.5 MB": lambda data: changed(data, {"files/0": bytes(1_500 * MEGABYTE)}),
    "100,000 members": many_members,
    "nesting without end": lambda data: changed(
        data, {"project.json": b'{"format": 2, "project": ' + b"[" * 5_000_000 + b"]" * 5_000_000 + b"}"}
    ),
}
"""Each is refused before it is unpacked, with a sentence on its size or as no project file."""
STRANGE: dict[str, Callable[[bytes], bytes]] = {
    "a place of 1e30": lambda data: with_rows(data, "files", place=1e30),
    "a place of ten to the 30": lambda data: with_rows(data, "files", place=10**30),
    "a place below zero": lambda data: with_rows(data, "files", place=-1),
    "files twice": lambda data: changed(
        data, {"files/1": b"a,b\n1,2\n"}, files=[row | {"place": 0} for row in plain(data)["files"] * 2]
    ),
    "decisions twice": lambda data: twice(data, "decisions"),
    "prospects twice": lambda data: twice(data, "prospects"),
    "snapshots twice": lambda data: twice(data, "snapshots"),
    "comparisons twice": lambda data: twice(data, "comparisons"),
    "pages twice": lambda data: twice(data, "page_states"),
    "links twice": member_twice,
    "a version of ten to the 30": lambda data: with_rows(data, "decisions", version=10**30),
    "figures of 1e300": lambda data: with_figures(data, mean_cas=1e300),
    "ten to the 300 links": lambda data: with_figures(data, links=10**300),
    "fewer links than none": lambda data: with_figures(data, links=-1),
    "a day before any web": lambda data: with_rows(data, "snapshots", day="0001-01-01"),
    "half a surrogate in a note": lambda data: with_rows(data, "decisions", note="a\ud800"),
    "half a surrogate in the name": lambda data: changed(
        data, project={"name": "a\ud800", "site": "a.example", "settings": {}}
    ),
    "links that are no table": lambda data: with_links(data, b"PAR1"),
    "links of other columns": lambda data: with_links(data, rows(3)),
    "a size that lies": lying_size,
}
"""Each is refused as no project file."""
