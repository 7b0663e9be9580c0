"""Clients that never stop asking, and a server that is told to stop: a line a claim.

usage: drain.py PORT PID LOG: of the server, which must log in JSON
"""

import json
import os
import selectors
import signal
import socket
import sys
import time

PORT, PID, LOG = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
CLIENTS = 50
BATCH = 16
BEFORE = 0.5  # seconds of load before the signal
PATIENCE = 20  # seconds until all must be over

ANSWER = b"+PONG\r\n"
REQUESTS = b"*1\r\n$4\r\nPING\r\n" * BATCH


class Client:
    """Keeps two batches under way, and counts the answers."""

    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", PORT))
        self.socket.setblocking(False)
        self.sent = 0  # bytes
        self.received = 0
        self.clean = True
        self.ended = False

    def ask(self):
        while not self.ended and self.sent // len(REQUESTS) - self.received // (len(ANSWER) * BATCH) < 2:
            at = self.sent % len(REQUESTS)
            try:
                self.sent += self.socket.send(REQUESTS[at:])
            except BlockingIOError:
                return
            except OSError:  # the server has closed: what it answered can still be read
                return

    def read(self):
        try:
            answers = self.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            self.clean, self.ended = False, True
            return
        if not answers:
            self.ended = True
            return
        expected = (ANSWER * (len(answers) // len(ANSWER) + 2))[self.received % len(ANSWER) :]
        self.clean &= expected.startswith(answers)
        self.received += len(answers)


def claim(text, holds, seen=""):
    print(f"ok {text}" if holds else f"BROKEN {text}: {seen}", flush=True)


def run(clients):
    selector = selectors.DefaultSelector()
    for client in clients:
        selector.register(client.socket, selectors.EVENT_READ, client)
        client.ask()
    start = time.monotonic()
    told = False
    while any(not client.ended for client in clients) and time.monotonic() < start + PATIENCE:
        for key, _ in selector.select(timeout=0.1):
            client = key.data
            client.read()
            client.ask()
            if client.ended:
                selector.unregister(client.socket)
                client.socket.close()
        if not told and time.monotonic() > start + BEFORE:
            os.kill(PID, signal.SIGTERM)
            told = True


def counted_by_server():
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with open(LOG) as lines:
            for line in lines:
                event = json.loads(line)
                if event["event"] == "stopped":
                    return event["commands"]
        time.sleep(0.02)
    return None


clients = [Client() for _ in range(CLIENTS)]
run(clients)
answers = sum(client.received for client in clients)
claim("there was load", answers > 1000 * len(ANSWER), answers)
claim("every connection ends", all(client.ended for client in clients))
claim("each ends cleanly, behind a whole answer",
      all(client.clean and client.received % len(ANSWER) == 0 for client in clients),
      [(client.clean, client.received % len(ANSWER)) for client in clients])
counted = counted_by_server()
claim("as many answers arrived as requests were read", counted == answers // len(ANSWER),
      f"{answers // len(ANSWER)} arrived, {counted} read")
