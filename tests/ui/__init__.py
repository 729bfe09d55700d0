"""Tests of the screen. Streamlit looks through all installed packages for each app that it tests: here once for all."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
