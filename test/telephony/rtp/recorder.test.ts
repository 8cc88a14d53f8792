import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { decodeTable } from "../../../src/audio/g711.ts";
import { repairWav } from "../../../src/audio/wav.ts";
import { createRecorder } from "../../../src/telephony/rtp/recorder.ts";
import { until } from "../../support/until.ts";
import { parseWav } from "../wav.ts";

const folder = mkdtempSync(join(tmpdir(), "ringward-recorder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const parsedSample = (mulaw: number) => decodeTable("PCMU")[mulaw] ?? 0;
const frame = (byte: number) => new Uint8Array(160).fill(byte);

test("frames land in order, agent left and caller right, and the file is the owner's alone", async () => {
  const file = join(folder, "plain.wav");
  const recorder = createRecorder(file, silentLogger);
  for (let i = 0; i < 250; i++) recorder.write(frame(0x80), i < 125 ? null : frame(0x00), "PCMU", "PCMU");
  expect(await recorder.close()).toEqual({ recorded: true, seconds: 5 });
  const { durationSeconds, channels } = parseWav(readFileSync(file));
  expect(durationSeconds).toBe(5);
  expect(channels[0].every((sample) => sample === 32_124)).toBeTrue();
  expect([channels[1][0], channels[1][19_999], channels[1][20_000], channels[1][39_999]]).toEqual([
    0, 0, -32_124, -32_124,
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("calls that hand memory on to each other keep to their own words", async () => {
  const files = Array.from({ length: 6 }, (_, i) => join(folder, `handed-on-${i}.wav`));
  const voices = [0x80, 0x00, 0x8f, 0x0f, 0x9f, 0x1f];
  const wanted = voices.map((byte) => parsedSample(byte));
  // Two at once, the next two when their memory is free again; the last ones end in the middle of a block.
  for (const pair of [0, 2, 4]) {
    const recorders = [0, 1].map((i) => createRecorder(files[pair + i] ?? "", silentLogger));
    for (let i = 0; i < 330 + pair; i++) {
      for (const [at, recorder] of recorders.entries()) {
        recorder.write(frame(voices[pair + at] ?? 0), null, "PCMU", "PCMU");
        if (i % 100 === 0) await Promise.resolve();
      }
    }
    await Promise.all(recorders.map((recorder) => recorder.close()));
  }
  for (const [i, file] of files.entries()) {
    const { channels } = parseWav(readFileSync(file));
    expect([...new Set(channels[0])]).toEqual([wanted[i] ?? 0]);
    expect([...new Set(channels[1])]).toEqual([0]);
  }
});

test("a folder that was cleared away before the call was answered is made again, for its owner alone", async () => {
  const file = join(folder, "cleared", "call.wav");
  const recorder = createRecorder(file, silentLogger);
  for (let i = 0; i < 50; i++) recorder.write(frame(0x80), null, "PCMU", "PCMU");
  expect(await recorder.close()).toEqual({ recorded: true, seconds: 1 });
  expect(statSync(join(folder, "cleared")).mode & 0o777).toBe(0o700);
});

test("a data folder that is gone is not made anew: it may be a disk that was taken away", async () => {
  const recorder = createRecorder(join(folder, "gone", "recordings", "call.wav"), silentLogger);
  expect(await recorder.close()).toEqual({ recorded: false, seconds: 0 });
});

test("a process that is killed leaves a file that repair makes playable", async () => {
  const file = join(folder, "killed.wav");
  const recorderPath = join(import.meta.dir, "../../../src/telephony/rtp/recorder.ts");
  const code = `
    import { createRecorder } from ${JSON.stringify(recorderPath)};
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const recorder = createRecorder(${JSON.stringify(file)}, quiet);
    for (let i = 0; i < 550; i++) recorder.write(new Uint8Array(160).fill(0x80), null, "PCMU", "PCMU");
    for await (const _ of Bun.stdin.stream());
  `;
  const child = Bun.spawn([process.execPath, "-e", code], { stdin: "pipe" });
  await until(() => sizeOf(file) > 9 * 16_000);
  child.kill("SIGKILL");
  await child.exited;

  expect(() => parseWav(readFileSync(file))).toThrow();
  const repair = repairWav(file);
  expect(repair).toMatchObject({ playable: true, repaired: true });
  expect(repair.seconds).toBeWithin(9, 11); // 11 s less what was in memory, at most 2
  const { durationSeconds, channels } = parseWav(readFileSync(file));
  expect(durationSeconds).toBe(repair.seconds);
  expect(channels[0].every((sample) => sample === 32_124)).toBeTrue();
});

test("while it is being written the file can be copied and repaired at any time", async () => {
  const file = join(folder, "growing.wav");
  const recorder = createRecorder(file, silentLogger);
  for (let i = 0; i < 120; i++) recorder.write(frame(0x80), null, "PCMU", "PCMU");
  await until(() => sizeOf(file) >= 1_000);
  const copy = join(folder, "copy.wav");
  copyFileSync(file, copy);
  expect(repairWav(copy).playable).toBeTrue();
  expect(parseWav(readFileSync(copy)).channels[0].every((sample) => sample === 32_124)).toBeTrue();
  expect((await recorder.close()).seconds).toBe(2.4);
  expect(parseWav(readFileSync(file)).durationSeconds).toBe(2.4);
});
