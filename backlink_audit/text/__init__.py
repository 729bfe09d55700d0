"""The words that represent links and pages."""
