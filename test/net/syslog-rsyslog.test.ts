// rsyslog, another author's collector, understands the messages over TCP and TLS.
import { afterEach, expect, test } from "bun:test";
import { createSyslogClient, type SyslogSettings } from "../../src/net/syslog.ts";
import type { SyslogMessage } from "../../src/net/syslog-message.ts";
import { trustedBy } from "../../src/net/tls.ts";
import { rsyslogProgram } from "../../scripts/debian-packages.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { startRsyslog, type Rsyslog } from "../support/rsyslog.ts";
import { skipsFor } from "../support/skips.ts";
import { until } from "../support/until.ts";

const withRsyslog = test.skipIf(
  skipsFor(rsyslogProgram() === null, "needs rsyslog with its TLS module (rsyslog-gnutls)"),
);
let running: Rsyslog | null = null;
afterEach(async () => {
  await running?.stop();
  running = null;
});

const settings = (address: string): SyslogSettings => ({
  address,
  trust: () => trustedBy(null),
  origin: { hostName: "calls.example", appName: "ringward", procId: "77" },
  maxMessageBytes: 8_192,
});
const note = (text: string): SyslogMessage => ({
  facility: "audit",
  severity: "notice",
  at: Date.parse("2026-11-19T04:05:06.789Z"),
  msgId: "AUDIT",
  data: { "audit@32473": { seq: 1, what: String.raw`a"b]c\d` } },
  text,
});

withRsyslog("over TCP every field is understood", async () => {
  const collector = (running = await startRsyslog());
  const texts = ["पढ़ा गया", "x".repeat(5_000), ...Array.from({ length: 3_000 }, (_, i) => `n${i}`)];
  await createSyslogClient(settings(`tcp://127.0.0.1:${collector.port}`)).sendAll(texts.map(note));
  await until(() => collector.got().length === texts.length);
  const [first] = collector.got();
  expect(first).toMatchObject({
    pri: "109",
    hostname: "calls.example",
    app: "ringward",
    procid: "77",
    msgid: "AUDIT",
    sd: String.raw`[audit@32473 seq="1" what="a\"b\]c\\d"]`,
  });
  expect(Date.parse(first?.timestamp ?? "")).toBe(Date.parse("2026-11-19T04:05:06.789Z"));
  expect(collector.got().map(({ msg }) => msg.replace("\uFEFF", ""))).toEqual(texts);
});

withRsyslog("over TLS with certificates on both sides, and none without ours", async () => {
  const ca = createPrivateCa();
  const options = { certificate: ca.issue(["127.0.0.1"]), caPem: ca.caPem, asksClients: true };
  const collector = (running = await startRsyslog(options));
  const own = ca.issue(["appliance.example"]);
  const address = `tls://127.0.0.1:${collector.port}`;
  const known = createSyslogClient({ ...settings(address), trust: () => trustedBy(ca.caPem, own) });
  const unknown = createSyslogClient({ ...settings(address), trust: () => trustedBy(ca.caPem) });
  await known.sendAll(Array.from({ length: 500 }, (_, i) => note(`${i}`)));
  await unknown.send(note("unknown")).catch(() => {});
  await known.send(note("last"));
  await until(() => collector.got().some(({ msg }) => msg.endsWith("last")));
  expect(collector.got()).toHaveLength(501);
});
