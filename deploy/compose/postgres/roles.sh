#!/bin/bash
# Creates a role and a database for each service and denies access to all other roles. PostgreSQL's image runs this
# script on an empty volume. A further run adds only what a new service lacks:
#   docker compose exec postgres bash /docker-entrypoint-initdb.d/roles.sh
set -euo pipefail
export SECRETS_DIR=${SECRETS_DIR:-/run/secrets}

# Every service with a password file in this container.
for password in "$SECRETS_DIR"/svc-*.password; do
    [ -e "$password" ] || {
        echo "no password of a service is in $SECRETS_DIR" >&2
        exit 1
    }
    service=$(basename "$password" .password)
    # Statements go through standard input, because arguments are visible in the process list. psql quotes the
    # variables.
    psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --quiet <<SQL
\set service $service
\set password \`cat "$SECRETS_DIR/$service.password"\`
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'service') AS needs_role,
       NOT EXISTS (SELECT FROM pg_database WHERE datname = :'service') AS needs_database \gset
\if :needs_role
CREATE ROLE :"service" LOGIN PASSWORD :'password';
\endif
\if :needs_database
CREATE DATABASE :"service" OWNER :"service";
\endif
REVOKE ALL ON DATABASE :"service" FROM PUBLIC;
SQL
done
