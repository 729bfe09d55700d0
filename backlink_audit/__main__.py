"""`python -m backlink_audit`: the same features from a terminal."""

from backlink_audit.cli import run

if __name__ == "__main__":
    run()
