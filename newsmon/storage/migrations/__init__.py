"""Alembic migrations; :mod:`newsmon.storage.migrate` runs them whenever a store is opened."""
