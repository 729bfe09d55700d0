"""The features as functions for notebooks and scripts: files or tables in, the results of the app out.

Each result is the same frozen object that a page shows: it answers questions (`result.headline`, `result.links`) and
gives its tables (`tables(result)`). Without an encoder the model of the settings is loaded.
"""

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export, recognise
from backlink_audit.feature import Feature, read_bytes, tables_of
from backlink_audit.features import FEATURES
from backlink_audit.settings import LINKS_MODEL
from backlink_audit.sources import ROLES, Sources

if TYPE_CHECKING:
    from backlink_audit.audit.result import Scored
    from backlink_audit.embedding.encoder import Encoder
    from backlink_audit.internal_links.result import Opportunities
    from backlink_audit.search.run import Found

File = str | os.PathLike[str]


def read(
    *sources: File | pd.DataFrame, table: str = "backlinks", mapping: Mapping[str, str] | None = None, site: str = ""
) -> Export:
    """Read one or more files of one kind, of one or several tools; or one table that you have already.

    Args:
        sources: Paths, or one DataFrame with a tool's headers.
        table: backlinks, referring_domains, pages, inlinks, performance, … (`schema.TABLES`).
        mapping: Our column -> header, where a header is not known.
        site: Where Search Console's links lead, if the file's name does not say it.

    Raises:
        FileProblem: A file cannot be used; the sentence says why.
        InvalidSetting: Several tables were given, or tables and files.
    """
    if not any(isinstance(source, pd.DataFrame) for source in sources):
        return load([(Path(source).name, read_bytes(Path(source))) for source in sources], table, mapping, site)  # type: ignore[arg-type]
    [*rest, rows] = sources
    if rest or not isinstance(rows, pd.DataFrame):
        raise InvalidSetting("Give files, or one table: join several tables first.")
    return recognise(rows.reset_index(drop=True).astype("str").fillna(""), "table", mapping, table)


def function_of(feature: Feature) -> Callable[..., Any]:
    """Return a feature as a function: its inputs, settings and options, a file for each role, and the encoder."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    typed: dict[str, str] = {name: kind.__name__ for name, kind in feature.also_settings.items()}
    typed |= {"settings": feature.settings.__name__}
    typed |= {option.name: option.python for option in feature.options if option.python}
    defaults = {option.name: option.default for option in feature.options}
    parameters = [
        inspect.Parameter(
            one.name,
            keyword if one.by_name else by_place,
            default=None if one.optional else inspect.Parameter.empty,
            annotation=f"Sequence[{one.typed}]" if one.several == "apart" else one.typed,
        )
        for one in feature.inputs
    ]
    for name in (*feature.positional, *(name for name in typed if name not in feature.positional)):
        annotation = typed[name] if defaults.get(name) is not None else f"{typed[name]} | None"
        kind = by_place if name in feature.positional else keyword
        parameters.append(inspect.Parameter(name, kind, default=defaults.get(name), annotation=annotation))
    for name, its_type in (*((role, "Export") for role in feature.roles), ("encoder", "Encoder")):
        parameters.append(inspect.Parameter(name, keyword, default=None, annotation=f"{its_type} | None"))
    parameters.sort(key=lambda one: one.kind)
    signature = inspect.Signature(parameters, return_annotation=feature.returns)

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        given = {name: value for name, value in bound.arguments.items() if value is not None}
        sources = Sources(**{role: given.pop(role) for role in feature.roles if role in given})
        return feature.run(feature.job(sources=sources, given_encoder=given.pop("encoder", None), **given))

    explained = {one.name: one.help for one in feature.inputs} | {
        role: f"{ROLES[role].label}: {ROLES[role].bring}" for role in feature.roles
    }
    function.__name__ = function.__qualname__ = feature.name
    function.__module__ = __name__
    function.__doc__ = "\n".join(
        [feature.does, "", "Args:", *(f"    {name}: {words}" for name, words in explained.items())]
    )
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": feature.returns}
    return function


def search(
    source: "Scored | Opportunities | Export", query: str, most: int = 20, encoder: "Encoder | None" = None
) -> "Found":
    """Search links or pages by meaning; rows with exactly these words come first. `source`: a result, or an export."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.search.feature import index_of
    from backlink_audit.search.run import search as search_rows

    model = getattr(getattr(source, "settings", None), "model", LINKS_MODEL)
    encoder = encoder or load_encoder(model)
    return search_rows(index_of(source, encoder), query, encoder, most)


def tables(result: Any) -> "dict[str, pd.DataFrame]":
    """Return the sheets of a result's workbook by name. Raises InvalidSetting for anything but a result."""
    return {name: sheet for name, sheet in tables_of(result).sheets().items() if hasattr(sheet, "columns")}


def save(result: Any, path: File) -> list[str]:
    """Write a result to .xlsx, .csv or .parquet; return what had to be cut. Raises AuditError, InvalidSetting."""
    from backlink_audit.report import files

    return files.save(tables_of(result), Path(path))


FUNCTIONS = {
    name: function_of(one) for name, one in FEATURES.items() if "function" not in one.without and name != "search"
}
globals().update(FUNCTIONS)
__all__ = ["read", *FUNCTIONS, "search", "tables", "save"]
