// Speech client: timeouts, clause streaming, and restarts of the worker.
import { describe, expect, test } from "bun:test";
import { createSpeechClient } from "../../../src/speech/tts/client.ts";
import type { Manner } from "../../../src/speech/tts/port.ts";
import { createMark } from "../../../src/speech/tts/pronunciation.ts";
import type { SpeechAnswer, SpeechCancel, SpeechHurry, SpeechRequest } from "../../../src/speech/tts/protocol.ts";
import { serveSpeech } from "../../../src/speech/tts/server.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const EN: Manner = { language: "en", voice: "heart", mark: createMark([]) };

/** The client's end of a port to a worker that the test plays. */
function createWay() {
  const asked: SpeechRequest[] = [];
  const cancelled: number[] = [];
  const hurried: number[] = [];
  let hear = (_event: { data: SpeechAnswer }): void => {};
  let isClosed = false;
  const port = {
    addEventListener: (_type: "message", listener: typeof hear) => void (hear = listener),
    start() {},
    postMessage(request: SpeechRequest | SpeechCancel | SpeechHurry) {
      if ("cancel" in request) cancelled.push(request.cancel);
      else if ("hurry" in request) hurried.push(request.hurry);
      else asked.push(structuredClone(request));
    },
    close: () => void (isClosed = true),
  };
  return {
    port: port as unknown as MessagePort,
    asked,
    hurried,
    texts: () => asked.map(({ text }) => text),
    voices: () => asked.map(({ voice }) => voice),
    paces: () => asked.map(({ pace }) => pace),
    cancelledTexts: () => asked.filter(({ id }) => cancelled.includes(id)).map(({ text }) => text),
    isClosed: () => isClosed,
    answer: (at: number, length: number) => hear({ data: { id: asked[at]!.id, samples: new Int16Array(length) } }),
    refuse: (at: number) => hear({ data: { id: asked[at]!.id, error: "no sound" } }),
  };
}

function setStage() {
  const clock = createManualClock();
  const client = createSpeechClient({ clock });
  const way = createWay();
  client.connect(way.port);
  return { clock, client, way };
}

test("supports English and Hindi only", async () => {
  const { client, way } = setStage();
  for (const language of ["ta-IN", "es", "", "enm", "hil", "de-en"])
    expect(await client.speak("Namaste.", { ...EN, language })).toBeNull();
  expect(way.texts()).toEqual([]);
  for (const language of ["en", "en-IN", "EN_us", "English"]) void client.speak("Hello.", { ...EN, language });
  expect(way.texts()).toEqual(Array(4).fill("Hello."));
});

describe("Hindi", () => {
  const HI: Manner = { ...EN, language: "hi-IN", voice: "hm_psi" };

  test("is requested clause by clause, two at a time, in a Hindi voice and at its pace", async () => {
    const { client, way } = setStage();
    const stream = client.say("नमस्ते, रमेश जी। कैसे हैं?", { ...HI, pace: "slow" });
    expect(way.texts()).toEqual(["नमस्ते,", "रमेश जी।"]);
    way.answer(0, 80);
    expect(await stream.next()).toMatchObject({ words: "नमस्ते," });
    expect(way.texts()).toEqual(["नमस्ते,", "रमेश जी।", "कैसे हैं?"]);
    expect(new Set(way.voices())).toEqual(new Set(["hi-psi"]));
    expect(new Set(way.paces())).toEqual(new Set(["slow"]));
  });

  test("is hurried for pending clauses only", async () => {
    const { client, way } = setStage();
    void client.speak("नमस्ते, रमेश जी।", HI);
    void client.speak("धन्यवाद।", HI);
    way.answer(0, 800);
    client.hurry?.("नमस्ते, रमेश जी।", HI);
    expect(way.hurried).toEqual([way.asked[1]?.id ?? -1]);
  });

  test("shares the port with English, and each has its own voice of the same name", () => {
    const { client, way } = setStage();
    void client.speak("Hello.", { ...EN, voice: "alpha" });
    void client.speak("नमस्ते।", { ...HI, voice: "alpha" });
    expect(way.texts()).toEqual(["Hello.", "नमस्ते।"]);
    expect(way.voices()).toEqual(["alpha", "hi-alpha"]);
  });

  test.each([
    ["alpha", "hi-alpha"],
    ["hm_psi", "hi-psi"],
    [" Omega ", "hi-omega"],
    ["michael", "hi-omega"],
    ["heart", "hi-alpha"],
    ["whoever", "hi-alpha"],
  ] as const)("an agent's voice %s is %s", (setting, voice) => {
    const { client, way } = setStage();
    void client.speak("नमस्ते।", { ...HI, voice: setting });
    expect(way.voices()).toEqual([voice]);
  });
});

test("uses the given pace, or the usual one", () => {
  const { client, way } = setStage();
  void client.speak("One.", EN);
  client.say("Two.", { ...EN, pace: "slow" });
  expect(way.paces()).toEqual(["usual", "slow"]);
});

test("returns the audio with length and words to its requester", async () => {
  const { client, way } = setStage();
  const [first, second] = [client.speak("One.", EN), client.speak("Two.", EN)];
  way.answer(1, 8_000);
  way.answer(0, 4_000);
  expect(await first).toEqual({ samples: new Int16Array(4_000), lengthMs: 500, words: "One." });
  expect(await second).toMatchObject({ lengthMs: 1_000, words: "Two." });
});

test("returns null if the voice refuses or produces no audio", async () => {
  const { client, way } = setStage();
  const [refused, empty] = [client.speak("One.", EN), client.speak("Two.", EN)];
  // The first refusal is repeated: it may be the last answer of a worker that ends.
  way.refuse(0);
  way.refuse(0);
  way.answer(1, 0);
  expect(await Promise.all([refused, empty])).toEqual([null, null]);
});

test("a clause that failed once is requested again", async () => {
  const { client, way } = setStage();
  const said = client.speak("One.", EN);
  way.refuse(0);
  way.answer(0, 80);
  expect(await said).not.toBeNull();
});

test("times out after 5 s, and ignores late or duplicate answers", async () => {
  const { clock, client, way } = setStage();
  let said: unknown = "nothing yet";
  void client.speak("One.", EN).then((sound) => (said = sound));
  await clock.advance(4_999);
  expect(said).toBe("nothing yet");
  await clock.advance(1);
  expect(said).toBeNull();
  way.answer(0, 100);
  way.answer(0, 100);
  const next = client.speak("Two.", EN);
  way.answer(1, 80);
  expect(await next).toMatchObject({ lengthMs: 10 });
});

describe("clause by clause", () => {
  const TEXT =
    "Hello, this is City Hospital, calling for Asha. You have an appointment. Please say yes or no. Thank you.";
  const CLAUSES = [
    "Hello, this is City Hospital,",
    "calling for Asha.",
    "You have an appointment.",
    "Please say yes or no.",
    "Thank you.",
  ];

  test("two are asked for at a time, and each comes with its own words", async () => {
    const { client, way } = setStage();
    const stream = client.say(TEXT, { ...EN, voice: "emma" });
    expect(way.texts()).toEqual(CLAUSES.slice(0, 2));
    way.answer(1, 80);
    way.answer(0, 160);
    expect(await stream.next()).toMatchObject({ words: CLAUSES[0], lengthMs: 20 });
    expect(way.texts()).toEqual(CLAUSES.slice(0, 3));
    const heard = [];
    for (let i = 1; i < CLAUSES.length; i++) {
      if (i > 1) way.answer(i, 80);
      heard.push((await stream.next())?.words);
    }
    expect(heard).toEqual(CLAUSES.slice(1));
    expect(await stream.next()).toBeNull();
    expect(new Set(way.voices())).toEqual(new Set(["emma"]));
  });

  test("cancelled clauses are not synthesised", async () => {
    const { client, way } = setStage();
    const stream = client.say(TEXT, EN);
    way.answer(0, 80);
    await stream.next();
    stream.cancel();
    expect(way.cancelledTexts()).toEqual(CLAUSES.slice(1, 3));
    expect(await stream.next()).toBeNull();
    expect(way.texts()).toHaveLength(3);
  });

  test("after a failure the rest is not requested, and a partial text is null", async () => {
    const { client, way } = setStage();
    const stream = client.say(TEXT, EN);
    const whole = client.speak(TEXT, EN);
    way.answer(0, 80);
    way.refuse(1);
    way.refuse(1);
    expect(await stream.next()).not.toBeNull();
    expect(await stream.next()).toBeNull();
    expect(await stream.next()).toBeNull();
    way.answer(2, 80);
    way.refuse(3);
    way.refuse(3);
    expect(await whole).toBeNull();
  });

  test("the organisation's pronunciations go with the words, and the words stay as they are", async () => {
    const { client, way } = setStage();
    const mark = createMark([{ word: "Asha", said: "AA-sha" }]);
    const said = client.say("Hello Asha!", { ...EN, mark });
    expect(way.texts()).toEqual(["Hello {Asha|AA-sha}!"]);
    way.answer(0, 80);
    expect(await said.next()).toMatchObject({ words: "Hello Asha!" });
  });

  test("a text that is too long is not requested", async () => {
    const { client, way } = setStage();
    expect(await client.speak("Meera. ".repeat(400), EN)).toBeNull();
    expect(await client.say("  ", EN).next()).toBeNull();
    expect(way.texts()).toEqual([]);
  });
});

describe("when the worker dies", () => {
  test("pending requests are repeated with the next worker", async () => {
    const { clock, client, way } = setStage();
    const done = client.speak("Done.", EN);
    way.answer(0, 80);
    await done;
    const tooLate = client.speak("Too late.", EN);
    await clock.advance(4_000);
    const waits = client.speak("Waits.", EN);
    await clock.advance(1_000);
    expect(await tooLate).toBeNull();
    const next = createWay();
    client.connect(next.port);
    expect(way.isClosed()).toBe(true);
    expect(next.texts()).toEqual(["Waits."]);
    next.answer(0, 80);
    expect(await waits).toMatchObject({ words: "Waits." });
  });

  test("requests wait for the first worker, for at most 5 s", async () => {
    const clock = createManualClock();
    const client = createSpeechClient({ clock });
    const early = client.speak("Early.", EN);
    await clock.advance(3_000);
    const later = client.speak("Later.", EN);
    await clock.advance(2_000);
    const way = createWay();
    client.connect(way.port);
    expect(way.texts()).toEqual(["Later."]);
    way.answer(0, 80);
    expect(await early).toBeNull();
    expect(await later).toMatchObject({ words: "Later." });
  });
});

test("across a real port: the sound arrives, a failure of the voice is silence, and the port serves on", async () => {
  const { port1, port2 } = new MessageChannel();
  serveSpeech(port1, async (text) => {
    if (text === "Broken.") throw new Error("no sound");
    return Int16Array.of(1, -2, 3);
  });
  const client = createSpeechClient({ clock: createManualClock() });
  client.connect(port2);
  expect(await client.speak("Broken.", EN)).toBeNull();
  expect((await client.speak("Hello.", EN))?.samples).toEqual(Int16Array.of(1, -2, 3));
  port2.close();
});
