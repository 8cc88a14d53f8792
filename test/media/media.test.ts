// Signed links to recordings and transcripts, over HTTP.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createIds } from "../../src/core/ids.ts";
import { createMediaLinks, LINK_LIFE_MS } from "../../src/media/links.ts";
import { createRecordings } from "../../src/media/recordings.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { createManualClock, settle } from "../support/manual-clock.ts";
import { tempFolder } from "../support/temp.ts";

let hospital: Hospital;
let callId: string;
beforeEach(async () => {
  hospital = await createHospital();
  await hospital.app.start();
  callId = await hospital.dial();
  hospital.carrier.talk(callId, { recorded: true });
  await settle();
});
afterEach(() => hospital.close());

const fetchLink = (link: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(link, "http://localhost");
  return hospital.request("GET", `${pathname}${search}`, { key: null, headers });
};
const recordingLink = async () => (await hospital.view(callId)).call_recording!;
const transcriptLink = () => hospital.app.services.links.sign(callId, "transcript.json");
const code = async (link: string) => outcome(await fetchLink(link));

describe("a link that GET gives", () => {
  test("fetches the recording without a key", async () => {
    const { status, text, headers } = await fetchLink(await recordingLink());
    expect([status, text]).toEqual([200, "RIFF of the conversation"]);
    expect(headers.get("content-type")).toBe("audio/wav");
    expect(headers.get("cache-control")).toContain("no-store");
  });

  test("answers a range, as players ask", async () => {
    const { status, text, headers } = await fetchLink(await recordingLink(), { range: "bytes=0-3" });
    expect([status, text, headers.get("content-range")]).toEqual([206, "RIFF", "bytes 0-3/24"]);
  });

  test("lives five minutes, and not a second longer", async () => {
    const link = await recordingLink();
    await hospital.clock.advance(LINK_LIFE_MS - 1_000);
    expect(await code(link)).toBe("200 ok");
    await hospital.clock.advance(1_000);
    expect(await code(link)).toBe("401 UNAUTHORIZED");
  });

  test("is 401 when anything in it is altered", async () => {
    const link = await recordingLink();
    const other = await hospital.dial({ user_number: "+919810000001" });
    for (const altered of [
      link.replace(/expires=\d+/, (expires) => `${expires}0`),
      link.replace(/signature=./, (start) => (start.endsWith("A") ? "signature=B" : "signature=A")),
      link.replace(callId, other),
      link.replace("recording.wav", "transcript.json"),
      link.replace(/&signature=.*/, ""),
      link.replace(/\?.*/, ""),
    ]) {
      expect(await code(altered)).toBe("401 UNAUTHORIZED");
    }
  });
});

test("a signed transcript link gives the transcript", async () => {
  const { status, json } = await fetchLink(transcriptLink());
  expect([status, (json as unknown as object[]).length]).toEqual([200, 2]);
});

test("a good link to what does not exist is 404: unknown, unfinished, unrecorded, erased", async () => {
  const { links } = hospital.app.services;
  expect(await code(links.sign("call_unknown", "recording.wav"))).toBe("404 NOT_FOUND");
  const live = await hospital.dial({ user_number: "+919810000001" });
  expect(await code(links.sign(live, "recording.wav"))).toBe("404 NOT_FOUND");
  hospital.carrier.talk(live, { recorded: false });
  await settle();
  expect(await code(links.sign(live, "recording.wav"))).toBe("404 NOT_FOUND");
  const link = await recordingLink();
  await hospital.request("DELETE", `/v1/calls/${callId}`);
  expect(await code(link)).toBe("404 NOT_FOUND");
  expect(await code(transcriptLink())).toBe("404 NOT_FOUND");
});

test("links of another appliance, with another root key, are worth nothing here", () => {
  const clock = createManualClock();
  const [ours, theirs] = [1, 2].map((seed) =>
    createMediaLinks({ clock, key: new Uint8Array(32).fill(seed), baseUrl: "https://a.example" }),
  );
  const url = new URL(theirs!.sign("call_1", "recording.wav"));
  const [expires, signature] = [url.searchParams.get("expires")!, url.searchParams.get("signature")!];
  expect(theirs!.verify("call_1", "recording.wav", expires, signature)).toBeTrue();
  expect(ours!.verify("call_1", "recording.wav", expires, signature)).toBeFalse();
  expect(theirs!.verify("call_1", "recording.wav", "", signature)).toBeFalse();
  expect(theirs!.verify("call_1", "recording.wav", `${expires}e1`, signature)).toBeFalse();
});

describe("recordings on disk", () => {
  test("lie in a folder that only this user can open, under names that tell nothing", () => {
    const folder = join(hospital.dataDir, "recordings");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/^[\w-]{24}\.wav$/);
    expect(name).not.toContain(callId.slice(5));
  });

  test("are kept although their folder was removed, in a new one that only this user can open", () => {
    const recordings = createRecordings(tempFolder(), createIds(createManualClock()));
    const folder = dirname(recordings.pathOf("first.wav"));
    rmSync(folder, { recursive: true });
    recordings.pathOf("second.wav");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("are gone after remove, and removing what is not there is fine", async () => {
    const recordings = createRecordings(tempFolder(), createIds(createManualClock()));
    const name = recordings.newName();
    await Bun.write(recordings.pathOf(name), "RIFF");
    expect([recordings.exists(name), recordings.bytes(name)]).toEqual([true, 4]);
    recordings.remove(name);
    recordings.remove(name);
    expect(recordings.exists(name)).toBeFalse();
  });
});
