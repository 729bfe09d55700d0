"""The text of a small file that a user brings back, as this app, an editor or a spreadsheet saved it."""

import codecs

from backlink_audit.errors import UnreadableFile

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
UTF_8, UTF_16, WINDOWS = "UTF-8", "UTF-16", "Windows-1252"


def read_text_file(data: bytes, name: str, instead: str) -> tuple[str, str]:
    r"""Return the text and the encoding it was in: UTF_8, UTF_16 or WINDOWS (as Excel on Windows saves csv).

    Without byte order marks before the text, however many: what is written again is read as it was. `instead`: what the
    file should be, for the sentence. Raises UnreadableFile for bytes that are no text.

    >>> read_text_file("é".encode("utf-16"), "a.csv", "a csv"), read_text_file(b"\xe9", "a.csv", "a csv")
    (('é', 'UTF-16'), ('é', 'Windows-1252'))
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encoding = _MARKS.get(mark, "utf-8")
    try:
        text, found = data[len(mark) :].decode(encoding), UTF_8 if encoding == "utf-8" else UTF_16
    except UnicodeDecodeError:
        if mark:
            raise UnreadableFile(name, f"it is marked as {encoding.upper()}, but is damaged.") from None
        text, found = data.decode("cp1252", errors="replace"), WINDOWS
    if "\0" in text:
        raise UnreadableFile(name, f"this is not a text file; {instead}.")
    return text.lstrip("\ufeff"), found
