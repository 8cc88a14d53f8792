// The Hindi voice as the main thread knows it: started late, ready when it is, and no reason to wait for ever.
import { expect, test } from "bun:test";
import { createLogger } from "../../../../src/core/logger.ts";
import type { WorkerPort } from "../../../../src/core/worker-port.ts";
import { createHindiVoice } from "../../../../src/speech/tts/ahead/hindi-voice.ts";
import type { AheadRequest, FromHindiVoice } from "../../../../src/speech/tts/ahead/protocol.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "../../../../src/speech/tts/protocol.ts";
import { createManualClock, settle } from "../../../support/manual-clock.ts";

type Role = "hindiMaker" | "hindiShelf";

function setStage(reason: string | null = null) {
  const clock = createManualClock();
  const lines: string[] = [];
  const asked: AheadRequest[] = [];
  const started: Role[] = [];
  const tell: Partial<Record<Role, (message: FromSpeechWorker) => void>> = {};
  let end = (_reason: string): void => {};
  let way: MessagePort | null = null;
  const makers: MessagePort[] = [];
  function startWorker(role: Role): WorkerPort<ToSpeechWorker, FromSpeechWorker> {
    started.push(role);
    return {
      post(message) {
        if (message.type === "maker") makers.push(message.port);
        if (message.type !== "client" || role !== "hindiShelf") return;
        way = message.port;
        way.addEventListener("message", ({ data }: MessageEvent<AheadRequest>) => void asked.push(data));
        way.start();
      },
      onMessage: (listener) => void (tell[role] = listener),
      onEnd: (listener) => void (role === "hindiShelf" && (end = listener)),
      terminate() {},
    };
  }
  const voice = createHindiVoice({
    clock,
    logger: createLogger(clock, "debug", (line) => void lines.push(line)),
    startWorker,
    reason,
  });
  /** Messages go over a real channel, which has its own time. */
  const arrived = async (isThere: () => boolean) => {
    for (let i = 0; i < 200 && !isThere(); i++) await settle();
    expect(isThere()).toBeTrue();
  };
  return {
    clock,
    voice,
    lines,
    asked,
    arrived,
    started,
    makers,
    ready(workSeconds: number) {
      tell.hindiMaker?.({ type: "paced", workSeconds });
      tell.hindiMaker?.({ type: "ready" });
      tell.hindiShelf?.({ type: "ready" });
    },
    beat() {
      tell.hindiMaker?.({ type: "beat" });
      tell.hindiShelf?.({ type: "beat" });
    },
    cannotStart: (message: string) => tell.hindiMaker?.({ type: "cannotStart", message }),
    die: () => end("it exited"),
    async made() {
      const answers = asked.splice(0).map(({ id }): FromHindiVoice => ({ id, isMade: true }));
      for (const answer of answers) way?.postMessage(answer, []);
    },
  };
}

test("it is started when Hindi is first wanted, and not before", () => {
  const { voice, started, makers, ready } = setStage();
  expect(started).toEqual([]);
  expect(voice.isReady(["नमस्ते।"], "alpha")).toBeFalse();
  voice.stock(["धन्यवाद।"], "alpha");
  expect(started).toEqual(["hindiMaker", "hindiShelf"]);
  ready(2.3);
  expect(makers).toHaveLength(1);
});

test("on a slow machine clauses are asked for, and ready once they were made; another voice's are not", async () => {
  const { voice, ready, asked, made, arrived } = setStage();
  voice.isReady(["नमस्ते।"], "alpha");
  ready(2.3);
  expect(voice.isReady(["नमस्ते।", "रमेश जी,"], "alpha")).toBeFalse();
  await arrived(() => asked.length === 2);
  expect(asked).toMatchObject([
    { text: "नमस्ते।", voice: "alpha", ahead: "due" },
    { text: "रमेश जी,", voice: "alpha", ahead: "due" },
  ]);
  await made();
  await arrived(() => voice.isReady(["नमस्ते।", "रमेश जी,"], "alpha"));
  expect(voice.isReady(["नमस्ते।"], "psi")).toBeFalse();
  expect(voice.status().waiting).toBe(1);
});

test("what was made for a call is asked again after a while, stock is not", async () => {
  const { clock, voice, ready, beat, asked, made, arrived } = setStage();
  voice.stock(["धन्यवाद।"], "alpha");
  ready(2.3);
  voice.isReady(["रमेश जी,"], "alpha");
  await arrived(() => asked.length === 2);
  expect(asked.map(({ ahead }) => ahead)).toEqual(["stock", "due"]);
  await made();
  await arrived(() => voice.isReady(["रमेश जी,", "धन्यवाद।"], "alpha"));
  for (let minute = 0; minute < 11; minute++) {
    for (let i = 0; i < 6; i++) {
      await clock.advance(10_000);
      beat();
    }
  }
  expect(voice.isReady(["धन्यवाद।"], "alpha")).toBeTrue();
  expect(voice.isReady(["रमेश जी,"], "alpha")).toBeFalse();
});

test("a fast machine makes nothing ahead of a call", () => {
  const { voice, ready } = setStage();
  voice.isReady([], "alpha");
  ready(0.3);
  expect(voice.isReady(["नमस्ते।"], "alpha")).toBeTrue();
});

test("where it cannot be, no call waits for it, and the reason is told", () => {
  const absent = setStage("This build comes without it.");
  expect(absent.voice.isReady(["नमस्ते।"], "alpha")).toBeTrue();
  absent.voice.stock(["नमस्ते।"], "alpha");
  expect([absent.voice.fault(), absent.started]).toEqual(["This build comes without it.", []]);
  const broken = setStage();
  broken.voice.isReady([], "alpha");
  broken.cannotStart("Its weights are damaged.");
  expect(broken.voice.fault()).toBe("Its weights are damaged.");
  expect(broken.voice.isReady(["नमस्ते।"], "alpha")).toBeTrue();
});

test("a worker that died is waited for, but not for ever; what it had made is asked again", async () => {
  const { clock, voice, ready, die, asked, made, arrived } = setStage();
  voice.isReady([], "alpha");
  ready(2.3);
  voice.isReady(["नमस्ते।"], "alpha");
  await arrived(() => asked.length === 1);
  await made();
  await arrived(() => voice.isReady(["नमस्ते।"], "alpha"));
  die();
  expect([voice.fault(), voice.isReady(["नमस्ते।"], "alpha")]).toEqual([null, false]);
  await clock.advance(1_500);
  ready(2.3);
  expect(voice.isReady(["नमस्ते।"], "alpha")).toBeFalse();
  await arrived(() => asked.length === 1);
});

test("no line of the log holds a word of what is said", async () => {
  const { voice, ready, lines, asked, arrived } = setStage();
  voice.isReady(["रमेश जी,"], "alpha");
  ready(2.3);
  voice.isReady(["रमेश जी,"], "alpha");
  await arrived(() => asked.length === 1);
  expect(lines.join("\n")).toContain("Hindi is spoken.");
  expect(lines.join("\n")).not.toContain("रमेश");
});
