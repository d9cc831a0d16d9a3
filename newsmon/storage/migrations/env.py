"""Runs the migrations on the connection that :func:`newsmon.storage.migrate.migrate` gives, in its transaction."""

from alembic import context

from newsmon.storage.schema import metadata

# Nothing is begun or committed here: the caller's transaction makes an upgrade all or nothing, on SQLite too.
context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
