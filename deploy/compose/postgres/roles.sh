#!/bin/bash
# Creates two roles and a database for each service and denies access to all other roles. `svc-<team>-owner` owns the
# schema and migrates it. `svc-<team>`, the role of the running service, may only read and write rows. PostgreSQL's image
# runs this script on an empty volume. A further run adds only what is missing, and takes the ownership of existing tables
# from the running service's role:
#   docker compose exec postgres bash /docker-entrypoint-initdb.d/roles.sh
set -euo pipefail
export SECRETS_DIR=${SECRETS_DIR:-/run/secrets}

# Every service with a password file in this container.
for password in "$SECRETS_DIR"/svc-*-owner.password; do
    [ -e "$password" ] || {
        echo "no password of a service is in $SECRETS_DIR" >&2
        exit 1
    }
    service=$(basename "$password" -owner.password)
    # Statements go through standard input, because arguments are visible in the process list. psql quotes the
    # variables.
    psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --quiet <<SQL
\set service $service
\set owner $service-owner
\set password \`cat "$SECRETS_DIR/$service.password"\`
\set owner_password \`cat "$SECRETS_DIR/$service-owner.password"\`
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'service') AS needs_role,
       NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'owner') AS needs_owner,
       NOT EXISTS (SELECT FROM pg_database WHERE datname = :'service') AS needs_database \gset
\if :needs_role
CREATE ROLE :"service" LOGIN PASSWORD :'password';
\endif
\if :needs_owner
CREATE ROLE :"owner" LOGIN PASSWORD :'owner_password';
\endif
-- Only a member may give away ownership, where the administrator is no superuser.
GRANT :"service", :"owner" TO CURRENT_USER;
\if :needs_database
CREATE DATABASE :"service" OWNER :"owner";
\endif
REVOKE ALL ON DATABASE :"service" FROM PUBLIC;
\connect :"service"
-- Tables of releases that migrated with the running service's role.
REASSIGN OWNED BY :"service" TO :"owner";
GRANT CONNECT ON DATABASE :"service" TO :"service";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"service";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO :"service";
SQL
done
