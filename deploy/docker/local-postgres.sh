#!/bin/bash
# Replaces the entry point of PostgreSQL's image in the local base image, as far as compose.yaml uses it: initialises an
# empty volume, runs /docker-entrypoint-initdb.d, and then runs the given command.
set -euo pipefail
data=${PGDATA:=/var/lib/postgresql/data}
export PGDATA PGHOST=/var/run/postgresql
if [ ! -s "$data/PG_VERSION" ]; then
    # shellcheck disable=SC2086 # several arguments
    initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" ${POSTGRES_INITDB_ARGS:-}
    echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
    pg_ctl --wait --options="-c listen_addresses=''" start
    for script in /docker-entrypoint-initdb.d/*; do bash "$script"; done
    pg_ctl --wait --mode=fast stop
fi
exec "$@" -c listen_addresses='*'
