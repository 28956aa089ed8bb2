#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""wire.py FOLDER: what the switch of a wire (tools/rdma_vm/switch) does with frames. FOLDER has its sockets. The ports
speak as QEMU's `-netdev stream` does: 4 bytes of length, most significant first, and the frame."""
import os
import socket
import struct
import sys

BROADCAST = b"\xff" * 6


def address(n):
    return bytes((0x52, 0x54, 0, 0, 0, n))


class Port:
    def __init__(self, link, number):
        self.socket, self.address = socket.socket(socket.AF_UNIX), address(number)
        self.socket.settimeout(60)
        self.socket.connect(str(link))

    def packed(self, to, payload):
        frame = to + self.address + b"\x08\x00" + payload
        return struct.pack("!I", len(frame)) + frame

    def send(self, to, payload):
        self.socket.sendall(self.packed(to, payload))

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the switch has closed the connection"
            data += piece
        return data

    def receive(self):
        return self.exactly(struct.unpack("!I", self.exactly(4))[0])[14:]


def expect(port, payload):
    got = port.receive()
    assert got == payload, f"port {port.address[-1]} got {got[:20]!r}, {len(got)} bytes, instead of {payload[:20]!r}"


os.chdir(sys.argv[1])
a, b, c, elsewhere = Port(0, 1), Port(0, 2), Port(0, 3), Port(1, 4)

# To all ports of the link except the sender's; then only to the port of a known address. The next frame of each port is
# the expected one, so it has received no other.
for port in (b, c):
    port.send(BROADCAST, b"here I am")
    expect(a, b"here I am")
expect(b, b"here I am"), expect(c, b"here I am")
a.send(BROADCAST, b"to all")
expect(b, b"to all"), expect(c, b"to all")
b.send(a.address, b"to a")
expect(a, b"to a")
a.send(address(9), b"to an unknown address")
expect(b, b"to an unknown address"), expect(c, b"to an unknown address")
elsewhere.send(BROADCAST, b"on another link")
other = Port(1, 5)
other.send(BROADCAST, b"on that one, too")
expect(elsewhere, b"on that one, too")

# A frame in pieces.
frame = a.packed(b.address, b"x" * 3000)
for at in range(0, len(frame), 700):
    a.socket.sendall(frame[at:at + 700])
a.socket.sendall(a.packed(c.address, b"one") + a.packed(b.address, b"two"))
expect(b, b"x" * 3000), expect(b, b"two"), expect(c, b"one")

# A late receiver gets all frames, in order.
count = 4000
for i in range(count):
    a.send(b.address, i.to_bytes(4, "big") + b"y" * 4200)
c.send(a.address, b"others go on meanwhile")
expect(a, b"others go on meanwhile")
for i in range(count):
    expect(b, i.to_bytes(4, "big") + b"y" * 4200)

# A guest that has ended and connects again.
b.socket.close()
again = Port(0, 2)
again.send(a.address, b"again")
expect(a, b"again")
a.send(b.address, b"back")
expect(again, b"back")
