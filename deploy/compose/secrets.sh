#!/bin/sh
# secrets.sh: creates every missing secret of the Compose files in secrets/, each readable only by its user.
# Run it as root, beside compose.yaml. It never overwrites a file, because a sealed row is unreadable without its key.
# Keep a copy elsewhere.
set -eu
umask 077

folder=${1:-$(dirname "$0")/secrets}
program=10001 # the user of the images of this repository
postgres=999  # the user of PostgreSQL's image
redis=999     # and of Redis's

random() { head -c 32 /dev/urandom | base64 -w 0; }
# Hexadecimal, because the password also appears in URLs and in colon-separated lines.
password() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# make NAME OWNER: atomically writes standard input to the file.
make() {
    cat >"$folder/$1.unfinished"
    chown "$2" "$folder/$1.unfinished"
    chmod 0400 "$folder/$1.unfinished"
    mv "$folder/$1.unfinished" "$folder/$1"
}

mkdir -p "$folder"
# Other users may enter the folder but not list it. Each file has its own owner.
chmod 0711 "$folder"

# Every service with a database password in compose.yaml.
services=$(sed -n 's/^  \(svc-[a-z0-9]*\)\.pgpass:.*/\1/p' "$(dirname "$0")/compose.yaml")
[ -n "$services" ] || {
    echo "compose.yaml names no service" >&2
    exit 1
}
for service in $services; do
    if [ ! -e "$folder/$service.seal-keys.toml" ]; then
        printf 'active = "k1"\nindex_key = "%s"\n\n[keys]\nk1 = "%s"\n' "$(random)" "$(random)" | make "$service.seal-keys.toml" "$program"
    fi
    for role in "$service" "$service-owner"; do
        if [ ! -e "$folder/$role.password" ]; then
            secret=$(password)
            # Writes the derived file first, so that a run after an interruption recreates both.
            printf 'postgres:5432:*:%s:%s\n' "$role" "$secret" | make "$role.pgpass" "$program"
            printf '%s' "$secret" | make "$role.password" "$postgres"
        fi
    done
done
if [ ! -e "$folder/postgres.password" ]; then
    password | make postgres.password "$postgres"
fi
if [ ! -e "$folder/form.key" ]; then
    head -c 32 /dev/urandom | make form.key "$program"
fi
if [ ! -e "$folder/session.keys" ]; then
    random | make session.keys "$program"
fi
if [ ! -e "$folder/token.pem" ]; then
    openssl genpkey -algorithm ed25519 | make token.pem "$program"
fi
if [ ! -e "$folder/token.jwks.json" ]; then
    "$(dirname "$0")/../token-keys.sh" "$folder/token.pem" | make token.jwks.json "$program"
fi
# The teams' keys for signing pages, of every `pages-…` job in compose.yaml, and the list of their public keys.
keys=''
jobs=$(sed -n 's/^  pages-\([a-z0-9]*\):$/\1/p' "$(dirname "$0")/compose.yaml")
for pages in $jobs; do
    if [ ! -e "$folder/pages-$pages.pem" ]; then
        openssl genpkey -algorithm ed25519 | make "pages-$pages.pem" "$program"
    fi
    key=$(openssl pkey -in "$folder/pages-$pages.pem" -pubout -outform DER | tail -c 32 | base64)
    keys="$keys${keys:+,
}  \"$pages\": [\"$key\"]"
    if [ -e "$folder/remotes-keys.json" ] && ! grep -qF "$key" "$folder/remotes-keys.json"; then
        echo "$folder/remotes-keys.json lacks the key of $pages: $key" >&2
    fi
done
if [ ! -e "$folder/remotes-keys.json" ]; then
    printf '{\n%s\n}\n' "$keys" | make remotes-keys.json "$program"
fi
if [ ! -e "$folder/staff-client.secret" ]; then
    # Fill in the secret of the gateway's client at the issuer. Until then, staff cannot sign in.
    printf 'fill-in' | make staff-client.secret "$program"
fi
if [ ! -e "$folder/redis.conf" ]; then
    secret=$(password)
    # Compose reads these two variables as the calling user and passes them to the gateway only.
    printf 'REDIS_URL=redis://:%s@redis:6379/0\nRATE_HASH_SECRET=%s\n' "$secret" "$(password)" | make gateway.env "$(id -u)"
    # Redis holds ten-minute counters, which need no persistence. maxmemory limits the effect of a flood of addresses.
    printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 128mb\nmaxmemory-policy allkeys-lru\n' "$secret" | make redis.conf "$redis"
fi
if [ ! -e "$folder/notice.token" ]; then
    # Authenticates svc-booking to svc-messaging.
    password | make notice.token "$program"
fi
if [ ! -e "$folder/svc-messaging.env" ]; then
    # Fill in the mail server. Without one, svc-messaging starts only with DEVELOPMENT=true, and mails go into its
    # volume.
    printf '# SMTP_URL=smtp://user:password@mail.example:587\n' | make svc-messaging.env "$(id -u)"
    chmod 0600 "$folder/svc-messaging.env"
fi
if [ ! -e "$folder/grafana.password" ]; then
    password | make grafana.password 472
fi
# Credentials of the mail server, the paging service and the heartbeat service. Until they are filled in, Alertmanager
# notifies no one.
for name in alert_mail_password on_call_token heartbeat_token; do
    if [ ! -e "$folder/$name" ]; then
        printf 'fill-in' | make "$name" 65534
    fi
done
