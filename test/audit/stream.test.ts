// The stream of the audit trail to syslog: every entry at least once and in order, a collector that is away costs no
// memory, and nothing is pruned that it lacks.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createAuditStream, SD_ID, type AuditStream } from "../../src/audit/stream.ts";
import { auditFigures } from "../../src/audit/state.ts";
import { createArchive } from "../../src/audit/archive.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createLogger, silentLogger, type Logger } from "../../src/core/logger.ts";
import { createSyslogClient, type SyslogClient } from "../../src/net/syslog.ts";
import { trustedBy } from "../../src/net/tls.ts";
import { createAudited, type Audited } from "../support/audited.ts";
import { startSyslogCollector, type SyslogCollector } from "../support/syslog-collector.ts";
import { rejectionOf } from "../support/temp.ts";

let audited: Audited;
let collector: SyslogCollector;
beforeEach(async () => {
  audited = await createAudited();
  collector = startSyslogCollector();
});
afterEach(async () => {
  collector.stop();
  await audited.close();
});

const clientOf = ({ address }: SyslogCollector): SyslogClient =>
  createSyslogClient({
    address,
    trust: () => trustedBy(null),
    origin: { hostName: "h", appName: "ringward", procId: "1" },
    maxMessageBytes: 8_192,
    timeoutMs: 2 * SECOND_MS,
  });

const streamTo = (syslog: Pick<SyslogClient, "sendAll"> | null, logger: Logger = silentLogger): AuditStream =>
  createAuditStream({ ...audited, db: audited.db, logger, syslog });

const numbers = () => collector.got.flatMap((each) => / number="(\d+)"/.exec(each)?.[1] ?? []).map(Number);
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);

test("every entry arrives in order, with its place, its hash and the signed head", async () => {
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.write(3, {
    actor: { kind: "person", id: "per_1", requestId: "req_1" },
    detail: { note: "secret word" },
  });
  await audited.together(700);
  await audited.sealing.sealAll();
  await audited.heads.sign();
  await stream.deliverAll();
  expect(numbers()).toEqual(upTo(704));
  const [, second] = collector.got;
  expect(second).toMatch(/^<109>1 \S+Z h ringward 1 AUDIT \[ringward@32473 id="aud_\w+" organisation="org_\w+" /);
  expect(second).toContain(' actor_kind="person" actor="per_1" action="call.read" subject="call_1" request="req_1" ');
  expect(second).toMatch(/ number="2" block="1" hash="[0-9a-f]{64}"\] \uFEFFcall\.read$/);
  expect(collector.got.join("")).not.toContain("secret word");
  expect(collector.got.at(-1)).toContain(`AUDITHEAD [${SD_ID} block="8" head="{\\"hash\\":`);
  await stream.deliverAll();
  expect(collector.got).toHaveLength(705);
});

test("a contact's id, which leads to their number, is not sent", async () => {
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.readContact("abc123");
  await audited.sealing.sealAll();
  await stream.deliverAll();
  const found = collector.got.find((each) => each.includes("contact.read"));
  expect(found).toMatch(/ subject_hash="[0-9a-f]{64}"/);
  expect(collector.got.join("")).not.toContain("abc123");
});

test("a stream that is set up later begins with the next entries", async () => {
  await audited.together(50);
  await audited.sealing.sealAll();
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.write(2);
  await audited.sealing.sealAll();
  await stream.deliverAll();
  expect(numbers()).toEqual([52, 53]);
});

test("a collector that is away for an hour under load: bounded, told, and nothing is lost", async () => {
  let isAway = false;
  let largest = 0;
  let tries = 0;
  const client = clientOf(collector);
  const log: string[] = [];
  const away = {
    async sendAll(messages: Parameters<SyslogClient["sendAll"]>[0]) {
      largest = Math.max(largest, messages.length);
      tries += 1;
      if (isAway) throw new Error("the connection was refused");
      await client.sendAll(messages);
    },
  };
  const stream = streamTo(
    away,
    createLogger(audited.clock, "info", (line) => log.push(line)),
  );
  await stream.deliverAll();
  isAway = true;
  const pass = async () => {
    await stream.run(audited.clock.now());
    await stream.settled();
  };
  for (let minute = 0; minute < 60; minute++) {
    await audited.together(200);
    await audited.sealing.sealAll();
    for (let i = 0; i < 4; i++) {
      await pass();
      await audited.clock.advance(15 * SECOND_MS);
    }
  }
  expect(stream.isConnected()).toBe(false);
  expect(stream.note()).toContain("The syslog collector does not get the audit trail: the connection was refused");
  expect(largest).toBeLessThanOrEqual(500);
  // Backoff: far fewer than the 240 passes.
  expect(tries).toBeLessThan(40);
  expect(log.filter((line) => line.includes("could not be sent to the syslog collector"))).toHaveLength(1);
  // /metrics and the doctor: by the stored position, so no counter grows in memory.
  const { lagBlocks } = await auditFigures(audited.db.reader);
  expect(lagBlocks).toBe(60 * 2 + 1);
  isAway = false;
  await audited.clock.advance(5 * MINUTE_MS);
  await pass();
  expect(stream.isConnected()).toBe(true);
  expect(stream.note()).toBeNull();
  expect(numbers()).toEqual(upTo(60 * 200 + 1));
  expect(largest).toBeLessThanOrEqual(500);
  expect((await auditFigures(audited.db.reader)).lagBlocks).toBe(0);
  // The gap is told once, behind the entries, with their count. Those of the last five minutes are not late.
  const told = collector.got.filter((each) => each.includes(" AUDITLATE "));
  expect(told).toHaveLength(1);
  expect(collector.got.at(-1)).toBe(told[0]);
  const [, entries] = / entries="(\d+)" since="2026-11-15T06:00:00.000Z" until="2026-11-15T07:05:00.000Z"/.exec(
    told[0]!,
  )!;
  expect(Number(entries)).toBeGreaterThan(11_000);
  expect(log.filter((line) => line.includes("got audit entries late"))).toEqual([
    expect.stringContaining(`"entries":${entries}`),
  ]);
  await audited.clock.advance(MINUTE_MS);
  await pass();
  expect(collector.got.filter((each) => each.includes(" AUDITLATE "))).toHaveLength(1);
}, 60_000);

test("a gap is told also if the server was restarted meanwhile", async () => {
  await streamTo(clientOf(collector)).deliverAll();
  await audited.together(30);
  await audited.sealing.sealAll();
  await audited.clock.advance(10 * MINUTE_MS);
  collector.mode = "resets";
  await expect(streamTo(clientOf(collector)).deliverAll()).rejects.toThrow("127.0.0.1");
  collector.mode = "reads";
  await streamTo(clientOf(collector)).deliverAll();
  expect(numbers()).toEqual(upTo(31));
  expect(collector.got.at(-1)).toContain('AUDITLATE [ringward@32473 entries="31" ');
});

test("a delivery that breaks is sent again: at least once, never none", async () => {
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.together(300);
  await audited.sealing.sealAll();
  collector.mode = "resets";
  await expect(stream.deliverAll()).rejects.toThrow("127.0.0.1");
  collector.mode = "hangs";
  await expect(stream.deliverAll()).rejects.toThrow("in time");
  collector.mode = "reads";
  await stream.deliverAll();
  expect(numbers().slice(-301)).toEqual(upTo(301));
});

test("nothing is pruned that the collector lacks", async () => {
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.together(150);
  await audited.sealing.sealAll();
  await audited.exportAll();
  await audited.clock.advance(DAY_MS);
  const archive = createArchive({
    ...audited,
    db: audited.db,
    logger: silentLogger,
    limits: { keepDays: 0, maxRows: 0, exportTo: "" },
    delivered: stream.delivered,
  });
  const prune = async () => archive.prune(await archive.lastBlockBefore(audited.clock.now()), CLI_ACTOR);
  expect((await rejectionOf(prune())).message).toContain("up to block 0, and block 3 was to be pruned");
  await stream.deliverAll();
  expect(await prune()).toEqual({ entries: 151, blocks: 3 });
  await audited.write(1);
  await audited.sealing.sealAll();
  await stream.deliverAll();
  expect(numbers().at(-1)).toBeGreaterThan(151);
});

test("a chain that became shorter than what was sent is told", async () => {
  const stream = streamTo(clientOf(collector));
  await audited.together(10);
  await audited.sealing.sealAll();
  await stream.deliverAll();
  await audited.db.write((tx) => tx.deleteFrom("audit_blocks").execute());
  await expect(stream.deliverAll()).rejects.toThrow("The collector has block 1, and the chain ends with block 0");
});

test("an entry that was removed is announced in its place", async () => {
  const stream = streamTo(clientOf(collector));
  await stream.deliverAll();
  await audited.write(3);
  await audited.sealing.sealAll();
  await audited.db.write((tx) => tx.deleteFrom("audit_entries").where("action", "=", "call.read").execute());
  await stream.deliverAll();
  expect(numbers()).toEqual([1, 2, 3, 4]);
  expect(collector.got.filter((each) => each.startsWith("<106>1 ") && each.includes("AUDITMISSING"))).toHaveLength(3);
});

test("without a collector nothing is sent, and nothing waits for it", async () => {
  const stream = streamTo(null);
  await stream.run(0);
  await stream.deliverAll();
  expect(await stream.delivered()).toBeNull();
});
