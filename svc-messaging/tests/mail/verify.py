"""Verifies the DKIM signature of the mail on standard input with the public key that the argument gives as its record in the DNS of the selector that follows."""

import sys

import dkim

mail = sys.stdin.buffer.read()
record = sys.argv[1].encode()
wanted = b"%s._domainkey.sampige.example." % sys.argv[2].encode()


def look_up(name, timeout=5):
    return record if name == wanted else None


sys.exit(0 if dkim.verify(mail, dnsfunc=look_up) else 1)
