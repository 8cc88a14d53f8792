// The waveform of a recording: loudness per side, read from the bytes of the WAV.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { waveformOf } from "../../src/web/pages/calls/waveform.ts";
import { G711_SILENCE, toMulaw } from "../../src/audio/g711.ts";
import { mulawWavHeader } from "../../src/audio/wav.ts";
import { createSimulatedRecordings } from "../../src/calls/life/simulated-recording.ts";
import { createIds } from "../../src/core/ids.ts";
import { createRecordings } from "../../src/media/recordings.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { tempFolder } from "../support/temp.ts";

const SILENCE = G711_SILENCE.PCMU;

function wav(frames: readonly (readonly [left: number, right: number])[]): ArrayBuffer {
  const bytes = Buffer.concat([mulawWavHeader({ channels: 2, frames: frames.length }), Buffer.from(frames.flat())]);
  return new Uint8Array(bytes).buffer;
}
const said = (count: number, frame: readonly [number, number]) => Array.from({ length: count }, () => frame);
const rounded = (peaks: Float32Array) => [...peaks].map((peak) => Math.round(peak * 10) / 10);

test("each side has its loudness, in its own half of the time", () => {
  const picture = waveformOf(
    wav([...said(8_000, [toMulaw(-30_000), SILENCE]), ...said(8_000, [SILENCE, toMulaw(15_000)])]),
    4,
  );
  expect(picture?.durationSeconds).toBe(2);
  expect(picture?.peaks.map(rounded)).toEqual([
    [1, 1, 0, 0],
    [0, 0, 0.5, 0.5],
  ]);
});

test("a silent recording is flat", () => {
  expect(waveformOf(wav(said(100, [SILENCE, SILENCE])), 2)?.peaks.map(rounded)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test("a truncated recording is drawn as far as it goes", () => {
  const whole = wav(said(8_000, [toMulaw(9_000), SILENCE]));
  expect(waveformOf(whole.slice(0, 58 + 8_000), 2)?.durationSeconds).toBe(0.5);
});

test("a foreign file has no waveform", () => {
  const pcm = wav(said(10, [SILENCE, SILENCE]));
  new DataView(pcm).setUint16(20, 1, true);
  expect(waveformOf(pcm, 2)).toBeNull();
  expect(waveformOf(new ArrayBuffer(0), 2)).toBeNull();
  expect(waveformOf(new TextEncoder().encode("RIFF but nothing else of it").buffer, 2)).toBeNull();
});

test("the recording of a simulated call has the agent on the first side and the callee on the second", async () => {
  const recordings = createRecordings(tempFolder(), createIds(createManualClock()));
  const oneSecond = Int16Array.from({ length: 8_000 }, (_, i) => 25_000 * Math.sin(i / 3));
  const simulated = createSimulatedRecordings({ clock: createManualClock(), recordings, speak: async () => oneSecond });
  const name = simulated.nameFor("call.wav");
  const said = [
    { speaker: "agent", text: "Hello.", timestamp: 0 },
    { speaker: "user", text: "Hello.", timestamp: 1 },
  ];
  await simulated.make(name, { transcript: JSON.stringify(said), seconds: 2, recording: null });
  const bytes = new Uint8Array(readFileSync(recordings.pathOf(name)));
  const [agent, user] = waveformOf(bytes.buffer, 2)?.peaks ?? [];
  expect(agent?.[0]).toBeGreaterThan(0.5);
  expect(agent?.[1]).toBe(0);
  expect(user?.[0]).toBe(0);
  expect(user?.[1]).toBeGreaterThan(0.5);
});
