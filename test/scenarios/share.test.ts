// Public sharing: links arrive in events, open without a key, and are revoked with the switch or the call.
import { beforeAll, expect, test } from "bun:test";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { numberEnding, readCall } from "../support/calls.ts";
import { closeReceivers, startSharing, type SharedEvent, type SharingServer } from "../support/shared-calls.ts";
import { parseWav } from "../telephony/wav.ts";

closeReceivers();
leaveNothingBehind();

let share: SharingServer;
let server: Running;
let event: SharedEvent;
beforeAll(async () => {
  share = await startSharing();
  ({ server } = share);
}, 180_000);

/** The test connects to 127.0.0.1, whatever localhost resolves to. */
const pathOf = (link: string | null) => new URL(link!).pathname + new URL(link!).search;
const open = (link: string | null) => fetch(server.url + pathOf(link));
const jsonPath = ({ call_id, share_token }: SharedEvent) => `/public/call/${call_id}?token=${share_token}`;

/** Statuses of JSON, page, recording and transcript. */
async function statuses(of: SharedEvent): Promise<number[]> {
  const paths = [jsonPath(of), pathOf(of.call_details_url), pathOf(of.call_recording), pathOf(of.call_transcript)];
  return Promise.all(paths.map(async (path) => (await fetch(server.url + path)).status));
}

test("is off by default: an event has no share link, and its media links expire", async () => {
  expect(await share.sharing("status")).toEqual({ enabled: false, expiry: "none" });
  const plain = await share.sharedCall();
  expect([plain.call_details_url, plain.share_token]).toEqual([null, null]);
  expect(plain.call_recording).toContain("&signature=");
});

test("once on, an event carries one token and stable links", async () => {
  expect(await share.sharing("on")).toEqual({ enabled: true, expiry: "none" });
  event = await share.sharedCall({ user_name: "Test Patient" });
  const base = `${server.demo["base_url"]}/public/call/${event.call_id}`;
  expect(event.share_token).toMatch(/^[\w-]{32}$/);
  expect(event).toMatchObject({
    call_details_url: `${base}/details?share_token=${event.share_token}`,
    call_recording: `${base}/recording.wav?token=${event.share_token}`,
    call_transcript: `${base}/transcript.json?token=${event.share_token}`,
  });
  expect(await statuses(event)).toEqual([200, 200, 200, 200]);
});

test("the JSON equals the API's response, without a key", async () => {
  const call = await readCall(server, event.call_id);
  const { appointment_id, date, start_time } = event.appointment_details!;
  const { text } = await ask(server, "GET", jsonPath(event), { key: null });
  expect(JSON.parse(text)).toMatchObject({
    call: { call_id: call.call_id, status: "completed", contact_name: "Test Patient", agent_name: "Asha" },
    insights: { analytics: call.call_analytics, extracted_details: call.extracted_details },
    transcript: call.call_transcript,
    appointments: [{ appointment_id, date, start_time, status: "confirmed" }],
    recording_url: event.call_recording,
  });
  expect(await (await open(event.call_transcript)).json()).toEqual(call.call_transcript);
});

test("the recording is the call's, and seekable", async () => {
  const bytes = Buffer.from(await (await open(event.call_recording)).arrayBuffer());
  const call = await readCall(server, event.call_id);
  const recordedSeconds = call.call_duration_seconds! - call.recording!.from!;
  expect(parseWav(bytes).durationSeconds).toBeCloseTo(recordedSeconds, -1);
  const part = await fetch(server.url + pathOf(event.call_recording), { headers: { range: "bytes=100-199" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
});

test("the page and its assets come from the binary itself", async () => {
  const page = await open(event.call_details_url);
  const text = await page.text();
  expect(page.headers.get("content-type")).toStartWith("text/html");
  expect(text).toContain("Call between Asha and Test Patient");
  for (const name of ["share.js", "share.css"]) {
    expect(text).toContain(`../../assets/${name}`);
    expect((await fetch(`${server.url}/public/assets/${name}`)).status).toBe(200);
  }
});

test("a failed call can be shared too, and does not reveal the failure reason", async () => {
  const failed = await share.sharedCall({ user_number: numberEnding("0004") });
  const { status, text } = await ask(server, "GET", jsonPath(failed), { key: null });
  expect([status, failed.call_recording]).toEqual([200, null]);
  expect(text).toContain('"status":"failed"');
  expect(text).not.toContain("carrier");
  expect(await (await open(failed.call_details_url)).text()).toContain("Not connected");
});

test("a wrong token, and a token on another call, are 401", async () => {
  const other = await share.sharedCall();
  expect(other.share_token).not.toBe(event.share_token);
  const attempts = [
    { ...event, share_token: "wrong" },
    { ...other, share_token: event.share_token },
    { ...event, call_id: "call_x" },
  ];
  for (const attempt of attempts) {
    expectError(await ask(server, "GET", jsonPath(attempt), { key: null }), 401, "UNAUTHORIZED");
  }
});

test("switching off closes every link of the running server, and switching on opens them again", async () => {
  await share.sharing("off");
  expect(await statuses(event)).toEqual([401, 401, 401, 401]);
  await share.sharing("on", "--expiry", "hour");
  expect(await statuses(event)).toEqual([200, 200, 200, 200]);
  expect(await share.sharing("status")).toEqual({ enabled: true, expiry: "hour" });
});

test("a deleted call is 401 like any other wrong link", async () => {
  expect((await ask(server, "DELETE", `/v1/calls/${event.call_id}`)).status).toBe(200);
  expect(await statuses(event)).toEqual([401, 401, 401, 401]);
});

test("no token was logged", () => {
  expect(server.output()).toContain("/public/call/:call_id");
  expect(server.output()).not.toContain(event.share_token!);
});
