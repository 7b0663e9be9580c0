"""Clients that mean no good: a line a claim.

usage: hostile.py PORT PID
"""

import os
import resource
import socket
import struct
import sys
import time

PORT, PID = int(sys.argv[1]), int(sys.argv[2])
MIB = 1024 * 1024
PATIENCE = 10


def claim(text, check):
    try:
        held, seen = check()
    except Exception as broken:
        held, seen = False, repr(broken)
    print(f"ok {text}" if held else f"BROKEN {text}: {seen}", flush=True)


def connect():
    client = socket.create_connection(("127.0.0.1", PORT))
    client.settimeout(PATIENCE)
    return client


def resident():
    with open(f"/proc/{PID}/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()


def cpu():
    with open(f"/proc/{PID}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answers_at_once():
    start = time.monotonic()
    with connect() as client:
        client.sendall(b"PING\r\n")
        answer = client.recv(64)
    return answer == b"+PONG\r\n" and time.monotonic() - start < 1, answer


def read_to_end(client):
    answer = b""
    try:
        while more := client.recv(65536):
            answer += more
    except ConnectionResetError:
        pass
    return answer


def announces_gigabytes():
    before = resident()
    announced = (b"*1\r\n$2000000000\r\n", b"*2000000000\r\n", b"*2\r\n$2000000000\r\nabc")
    clients = [connect() for _ in range(300)]
    for i, client in enumerate(clients):
        client.sendall(announced[i % len(announced)])
    healthy, _ = answers_at_once()
    grown = resident() - before
    for client in clients:
        client.close()
    return healthy and grown < 30 * MIB, f"{grown / MIB:.1f} MiB"


def sends_a_line_without_end():
    with connect() as client:
        try:
            for _ in range(64):
                client.sendall(b"x" * 65536)
        except OSError:
            pass
        answer = read_to_end(client)
    return answer == b"" or answer.startswith(b"-ERR Protocol error"), answer


def never_reads():
    before = resident()
    client = connect()
    client.setblocking(False)
    requests = (b"*2\r\n$4\r\nECHO\r\n$1024\r\n" + b"x" * 1024 + b"\r\n") * 64
    sent = 0
    quiet_since = time.monotonic()
    while time.monotonic() < quiet_since + 0.3 and sent < 512 * MIB:
        try:
            sent += client.send(requests[sent % len(requests) :])
            quiet_since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:
            break
    grown = resident() - before
    healthy, _ = answers_at_once()
    client.close()
    return healthy and sent < 512 * MIB and grown < 16 * MIB, f"{sent / MIB:.1f} MiB sent, {grown / MIB:.1f} MiB grown"


def crowd():
    before, used = resident(), cpu()
    clients = [connect() for _ in range(9900)]
    for client in clients[::7]:
        client.sendall(b"*3\r\n$7\r\nRL.TA")  # and no more
    healthy, _ = answers_at_once()
    grown, spent = resident() - before, cpu() - used
    # Resets: the server is told by a packet that nobody is there.
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    return healthy and grown < 200 * MIB and spent < 5, f"{grown / MIB:.1f} MiB, {spent:.1f} s"


def above_the_limit():
    clients = []
    refused = None
    for _ in range(10_050):
        client = connect()
        clients.append(client)
    refused = read_to_end(clients[-1])
    clients[0].sendall(b"PING\r\n")
    first = clients[0].recv(64)
    for client in clients:
        client.close()
    return first == b"+PONG\r\n" and refused.startswith(b"-ERR max number of clients"), (first, refused)


def throws_random_bytes():
    spoken = 0
    for i in range(300):
        with connect() as client:
            try:
                client.sendall(os.urandom(2000) if i % 2 else b"*3\r\n$7\r\nRL.TAKE\r\n" + os.urandom(500))
                client.shutdown(socket.SHUT_WR)
                read_to_end(client)
            except OSError:
                pass
        spoken += 1
    healthy, _ = answers_at_once()
    return healthy, spoken


def comes_by_http():
    with connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 23\r\n\r\nRL.TAKE a 5/h\r\nPING\r\n")
        answer = read_to_end(client)
    return b"PONG" not in answer, answer


_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
claim("300 clients announce gigabytes: memory stays, others are answered", announces_gigabytes)
claim("a line without end is refused", sends_a_line_without_end)
claim("a client that never reads must wait: memory stays, others are answered", never_reads)
claim("random bytes harm nobody", throws_random_bytes)
claim("a browser sent here by HTTP is cut off", comes_by_http)
claim("9900 clients, some stopped in the middle of a word: others are answered at once", crowd)
claim("beyond 10000 clients the next are told and closed", above_the_limit)
claim("afterwards it answers at once", answers_at_once)
