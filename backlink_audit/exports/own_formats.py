"""Files that this program wrote and reads again: what a link check found."""

from backlink_audit.exports.layout import Format
from backlink_audit.schema import CHECKED_LINKS

LINK_CHECK = Format(
    name="backlink-audit link check",
    tool="backlink-audit",
    table=CHECKED_LINKS.name,
    signature=(("Referring page URL",), ("Target URL",), ("State on the page",), ("Nofollow on the page",)),
    headers={column.name: (column.label,) for column in CHECKED_LINKS.columns if column.name != "source_file"},
)
