// The line section of a call in the dashboard: ladder diagram, statistics, both downloads, hanging up; permissions, and
// audit entries.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { saveLine, lineOf } from "../../src/calls/life/line-store.ts";
import { createLineService, type LineView } from "../../src/calls/life/line-service.ts";
import { createCaptures } from "../../src/media/captures.ts";
import type { Row } from "../../src/db/tables.ts";
import { readPcap } from "../telephony/read-pcap.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { GOOD_SOUND, LADDER, lineRow, trunkRow } from "../support/line-data.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
const people: Partial<Record<"viewer" | "staff" | "owner" | "stranger", Visitor>> = {};
let trunkId: string;

beforeAll(async () => {
  hospital = await createHospital();
  const { app, organisationId } = hospital;
  await app.start();
  for (const role of ["viewer", "staff", "owner"] as const) people[role] = await signedIn(app, organisationId, role);
  people.stranger = await signedIn(app, (await hospital.neighbour()).organisationId, "owner");
  const trunk = trunkRow(organisationId);
  trunkId = trunk.id;
  await hospital.db.write((tx) => tx.insertInto("trunks").values(trunk).execute());
});
afterAll(() => hospital.close());

type Who = keyof typeof people;
const ask = (who: Who, method: string, path: string) => people[who]!.ask(method, `/dashboard/api/calls/${path}`);
const readLine = async (callId: string) => (await ask("staff", "GET", `${callId}/line`)).json as unknown as LineView;

async function bytesOf(path: string): Promise<Buffer> {
  const url = `http://localhost/dashboard/api/calls/${path}`;
  const response = await hospital.app.handle(new Request(url, { headers: { cookie: people.staff!.cookie } }));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Each test calls a different number, because a number is never called twice at once. */
let numbersUsed = 0;
const dial = () => hospital.dial({ user_number: `+9198100${30_000 + ++numbersUsed}` });

async function endedCall(line: Partial<Row<"call_lines">> | null = {}): Promise<string> {
  const id = await dial();
  hospital.carrier.talk(id);
  await settle();
  if (line) await hospital.db.write((tx) => saveLine(tx, lineRow(id, { trunk_id: trunkId, ...line })));
  return id;
}

async function notesOf(callId: string): Promise<string[]> {
  await hospital.clock.advance(1_000);
  await settle();
  const notes = hospital.db.reader.selectFrom("audit_entries").selectAll().where("subject_id", "=", callId);
  return (await notes.orderBy("id").execute())
    .filter(({ action }) => /line|hung/.test(action))
    .map(({ action, actor_id, detail }) => `${action} ${actor_id === people.staff!.personId} ${detail}`);
}

describe("the line of a call", () => {
  test("has its trunk, its messages since the first one, and its audio statistics", async () => {
    const line = await readLine(await endedCall());
    expect(line.trunk_name).toBe("Ward exchange");
    expect(line.messages).toHaveLength(LADDER.length);
    expect(line.messages[6]).toEqual({
      at: "2026-11-15T06:00:01.061Z",
      after_ms: 811,
      direction: "received",
      peer: "udp 192.0.2.10:5060",
      first_line: "SIP/2.0 180 Ringing",
      text: LADDER[6]!.text,
    });
    expect(line.media).toMatchObject({ mos: GOOD_SOUND.mos, loss_share: 0.0039, one_way_audio: false });
    const strayed = await endedCall({
      media: JSON.stringify({ ...GOOD_SOUND, ignoredPackets: 312, oneWayAudio: true }),
    });
    expect((await readLine(strayed)).media).toMatchObject({ ignored_packets: 312, one_way_audio: true });
    // A call from before encryption existed was unencrypted.
    expect(line.media?.encryption).toBeNull();
    const encryption = { suite: "AES_CM_128_HMAC_SHA1_80", isWhole: true };
    const encrypted = await endedCall({ media: JSON.stringify({ ...GOOD_SOUND, encryption }) });
    expect((await readLine(encrypted)).media?.encryption).toEqual({ suite: encryption.suite, is_whole: true });
    expect(line.has_capture).toBeFalse();
  });

  test("is empty for a call without a trunk, and then there is nothing to download", async () => {
    const id = await endedCall(null);
    expect(await readLine(id)).toEqual({ trunk_name: null, messages: [], media: null, has_capture: false });
    expect((await ask("staff", "GET", `${id}/line.txt`)).status).toBe(404);
    expect((await ask("staff", "GET", `${id}/line.pcap`)).status).toBe(404);
  });

  test("survives the deletion of its trunk", async () => {
    const line = await readLine(await endedCall({ trunk_id: "trk_gone", media: null }));
    expect([line.trunk_name, line.media, line.messages.length]).toEqual([null, null, LADDER.length]);
  });

  test("is a text to forward, in order and without carriage returns", async () => {
    const id = await endedCall();
    const { status, text, headers } = await ask("staff", "GET", `${id}/line.txt`);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${id}-sip.txt"`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).toContain(`SIP messages of call ${id} over the trunk Ward exchange`);
    expect(text).toContain("2026-11-15T06:00:06.454Z  +6204 ms  Ringward <-- udp 192.0.2.10:5060\n");
    expect(text).toContain("Ringward --> udp 192.0.2.10:5060\n");
    expect([...text.matchAll(/^CSeq: \d \w+$/gm)]).toHaveLength(LADDER.length);
    expect(text).not.toContain("\r");
  });

  test("is packets generated from its messages if nothing was captured, or the capture is gone", async () => {
    for (const capture_file of [null, "gone.pcap"]) {
      const packets = readPcap(await bytesOf(`${await endedCall({ capture_file })}/line.pcap`));
      expect(packets.map(({ payload }) => payload.toString())).toEqual(LADDER.map(({ text }) => text));
      expect([packets[0]!.from, packets[0]!.to]).toEqual(["10.0.0.5:5060", "192.0.2.10:5060"]);
    }
  });

  test("is the captured packets if a capture was requested, until the call is erased", async () => {
    const captures = createCaptures(hospital.dataDir, hospital.app.services.ids);
    const name = captures.newName();
    expect(name).toMatch(/^[\w-]{24}\.pcap$/);
    writeFileSync(captures.pathOf(name), "captured bytes");
    const id = await endedCall({ capture_file: name, trace: "[]" });
    expect((await readLine(id)).has_capture).toBeTrue();
    expect((await bytesOf(`${id}/line.pcap`)).toString()).toBe("captured bytes");

    expect((await ask("staff", "DELETE", id)).status).toBe(200);
    expect(existsSync(captures.pathOf(name))).toBeFalse();
    expect(await lineOf(hospital.db.reader, id)).toBeUndefined();
    expect((await ask("staff", "GET", `${id}/line.pcap`)).status).toBe(404);
  });

  test("of a call in progress is its ladder so far", async () => {
    const id = await dial();
    const { db, app, organisationId, dataDir } = hospital;
    const captures = createCaptures(dataDir, app.services.ids);
    const deps = { db, readNotes: app.services.readNotes, captures };
    const lines = createLineService({ ...deps, live: (callId) => (callId === id ? LADDER.slice(0, 3) : null) });
    const actor = { kind: "person", id: people.staff!.personId } as const;
    expect((await lines.read(organisationId, id, actor)).messages.map(({ after_ms }) => after_ms)).toEqual([
      0, 500, 521,
    ]);
    expect(await lines.text(organisationId, id, actor)).toContain("401 Unauthorized");
    await db.write((tx) => tx.updateTable("phone_numbers").set({ trunk_id: trunkId }).execute());
    expect((await lines.read(organisationId, id, actor)).trunk_name).toBe("Ward exchange");
    hospital.carrier.fail(id);
    await settle();
  });

  test("is audited on every read", async () => {
    const id = await endedCall();
    for (const file of ["line", "line.txt", "line.pcap"]) await ask("staff", "GET", `${id}/${file}`);
    await ask("viewer", "GET", `${id}/line`);
    expect(await notesOf(id)).toEqual([
      "call.line_read true {}",
      `call.line_downloaded true {"form":"text"}`,
      `call.line_downloaded true {"form":"packets"}`,
    ]);
  });

  test("is accessible only to staff and owners of the organisation", async () => {
    const id = await endedCall();
    const statuses: Record<string, number[]> = {};
    for (const who of ["owner", "staff", "viewer", "stranger"] as const) {
      statuses[who] = [];
      for (const file of ["line", "line.txt", "line.pcap"])
        statuses[who].push((await ask(who, "GET", `${id}/${file}`)).status);
    }
    expect(statuses).toEqual({
      owner: [200, 200, 200],
      staff: [200, 200, 200],
      viewer: [403, 403, 403],
      stranger: [404, 404, 404],
    });
  });
});

describe("hanging up", () => {
  test("ends a ringing or connected call, and is audited", async () => {
    for (const isAnswered of [false, true]) {
      const id = await dial();
      if (isAnswered) hospital.carrier.answer(id);
      await settle();
      expect((await ask("staff", "POST", `${id}/hang-up`)).status).toBe(200);
      expect(hospital.carrier.live.has(id)).toBeFalse();
      expect(await hospital.row(id)).toMatchObject({ state: "failed", error_code: "interrupted" });
      expect(await notesOf(id)).toEqual(["call.hung_up true {}"]);
    }
  });

  test("is rejected for a call that is not in progress, and changes nothing", async () => {
    const waiting = await hospital.schedule({ scheduled_time: "2026-12-24T10:00:00Z" });
    const ended = await endedCall();
    for (const id of [waiting, ended]) {
      const { status, json } = await ask("staff", "POST", `${id}/hang-up`);
      expect([status, json.error.code]).toEqual([409, "CONFLICT"]);
      expect(await notesOf(id)).toEqual([]);
    }
    expect((await hospital.row(waiting)).state).toBe("scheduled");
  });

  test("is forbidden for viewers and other organisations", async () => {
    const id = await dial();
    expect((await ask("viewer", "POST", `${id}/hang-up`)).status).toBe(403);
    expect((await ask("stranger", "POST", `${id}/hang-up`)).status).toBe(404);
    expect(hospital.carrier.live.has(id)).toBeTrue();
    hospital.carrier.fail(id);
    await settle();
  });
});
