"""Runs the migrations on the connection that :func:`newsmon.storage.migrate.migrate` gives, in its transaction."""

from alembic import context

from newsmon.storage.schema import metadata

# Whoever imports this without alembic (a collector of doctests) gets an empty module.
if hasattr(context, "config"):
    # Nothing is begun or committed here: the caller's transaction makes an upgrade all or nothing, on SQLite too.
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
    context.run_migrations()
