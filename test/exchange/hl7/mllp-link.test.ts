import { expect, test } from "bun:test";
import { parsePeers, peerAddresses, readAddress } from "../../../src/exchange/hl7/telling/address.ts";
import { MllpLinks } from "../../../src/exchange/hl7/telling/mllp-link.ts";
import { trustedBy } from "../../../src/net/tls.ts";
import { createFraming, framed } from "../../../src/exchange/hl7/mllp.ts";
import { createPrivateCa, type Certificate } from "../../support/private-ca.ts";

const PEERS = parsePeers(["127.0.0.1"]);

function linksWith(caPem: string | null, own: Certificate | null): MllpLinks {
  return new MllpLinks({
    trust: () => trustedBy(caPem, own),
    addressesOf: (target, deadline) => peerAddresses(target, PEERS, async () => ["127.0.0.1"], deadline),
  });
}

/** Answers each message; with TLS it asks for a certificate of the authority. */
function listen(answer: (control: string) => string, tls: { cert: string; key: string; ca: string } | null = null) {
  const framings = new WeakMap<object, ReturnType<typeof createFraming>>();
  let count = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls: { ...tls, requestCert: true, rejectUnauthorized: true } }),
    socket: {
      open: (socket) => {
        count += 1;
        framings.set(socket, createFraming(10_000));
      },
      data(socket, bytes) {
        for (const each of framings.get(socket)?.take(bytes) ?? [])
          if (each.kind === "message") socket.write(framed(Buffer.from(answer(each.bytes.toString()))));
      },
      error() {},
    },
  });
  return { port: server.port, connections: () => count, stop: () => server.stop(true) };
}

const ack = (control: string) => `MSH|^~\\&|A\rMSA|AA|${control}\r`;

test("over TLS the receiver's certificate is verified, and ours is shown", async () => {
  const [ca, other] = [createPrivateCa(), createPrivateCa("Another authority")];
  const server = ca.issue(["his.example"]);
  const his = listen(ack, { cert: server.certPem, key: server.keyPem, ca: ca.caPem });
  const target = readAddress(`mllps://his.example:${his.port}`);
  const own = ca.issue(["ringward.example"]);
  const exchange = (links: MllpLinks) => links.exchange(target, Buffer.from("C1"), "C1", 5_000);
  expect(await exchange(linksWith(ca.caPem, own))).toMatchObject({ code: "AA", controlId: "C1" });
  await expect(exchange(linksWith(ca.caPem, null))).rejects.toMatchObject({ kind: "unreachable" });
  await expect(exchange(linksWith(other.caPem, own))).rejects.toMatchObject({ kind: "unreachable" });
  his.stop();
});

test("messages to one address follow each other on one connection, and answers to others are skipped", async () => {
  const his = listen((control) => `${ack("OLD")}\x1c\r\x0b${ack(control)}`);
  const links = linksWith(null, null);
  const target = readAddress(`mllp://127.0.0.1:${his.port}`);
  const controls = ["C1", "C2", "C3"];
  const answers = await Promise.all(controls.map((id) => links.exchange(target, Buffer.from(id), id, 5_000)));
  expect(answers.map(({ controlId }) => controlId)).toEqual(controls);
  expect(his.connections()).toBe(1);
  his.stop();
});

test("without an answer in time, with something else, or outside the allow list it is a failure", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const odd = listen(() => "MSH|^~\\&|A\rPID|1\r");
  const links = linksWith(null, null);
  const tell = (address: string, timeoutMs: number) =>
    links.exchange(readAddress(address), Buffer.from("C1"), "C1", timeoutMs);
  await expect(tell(`mllp://127.0.0.1:${silent.port}`, 100)).rejects.toMatchObject({ kind: "timeout" });
  await expect(tell(`mllp://127.0.0.1:${odd.port}`, 5_000)).rejects.toMatchObject({ kind: "unreachable" });
  await expect(tell("mllp://10.0.0.1:2575", 5_000)).rejects.toMatchObject({ kind: "blocked" });
  silent.stop(true);
  odd.stop();
});
