import { afterAll, beforeAll, expect, test } from "bun:test";
import { readSyslogAddress, createSyslogClient, type SyslogSettings } from "../../src/net/syslog.ts";
import type { SyslogMessage } from "../../src/net/syslog-message.ts";
import { trustedBy } from "../../src/net/tls.ts";
import { createPrivateCa, type PrivateCa } from "../support/private-ca.ts";
import { startSyslogCollector, type SyslogCollector } from "../support/syslog-collector.ts";

let ca: PrivateCa;
const collectors: SyslogCollector[] = [];
beforeAll(() => void (ca = createPrivateCa()));
afterAll(() => collectors.forEach((each) => each.stop()));

function collector(options?: Parameters<typeof startSyslogCollector>[0]): SyslogCollector {
  const started = startSyslogCollector(options);
  collectors.push(started);
  return started;
}

const client = (address: string, given: Partial<SyslogSettings> = {}) =>
  createSyslogClient({
    address,
    trust: () => trustedBy(ca.caPem),
    origin: { hostName: "h", appName: "ringward", procId: "1" },
    maxMessageBytes: 8_192,
    ...given,
  });

const note = (text: string): SyslogMessage => ({
  facility: "daemon",
  severity: "warning",
  at: 0,
  msgId: "TEST",
  data: {},
  text,
});

test("a message arrives over TCP, and many share a connection", async () => {
  const one = collector();
  await client(one.address).send(note("first"));
  const texts = Array.from({ length: 20_000 }, (_, i) => `message ${i}`);
  await client(one.address).sendAll(texts.map(note));
  expect(one.got.map((each) => each.split("\uFEFF")[1])).toEqual(["first", ...texts]);
  expect(one.connections).toBe(2);
});

test("nothing to send opens no connection", async () => {
  const one = collector();
  await client(one.address).sendAll([]);
  expect(one.connections).toBe(0);
});

test("a message arrives over TLS from a collector with a certificate of the given authority", async () => {
  const one = collector({ certificate: ca.issue(["127.0.0.1"]) });
  await client(one.address).sendAll([note("a"), note("b")]);
  expect(one.got).toHaveLength(2);
});

test.each([
  ["another name", () => ca.issue(["other.example"])],
  ["an expired certificate", () => ca.issue(["127.0.0.1"], { expired: true })],
  ["another authority", () => createPrivateCa().issue(["127.0.0.1"])],
])("a collector with %s gets nothing", async (_, issue) => {
  const one = collector({ certificate: issue() });
  await expect(client(one.address).send(note("secret"))).rejects.toThrow(/127\.0\.0\.1 port \d+: the certificate/);
  await client(one.address)
    .send(note("secret"))
    .catch(() => {});
  expect(one.got).toEqual([]);
});

test("a collector that asks for a certificate takes ours, and refuses a client without one", async () => {
  const one = collector({ certificate: ca.issue(["127.0.0.1"]), clientCaPem: ca.caPem });
  const own = ca.issue(["appliance.example"]);
  await client(one.address, { trust: () => trustedBy(ca.caPem, own) }).send(note("known"));
  expect(one.got).toHaveLength(1);
  await expect(client(one.address).send(note("unknown"))).rejects.toThrow("127.0.0.1 port");
  await client(one.address)
    .send(note("unknown"))
    .catch(() => {});
  expect(one.got).toHaveLength(1);
});

test("a delivery that the collector did not read is a failure", async () => {
  const one = collector();
  one.mode = "resets";
  await expect(client(one.address).sendAll([note("x".repeat(5_000))])).rejects.toThrow("reset");
  one.mode = "hangs";
  await expect(client(one.address, { timeoutMs: 200 }).send(note("x"))).rejects.toThrow(
    "has not read everything in time",
  );
  one.mode = "reads";
  await client(one.address).send(note("again"));
  expect(one.got.at(-1)).toEndWith("again");
});

test("a collector that is not there is named", async () => {
  const gone = collector();
  gone.stop();
  await expect(client(gone.address).send(note("x"))).rejects.toThrow(
    `127.0.0.1 port ${gone.port}: the connection was refused`,
  );
  const nameless = client("tcp://collector.invalid:514", { resolve: async () => [] });
  await expect(nameless.send(note("x"))).rejects.toThrow("collector.invalid: the host name has no address.");
});

test.each([
  "",
  "udp://h:1",
  "tls://h",
  "tls://h:0",
  "tls://u@h:1",
  "tls://h:1/p",
  "tls://h:1?q",
  "https://h:1",
  "tls://h h:1",
])("%p is no address of a collector", (text) => {
  expect(() => readSyslogAddress(text)).toThrow("must");
});
