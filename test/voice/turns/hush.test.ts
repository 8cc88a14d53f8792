// Pausing before barge-in is confirmed, and resuming without it.
import { expect, test } from "bun:test";
import { nextHush, NO_HUSH } from "../../../src/voice/turns/hush.ts";
import { WINDOW_MS } from "../../../src/voice/turns/voice-run.ts";
import { createTurnScript } from "./turn-script.ts";

const CLEAR = 0.9;
const SILENT = 0.02;

/** The script's events, window by window, with the commands of the hush. */
function hushed() {
  const script = createTurnScript();
  let hush = NO_HUSH;
  const commands: string[] = [];
  function look(probability: number | null): void {
    const move = nextHush(hush, script.state(), probability);
    hush = move.hush;
    if (move.command) commands.push(move.command);
  }
  function hear(windows: number, probability: number): void {
    for (let i = 0; i < windows; i++) {
      script.voice(WINDOW_MS, probability);
      look(probability);
    }
  }
  return {
    commands,
    script,
    look,
    hear,
    voice: (windows: number) => hear(windows, CLEAR),
    silence: (windows: number) => hear(windows, SILENT),
    echo(windows: number) {
      for (let i = 0; i < windows; i++) {
        script.echo(WINDOW_MS);
        look(0);
      }
    },
  };
}

test("a click does not pause playback, the second clear window does", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  silence(10);
  voice(1);
  silence(5);
  expect(commands).toEqual([]);
  voice(2);
  expect(commands).toEqual(["pause"]);
});

test("a doubtful voice pauses after five windows, noise never", () => {
  const { script, hear, commands } = hushed();
  script.speaks();
  hear(100, 0.3);
  hear(100, 0.45);
  hear(100, Number.NaN);
  expect(commands).toEqual([]);
  for (const probability of [0.3, 0.5, 0.6, 0.3, 0.1]) hear(1, probability);
  expect(commands).toEqual(["pause"]);
});

test("playback resumes 250 ms after a cough, without an event of the turn machine", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(4);
  silence(8);
  expect(commands).toEqual(["pause"]);
  silence(4);
  expect(commands).toEqual(["pause", "resume"]);
  expect(script.commands()).toEqual([]);
});

test("continued speech is handled by the turn machine", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(12);
  silence(10);
  expect(commands).toEqual(["pause"]);
  expect(script.commands()).toEqual(["pause", "recognise"]);
});

test("a voice lost by the detector in mid-word does not resume playback", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(3);
  silence(6);
  voice(8);
  expect(commands).toEqual(["pause"]);
  expect(script.commands()).toEqual(["pause"]);
});

test("street noise pauses playback at most twice", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  for (let i = 0; i < 5; i++) {
    voice(4);
    silence(20);
  }
  expect(commands).toEqual(["pause", "resume", "pause", "resume"]);
});

test("neither echo nor speech in the callee's own turn pauses playback", () => {
  const { script, voice, echo, commands } = hushed();
  script.speaks();
  echo(20);
  script.listens();
  voice(3);
  expect(commands).toEqual([]);
});

test("a key, the end of playback and lost ears end the hush", () => {
  const ends = [
    { type: "key", nowMs: 0 },
    { type: "listens", silenceAfterMs: 8_000, nowMs: 0 },
    { type: "lost", nowMs: 0 },
  ] as const;
  for (const event of ends) {
    const { script, voice, look, commands } = hushed();
    script.speaks();
    voice(3);
    script.tell(event);
    look(null);
    expect(commands).toEqual(["pause", "resume"]);
  }
});

test("no command follows the end of the call", () => {
  const { script, voice, look, commands } = hushed();
  script.speaks();
  voice(3);
  script.tell({ type: "hungUp" });
  look(null);
  expect(commands).toEqual(["pause"]);
});
