"""Clusters of pages."""
