"""A real SMTP server (aiosmtpd) that misbehaves by plan. What it took and what happens is said on standard output, a JSON object a line.

The plan is a list of words, one for each try: `ok`, `temporary` (451 at the final dot), `temporary_quoting`, `permanent` (550, with the
address), `permanent_quoting`, `stall_ehlo`, `stall_data` (after the final dot), `die_in_data`, `die_after_dot` (the mail is taken, the
answer is not given). After its end everything is `ok`.
"""

import argparse
import asyncio
import base64
import json
import logging
import ssl
import sys
import warnings

from aiosmtpd.smtp import SMTP, AuthResult

# What goes wrong here goes wrong by plan.
logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)
warnings.simplefilter("ignore")


def say(**what):
    print(json.dumps(what), flush=True)


class Server(SMTP):
    async def smtp_DATA(self, arg):
        if self.envelope is not None and getattr(self.envelope, "plan", "ok") == "die_in_data":
            await self.push("354 go on")
            await self._reader.readline()
            say(event="died")
            self.transport.abort()
            return
        await super().smtp_DATA(arg)


class Handler:
    def __init__(self, plan, slow):
        self.plan = plan
        self.slow = slow

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        if self.plan and self.plan[0] == "stall_ehlo":
            self.plan.pop(0)
            say(event="stalled")
            await asyncio.sleep(3600)
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        envelope.mail_from = address
        envelope.plan = self.plan.pop(0) if self.plan else "ok"
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if envelope.plan == "permanent":
            say(event="refused")
            return "550 5.1.1 <%s>: no such user" % address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.plan == "temporary":
            say(event="put off")
            return "451 4.7.1 <%s> greylisted" % envelope.rcpt_tos[0]
        if envelope.plan == "stall_data":
            say(event="stalled")
            await asyncio.sleep(3600)
        await asyncio.sleep(self.slow)
        say(
            mail={
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "tls": server.transport.get_extra_info("sslcontext") is not None,
                "body": base64.b64encode(envelope.content).decode(),
            }
        )
        if envelope.plan == "die_after_dot":
            say(event="died")
            server.transport.abort()
            return "250 OK"
        return "250 OK"


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--plan", default="")
    parser.add_argument("--slow", type=float, default=0, help="seconds that it takes over each mail")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--login", help="user:password, without which no mail is taken")
    parser.add_argument("--tls", choices=["none", "offered", "required", "wrapped"], default="none")
    options = parser.parse_args()
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
    handler = Handler([word for word in options.plan.split(",") if word], options.slow)
    wrapped = options.tls == "wrapped"

    def is_known(server, session, envelope, mechanism, data):
        known = options.login.encode().split(b":")
        return AuthResult(success=[data.login, data.password] == known, handled=False)

    def serve():
        return Server(
            handler,
            hostname="mail.test",
            tls_context=None if wrapped else context,
            require_starttls=options.tls == "required",
            auth_required=options.login is not None,
            authenticator=is_known if options.login else None,
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(serve, "127.0.0.1", options.port, ssl=context if wrapped else None)
    say(port=server.sockets[0].getsockname()[1])
    # Ends with the test that started it.
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
