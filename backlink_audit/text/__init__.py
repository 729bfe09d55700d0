"""The words that stand for links and pages."""
