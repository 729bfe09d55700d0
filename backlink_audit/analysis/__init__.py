"""The stages that judge: pure functions over tables and arrays."""
