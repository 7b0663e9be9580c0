"""redis-py against a server: a line a claim, `ok` or `BROKEN`, for tests/e2e/resp_clients.sh."""

import os
import sys

import redis

HOST = "127.0.0.1"
PORT = int(os.environ["PORT"])
TLS_PORT = int(os.environ["TLS_PORT"])
PASSWORD = os.environ["PASSWORD"]
CERTIFICATES = os.environ["CERTIFICATES"]
PREFIX = sys.argv[1]  # of keys and claims: with or without hiredis


def claim(text, check):
    try:
        held, seen = check()
    except Exception as broken:  # whatever it is, the claim does not hold
        held, seen = False, repr(broken)
    print(f"ok {text}" if held else f"BROKEN {text}: {seen}", flush=True)


def client(**options):
    return redis.Redis(host=HOST, port=PORT, **options)


def tls_client(**options):
    return redis.Redis(
        host=HOST,
        port=TLS_PORT,
        password=PASSWORD,
        ssl=True,
        ssl_ca_certs=f"{CERTIFICATES}/ca.pem",
        ssl_certfile=f"{CERTIFICATES}/client.pem",
        ssl_keyfile=f"{CERTIFICATES}/client.key",
        **options,
    )


def key(name):
    return f"{PREFIX}:{name}"


def equal(seen, expected):
    return seen == expected, f"{seen!r}, expected {expected!r}"


def six_throttles(r, name):
    return [r.execute_command("CL.THROTTLE", key(name), 4, 5, 60)[0] for _ in range(6)]


def throttles():
    return equal(six_throttles(client(protocol=2), "six"), [0, 0, 0, 0, 0, 1])


def parser_is_the_one_asked_for():
    from redis._parsers import _HiredisParser

    r = client(protocol=2)
    r.ping()
    connection = r.connection_pool.get_connection()
    return equal(isinstance(connection._parser, _HiredisParser), PREFIX == "hiredis")


def pipelines():
    pipe = client(protocol=2).pipeline(transaction=False)
    for i in range(1000):
        pipe.execute_command("RL.TAKE", key("pipeline"), "700/h")
        pipe.echo(str(i))
    replies = pipe.execute()
    takes, echoes = replies[0::2], replies[1::2]
    return (
        echoes == [str(i).encode() for i in range(1000)]
        and [take[0] for take in takes] == [1] * 700 + [0] * 300
        and [take[2] for take in takes[:700]] == list(range(699, -1, -1)),
        replies[:4],
    )


def transacts():
    pipe = client(protocol=2).pipeline(transaction=True)
    for _ in range(6):
        pipe.execute_command("CL.THROTTLE", key("transaction"), 4, 5, 60)
    return equal([reply[0] for reply in pipe.execute()], [0, 0, 0, 0, 0, 1])


def speaks_resp3():
    take = client(protocol=3, decode_responses=True).execute_command("RL.TAKE", key("three"), "5/h")
    return (
        isinstance(take, dict) and bool(take["allowed"]) and take["remaining"] == 4,
        take,
    )


def speaks_tls():
    return equal(six_throttles(tls_client(protocol=2), "tls"), [0, 0, 0, 0, 0, 1])


def speaks_resp3_over_tls():
    return equal(tls_client(protocol=3).ping(), True)


def needs_the_password():
    r = tls_client(protocol=2)
    r.connection_pool.connection_kwargs["password"] = "wrong"
    try:
        r.ping()
    except redis.exceptions.AuthenticationError as refused:
        return True, refused
    return False, "a wrong password is accepted"


def raises_errors():
    r = client(protocol=2)
    try:
        r.execute_command("RL.TAKE", key("error"), "5/6x")
    except redis.exceptions.ResponseError as refused:
        return "5/6x" in str(refused) and r.ping(), refused
    return False, "a limit that is none is accepted"


def takes_any_bytes():
    r = client(protocol=2)
    names = [b"\x00\r\n\xff" + PREFIX.encode(), b"\x00\r\n\xfe" + PREFIX.encode()]
    return equal([r.execute_command("RL.TAKE", name, "5/h")[2] for name in names], [4, 4])


def takes_several_at_once():
    r = client(protocol=2)
    words = ["RL.MTAKE", 2, key("user"), "5/h", 1, key("tenant"), "3/h", 1]
    replies = [r.execute_command(*words)[0] for _ in range(4)]
    left = r.execute_command("RL.CHECK", key("user"), "5/h", 0)[2]
    return equal((replies, left), ([1, 1, 1, 0], 2))


claim("its parser is the one asked for", parser_is_the_one_asked_for)
claim("CL.THROTTLE lets five of six pass", throttles)
claim("its pipeline of 2000 gets every answer, in order", pipelines)
claim("its transaction is answered in order", transacts)
claim("RESP3: a take is a map", speaks_resp3)
claim("TLS with a client certificate and a password", speaks_tls)
claim("TLS with RESP3", speaks_resp3_over_tls)
claim("a wrong password is refused", needs_the_password)
claim("a limit that is none raises, and the connection goes on", raises_errors)
claim("keys are any bytes", takes_any_bytes)
claim("RL.MTAKE takes from two limits or from none", takes_several_at_once)
