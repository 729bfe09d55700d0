"""Reading exports: bytes -> raw table -> recognised and mapped -> cleaned."""
