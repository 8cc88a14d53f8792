// The system's resolver over the network: records, missing names and timeouts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createSystemResolver, type Resolver } from "../../../../src/telephony/sip/trunk/dns.ts";

const SRV = 33;
const NAPTR = 35;
const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;

const name = (text: string) => Buffer.concat([...text.split(".").map((label) => textField(label)), Buffer.from([0])]);
const textField = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

const RECORDS: Record<string, Buffer[]> = {
  [`_sip._udp.trunk.example ${SRV}`]: [
    Buffer.concat([numbers(10, 60, 5070), name("a.trunk.example")]),
    Buffer.concat([numbers(20, 0, 5060), name("b.trunk.example")]),
  ],
  [`trunk.example ${NAPTR}`]: [
    Buffer.concat([numbers(1, 2), ...["s", "SIP+D2U", ""].map(textField), name("_sip._udp.trunk.example")]),
  ],
};

/** A name server of a few lines (RFC 1035): one question, answers that point back to its name. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const asked = labels.join(".");
  const type = query.readUInt16BE(at + 1);
  if (asked.startsWith("silent")) return null;
  const records = RECORDS[`${asked} ${type}`] ?? [];
  const code = asked.startsWith("broken") ? SERVER_FAILED : asked.startsWith("nobody") ? NO_SUCH_NAME : 0;
  const head = numbers(query.readUInt16BE(0), 0x8180 | code, 1, records.length, 0, 0);
  const answers = records.map((data) => Buffer.concat([numbers(0xc00c, type, 1, 0, 120, data.length), data]));
  return Buffer.concat([head, query.subarray(12, at + 5), ...answers]);
}

let server: Bun.udp.Socket<"buffer">;
let resolver: Resolver;
beforeAll(async () => {
  server = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(own, query, port, address) {
        const answer = answerTo(query);
        if (answer) own.send(answer, port, address);
      },
    },
  });
  resolver = createSystemResolver([`127.0.0.1:${server.port}`]);
});
afterAll(() => server.close());

test("SRV and NAPTR records are read as they stand", async () => {
  expect(await resolver.srv("_sip._udp.trunk.example")).toEqual([
    { name: "a.trunk.example", port: 5070, priority: 10, weight: 60, ttlSeconds: null },
    { name: "b.trunk.example", port: 5060, priority: 20, weight: 0, ttlSeconds: null },
  ]);
  expect(await resolver.naptr("trunk.example")).toMatchObject([
    { order: 1, preference: 2, flags: "s", service: "SIP+D2U", replacement: "_sip._udp.trunk.example" },
  ]);
});

test.each(["nobody.example", "empty.example"])(
  "%s: no such name or no such record is an answer, and empty",
  async (host) => {
    expect(await resolver.srv(host)).toEqual([]);
    expect(await resolver.naptr(host)).toEqual([]);
  },
);

test.each(["broken.example", "silent.example"])("%s: a server that fails or is silent is no answer", async (host) => {
  const failure = await resolver.srv(host).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Error);
});

test("addresses are the system's, from /etc/hosts too", async () => {
  const found = await resolver.addresses("localhost");
  expect(found.some(({ address }) => address === "127.0.0.1" || address === "::1")).toBeTrue();
});
