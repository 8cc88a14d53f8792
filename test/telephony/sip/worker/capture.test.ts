// The packet capture of a call on disk: complete, private, bounded, and removed if it could not be completed.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, silentLogger } from "../../../../src/core/logger.ts";
import type { LineMessage } from "../../../../src/telephony/line-report.ts";
import { openCapture } from "../../../../src/telephony/sip/worker/capture.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { until } from "../../../support/until.ts";
import { readPcap } from "../../read-pcap.ts";

const folder = mkdtempSync(join(tmpdir(), "ringward-capture-"));
afterAll(() => rmSync(folder, { recursive: true }));

const AT_MS = Date.parse("2026-11-15T06:00:00Z");
const US = { address: "10.0.0.5", port: 20_000 };
const THEM = { address: "192.0.2.10", port: 30_000 };
const BYE: LineMessage = {
  atMs: AT_MS + 700,
  direction: "received",
  peer: "tcp 192.0.2.10:5060",
  firstLine: "BYE sip:us SIP/2.0",
  text: "BYE sip:us SIP/2.0\r\n\r\n",
};

test("SIP, RTP and RTCP are kept in the order they came, and the file is its owner's alone", async () => {
  const file = join(folder, "whole.pcap");
  writeFileSync(file, "something older and longer than what follows it", { mode: 0o644 });
  let passedMs = 5;
  const capture = openCapture(file, silentLogger, { clock: createManualClock(AT_MS), nowMs: () => passedMs });
  passedMs += 20.125;
  const packet = new Uint8Array(172).fill(1);
  capture.rtp("sent", packet, US, THEM);
  packet.fill(9); // The engine's buffer is used again for the next packet.
  capture.rtp("received", new Uint8Array(3).fill(2), { ...US, port: 20_001 }, { ...THEM, port: 30_001 });
  capture.sip(BYE, { address: "10.0.0.5", port: 5060 });
  expect(await capture.close()).toBeTrue();
  expect(readPcap(readFileSync(file))).toEqual([
    { atMs: AT_MS + 20.125, from: "10.0.0.5:20000", to: "192.0.2.10:30000", payload: Buffer.alloc(172, 1) },
    { atMs: AT_MS + 20.125, from: "192.0.2.10:30001", to: "10.0.0.5:20001", payload: Buffer.alloc(3, 2) },
    { atMs: AT_MS + 700, from: "192.0.2.10:5060", to: "10.0.0.5:5060", payload: Buffer.from(BYE.text) },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("packets reach the disk while the call goes on", async () => {
  const file = join(folder, "growing.pcap");
  const capture = openCapture(file, silentLogger);
  for (let i = 0; i < 400; i++) capture.rtp("sent", new Uint8Array(172), US, THEM);
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  await until(() => size() >= 65_536);
  expect(readPcap(readFileSync(file)).length).toBeGreaterThan(300);
  expect(await capture.close()).toBeTrue();
  expect(readPcap(readFileSync(file))).toHaveLength(400);
});

test("a capture that is full stops and stays readable", async () => {
  const file = join(folder, "full.pcap");
  const capture = openCapture(file, silentLogger, { mostBytes: 100_000 });
  for (let i = 0; i < 1_000; i++) capture.rtp("sent", new Uint8Array(172), US, THEM);
  capture.rtp("sent", new Uint8Array(1), US, THEM);
  expect(await capture.close()).toBeTrue();
  expect(statSync(file).size).toBeWithin(99_000, 100_001);
  expect(readPcap(readFileSync(file)).at(-1)!.payload).toHaveLength(172);
});

test("a call without packets leaves no file", async () => {
  const file = join(folder, "empty.pcap");
  const capture = openCapture(file, silentLogger);
  expect([await capture.close(), await capture.close()]).toEqual([false, false]);
  capture.sip(BYE, US);
  expect(existsSync(file)).toBeFalse();
});

test("a disk that fails costs the capture, is logged once, and throws nothing", async () => {
  const lines: string[] = [];
  const logger = createLogger(createManualClock(AT_MS), "debug", (line) => void lines.push(line));
  const file = join(folder, "a-folder");
  mkdirSync(file);
  const capture = openCapture(file, logger);
  for (let i = 0; i < 1_000; i++) capture.rtp("received", new Uint8Array(172), US, THEM);
  expect(await capture.close()).toBeFalse();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("packet capture could not be written");
});

test("a disk that is too slow costs the capture and no memory; what it has of it is removed", async () => {
  const lines: string[] = [];
  const logger = createLogger(createManualClock(AT_MS), "debug", (line) => void lines.push(line));
  const file = join(folder, "slow.pcap");
  const capture = openCapture(file, logger);
  // Nothing can be written before this loop lets go.
  for (let i = 0; i < 5_000; i++) capture.rtp("received", new Uint8Array(172), US, THEM);
  expect(await capture.close()).toBeFalse();
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    "a packet capture was given up because the disk is too slow",
  ]);
  expect(existsSync(file)).toBeFalse();
});
