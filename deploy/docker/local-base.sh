#!/bin/sh
# local-base.sh IMAGE: builds the image that replaces all base images where no image registry can be reached. It holds
# Debian's compiler, PostgreSQL, Redis, aiosmtpd, HAProxy, Prometheus and Alertmanager, and this machine's Node.
# Needs root, podman and mmdebstrap.
set -eu
[ "$#" -eq 1 ] || {
    echo "usage: local-base.sh IMAGE" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
packages=ca-certificates,gcc,g++,libc6-dev,make,pkg-config,protobuf-compiler,postgresql-15,redis-server
packages=$packages,python3-aiosmtpd,haproxy,prometheus,prometheus-alertmanager
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

# The published images of PostgreSQL and Redis run as user 999, who owns their secrets and volumes.
# shellcheck disable=SC2016 # mmdebstrap's shell expands $1
mmdebstrap --quiet --variant=minbase --include="$packages" --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --customize-hook="cp '$(readlink -f "$(command -v node)")' \"\$1/usr/bin/node\"" \
    --customize-hook="mkdir -p \"\$1/usr/lib/node_modules\" && cp -r '$npm' \"\$1/usr/lib/node_modules/npm\"" \
    --customize-hook='ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/bin/npm"' \
    --customize-hook="install -m 0755 '$here/local-postgres.sh' \"\$1/usr/local/bin/docker-entrypoint.sh\"" \
    --customize-hook='chroot "$1" sh -c "usermod --uid 999 postgres && rm -r /var/lib/postgresql/15 /etc/postgresql/15"' \
    --customize-hook='install -d -o 999 -g 999 -m 0700 "$1/var/lib/postgresql/data"' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
    bookworm - |
    podman import --quiet --message 'local base' \
        --change 'ENV PATH=/opt/rust/bin:/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin' \
        --change 'ENV CARGO_HOME=/usr/local/cargo' --change 'LABEL hospital.local=image' - "$1"
