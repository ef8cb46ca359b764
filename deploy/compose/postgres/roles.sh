#!/bin/bash
# Run once by PostgreSQL's image on an empty volume: a role and a database of its own for each service, and nothing for anybody else.
set -euo pipefail
export SECRETS_DIR=${SECRETS_DIR:-/run/secrets}

for service in svc-content svc-booking svc-assessment svc-messaging; do
    # Through standard input: an argument could be seen in the list of processes. psql quotes what it puts in.
    psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --quiet <<SQL
\set service $service
\set password \`cat "$SECRETS_DIR/$service.password"\`
CREATE ROLE :"service" LOGIN PASSWORD :'password';
CREATE DATABASE :"service" OWNER :"service";
REVOKE ALL ON DATABASE :"service" FROM PUBLIC;
SQL
done
