#!/bin/sh
# rootfs.sh PROGRAM FOLDER: builds the root file system of an image in FOLDER. It holds the program, its shared
# libraries and the CA certificates for mail servers and token issuers. It has no shell and no package manager that an
# intruder could use.
set -eu

if [ "$#" -ne 2 ]; then
    echo "usage: rootfs.sh PROGRAM FOLDER" >&2
    exit 2
fi
program=$1
folder=$2
authorities=/etc/ssl/certs/ca-certificates.crt

mkdir -p "$folder/etc/ssl/certs" "$folder/data" "$folder/tmp" "$folder/remotes" "$folder/state"
install -m 0555 "$program" "$folder/program"

# The loader at its fixed path, and the libraries where it searches. A missing library fails the build instead of the
# start.
libraries=$(ldd "$program")
case $libraries in
*"not found"*)
    echo "rootfs.sh: $program needs what this machine does not have:" >&2
    echo "$libraries" >&2
    exit 1
    ;;
esac
echo "$libraries" | grep -o '/[^ ]*' | while read -r library; do
    install -D -m 0555 "$(readlink -f "$library")" "$folder$library"
done

install -m 0444 "$authorities" "$folder$authorities"
# Name lookups: files first, then DNS. The user database names the uid that the process runs as.
echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
echo 'program:x:10001:10001::/data:/none' >"$folder/etc/passwd"
echo 'program:x:10001:' >"$folder/etc/group"
# Mount points: a new volume takes over their owner. Only the gateway uses the last two.
for name in data tmp remotes state; do
    chown 10001:10001 "$folder/$name"
    chmod 0700 "$folder/$name"
done
