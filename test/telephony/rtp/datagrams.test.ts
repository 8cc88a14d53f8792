import { dlopen, FFIType, ptr } from "bun:ffi";
import { afterEach, expect, test } from "bun:test";
import { openDatagrams, type Datagrams } from "../../../src/telephony/rtp/datagrams.ts";
import { settle } from "../../support/manual-clock.ts";
import { skipsFor } from "../../support/skips.ts";

const open: Datagrams[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

async function socketAt(bindAddress: string, receive: (text: string, port: number) => void = () => {}) {
  const outgoing = new Uint8Array(new ArrayBuffer(172));
  const socket = await openDatagrams({
    bindAddress,
    port: 0,
    outgoing,
    receive: (bytes, _, port) => receive(Buffer.from(bytes).toString(), port),
  });
  open.push(socket);
  return { socket, outgoing };
}

test.each([["127.0.0.1"], ["::1"]])(
  "on %s packets go where they are aimed, as they were when sent",
  async (address) => {
    const heard: string[] = [];
    const { socket: receiver } = await socketAt(address, (text, port) => heard.push(`${text} ${port === sender.port}`));
    const { socket: sender, outgoing } = await socketAt(address);
    expect(sender.send(3)).toBeFalse();
    sender.aim(address, receiver.port);
    for (const text of ["one", "two", "six"]) {
      outgoing.set(Buffer.from(text)); // the same memory each time: what is under way must not change
      expect(sender.send(3)).toBeTrue();
    }
    expect(sender.send(500)).toBeFalse();
    await settle();
    expect(heard.slice(0, 3)).toEqual(["one true", "two true", "six true"]);
  },
);

test("a closed socket sends nothing and does not throw", async () => {
  const { socket } = await socketAt("127.0.0.1");
  socket.aim("127.0.0.1", 40_000);
  socket.close();
  expect(socket.send(12)).toBeFalse();
  socket.sendTo(new Uint8Array(1), "127.0.0.1", 40_000);
});

test.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
  "media is marked for expedited forwarding",
  async () => {
    const made: { fd?: number }[] = [];
    const udpSocket = Bun.udpSocket;
    Object.assign(Bun, {
      udpSocket: async (options: Parameters<typeof udpSocket>[0]) => {
        const socket = await udpSocket(options);
        made.push(socket as { fd?: number });
        return socket;
      },
    });
    await socketAt("127.0.0.1");
    Object.assign(Bun, { udpSocket });
    const { symbols } = dlopen("libc.so.6", {
      getsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
    });
    const [value, length] = [new Int32Array(1), new Uint32Array([4])];
    expect(symbols.getsockopt(made[0]!.fd!, 0, 1, ptr(value), ptr(length))).toBe(0);
    expect(value[0]! >> 2).toBe(46);
  },
);
