# A real SMTP server (aiosmtpd) for tests: prints its port, then each message as a line of JSON.
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

security, cert, key, password = sys.argv[1:5]


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name.isdigit():
            return name + " refused on purpose: " + address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        seen = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "data": envelope.content.decode("utf-8"),
            "isTls": server.transport.get_extra_info("ssl_object") is not None,
            "user": session.auth_data.login.decode() if session.auth_data else None,
            "host": session.host_name,
        }
        print(json.dumps(seen), flush=True)
        return "250 taken"


def check(server, session, envelope, mechanism, data):
    if data.password.decode() != password:
        return AuthResult(success=False, handled=False)
    return AuthResult(success=True, auth_data=data)


context = None
if cert:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)


def smtp():
    return SMTP(
        Handler(),
        hostname="mail.hospital.example",
        tls_context=context if security == "starttls" else None,
        require_starttls=security == "starttls",
        authenticator=check if password else None,
        auth_required=bool(password),
        auth_require_tls=security == "starttls",
    )


async def main():
    loop = asyncio.get_running_loop()
    over = context if security == "tls" else None
    server = await loop.create_server(smtp, "127.0.0.1", 0, ssl=over)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
