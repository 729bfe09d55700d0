"""Small files of clicks, as Search Console writes its table of pages."""

from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export


def clicks(*pages: tuple[str, int, float], name: str = "pages.csv") -> Export:
    """An export of (page, clicks, average position), each with ten impressions for a click."""
    lines = [f"{page},{number},{10 * number},10%,{position}" for page, number, position in pages]
    return load([(name, "\n".join(["Top pages,Clicks,Impressions,CTR,Position", *lines]).encode())], "performance")
