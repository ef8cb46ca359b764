"""A second implementation of an OpenID Connect issuer: Canaille, with two people in memory, on loopback only."""

import argparse
import asyncio
import logging
import os
import secrets
import socket
import tempfile

# Canaille reads `canaille.toml` and `.env` of the working directory. Here is neither.
os.chdir(tempfile.mkdtemp(prefix="second-issuer-"))

from asgiref.wsgi import WsgiToAsgi
from hypercorn.asyncio import serve
from hypercorn.config import Config
from joserfc.jwk import RSAKey

import canaille
from canaille.app import models
from canaille.backends import Backend

PEOPLE = {
    "frontdesk": ("Asha Rao", "Rao"),
    "visitor": ("Ravi Iyer", "Iyer"),
}
GROUPS = {"frontdesk": ["frontdesk"]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", required=True)
    parser.add_argument("--client-secret-file", required=True)
    parser.add_argument("--site-origin", required=True)
    options = parser.parse_args()
    host, port = options.listen.split(":")
    assert host == "127.0.0.1", "loopback only"
    listener = socket.create_server((host, int(port)))
    port = listener.getsockname()[1]
    with open(options.client_secret_file, encoding="ascii") as file:
        secret = file.read().strip()
    app = canaille.create_app(
        {
            "SECRET_KEY": secrets.token_hex(),
            "PREFERRED_URL_SCHEME": "http",
            "CANAILLE": {"DATABASE": "memory", "SMTP": None, "JAVASCRIPT": False, "HTMX": False},
            "CANAILLE_OIDC": {
                "ACTIVE_JWKS": [RSAKey.generate_key(2048).as_dict(private=True)],
                # A site of the organization: people are not asked for consent.
                "TRUSTED_DOMAINS": ["127.0.0.1"],
            },
        }
    )
    with app.app_context():
        fill(secret, options.site_origin)
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.accesslog = None
    print(f"listening on 127.0.0.1:{port}", flush=True)
    asyncio.run(serve(WsgiToAsgi(app), config))


def fill(secret: str, site: str) -> None:
    """Adds the people, their groups, and the site as a client."""
    save = Backend.instance.save
    people = {}
    for account, (name, family) in PEOPLE.items():
        person = models.User(
            user_name=account,
            password=account,
            formatted_name=name,
            family_name=family,
            emails=[f"{account}@staff.example"],
        )
        save(person)
        people[account] = person
    for group, members in GROUPS.items():
        save(models.Group(display_name=group, members=[people[account] for account in members]))
    client = models.Client(
        client_id="hospital-gateway",
        client_secret=secret,
        client_name="Sampige Hospital",
        client_uri=site,
        redirect_uris=[f"{site}/staff/callback"],
        post_logout_redirect_uris=[f"{site}/"],
        grant_types=["authorization_code"],
        response_types=["code"],
        scope=["openid", "profile", "groups"],
        token_endpoint_auth_method="client_secret_basic",
        # Without this, it signs with the strongest algorithm of its key, PS512, which the gateway does not accept.
        id_token_signed_response_alg="RS256",
    )
    save(client)
    client.audience = [client]
    save(client)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    main()
