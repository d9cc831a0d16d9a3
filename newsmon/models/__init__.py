"""Trained models, one ``.npz`` each; see :mod:`newsmon.extraction.modelfile`."""
