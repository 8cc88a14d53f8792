// Call recordings behind a signed link that is valid for five minutes.
import { beforeAll, describe, expect, test } from "bun:test";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createMediaLinks } from "../../src/media/links.ts";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { placeAndFinish, readCall, startQuick, type Call } from "../support/calls.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { parseWav, loudness } from "../telephony/wav.ts";

leaveNothingBehind();

const MINUTE_MS = 60_000;
const ROOT_KEY = Buffer.alloc(32, 7).toString("base64");
const KNOWN_KEY = { RINGWARD_SECURITY__ROOT_KEY: ROOT_KEY };

let server: Running;
let call: Call;
beforeAll(async () => {
  server = await startQuick(KNOWN_KEY);
  call = await placeAndFinish(server, { user_name: "Test Patient" });
});

/** The link's path and query; the test connects to 127.0.0.1, whatever localhost resolves to. */
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

const fetchMedia = (link: string, init: RequestInit = {}) => fetch(server.url + pathOf(link), init);
const range = (value: string) => fetchMedia(call.call_recording!, { headers: { range: value } });

/** The link with one part of its query replaced. */
function altered(link: string, name: "expires" | "signature", change: (value: string) => string): string {
  const url = new URL(link);
  url.searchParams.set(name, change(url.searchParams.get(name) ?? ""));
  return url.href;
}

async function wholeFile(): Promise<Buffer> {
  return Buffer.from(await (await fetchMedia(call.call_recording!)).arrayBuffer());
}

/** Signed as the server would have signed it at that time. */
function linkMadeAgo(ms: number): string {
  const clock = createManualClock(Date.now() - ms);
  const key = createSecretBox(Buffer.from(ROOT_KEY, "base64")).deriveKey("media-links");
  return createMediaLinks({ clock, key, baseUrl: server.url }).sign(call.call_id, "recording.wav");
}

const askMedia = (link: string) => ask(server, "GET", pathOf(link), { key: null });

describe("the recording link", () => {
  test("needs no key, starts with base_url and expires after five minutes", () => {
    const link = new URL(call.call_recording!);
    expect(link.origin).toBe(server.demo["base_url"]!);
    expect(link.pathname).toBe(`/media/${call.call_id}/recording.wav`);
    const lifeSeconds = Number(link.searchParams.get("expires")) - Date.now() / 1_000;
    expect(lifeSeconds).toBeGreaterThan(290);
    expect(lifeSeconds).toBeLessThanOrEqual(300);
  });

  test("plays: a WAV from the callee's yes to the end, with speech where the transcript has words", async () => {
    const response = await fetchMedia(call.call_recording!);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/wav");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    const { durationSeconds, channels } = parseWav(bytes);
    // The callee was asked first: nothing before the yes is recorded.
    expect(call.call_transcript![1]!.text).toBe("May we record this call?");
    const from = call.recording!.from!;
    expect(from).toBeGreaterThan(call.call_transcript![1]!.timestamp);
    expect(durationSeconds).toBeCloseTo(call.call_duration_seconds! - from, 2);
    const firstWords = call.call_transcript![3]!.timestamp - from;
    expect(loudness(channels[0], firstWords, firstWords + 1)).toBeGreaterThan(100);
    expect(loudness(channels[1], firstWords, firstWords + 1)).toBeLessThan(10);
  });

  test("supports seeking: ranges answer 206 with exactly those bytes", async () => {
    const whole = await wholeFile();
    const size = whole.length;
    const parts = [
      ["bytes=0-43", 0, 43],
      ["bytes=100-", 100, size - 1],
      ["bytes=-500", size - 500, size - 1],
      [`bytes=${size - 1}-${size + 1_000}`, size - 1, size - 1],
      ["bytes=0-0", 0, 0],
    ] as const;
    for (const [header, from, to] of parts) {
      const response = await range(header);
      expect([header, response.status]).toEqual([header, 206]);
      expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to}/${size}`);
      expect(response.headers.get("content-length")).toBe(String(to - from + 1));
      expect(Buffer.from(await response.arrayBuffer()).equals(whole.subarray(from, to + 1))).toBe(true);
    }
  });

  test("a range outside the file answers 416 with its size", async () => {
    const size = (await wholeFile()).length;
    for (const header of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`]) {
      const response = await range(header);
      expect([header, response.status]).toEqual([header, 416]);
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
      await response.arrayBuffer();
    }
  });

  test("an altered or missing signature, another expiry, another file or another call answers 401", async () => {
    const link = call.call_recording!;
    const other = await placeAndFinish(server);
    const links = [
      altered(link, "signature", (value) => (value.startsWith("A") ? "B" : "A") + value.slice(1)),
      altered(link, "signature", () => ""),
      altered(link, "expires", (value) => String(Number(value) + 1)),
      link.replace(call.call_id, other.call_id),
      link.replace("recording.wav", "transcript.json"),
      link.split("?")[0]!,
      link.replace(call.call_id, "call_unknown"),
    ];
    for (const wrong of links) expectError(await askMedia(wrong), 401, "UNAUTHORIZED");
  });

  test("an expired link answers 401", async () => {
    expect((await askMedia(linkMadeAgo(4.9 * MINUTE_MS))).status).toBe(200);
    expectError(await askMedia(linkMadeAgo(5.1 * MINUTE_MS)), 401, "UNAUTHORIZED");
  });

  test("survives a restart, because its key does", async () => {
    expect(await server.stop()).toBe(0);
    server = await startQuick(KNOWN_KEY, { dataDir: server.dataDir });
    const response = await fetchMedia(call.call_recording!);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  test("answers 404 after the call is deleted", async () => {
    const link = (await readCall(server, call.call_id)).call_recording!;
    expect((await ask(server, "DELETE", `/v1/calls/${call.call_id}`)).status).toBe(200);
    expectError(await askMedia(link), 404, "NOT_FOUND");
  });
});
