// In-band DTMF: every key as exchanges send it, through both codecs, and no false key in speech.
import { describe, expect, test } from "bun:test";
import { decodeTable, encodeTable, type G711Law } from "../../../src/audio/g711.ts";
import { createToneKeys } from "../../../src/telephony/rtp/tone-keys.ts";
import { randomFrom, speechLike } from "../../support/sounds.ts";
import { voice } from "./stage.ts";

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const ALL = "123A456B789C*0#D";

interface Press {
  key: string;
  ms?: number;
  pauseMs?: number;
  /** Of each tone; full scale is 32,767. */
  amplitude?: number;
  /** By how much the high tone is louder, in dB. */
  twistDb?: number;
  /** 0.01 is one per cent too high. */
  offset?: number;
  noise?: number;
}

function pressed(press: Press): number[] {
  const { key, ms = 80, pauseMs = 80, amplitude = 6_000, twistDb = 0, offset = 0, noise = 0 } = press;
  const at = ALL.indexOf(key);
  const [low, high] = [ROWS[Math.floor(at / 4)]!, COLUMNS[at % 4]!];
  const random = randomFrom(at + 1);
  const highAmplitude = amplitude * 10 ** (twistDb / 20);
  const wave = (hertz: number, i: number) => Math.sin((2 * Math.PI * hertz * (1 + offset) * i) / 8_000);
  return Array.from({ length: (ms + pauseMs) * 8 }, (_, i) => {
    const tone = i < ms * 8 ? amplitude * wave(low, i) + highAmplitude * wave(high, i) : 0;
    return Math.round(tone + noise * (random() * 2 - 1));
  });
}

/** In frames of 20 ms, as they come from the line; `law` takes them through the codec. */
function heardIn(samples: ArrayLike<number>, law?: G711Law): string {
  const detector = createToneKeys();
  const tables = law && { encode: encodeTable(law), decode: decodeTable(law) };
  let keys = "";
  for (let from = 0; from < samples.length; from += 160) {
    const frame = Int16Array.from({ length: 160 }, (_, i) => {
      const sample = samples[from + i] ?? 0;
      return tables ? tables.decode[tables.encode[sample & 0xffff]!]! : sample;
    });
    keys += detector.hear(frame) ?? "";
  }
  return keys;
}

const all = (changes: Omit<Press, "key"> = {}) => ALL.split("").flatMap((key) => pressed({ key, ...changes }));

describe("every key is heard once", () => {
  test.each(["PCMU", "PCMA"] as const)("through %s", (law) => {
    expect(heardIn(all(), law)).toBe(ALL);
  });

  test.each<[string, Omit<Press, "key">]>([
    ["as short as exchanges send it, with as short a pause", { ms: 60, pauseMs: 60 }],
    ["held for two seconds", { ms: 2_000 }],
    ["loud", { amplitude: 15_000 }],
    ["soft", { amplitude: 500 }],
    ["with the high tone 7 dB weaker", { twistDb: -7 }],
    ["with the high tone 3 dB stronger", { twistDb: 3 }],
    ["one and a half per cent too high", { offset: 0.015 }],
    ["one and a half per cent too low", { offset: -0.015 }],
    ["with noise 20 dB below it", { noise: 1_000 }],
  ])("%s", (_, changes) => {
    expect(heardIn(all(changes), "PCMA")).toBe(ALL);
  });

  test("wherever it begins within a frame", () => {
    for (let lead = 0; lead < 160; lead += 7) {
      const samples = [...Array<number>(lead).fill(0), ...pressed({ key: "5", ms: 60 })];
      expect(heardIn(samples, "PCMU")).toBe("5");
    }
  });

  test("and again when it is pressed again", () => {
    const samples = ["1", "1", "1"].flatMap((key) => pressed({ key, ms: 70, pauseMs: 60 }));
    expect(heardIn(samples, "PCMU")).toBe("111");
  });

  test("though one packet in the middle is lost", () => {
    const samples = pressed({ key: "9", ms: 300 });
    samples.fill(0, 960, 1_120);
    expect(heardIn(samples, "PCMU")).toBe("9");
  });
});

describe("no key is heard", () => {
  test.each<[string, Omit<Press, "key">]>([
    ["shorter than 23 ms", { ms: 22 }],
    ["four per cent off", { offset: 0.04 }],
    ["with tones that are 12 dB apart", { twistDb: -12 }],
    ["with tones that are 12 dB apart the other way", { twistDb: 12 }],
    ["fainter than an echo", { amplitude: 60 }],
    ["under as much noise", { noise: 12_000 }],
  ])("in tones %s", (_, changes) => {
    expect(heardIn(all(changes))).toBe("");
  });

  test("in a single tone, a dialling tone, a ringing tone or a fax", () => {
    const tone = (...hertz: number[]) =>
      Array.from({ length: 8_000 }, (_, i) =>
        Math.round(hertz.reduce((sum, one) => sum + 6_000 * Math.sin((2 * Math.PI * one * i) / 8_000), 0)),
      );
    const tones = [[697], [1_336], [400, 25], [350, 440], [440, 480], [480, 620], [1_100], [2_100], [770, 852]];
    for (const hertz of tones) expect(heardIn(tone(...hertz))).toBe("");
  });

  test("in talk, from many voices", () => {
    for (let seed = 1; seed <= 8; seed++) expect(heardIn(speechLike(3, seed), "PCMU")).toBe("");
    for (let seed = 1; seed <= 4; seed++) expect(heardIn(voice(5, seed))).toBe("");
  });

  test("in white noise", () => {
    const random = randomFrom(7);
    expect(heardIn(Array.from({ length: 8_000 * 60 }, () => Math.round(20_000 * (random() * 2 - 1))))).toBe("");
  });
});
