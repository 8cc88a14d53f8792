// A hospital's own recogniser and voice: requests, parsing of answers, and fallback.
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pcmWav } from "../../../src/audio/pcm-wav.ts";
import { createSoundReader } from "../../../src/audio/sound-reader.ts";
import { activeLevelDb, SPEECH_LEVEL_DB } from "../../../src/audio/speech-level.ts";
import { systemClock } from "../../../src/core/clock.ts";
import {
  ServerFault,
  type CommandAddress,
  type SentNote,
  type ServerAddress,
} from "../../../src/speech/servers/port.ts";
import { createOwnRecogniser } from "../../../src/speech/servers/recognition/own-recogniser.ts";
import { createTranscriber } from "../../../src/speech/servers/recognition/transcriber.ts";
import { createSentBook } from "../../../src/speech/servers/sent-book.ts";
import { createServerVoice, createSpeaker } from "../../../src/speech/servers/voice/server-voice.ts";
import type { Manner, Voice } from "../../../src/speech/tts/port.ts";
import { createSoundCache } from "../../../src/speech/tts/sound-cache.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import {
  byteByByte,
  errorReply,
  jsonReply,
  serverAddress,
  startModelServer,
  type ModelServer,
  type Reply,
} from "../../support/model-server.ts";
import { until } from "../../support/until.ts";

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
async function started(): Promise<ModelServer> {
  const server = await startModelServer();
  servers.push(server);
  return server;
}

const never = () => new AbortController().signal;
const faultOf = async (work: Promise<unknown>) => {
  const outcome = await work.catch((error: unknown) => error);
  return outcome instanceof ServerFault ? outcome.kind : outcome;
};

/** A tone of this length, at a tenth of full scale. */
function tone(seconds: number, rateHz: number): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * rateHz) }, (_, i) =>
    Math.round(3_000 * Math.sin((2 * Math.PI * 440 * i) / rateHz)),
  );
}

const program = (script: string, more: Partial<CommandAddress> = {}): CommandAddress => ({
  kind: "command",
  id: "settings:own",
  name: "own",
  command: ["/bin/sh", "-c", script],
  languages: [],
  totalMs: 20_000,
  ...more,
});

describe("sound that comes in pieces", () => {
  const read = (pieces: readonly Uint8Array[], isBare = false) => {
    const reader = createSoundReader(isBare);
    const parts = pieces.flatMap((piece) => [...reader.push(piece)]);
    return [...parts, reader.end()].flatMap((part) => [...part]);
  };
  const WAV = pcmWav(tone(0.2, 24_000), 24_000);
  const BARE = WAV.subarray(44);

  test("is the same wherever it is cut", () => {
    const whole = read([WAV]);
    expect(whole).toHaveLength(1_600);
    fc.assert(
      fc.property(fc.array(fc.nat(WAV.length), { maxLength: 10 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), WAV.length];
        expect(read(at.slice(1).map((end, i) => WAV.subarray(at[i], end)))).toEqual(whole);
      }),
      { numRuns: 40 },
    );
    expect(read([BARE], true)).toEqual(whole);
  });

  test("of any usual rate becomes 8 kHz, in steps", () => {
    for (const rate of [8_000, 16_000, 22_050, 48_000])
      expect(read([pcmWav(tone(0.5, rate), rate)])).toHaveLength(4_000);
  });

  test.each([
    ["no WAV", Buffer.from("ID3 and then an MP3, for example")],
    ["floats", Buffer.concat([WAV.subarray(0, 20), Buffer.from([3, 0]), WAV.subarray(22)])],
    ["three channels", Buffer.concat([WAV.subarray(0, 22), Buffer.from([3, 0]), WAV.subarray(24)])],
    ["an odd rate", pcmWav(tone(0.1, 9_999), 9_999)],
    ["a head alone", WAV.subarray(0, 20)],
    ["nothing", Buffer.alloc(0)],
  ])("%s is refused", (_, bytes) => {
    expect(() => read([bytes])).toThrow();
  });
});

describe("a recogniser", () => {
  const transcriber = (address: ServerAddress | CommandAddress, language = "hi-IN") => {
    const notes: SentNote[] = [];
    const made = createTranscriber({ clock: systemClock, address, language, note: (note) => void notes.push(note) });
    return { ...made, notes };
  };

  test("is requested as the API specifies", async () => {
    const server = await started();
    server.answer = () => jsonReply({ text: " हाँ,\n मैं  आऊँगा। " });
    const { transcribe, notes } = transcriber(serverAddress(server, { model: "whisper-1" }));
    expect(await transcribe(tone(0.5, 8_000), never())).toBe("हाँ, मैं आऊँगा।");
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/audio/transcriptions");
    expect(request?.headers["authorization"]).toBe("Bearer sk-very-secret");
    const { file, ...fields } = request?.fields ?? {};
    expect(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.toString()]))).toEqual({
      model: "whisper-1",
      language: "hi",
      response_format: "json",
      temperature: "0",
    });
    expect(file?.length).toBe(44 + 0.5 * 16_000 * 2);
    expect(file?.toString("latin1", 0, 4)).toBe("RIFF");
    expect(file?.readUInt32LE(24)).toBe(16_000);
    expect(notes).toMatchObject([{ role: "recognition", requests: 1, failures: 0 }]);
  });

  test.each([
    [
      "whole words of a server that sends no JSON",
      { pieces: ["haan ji\n"], headers: { "content-type": "text/plain" } },
      "haan ji",
    ],
    ["nothing but what was no speech", jsonReply({ text: "[BLANK_AUDIO] (music)" }), ""],
    ["an answer cut at every byte", byteByByte({ ...jsonReply({ text: "जी" }), isWhole: false }), "जी"],
    ["more than was asked for", jsonReply({ text: "yes", segments: [], language: "en" }), "yes"],
  ])("may answer %s", async (_, reply: Reply, text) => {
    const server = await started();
    server.answer = () => reply;
    expect(await transcriber(serverAddress(server)).transcribe(tone(0.1, 8_000), never())).toBe(text);
  });

  test.each([
    ["status", errorReply(500)],
    ["garbage", jsonReply({ words: "yes" })],
    ["garbage", { pieces: ["<html>"] }],
    ["tooLong", jsonReply({ text: "x".repeat(5_000) })],
    ["tooLong", jsonReply({ text: "x".repeat(300_000) })],
    ["refused", { pieces: ["{"], ending: "cut" as const }],
  ])("at fault is %s", async (kind, reply: Reply) => {
    const server = await started();
    server.answer = () => reply;
    const { transcribe, notes } = transcriber(serverAddress(server));
    expect(await faultOf(transcribe(tone(0.1, 8_000), never()))).toBe(kind);
    expect(notes).toMatchObject([{ failures: 1 }]);
  });

  test("may be a program, which gets a WAV and writes the words", async () => {
    const { transcribe, notes } = transcriber(program("head -c 4; printf ' %s' \"$RINGWARD_SECRET\"; cat > /dev/null"));
    expect(await transcribe(tone(0.1, 8_000), never())).toBe("RIFF");
    expect(notes).toMatchObject([{ host: "this machine", failures: 0, bytesOut: 44 + 3_200 }]);
  });

  test("a program that fails, takes too long or is not there is a fault, and nothing of it is left running", async () => {
    const speak = (address: CommandAddress, signal = never()) =>
      faultOf(transcriber(address).transcribe(tone(0.1, 8_000), signal));
    expect(await speak(program("exit 3"))).toBe("status");
    expect(await speak(program("", { command: ["/nowhere/whisper"] }))).toBe("refused");
    expect(await speak(program("exec sleep 600", { totalMs: 50 }))).toBe("timeout");
    expect(await speak(program("yes | head -c 40000000"))).toBe("tooLong");
    // A child process, and one that left the group and holds the output open.
    expect(await speak(program("sleep 600", { totalMs: 50 }))).toBe("timeout");
    expect(await speak(program("setsid sleep 20 & exec sleep 600", { totalMs: 50 }))).toBe("timeout");
    const stop = new AbortController();
    const asked = speak(program("exec sleep 600"), stop.signal);
    stop.abort();
    expect(await asked).toBe("aborted");
  });
});

describe("a recogniser beside ours", () => {
  const ours = { text: "chess pain", confidence: 0.8, alarms: ["chest pain"] };
  const scripted = (answers: (string | ServerFault)[]) => {
    let asked = 0;
    return {
      asked: () => asked,
      warm() {},
      close() {},
      transcribe: (_: Int16Array, signal: AbortSignal) => {
        const answer = answers[asked++] ?? "";
        if (answer instanceof ServerFault) return Promise.reject(answer);
        if (answer !== "never") return Promise.resolve(answer);
        return new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new ServerFault("aborted")));
        });
      },
    };
  };
  const samples = new Int16Array(80);
  const builtIn = () => Promise.resolve(ours);

  test("gives the words, with the alarms of the built-in spotter", async () => {
    const own = createOwnRecogniser({ clock: systemClock, transcriber: scripted(["chest pain"]), hasBuiltIn: true });
    expect(await own.recognise(samples, builtIn)).toEqual({
      text: "chest pain",
      confidence: 0.9,
      alarms: ["chest pain"],
    });
  });

  test("that is down or slow falls back to the built-in one, and pauses for a while", async () => {
    const clock = createManualClock();
    const transcriber = scripted([new ServerFault("refused"), "never", "yes"]);
    const own = createOwnRecogniser({ clock, transcriber, hasBuiltIn: true });
    expect(await own.recognise(samples, builtIn)).toEqual(ours);
    expect(await own.recognise(samples, builtIn)).toEqual(ours);
    expect(transcriber.asked()).toBe(1);
    await clock.advance(20_000);
    const slow = own.recognise(samples, builtIn);
    await clock.advance(1_200);
    expect(await slow).toEqual(ours);
    await clock.advance(20_000);
    expect((await own.recognise(samples, builtIn))?.text).toBe("yes");
  });

  test("in an unsupported language is used alone, and again after a fault", async () => {
    const clock = createManualClock();
    const transcriber = scripted([new ServerFault("refused"), "जी हाँ", "never"]);
    const own = createOwnRecogniser({ clock, transcriber, hasBuiltIn: false });
    const nobody = () => Promise.reject(new Error("ours was asked"));
    expect(await own.recognise(samples, nobody)).toBeNull();
    expect(await own.recognise(samples, nobody)).toEqual({ text: "जी हाँ", confidence: 0.9, alarms: [] });
    const late = own.recognise(samples, nobody);
    await clock.advance(4_000);
    expect(await late).toBeNull();
  });
});

describe("a voice", () => {
  const manner = (language = "en-IN"): Manner => ({ language, voice: "heart", mark: (text) => text });
  const wavReply = (seconds: number, rateHz: number): Reply => ({
    headers: { "content-type": "audio/wav" },
    pieces: [pcmWav(tone(seconds, rateHz), rateHz)],
  });
  const ours = { samples: new Int16Array(800).fill(7), lengthMs: 100, words: "" };
  const speaking = (address: ServerAddress | CommandAddress, clock = systemClock, builtIn: Partial<Voice> = {}) => {
    const asked: string[] = [];
    const speaker = createSpeaker({ clock, address, note: () => {} });
    const voice = createServerVoice({
      clock,
      speaker,
      builtIn: {
        speak: async (text) => (asked.push(text), ours),
        say: () => ({ next: async () => null, cancel() {} }),
        ...builtIn,
      },
    });
    return { voice, asked };
  };

  test("is asked as the API says, clause by clause, and made fit for the telephone", async () => {
    const server = await started();
    server.answer = () => wavReply(0.5, 24_000);
    const { voice } = speaking(serverAddress(server, { model: "kokoro", voice: "hf_alpha" }));
    const stream = voice.say("Good morning, this is the clinic. Are you coming at 10:30?", manner());
    const first = await stream.next();
    expect(first?.words).toBe("Good morning,");
    expect(first?.samples?.length).toBe(4_000);
    expect(activeLevelDb(first?.samples ?? new Int16Array())).toBeCloseTo(SPEECH_LEVEL_DB, 0);
    expect((await stream.next())?.words).toBe("this is the clinic.");
    expect((await stream.next())?.words).toBe("Are you coming at 10:30?");
    expect(await stream.next()).toBeNull();
    expect(server.requests.map(({ path, json }): unknown => ({ path, ...json }))[2]).toEqual({
      path: "/v1/audio/speech",
      model: "kokoro",
      input: "Are you coming at ten thirty?",
      voice: "hf_alpha",
      response_format: "wav",
    });
  });

  test("speaks more slowly on request", async () => {
    const server = await started();
    server.answer = () => wavReply(0.5, 8_000);
    const { voice } = speaking(serverAddress(server));
    await voice.speak("Hello.", manner());
    await voice.speak("Hello.", { ...manner(), pace: "slow" });
    expect(server.requests.map(({ json }) => json["speed"])).toEqual([undefined, 0.85]);
  });

  test("in Hindi ends its sentences with a danda, and gets the words as they are", async () => {
    const server = await started();
    server.answer = () => byteByByte(wavReply(0.02, 16_000));
    const { voice } = speaking(serverAddress(server));
    const sound = await voice.speak("नमस्ते, मैं अस्पताल से बोल रही हूँ। क्या आप 10 बजे आ सकते हैं?", manner("hi"));
    expect(sound?.words).toContain("नमस्ते");
    expect(server.requests.at(-1)?.json.input).toBe("क्या आप 10 बजे आ सकते हैं?");
  });

  test("is cached across calls by text and pace", async () => {
    const server = await started();
    server.answer = () => wavReply(0.5, 8_000);
    const cache = createSoundCache({ mostSentences: 10, mostBytes: 1_000_000 });
    const speaker = () => createSpeaker({ clock: systemClock, address: serverAddress(server), note: () => {}, cache });
    const first = await speaker().speak("Please hold the line.", never());
    first.fill(0);
    const again = await speaker().speak("Please hold the line.", never());
    expect(activeLevelDb(again)).toBeCloseTo(SPEECH_LEVEL_DB, 0);
    expect(server.requests).toHaveLength(1);
    await speaker().speak("Please hold the line.", never(), "slow");
    await speaker().speak("Goodbye.", never());
    expect(server.requests).toHaveLength(3);
  });

  test("may send bare samples, and may be a program", async () => {
    const server = await started();
    server.answer = () => ({
      headers: { "content-type": "audio/pcm" },
      pieces: [pcmWav(tone(1, 24_000), 24_000).subarray(44)],
    });
    expect((await speaking(serverAddress(server)).voice.speak("Good morning.", manner()))?.lengthMs).toBe(1_000);
    const wav = pcmWav(tone(0.5, 22_050), 22_050).toString("base64");
    const spoken = await speaking(program(`read -r words; echo ${wav} | base64 -d`)).voice.speak(
      "Hello there.",
      manner(),
    );
    expect(spoken?.lengthMs).toBe(500);
  });

  test.each([
    ["down", errorReply(503)],
    ["sending something else", { pieces: ["ID3 an mp3 of some kind"], headers: { "content-type": "audio/mpeg" } }],
    ["silent", { pieces: [pcmWav(new Int16Array(800), 8_000)] }],
    ["cut", { ...wavReply(1, 24_000), ending: "cut" as const }],
    ["endless", wavReply(61, 8_000)],
  ])("that is %s leaves the clause to ours, and the next ones too", async (_, reply: Reply) => {
    const server = await started();
    server.answer = () => reply;
    const { voice, asked } = speaking(serverAddress(server));
    const stream = voice.say("Good morning, this is the clinic.", manner());
    expect((await stream.next())?.samples).toEqual(ours.samples);
    expect((await stream.next())?.samples).toEqual(ours.samples);
    expect(asked).toHaveLength(2);
  });

  test("that is slow is skipped, and tried again later", async () => {
    const server = await started();
    const clock = createManualClock();
    server.answer = () => new Promise(() => {});
    const { voice, asked } = speaking(serverAddress(server), clock);
    const slow = voice.say("Hello.", manner()).next();
    await until(() => server.requests.length === 1);
    await clock.advance(1_500);
    expect((await slow)?.samples).toEqual(ours.samples);
    await voice.say("Hello.", manner()).next();
    expect([server.requests.length, asked.length]).toEqual([1, 2]);
    await clock.advance(20_000);
    server.answer = () => wavReply(0.5, 8_000);
    expect((await voice.say("Hello.", manner()).next())?.lengthMs).toBe(500);
  });

  test("in an unsupported language is silent on failure, and tried again at once", async () => {
    const server = await started();
    server.answer = (_, nth) => (nth === 0 ? errorReply(500) : wavReply(0.5, 8_000));
    const { voice } = speaking(serverAddress(server), systemClock, { speak: async () => null });
    expect(await voice.speak("नमस्ते।", manner("hi"))).toBeNull();
    expect((await voice.speak("नमस्ते।", manner("hi")))?.lengthMs).toBe(500);
  });

  test("gets no more requests after cancellation", async () => {
    const server = await started();
    server.answer = () => new Promise(() => {});
    const { voice, asked } = speaking(serverAddress(server));
    const stream = voice.say(
      "One sentence of the clinic. Another sentence of it. A third one of the clinic.",
      manner(),
    );
    const next = stream.next();
    await until(() => server.requests.length === 2);
    stream.cancel();
    expect(await next).toBeNull();
    expect(await stream.next()).toBeNull();
    expect([server.requests.length, asked.length]).toEqual([2, 0]);
  });
});

test("what was sent is added up by server and role", () => {
  const book = createSentBook();
  const note: SentNote = {
    server: "a",
    host: "h",
    role: "voice",
    requests: 1,
    bytesOut: 10,
    bytesIn: 5,
    ms: 7,
    failures: 0,
  };
  book.note(note);
  book.note({ ...note, failures: 1 });
  book.note({ ...note, role: "language" });
  expect(book.list()).toEqual([
    { ...note, requests: 2, bytesOut: 20, bytesIn: 10, ms: 14, failures: 1 },
    { ...note, role: "language" },
  ]);
});
