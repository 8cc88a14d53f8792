import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mulawWavHeader, repairWav } from "../../src/audio/wav.ts";
import { parseWav } from "../telephony/wav.ts";

const folder = mkdtempSync(join(tmpdir(), "ringward-wav-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(header: Buffer, audioBytes: number): string {
  const file = join(folder, `${crypto.randomUUID()}.wav`);
  writeFileSync(file, Buffer.concat([header, Buffer.alloc(audioBytes, 0x80)]));
  return file;
}

test("a recording of a crashed writer gets its true length", () => {
  const file = fileOf(mulawWavHeader({ channels: 2, frames: 0 }), 16_000);
  expect(() => parseWav(readFileSync(file))).toThrow();
  expect(repairWav(file)).toEqual({ playable: true, repaired: true, seconds: 1 });
  expect(parseWav(readFileSync(file)).durationSeconds).toBe(1);
});

test("half a frame at the end is cut off", () => {
  const file = fileOf(mulawWavHeader({ channels: 2, frames: 0 }), 801);
  expect(repairWav(file)).toMatchObject({ playable: true, repaired: true, seconds: 0.05 });
  expect(parseWav(readFileSync(file)).channels[0]).toHaveLength(400);
});

test("a complete recording is unchanged by repeated repairs", () => {
  const file = fileOf(mulawWavHeader({ channels: 2, frames: 400 }), 800);
  const before = readFileSync(file);
  for (let i = 0; i < 2; i++) expect(repairWav(file)).toEqual({ playable: true, repaired: false, seconds: 0.05 });
  expect(readFileSync(file).equals(before)).toBeTrue();
});

test("a foreign file is not changed", () => {
  for (const text of ["", "RIFF", "x".repeat(500)]) {
    const file = fileOf(Buffer.from(text), 100);
    if (text === "") truncateSync(file, 0);
    const before = readFileSync(file);
    expect(repairWav(file)).toEqual({ playable: false, repaired: false, seconds: 0 });
    expect(readFileSync(file).equals(before)).toBeTrue();
  }
});

test("a recording cut inside its header is not playable", () => {
  const file = fileOf(mulawWavHeader({ channels: 2, frames: 0 }).subarray(0, 40), 0);
  expect(repairWav(file).playable).toBeFalse();
  expect(statSync(file).size).toBe(40);
});
