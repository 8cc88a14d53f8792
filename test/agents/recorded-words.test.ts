// Recorded phrases of an agent: validation, delivery to the carrier, and separation of organisations.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { pcmWav } from "../../src/agents/recorded-words-wav.ts";
import type { AppError } from "../../src/core/errors.ts";
import { readWav } from "../../src/audio/read-wav.ts";
import { activeLevelDb, atSpeechLevel, SPEECH_LEVEL_DB } from "../../src/audio/speech-level.ts";
import { mulawWavHeader } from "../../src/audio/wav.ts";
import { rejectionOf } from "../support/temp.ts";
import { applianceWithTrunks, type ApplianceWithTrunks } from "../trunks/appliance-with-trunks.ts";

const TONE = Int16Array.from({ length: 4_000 }, (_, i) => Math.round(9_000 * Math.sin(i / 3)));
const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
const WAV = pcmWav(bytesOf(TONE));
const SILENCE = (seconds: number) => pcmWav(new Uint8Array(seconds * 16_000));

let it: ApplianceWithTrunks;
let agentId: string;
beforeEach(async () => {
  it = await applianceWithTrunks();
  agentId = (await it.agents.create(it.ours, { name: "Asha" }, CLI_ACTOR)).agent_id;
});
afterEach(() => it.close());

const put = (kind = "greeting", bytes: Uint8Array = WAV, fileName = "hello.wav") =>
  it.recordedWords.put(it.ours, agentId, kind, fileName, bytes, CLI_ACTOR);
const refusal = (promise: Promise<unknown>) => rejectionOf<AppError>(promise);
const refs = () => it.recordedWords.refsOf(it.db.reader, agentId);

describe("a recording", () => {
  test("is listed, returned as played, and audited", async () => {
    const made = await put();
    expect(made).toMatchObject({ kind: "greeting", file_name: "hello.wav", seconds: 0.5 });
    expect(await it.recordedWords.list(it.ours, agentId)).toEqual([made]);
    const wav = await it.recordedWords.wav(it.ours, agentId, "greeting");
    expect(readWav(wav)).toEqual(atSpeechLevel(TONE));
    expect(await it.audited("agent.prompt_set")).toEqual([
      { subject_id: agentId, actor_kind: "cli", detail: { kind: "greeting", seconds: 1 } },
    ]);
  });

  test("may be G.711, and is stored as linear samples", async () => {
    const mulaw = Buffer.concat([mulawWavHeader({ channels: 1, frames: 800 }), Buffer.alloc(800, 0x80)]);
    expect(await put("goodbye", mulaw)).toMatchObject({ kind: "goodbye", seconds: 0.1 });
    const [ref] = await refs();
    const samples = await it.recordedWords.load(ref!.key);
    expect(samples).toHaveLength(800);
    expect(new Set(samples).size).toBe(1);
  });

  test("is brought to the level of the built-in voice, within limits", async () => {
    const levelOf = async (amplitude: number) => {
      const samples = Int16Array.from({ length: 8_000 }, (_, i) => Math.round(amplitude * Math.sin(i / 3)));
      await put("menu", pcmWav(bytesOf(samples)));
      const [ref] = await refs();
      return activeLevelDb(await it.recordedWords.load(ref!.key));
    };
    expect(await levelOf(15_000)).toBeCloseTo(SPEECH_LEVEL_DB, 0);
    expect(await levelOf(2_000)).toBeCloseTo(SPEECH_LEVEL_DB, 0);
    expect(await levelOf(100)).toBeCloseTo(-41.3, 0);
  });

  test("is replaced by the next of its kind", async () => {
    await put();
    const second = await put("greeting", SILENCE(2), "later.wav");
    expect(await it.recordedWords.list(it.ours, agentId)).toEqual([second]);
  });

  test("of an outdated menu is marked until it is replaced", async () => {
    const isOutdated = async () => (await it.recordedWords.list(it.ours, agentId))[0]?.is_outdated;
    await put("menu");
    expect(await isOutdated()).toBe(false);
    await it.db.write(async (tx) => void (await tx.updateTable("agent_prompts").set({ is_outdated: 1 }).execute()));
    expect(await isOutdated()).toBe(true);
    await put("menu", SILENCE(2));
    expect(await isOutdated()).toBe(false);
  });

  test("is listed in the order of a call", async () => {
    for (const kind of ["goodbye", "menu", "greeting"]) await put(kind);
    expect((await it.recordedWords.list(it.ours, agentId)).map(({ kind }) => kind)).toEqual([
      "greeting",
      "menu",
      "goodbye",
    ]);
  });

  test("can be removed, once", async () => {
    await put();
    await it.recordedWords.remove(it.ours, agentId, "greeting", CLI_ACTOR);
    expect(await it.recordedWords.list(it.ours, agentId)).toEqual([]);
    expect((await refusal(it.recordedWords.remove(it.ours, agentId, "greeting", CLI_ACTOR))).code).toBe("NOT_FOUND");
    expect((await refusal(it.recordedWords.wav(it.ours, agentId, "greeting"))).code).toBe("NOT_FOUND");
    expect(await it.audited("agent.prompt_removed")).toHaveLength(1);
  });

  test.each([
    ["../../etc/greeting.wav", "greeting.wav"],
    ["C:\\sounds\\नमस्ते.wav", "नमस्ते.wav"],
    ["a\r\nb\u0000.wav", "ab.wav"],
    ["", "recording.wav"],
    ["x".repeat(300), "x".repeat(200)],
  ])("named %j is called %j", async (given, shown) => {
    expect((await put("menu", WAV, given)).file_name).toBe(shown);
  });
});

describe("what is refused", () => {
  test("a kind that no call plays", async () => {
    const { code, details, message } = await refusal(put("hold_music"));
    expect([code, details[0]?.field, message]).toEqual([
      "VALIDATION_ERROR",
      "kind",
      expect.stringContaining("greeting, menu, confirmed, change_requested, transfer, goodbye"),
    ]);
  });

  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "not a WAV"],
    ["an MP3", Buffer.from(`ID3${"x".repeat(100)}`), "not a WAV"],
    ["a WAV without audio", pcmWav(new Uint8Array()), "no audio"],
    ["more than 90 seconds", SILENCE(91), "at most 90 seconds"],
  ])("%s, with the reason", async (_, bytes, words) => {
    const { code, details } = await refusal(put("greeting", bytes));
    expect([code, details[0]?.field, details[0]?.message]).toEqual([
      "VALIDATION_ERROR",
      "file",
      expect.stringContaining(words),
    ]);
    expect(await it.recordedWords.list(it.ours, agentId)).toEqual([]);
  });

  test("more than 5 MB", async () => {
    expect((await refusal(put("greeting", new Uint8Array(5 * 1_024 * 1_024 + 1)))).code).toBe("PAYLOAD_TOO_LARGE");
  });

  test("another organisation's agent, for every operation", async () => {
    await put();
    for (const attempt of [
      () => it.recordedWords.put(it.theirs, agentId, "menu", "x.wav", WAV, CLI_ACTOR),
      () => it.recordedWords.remove(it.theirs, agentId, "greeting", CLI_ACTOR),
      () => it.recordedWords.list(it.theirs, agentId),
      () => it.recordedWords.wav(it.theirs, agentId, "greeting"),
    ]) {
      expect((await refusal(attempt())).code).toBe("NOT_FOUND");
    }
    expect((await it.recordedWords.list(it.ours, agentId)).map(({ kind }) => kind)).toEqual(["greeting"]);
  });
});

describe("the carrier", () => {
  test("gets a key for each, and the samples by key", async () => {
    await put();
    await put("menu", SILENCE(1));
    const given = Object.fromEntries((await refs()).map(({ kind, key }) => [kind, key]));
    expect(Object.keys(given).toSorted()).toEqual(["greeting", "menu"]);
    expect(await it.recordedWords.load(given["greeting"]!)).toEqual(atSpeechLevel(TONE));
    expect(await it.recordedWords.load(given["menu"]!)).toEqual(new Int16Array(8_000));
  });

  test("gets a new key only if the audio changed", async () => {
    const keys: string[] = [];
    for (const bytes of [WAV, SILENCE(1), WAV]) {
      await put("greeting", bytes);
      keys.push((await refs())[0]!.key);
    }
    expect(keys[2]).toBe(keys[0]);
    expect(keys[1]).not.toBe(keys[0]);
    await expect(it.recordedWords.load(keys[1]!)).rejects.toThrow("replaced or removed");
  });

  test("gets an error for a removed recording and for an unknown key", async () => {
    await put();
    const { key } = (await refs())[0]!;
    await it.recordedWords.remove(it.ours, agentId, "greeting", CLI_ACTOR);
    for (const lost of [key, "", "x", "a/b/c", `${agentId}/greeting/`]) {
      await expect(it.recordedWords.load(lost)).rejects.toThrow("replaced or removed");
    }
    expect(await refs()).toEqual([]);
  });
});
