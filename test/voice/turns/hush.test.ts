// We are silent before it is clear that somebody stops us, and go on where nobody does.
import { expect, test } from "bun:test";
import { nextHush, NO_HUSH } from "../../../src/voice/turns/hush.ts";
import { WINDOW_MS } from "../../../src/voice/turns/voice-run.ts";
import { createTurnScript } from "./turn-script.ts";

/** The script's own words, window by window, with what hushing commanded in each. */
function hushed() {
  const script = createTurnScript();
  let hush = NO_HUSH;
  const commands: string[] = [];
  function look(isWindow: boolean): void {
    const move = nextHush(hush, script.state(), isWindow);
    hush = move.hush;
    if (move.command) commands.push(move.command);
  }
  function each(windows: number, tell: () => void): void {
    for (let i = 0; i < windows; i++) {
      tell();
      look(true);
    }
  }
  return {
    commands,
    script,
    look,
    voice: (windows: number) => each(windows, () => script.voice(WINDOW_MS)),
    silence: (windows: number) => each(windows, () => script.silence(WINDOW_MS)),
    echo: (windows: number) => each(windows, () => script.echo(WINDOW_MS)),
  };
}

test("two windows of voice hush nobody, three do", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  silence(10);
  voice(2);
  silence(1);
  expect(commands).toEqual([]);
  voice(3);
  expect(commands).toEqual(["pause"]);
});

test("whoever coughed hears us go on after four silent windows, and the turn machine heard nothing", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(5);
  silence(3);
  expect(commands).toEqual(["pause"]);
  silence(1);
  expect(commands).toEqual(["pause", "resume"]);
  expect(script.commands()).toEqual([]);
});

test("whoever speaks on is the turn machine's, which resumes or stops us", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(12);
  silence(10);
  expect(commands).toEqual(["pause"]);
  expect(script.commands()).toEqual(["pause", "recognise"]);
});

test("a consonant without voice does not let us go on in the middle of their word", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  voice(3);
  silence(2);
  voice(8);
  expect(commands).toEqual(["pause"]);
  expect(script.commands()).toEqual(["pause"]);
});

test("a noisy street hushes us twice in our words, and not again", () => {
  const { script, voice, silence, commands } = hushed();
  script.speaks();
  for (let i = 0; i < 5; i++) {
    voice(4);
    silence(4);
  }
  expect(commands).toEqual(["pause", "resume", "pause", "resume"]);
});

test("our own echo hushes nobody, and neither does who speaks in their own turn", () => {
  const { script, voice, echo, commands } = hushed();
  script.speaks();
  echo(20);
  script.listens();
  voice(3);
  expect(commands).toEqual([]);
});

test("what ends the voice ends the hush: a key, the end of our words, ears that are lost", () => {
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
    look(false);
    expect(commands).toEqual(["pause", "resume"]);
  }
});

test("nothing is commanded once the call is over", () => {
  const { script, voice, look, commands } = hushed();
  script.speaks();
  voice(3);
  script.tell({ type: "hungUp" });
  look(false);
  expect(commands).toEqual(["pause"]);
});
