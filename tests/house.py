"""Where the app's own modules are, for tests that read their code."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "backlink_audit"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
