"""The versions of the store, for Alembic, which brings an older store up to date step by step."""
