#!/bin/bash
# A role and a database of its own for each service, and nothing for anybody else. PostgreSQL's image runs it on an empty volume; run again,
# it makes what a new service lacks and leaves the rest as it is: docker compose exec postgres bash /docker-entrypoint-initdb.d/roles.sh
set -euo pipefail
export SECRETS_DIR=${SECRETS_DIR:-/run/secrets}

# Every service whose password compose gives this container.
for password in "$SECRETS_DIR"/svc-*.password; do
    [ -e "$password" ] || {
        echo "no password of a service is in $SECRETS_DIR" >&2
        exit 1
    }
    service=$(basename "$password" .password)
    # Through standard input: an argument could be seen in the list of processes. psql quotes what it puts in.
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
