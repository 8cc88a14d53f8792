// The turn-taking table, row by row, with its races. Events come in windows of 32 ms, so times are up to one window
// late.
import { describe, expect, test } from "bun:test";
import { wakeAtMs } from "../../../src/voice/turns/turns.ts";
import { WINDOW_MS } from "../../../src/voice/turns/voice-run.ts";
import { createTurnScript, type TurnScriptOptions } from "./turn-script.ts";

/** The callee has had the turn for a second. */
function listening(options: TurnScriptOptions = {}) {
  const script = createTurnScript(options);
  script.listens();
  script.silence(1_000);
  return script;
}

/** The agent has spoken for a second. */
function speaking(options: TurnScriptOptions = {}) {
  const script = createTurnScript(options);
  script.speaks();
  script.silence(1_000);
  return script;
}

/** Time from the end of speech to the end of turn. */
function pauseAfter(text: string, options: TurnScriptOptions = {}): number {
  const script = listening(options);
  script.voice(800);
  const endedMs = script.nowMs();
  script.silence(220);
  script.recognised(text);
  script.silence(4_000);
  expect(script.turns()).toHaveLength(1);
  return (script.when("turn") ?? 0) - endedMs;
}

const within = (ms: number) => ({ from: ms, to: ms + WINDOW_MS });

describe("a segment", () => {
  test("begins after 120 ms of voice, and a click begins none", () => {
    const script = listening();
    script.voice(96);
    script.silence(1_000);
    expect(script.commands()).toEqual([]);
    script.voice(128);
    script.silence(224);
    expect(script.commands()).toEqual(["recognise"]);
  });

  test("begins where the voice does, with 100 ms around it for the recogniser", () => {
    const script = listening();
    const beganMs = script.nowMs();
    script.voice(480);
    const endedMs = script.nowMs();
    script.silence(300);
    expect(script.asks()).toEqual([{ do: "recognise", segment: 1, fromMs: beganMs - 100, toMs: endedMs + 100 }]);
  });

  test("includes a soft onset of at most 400 ms", () => {
    const script = listening();
    const beganMs = script.nowMs();
    script.voice(192, 0.4);
    script.voice(320);
    script.silence(300);
    expect(script.asks()[0]?.fromMs).toBe(beganMs - 100);

    const late = listening();
    late.voice(3_200, 0.4);
    const clearMs = late.nowMs();
    late.voice(320);
    late.silence(300);
    expect(late.asks()[0]?.fromMs).toBe(clearMs - 500);
  });

  test("is not ended by a soft syllable between 0.35 and 0.5", () => {
    const script = listening();
    script.voice(320);
    script.voice(400, 0.4);
    expect(script.asks()).toEqual([]);
    script.silence(224);
    expect(script.asks()).toHaveLength(1);
  });

  test("is recognised at 200 ms of silence, which does not end the turn", () => {
    const script = listening();
    script.voice(640);
    script.silence(192);
    expect(script.asks()).toHaveLength(0);
    script.silence(WINDOW_MS);
    expect(script.commands()).toEqual(["recognise"]);
  });

  test("is cut after 20 s, and the next starts after it", () => {
    const script = listening();
    script.voice(20_100);
    expect(script.asks()).toHaveLength(1);
    script.recognised("you have reached the voicemail of");
    expect(script.turns()).toHaveLength(1);
    script.listens();
    script.voice(1_000);
    script.silence(300);
    expect(script.asks()).toHaveLength(2);
    expect(script.asks()[1]?.fromMs).toBeGreaterThanOrEqual((script.turns()[0]?.toMs ?? 0) - 100);
  });

  test("is started neither by comfort noise nor by our own echo", () => {
    const script = speaking();
    script.noise(5_000);
    script.echo(5_000);
    expect(script.commands()).toEqual([]);
    script.listens(60_000);
    script.noise(5_000);
    script.echo(5_000);
    expect(script.commands()).toEqual([]);
  });

  test("needs 200 ms of voice while we speak", () => {
    const script = speaking();
    script.voice(192);
    script.silence(500);
    expect(script.commands()).toEqual([]);
    script.voice(224);
    expect(script.commands()).toEqual(["pause"]);
  });

  test("is not started by NaN", () => {
    const script = listening();
    script.voice(1_000, Number.NaN);
    expect(script.commands()).toEqual([]);
  });
});

describe("the end of a turn comes", () => {
  const rows: readonly [after: number, what: string, text: string, options?: TurnScriptOptions][] = [
    [450, "usually", "I will come on Monday"],
    [300, "after a full stop", "I will come."],
    [300, "after a question mark", "Who is this?"],
    [300, "after a danda", "मैं आऊँगा।"],
    [250, "after an expected yes", "Yes.", { asked: "yes_no", answers: /yes/i }],
    [300, "after something else than the expected yes", "Who is this?", { asked: "yes_no", answers: /yes/i }],
    [900, "where a day is expected", "It is the twenty", { asked: "detail" }],
    [900, "where a day is expected, even after the recogniser's full stop", "Twenty.", { asked: "detail" }],
    [450, "where the expected day was named", "Friday.", { asked: "detail", answers: /friday/i }],
    [1_400, "after and", "On Friday and"],
    [1_400, "after aur", "kal subah aur"],
    [1_400, "after um", "Um."],
    [1_400, "after and, even where a yes is expected", "Yes, and", { asked: "yes_no", answers: /yes/i }],
    [650, "in the unhurried profile", "I will come on Monday", { isUnhurried: true }],
    [
      450,
      "in the unhurried profile after an expected yes",
      "Yes",
      { asked: "yes_no", answers: /yes/i, isUnhurried: true },
    ],
  ];
  for (const [after, what, text, options] of rows) {
    test(`${after} ms after speech ${what}: ${text}`, () => {
      const { from, to } = within(after);
      const pause = pauseAfter(text, options);
      expect(pause).toBeGreaterThanOrEqual(from);
      expect(pause).toBeLessThanOrEqual(to);
    });
  }

  test("as soon as a late recogniser answers", () => {
    const script = listening();
    script.voice(800);
    script.silence(1_500);
    expect(script.turns()).toEqual([]);
    script.recognised("Yes.");
    expect(script.turns()).toHaveLength(1);
  });

  test("without words after 3 s if the recogniser never answers", () => {
    const script = listening();
    script.voice(800);
    const endedMs = script.nowMs();
    script.silence(5_000);
    expect(script.turns()).toMatchObject([{ words: null }]);
    expect((script.when("turn") ?? 0) - endedMs).toBeLessThanOrEqual(3_000 + WINDOW_MS);
  });

  test("with one filler after 1.5 s without words", () => {
    const script = createTurnScript();
    script.listens();
    script.voice(500);
    const endedMs = script.nowMs();
    script.silence(2_600);
    expect(script.commands().filter((each) => each === "wait")).toHaveLength(1);
    expect(script.when("wait")).toBeGreaterThanOrEqual(endedMs + 1_500);
    expect(script.when("wait")).toBeLessThanOrEqual(endedMs + 1_500 + 2 * WINDOW_MS);
    script.recognised("Yes.");
    expect(script.commands().at(-1)).toBe("turn");
  });

  test("with another filler if they went on and recognition is pending again", () => {
    const script = createTurnScript();
    script.listens();
    script.voice(500);
    script.silence(1_700);
    script.voice(300);
    script.silence(1_700);
    expect(script.commands().filter((each) => each === "wait")).toHaveLength(2);
  });

  test("without a filler if the words are known or playback is paused", () => {
    const known = createTurnScript();
    known.listens();
    known.voice(500);
    known.silence(400);
    known.recognised("Um, and");
    known.silence(2_600);
    expect(known.commands()).not.toContain("wait");
    const paused = createTurnScript();
    paused.speaks();
    paused.voice(300);
    paused.silence(3_000);
    expect(paused.commands()).not.toContain("wait");
  });

  test("without words after 3 s if the detector stalls in mid-word", () => {
    const script = listening();
    script.voice(800);
    script.stall(5_000);
    expect(script.turns()).toMatchObject([{ words: null }]);
  });

  test("not for a cough without words", () => {
    const script = listening();
    script.voice(200);
    script.silence(300);
    script.recognised("");
    script.silence(600);
    expect(script.turns()).toEqual([]);
    script.voice(600);
    script.silence(300);
    script.recognised("Yes.");
    script.silence(400);
    expect(script.turns()).toMatchObject([{ words: { text: "Yes." } }]);
  });

  test("with the words and their position", () => {
    const script = listening();
    const fromMs = script.nowMs();
    script.voice(640);
    const toMs = script.nowMs();
    script.silence(300);
    script.recognised("Yes.");
    script.silence(300);
    expect(script.turns()).toEqual([
      { segment: 1, words: { text: "Yes.", confidence: 0.9, alarms: [] }, fromMs, toMs, wasInterruption: false },
    ]);
  });
});

describe("a callee who goes on", () => {
  test("is recognised again from the start", () => {
    const script = listening();
    const beganMs = script.nowMs();
    script.voice(640);
    script.silence(224);
    script.recognised("On Friday");
    script.voice(640);
    const endedMs = script.nowMs();
    script.silence(300);
    expect(script.asks().at(-1)).toEqual({ do: "recognise", segment: 2, fromMs: beganMs - 100, toMs: endedMs + 100 });
    script.recognised("On Friday at ten.");
    script.silence(400);
    expect(script.turns()).toMatchObject([{ words: { text: "On Friday at ten." } }]);
  });

  test("makes earlier recognition stale, even if it arrives later", () => {
    const script = listening();
    script.voice(640);
    script.silence(224);
    const [first] = script.asks();
    script.voice(640);
    script.recognised("On Friday.", first?.segment);
    script.silence(400);
    script.recognised("On Friday.", first?.segment);
    expect(script.turns()).toEqual([]);
    script.recognised("On Friday at ten.");
    script.silence(400);
    expect(script.turns().map(({ words }) => words?.text)).toEqual(["On Friday at ten."]);
  });

  test("is not confused with a click of one window", () => {
    const script = listening();
    script.voice(640);
    script.silence(224);
    script.voice(WINDOW_MS);
    script.recognised("Yes.");
    script.silence(400);
    expect(script.asks()).toHaveLength(1);
    expect(script.turns()).toMatchObject([{ words: { text: "Yes." } }]);
  });
});

describe("a callee who speaks over the agent", () => {
  test("pauses playback after 200 ms, and stops it after 600 ms of voice", () => {
    const script = speaking();
    const beganMs = script.nowMs();
    script.voice(1_000);
    expect(script.commands()).toEqual(["pause", "cancel"]);
    expect((script.when("pause") ?? 0) - beganMs).toBeLessThanOrEqual(200 + WINDOW_MS);
    expect((script.when("cancel") ?? 0) - beganMs).toBeLessThanOrEqual(600 + WINDOW_MS);
  });

  test("stops playback with real words, however short, and is heard out", () => {
    const script = speaking();
    script.voice(320);
    script.silence(224);
    script.recognised("No.");
    expect(script.commands()).toEqual(["pause", "recognise", "cancel"]);
    script.silence(200);
    expect(script.turns()).toMatchObject([{ words: { text: "No." }, wasInterruption: true }]);
  });

  for (const text of ["Mhm.", "haan", "Haan ji", "Okay.", "okay okay", "हाँ", "Hello?", ""]) {
    test(`does not stop us with ${JSON.stringify(text)}: we go on`, () => {
      const script = speaking();
      script.voice(320);
      script.silence(224);
      script.recognised(text);
      script.silence(3_000);
      expect(script.commands()).toEqual(["pause", "recognise", "resume"]);
    });
  }

  for (const text of ["No.", "Yes.", "10.", "okay but not on Friday", "wait"]) {
    test(`stops us with ${JSON.stringify(text)}`, () => {
      const script = speaking();
      script.voice(320);
      script.silence(224);
      script.recognised(text);
      expect(script.commands()).toContain("cancel");
    });
  }

  test("hears playback resume after 2 s without words, and a later result has no effect", () => {
    const script = speaking();
    script.voice(320);
    const pausedMs = script.when("pause") ?? 0;
    script.silence(2_500);
    expect(script.commands()).toEqual(["pause", "recognise", "resume"]);
    expect((script.when("resume") ?? 0) - pausedMs).toBeLessThanOrEqual(2_000 + WINDOW_MS);
    script.recognised("Stop.");
    script.silence(3_000);
    expect(script.commands()).toEqual(["pause", "recognise", "resume"]);
  });

  test("hears playback resume after a recogniser failure", () => {
    const script = speaking();
    script.voice(320);
    script.silence(224);
    script.recognised(null);
    expect(script.commands()).toEqual(["pause", "recognise", "resume"]);
  });

  test("does not stop playback with two backchannels", () => {
    const script = speaking();
    script.voice(256);
    script.silence(256);
    script.voice(256);
    script.silence(256);
    script.recognised("mhm mhm");
    expect(script.commands()).toEqual(["pause", "recognise", "recognise", "resume"]);
  });

  test("answers with haan right before the end of the question", () => {
    const script = speaking({ asked: "yes_no" });
    script.voice(320);
    script.silence(224);
    script.recognised("Haan.");
    script.silence(500);
    script.listens();
    expect(script.turns()).toMatchObject([{ words: { text: "Haan." }, wasInterruption: false }]);
    script.silence(1_000);
    script.listens();
    expect(script.turns()).toHaveLength(1);
  });

  test("does not answer with haan long before the end of the question", () => {
    const script = speaking({ asked: "yes_no" });
    script.voice(320);
    script.silence(224);
    script.recognised("Haan.");
    script.silence(3_000);
    script.listens();
    expect(script.turns()).toEqual([]);
  });

  test("and stopped playback without words gives a turn, so that it is repeated", () => {
    const script = speaking();
    script.voice(1_000);
    script.silence(224);
    script.recognised("");
    script.silence(500);
    expect(script.turns()).toMatchObject([{ words: { text: "" }, wasInterruption: true }]);
  });

  test("gives a normal turn if playback ended first", () => {
    const script = speaking();
    script.voice(256);
    script.listens();
    script.voice(1_000);
    script.silence(224);
    script.recognised("Yes.");
    script.silence(300);
    expect(script.commands()).toEqual(["pause", "resume", "recognise", "turn"]);
  });

  test("and goes on when the agent wants to speak is heard first", () => {
    const script = listening();
    script.voice(320);
    script.speaks();
    expect(script.commands()).toEqual(["pause"]);
    script.voice(640);
    expect(script.commands()).toEqual(["pause", "cancel"]);
  });
});

describe("silence", () => {
  test("is reported once, after the time the question allows", () => {
    const script = createTurnScript();
    script.listens(8_000);
    script.silence(30_000);
    expect(script.commands()).toEqual(["silence"]);
    expect(script.when("silence")).toBeLessThanOrEqual(8_000 + WINDOW_MS);
    script.listens(6_000);
    script.silence(6_100);
    expect(script.commands()).toEqual(["silence", "silence"]);
  });

  test("is reported by the clock if no frames arrive", () => {
    const script = createTurnScript();
    script.listens(8_000);
    script.stall(8_000);
    expect(script.commands()).toEqual(["silence"]);
  });

  test("is not reported while either side speaks", () => {
    const script = createTurnScript();
    script.speaks();
    script.silence(20_000);
    expect(script.commands()).toEqual([]);
    script.listens(8_000);
    script.silence(7_000);
    script.voice(3_000);
    expect(script.commands()).toEqual([]);
  });

  test("is not postponed forever by noises", () => {
    const script = createTurnScript();
    script.listens(8_000);
    for (let i = 0; i < 20; i++) {
      script.voice(160);
      script.silence(480);
      script.recognised("");
      script.silence(2_400);
    }
    expect(script.commands()).toContain("silence");
  });
});

describe("a key", () => {
  test("discards simultaneous speech", () => {
    const script = listening();
    script.voice(320);
    script.key();
    script.silence(224);
    script.recognised("One.");
    script.silence(3_000);
    expect(script.turns()).toEqual([]);
  });

  test("makes earlier recognition stale", () => {
    const script = listening();
    script.voice(320);
    script.silence(224);
    script.key();
    script.recognised("Yes.");
    script.silence(3_000);
    expect(script.turns()).toEqual([]);
  });

  test("leaves nothing paused", () => {
    const script = speaking();
    script.voice(320);
    script.key();
    expect(script.commands()).toEqual(["pause", "resume"]);
  });
});

describe("when it is over", () => {
  test("no command follows", () => {
    const script = speaking();
    script.voice(320);
    script.silence(224);
    script.tell({ type: "hungUp" });
    script.recognised("No.");
    script.voice(1_000);
    script.listens();
    script.stall(60_000);
    expect(script.commands()).toEqual(["pause", "recognise"]);
  });

  test("for the ears, playback resumes, and silence is still reported", () => {
    const script = speaking();
    script.voice(320);
    script.tell({ type: "lost", nowMs: script.nowMs() });
    script.listens(8_000);
    script.stall(8_000);
    expect(script.commands()).toEqual(["pause", "resume", "silence"]);
  });
});

test("no timer runs during SIP hold", () => {
  const line = createTurnScript();
  line.listens(8_000);
  line.voice(96);
  line.tell({ type: "held", isHeld: true, nowMs: line.nowMs() });
  expect(wakeAtMs(line.state())).toBeNull();
  const backAtMs = line.nowMs() + 60_000;
  line.tell({ type: "held", isHeld: false, nowMs: backAtMs });
  expect(wakeAtMs(line.state())).toBe(backAtMs + 8_000);
});
