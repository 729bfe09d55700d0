"""Files made to crash, to hold up, to fill or to fool the program that reads them."""

import gzip
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

HEADER = (
    "Referring page title,Referring page URL,Language,Domain rating,UR,External links,Target URL,"
    "Left context,Anchor,Right context,Type,Content,Nofollow,First seen,Last seen"
)
MEGABYTE = 1024**2
MILLION, DEEP = 1_000_000, 200_000


def export(title: str = "Guide to tents", rows: int = 40, **cells: str) -> bytes:
    """Return an export of so many rows, with hostile words in some of their cells."""
    row = {
        "url": "https://page{0}.example/tents",
        "language": "en",
        "rating": "40",
        "target": "https://shop.example/tents",
        "anchor": "tents",
        "content": "true",
        "seen": "2025-01-05",
    } | cells
    lines = [HEADER]
    for number in range(rows):
        url, anchor, words = row["url"].format(number), row["anchor"], title.replace('"', '""')
        lines.append(
            f'"{words}","{url}",{row["language"]},{row["rating"]},10,20,"{row["target"]}",see,"{anchor}",here,text,'
            f"{row['content']},false,{row['seen']},2025-06-05"
        )
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def workbook(sheet: bytes, **parts: bytes) -> bytes:
    """Return a workbook with this XML for its only sheet; `parts` are its other files, as shared strings."""
    names = {
        "[Content_Types].xml": b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        b'content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
        b'+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        b'relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": b'<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
        b'main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        b'<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/'
        b'package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/'
        b'2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
        **{f"xl/{name}.xml": part for name, part in parts.items()},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in names.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def cells(*inside: str) -> bytes:
    """Return a sheet's XML around these rows."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return (
        f'<?xml version="1.0"?><worksheet xmlns="{space}"><sheetData>{"".join(inside)}</sheetData></worksheet>'.encode()
    )


def text(place: str, words: str) -> str:
    """Return the XML of one cell."""
    return f'<c r="{place}" t="inlineStr"><is><t>{words}</t></is></c>'


def laughs() -> bytes:
    """Return a sheet whose document type multiplies one word a billion times."""
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY l0 "ha">{entities}]><s>&l9;</s>'.encode()


def embeddings(shape: str, data: bytes) -> bytes:
    """Return an .npz file whose vectors are said to have this shape."""
    buffer = io.BytesIO()
    words = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    parts = {"vectors": b"\x93NUMPY\x01\x00" + len(words).to_bytes(2, "little") + words.encode() + data}
    for name, value in {"urls": "<U1", "model": "<U1", "text": "<U1"}.items():
        shape_of_text = "(1,)" if name == "urls" else "()"
        words = f"{{'descr': '{value}', 'fortran_order': False, 'shape': {shape_of_text}, }}".ljust(117) + "\n"
        parts[name] = b"\x93NUMPY\x01\x00" + len(words).to_bytes(2, "little") + words.encode() + b"a\0\0\0"
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(f"{name}.npy", part)
    return buffer.getvalue()


def lines(*values: str) -> bytes:
    """Return a crawl as JSON lines whose titles are these, as they are written in JSON."""
    return "".join(
        f'{{"url": "https://shop.example/{n}", "title": {value}}}\n' for n, value in enumerate(values)
    ).encode()


def archive(**members: bytes) -> bytes:
    """Return a zip with these csv files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(f"{name}.csv", data)
    return buffer.getvalue()


def vectors(value: float) -> bytes:
    """Return embeddings of the crawl beside them, all of whose numbers are this one."""
    buffer = io.BytesIO()
    urls = np.array([f"https://shop.example/{letter}" for letter in "abc"])
    np.savez(buffer, urls=urls, vectors=np.full((3, 8), value), model=np.array("m"), text=np.array("title"))
    return buffer.getvalue()


def noise(size: int) -> bytes:
    """Return bytes of chance, always the same."""
    return random.Random(7).randbytes(size)


FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a title of 50,000 times “a.”": ("dots.csv", lambda: export("a." * 50_000 + "é", 3)),
    "a title of 200,000 opening brackets": ("brackets.csv", lambda: export("[(<" * 70_000, 3)),
    "a title of 9 million letters": ("long.csv", lambda: export("x" * 9_000_000, 2)),
    "one cell of 100 MB": ("huge.csv", lambda: export("x" * 100 * MEGABYTE, 1)),
    "a quote that never ends": ("quote.csv", lambda: HEADER.encode() + b'\n"' + b"x,\n" * 3_000_000),
    "20,000 columns": ("wide.csv", lambda: (",".join(f"c{n}" for n in range(20_000)) + "\n").encode() * 50),
    "5 million line ends": ("lines.csv", lambda: HEADER.encode() + b"\n" * 5_000_000),
    "URLs of 100,000 characters": ("urls.csv", lambda: export(url="https://a{0}.example/" + "%41/" * 25_000, rows=20)),
    "URLs that are none": ("hosts.csv", lambda: export(url="http://[::{0}", target="https://xn--a/\u202e")),
    "terminal codes and NUL in titles": ("codes.csv", lambda: export("\x1b]0;owned\x07\x1b[2J\0tents")),
    "formulas in cells": ("formulas.csv", lambda: export("=cmd|' /C calc'!A0", anchor="=1+1")),
    "carriage returns in cells": ("returns.csv", lambda: export("tents\r=1+1")),
    "markup in cells": ("markup.csv", lambda: export("![i](https://foreign.example/i.png)<script>", anchor="<b>")),
    "numbers and dates beyond all bounds": ("bounds.csv", lambda: export(rating="1e999", seen="99999-99-99")),
    "half of a surrogate": ("surrogate.csv", lambda: export("a\ud800b")),
    "UTF-16 that ends within a character": ("cut.csv", lambda: export().decode().encode("utf-16")[:-1]),
    "2 MB of chance": ("noise.csv", lambda: noise(2 * MEGABYTE)),
    "an empty file": ("empty.csv", lambda: b""),
    "a header alone": ("header.csv", lambda: HEADER.encode()),
    "a gzip bomb": ("bomb.csv", lambda: gzip.compress(bytes(200 * MEGABYTE))),
    "a workbook that unpacks to 0.6 GB": (
        "bomb.xlsx",
        lambda: workbook(b"<worksheet>" + b" " * (600 * MEGABYTE)),
    ),
    "a workbook whose entities multiply": ("laughs.xlsx", lambda: workbook(laughs())),
    "a workbook with a cell at the far corner": (
        "corner.xlsx",
        lambda: workbook(
            cells(f'<row r="1">{text("A1", "URL")}</row><row r="1048576">{text("XFD1048576", "x")}</row>')
        ),
    ),
    "a workbook cut off": ("cut.xlsx", lambda: workbook(cells(f'<row r="1">{text("A1", "URL")}</row>'))[:700]),
    "a workbook of chance": ("noise.xlsx", lambda: b"PK\x03\x04" + noise(MEGABYTE)),
    "a million headers": ("headers.csv", lambda: (",".join(f"c{n}" for n in range(MILLION)) + "\n").encode() * 2),
    "5,000 headers of one name": ("same.csv", lambda: (",".join(["URL"] * 5_000) + "\n").encode() * 20),
    "a quote that opens in line 22 and never closes": (
        "open.csv",
        lambda: export(rows=20) + b'\n"' + b"x,\n" * 3_000_000,
    ),
    "a quote that never closes, within the longest cell": (
        "open2.csv",
        lambda: export(rows=20) + b'\n"' + b"x,\n" * 500_000,
    ),
    "JSON lines with half a surrogate": ("half.jl", lambda: lines('"a\\ud800b"', '"\\udfff"', '"tents"')),
    "JSON lines with 200,000 arrays in each other": ("arrays.jl", lambda: lines("[" * DEEP + "]" * DEEP)),
    "JSON lines with 200,000 objects in each other": (
        "objects.jl",
        lambda: lines('{"a":' * 200_000 + "1" + "}" * 200_000),
    ),
    "JSON lines with 900 arrays in each other": ("fewer.jl", lambda: lines("[" * 900 + "]" * 900)),
    "JSON lines with a number of 5,000 digits": ("digits.jl", lambda: lines("9" * 5_000)),
    "ratings of 1e308": ("large.csv", lambda: export(rating="1e308", rows=400)),
    "ratings that are inf": ("inf.csv", lambda: export(rating="inf", rows=400)),
    "formulas behind semicolons": ("semicolons.csv", lambda: export("x;=cmd|' /C calc'!A0", anchor="a;@SUM(1)")),
    "formulas behind tabs": ("tabs.csv", lambda: export("x\t=1+1", anchor="a\t-2+3")),
    "a line that another separator begins with": ("sep.csv", lambda: b"sep=\x00\n" + export()),
    "words that turn the line round": ("turned.csv", lambda: export("\u202e\u2066gnp.exe", anchor="\u200f\u061c")),
    "dates before and after all others": (
        "dates.csv",
        lambda: export(seen="0001-01-01") + export(seen="9999-12-31"),
    ),
    "a zip of a csv of 300 MB of nothing": ("nothing.zip", lambda: archive(a=bytes(300 * MEGABYTE))),
    "a zip of 20,000 csv files": ("many.zip", lambda: archive(**{f"a{n}": b"a,b\n1,2\n" for n in range(20_000)})),
    "a workbook of 20,000 parts": (
        "parts.xlsx",
        lambda: workbook(cells(f'<row r="1">{text("A1", "URL")}</row>'), **{f"p{n}": b"<a/>" for n in range(20_000)}),
    ),
}
"""Each with its name, and what makes it."""
VECTORS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "embeddings that unpack to 0.5 GB": (
        "bomb.npz",
        lambda: embeddings("(134217728, 1)", bytes(512 * MEGABYTE)),
    ),
    "embeddings whose shape lies": ("lie.npz", lambda: embeddings("(1000000000, 1000)", bytes(64))),
    "embeddings nested without end": ("nested.npz", lambda: embeddings("(" * 60, bytes(64))),
    "embeddings of inf": ("inf.npz", lambda: vectors(float("inf"))),
    "embeddings of 1e308": ("large.npz", lambda: vectors(1e308)),
}


def write(folder: Path, files: dict[str, tuple[str, Callable[[], bytes]]]) -> dict[str, Path]:
    """Write the files into a folder, one at a time, and return where they are."""
    places = {}
    for case, (name, make) in files.items():
        places[case] = folder / name
        if not places[case].exists():
            places[case].write_bytes(make())
    return places
