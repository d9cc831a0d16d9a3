"""Tests for each kind of page that is not an article; :mod:`newsmon.extraction.nonarticle` asks them in order."""
