#!/bin/sh
# secrets.sh: makes every secret of compose.yaml that is not in secrets/ yet, readable by the one user that needs it. Run as root, beside
# compose.yaml. What is there is never overwritten: without its key a sealed row cannot be read again. Keep a copy elsewhere.
set -eu
umask 077

folder=${1:-$(dirname "$0")/secrets}
program=10001 # the user of the images of this repository
postgres=999  # the user of PostgreSQL's image
redis=999     # and of Redis's

random() { head -c 32 /dev/urandom | base64 -w 0; }
# Letters and digits only: the same text stands in URLs and in lines that are split at colons.
password() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# make NAME OWNER: standard input becomes the file, whole or not at all.
make() {
    cat >"$folder/$1.unfinished"
    chown "$2" "$folder/$1.unfinished"
    chmod 0400 "$folder/$1.unfinished"
    mv "$folder/$1.unfinished" "$folder/$1"
}

mkdir -p "$folder"
# Entered by others, listed by nobody: each file has its owner.
chmod 0711 "$folder"

# Every service whose database compose.yaml gives a password.
services=$(sed -n 's/^  \(svc-[a-z0-9]*\)\.pgpass:.*/\1/p' "$(dirname "$0")/compose.yaml")
[ -n "$services" ] || {
    echo "compose.yaml names no service" >&2
    exit 1
}
for service in $services; do
    if [ ! -e "$folder/$service.seal-keys.toml" ]; then
        printf 'active = "k1"\nindex_key = "%s"\n\n[keys]\nk1 = "%s"\n' "$(random)" "$(random)" | make "$service.seal-keys.toml" "$program"
    fi
    if [ ! -e "$folder/$service.password" ]; then
        secret=$(password)
        # First the one that is made from the other, so that a half run is done again.
        printf 'postgres:5432:*:%s:%s\n' "$service" "$secret" | make "$service.pgpass" "$program"
        printf '%s' "$secret" | make "$service.password" "$postgres"
    fi
done
if [ ! -e "$folder/postgres.password" ]; then
    password | make postgres.password "$postgres"
fi
if [ ! -e "$folder/form.key" ]; then
    head -c 32 /dev/urandom | make form.key "$program"
fi
if [ ! -e "$folder/redis.conf" ]; then
    secret=$(password)
    # Compose reads these two variables as the user that calls it, and hands them to the gateway alone.
    printf 'REDIS_URL=redis://:%s@redis:6379/0\nRATE_HASH_SECRET=%s\n' "$secret" "$(password)" | make gateway.env "$(id -u)"
    # Counts of ten minutes: nothing to keep, and a bound on what a flood of addresses may take.
    printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 128mb\nmaxmemory-policy allkeys-lru\n' "$secret" | make redis.conf "$redis"
fi
if [ ! -e "$folder/notice.token" ]; then
    # What svc-booking shows to svc-messaging.
    password | make notice.token "$program"
fi
if [ ! -e "$folder/svc-messaging.env" ]; then
    # Fill in the mail server: svc-messaging does not start without it, but with DEVELOPMENT=true, where mails go into its volume.
    printf '# SMTP_URL=smtp://user:password@mail.example:587\n' | make svc-messaging.env "$(id -u)"
    chmod 0600 "$folder/svc-messaging.env"
fi
if [ ! -e "$folder/grafana.password" ]; then
    password | make grafana.password 472
fi
# Given by whoever takes mails, pages people and listens for the heartbeat. Until they are filled in Alertmanager calls nobody.
for name in alert_mail_password on_call_token heartbeat_token; do
    if [ ! -e "$folder/$name" ]; then
        printf 'fill-in' | make "$name" 65534
    fi
done
