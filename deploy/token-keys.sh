#!/bin/sh
# token-keys.sh FILE: prints the public keys of a TOKEN_KEY_FILE as a JSON Web Key Set, for the JWKS_FILE of the
# services. The file has Ed25519 keys as PEM (PKCS#8).
set -eu

base64url() { base64 -w 0 | tr '+/' '-_' | tr -d '='; }

# entry: prints the JWK of the private key on standard input. Its id is the thumbprint (RFC 7638).
entry() {
    x=$(openssl pkey -pubout -outform DER | tail -c 32 | base64url)
    [ ${#x} -eq 43 ] || {
        echo "not an Ed25519 key" >&2
        exit 1
    }
    kid=$(printf '{"crv":"Ed25519","kty":"OKP","x":"%s"}' "$x" | openssl dgst -sha256 -binary | base64url)
    printf '{"kty":"OKP","crv":"Ed25519","x":"%s","kid":"%s","alg":"EdDSA","use":"sig"}' "$x" "$kid"
}

entries=
pem=
while IFS= read -r line; do
    pem="$pem$line
"
    if [ "$line" = '-----END PRIVATE KEY-----' ]; then
        jwk=$(printf '%s' "$pem" | entry)
        entries="$entries${entries:+,}$jwk"
        pem=
    fi
done <"$1"
[ -n "$entries" ] || {
    echo "$1 has no key" >&2
    exit 1
}
printf '{"keys":[%s]}\n' "$entries"
