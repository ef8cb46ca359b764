#!/bin/sh
# rootfs.sh PROGRAM FOLDER: makes FOLDER the whole file system of an image: the program, the libraries it loads, the authorities that
# a mail server or an issuer of tokens is trusted by. No shell, no package manager: nothing to run for whoever breaks in.
set -eu

if [ "$#" -ne 2 ]; then
    echo "usage: rootfs.sh PROGRAM FOLDER" >&2
    exit 2
fi
program=$1
folder=$2
authorities=/etc/ssl/certs/ca-certificates.crt

mkdir -p "$folder/etc/ssl/certs" "$folder/data" "$folder/tmp"
install -m 0555 "$program" "$folder/program"

# The loader by its fixed path, libraries where it looks for them. A library that is missing stops the build and not the start.
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
# Names first from the files, then from DNS; and a name for the number that the process runs as.
echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
echo 'program:x:10001:10001::/data:/none' >"$folder/etc/passwd"
echo 'program:x:10001:' >"$folder/etc/group"
chown -R 10001:10001 "$folder/data" "$folder/tmp"
chmod 0700 "$folder/data" "$folder/tmp"
