#!/bin/sh
# bundle.sh IMAGE: packs these manifests into an OCI image of one layer, which Argo CD and Flux read, for example
#   deploy/k8s/bundle.sh registry.example/hospital/deploy:0.2.0 && podman push registry.example/hospital/deploy:0.2.0
# The same files give the same layer.
set -eu
[ "$#" -eq 1 ] || {
    echo "usage: bundle.sh IMAGE" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
printf 'FROM scratch\nCOPY . /\n' |
    podman build --quiet --format oci --timestamp 0 --ignorefile /dev/null --tag "$1" --file - "$here"
