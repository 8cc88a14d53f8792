import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { insertMessage, MOST_ORIGINALS } from "../../../src/exchange/hl7/log/log-store.ts";
import { messageMeaning } from "../../../src/exchange/hl7/log/records.ts";
import { createHl7Log } from "../../../src/exchange/hl7/message-log.ts";
import { createHl7Hospital, type Hl7Hospital } from "../../support/hl7-hospital.ts";
import { BRANCH, siu, SOURCE } from "../../support/hl7.ts";

let hospital: Hl7Hospital;
beforeEach(async () => {
  hospital = await createHl7Hospital();
});
afterEach(() => hospital.close());

const booking = { trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261114120000" };

async function strangersKey(): Promise<string> {
  const { services } = hospital;
  const { id } = await services.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
  return (await services.keys.create(id, { name: "all", scopes: ["hl7:read", "hl7:write"] }, CLI_ACTOR)).key;
}

test("a refused message is listed without the patient's data, and processed again once its code is known", async () => {
  await hospital.receive(siu({ ...booking, location: "MOON" }));
  const { json: listed } = await hospital.request("GET", "/v1/hl7-messages?outcome=refused");
  const [message] = listed.data as unknown as { message_id: string }[];
  expect(message).toMatchObject({
    control_id: "C1",
    code: "AE",
    type: "SIU^S12",
    may_resend: true,
    appointment_id: null,
  });
  const path = `/v1/hl7-messages/${message!.message_id}`;
  const one = await hospital.request("GET", path);
  expect(one.text).toContain("AIL|1|A|MOON");
  expect(one.text).not.toMatch(/SHARMA|98100|MRN1/);

  const { settings } = await hospital.services.sources.get(hospital.organisationId, hospital.sourceId);
  const branches = [{ code: "MOON", branch_id: BRANCH }];
  await hospital.request("PATCH", `/v1/sources/${hospital.sourceId}`, {
    body: { settings: { ...settings, branches } },
  });
  const again = await hospital.request("POST", `${path}/resend`);
  expect([again.status, again.json.data["outcome"], again.json.data["code"]]).toEqual([
    200,
    "created",
    "AA",
  ] as never[]);
  expect((await hospital.appointments())[0]).toMatchObject({ external_id: "A1", contact_name: "Ravi SHARMA" });
  expect((await hospital.request("POST", `${path}/resend`)).status).toBe(409);
});

test("the log belongs to its organisation and needs its scope", async () => {
  await hospital.receive(siu({ ...booking, location: "MOON" }));
  const [row] = await hospital.db.reader.selectFrom("hl7_messages").selectAll().execute();
  const key = await strangersKey();
  expect(JSON.parse((await hospital.request("GET", "/v1/hl7-messages", { key })).text)).toMatchObject({ data: [] });
  for (const [method, path] of [
    ["GET", `/v1/hl7-messages/${row!.id}`],
    ["POST", `/v1/hl7-messages/${row!.id}/resend`],
  ] as const)
    expect((await hospital.request(method, path, { key })).status).toBe(404);
  const { key: other } = await hospital.services.keys.create(
    hospital.organisationId,
    { name: "calls", scopes: ["calls:read"] },
    CLI_ACTOR,
  );
  expect((await hospital.request("GET", "/v1/hl7-messages", { key: other })).status).toBe(403);
});

test("a preview shows what is understood, and changes nothing", async () => {
  const preview = (message: string, more: object = {}, key?: string) =>
    hospital.request("POST", "/v1/hl7-messages/preview", { body: { message, ...more }, ...(key && { key }) });
  const { json } = await preview(siu(booking).replaceAll("\r", "\n"));
  expect(json.data).toMatchObject({
    type: "SIU^S12",
    code: "AA",
    source_id: hospital.sourceId,
    appointment: { external_id: "A1", contact_number: "+919810012345", branch_id: BRANCH, status: "confirmed" },
  });
  const unknown = await preview(siu({ ...booking, application: "ELSE" }));
  expect(unknown.json.data).toMatchObject({ code: "AR", source_id: null, place: "MSH-3" });
  const chosen = await preview(siu({ ...booking, application: "ELSE" }), { source_id: hospital.sourceId });
  expect(chosen.json.data).toMatchObject({ code: "AA" });
  expect((await preview("not HL7")).json.data).toMatchObject({ code: "AR", appointment: null });
  const key = await strangersKey();
  expect((await preview(siu(booking), {}, key)).json.data).toMatchObject({ code: "AR", source_id: null });
  expect((await preview(siu(booking), { source_id: hospital.sourceId }, key)).status).toBe(404);
  expect(await hospital.appointments()).toEqual([]);
  expect(await hospital.db.reader.selectFrom("hl7_messages").selectAll().execute()).toEqual([]);
});

test("settings are checked, and no other source may have the same sender", async () => {
  const create = (settings: object, organisationId = hospital.organisationId, name = "Second") =>
    hospital.services.sources.create(organisationId, { name, kind: "hl7", settings: { ...settings } }, CLI_ACTOR);
  for (const settings of [
    {},
    { application: "X", unknown: 1 },
    { application: "X", time_zone: "Moon/Base" },
    { application: "X", peers: ["nowhere"] },
    { application: "X", branches: [{ code: "A", branch_id: "1" }] },
    { application: "X", tell: { as: "siu" } },
    { application: "X", changed_at: "later" },
  ])
    await expect(create(settings)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(create(SOURCE.settings)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(create({ application: "HIS" })).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await create({ application: "HIS", facility: "EAST" })).kind).toBe("hl7");
});

test("the sources of two organisations are told apart by their addresses", async () => {
  const { services, organisationId, sourceId } = hospital;
  const { id } = await services.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
  const create = (settings: object) =>
    services.sources.create(id, { name: "Theirs", kind: "hl7", settings: { ...settings } }, CLI_ACTOR);
  const peers = (list: string[]) =>
    services.sources.change(organisationId, sourceId, { settings: { ...SOURCE.settings, peers: list } }, CLI_ACTOR);
  const theirs = { application: "THEIRS", peers: ["10.30.0.0/16"] };
  await expect(create({ application: "THEIRS" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(create(theirs)).rejects.toMatchObject({ code: "CONFLICT" });
  await peers(["127.0.0.1"]);
  expect((await create(theirs)).kind).toBe("hl7");
  await expect(peers([])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  // Their system sends as ours.
  const forged = Buffer.from(siu(booking));
  const answer = await services.hl7Receiver.receive(forged, { address: "10.30.0.7" });
  expect(answer).toMatchObject({ code: "AR", reason: "This sender is not expected from this address." });
  expect((await hospital.receive(siu(booking))).code).toBe("AA");
});

test("the original of a refused message is erased with the person it is about", async () => {
  const unknown = (controlId: string, phone: string) => siu({ ...booking, controlId, phone, location: "MOON" });
  await hospital.receive(unknown("C1", "9810012345"));
  await hospital.receive(unknown("C2", "9820098200"));
  const group = [siu({ ...booking, controlId: "C3" }), "PID|2||MRN2^^^HOSP||RAO^Asha||||||||9820098200\r"].join("");
  expect((await hospital.receive(group)).code).toBe("AE");
  const { erasure } = hospital.services;
  await erasure.eraseContact(hospital.organisationId, "+919810012345", CLI_ACTOR);
  const rows = await hospital.db.reader.selectFrom("hl7_messages").selectAll().orderBy("id").execute();
  expect(rows.map(({ sealed_message, contact_number }) => [sealed_message !== null, contact_number])).toEqual([
    [false, null],
    [true, "+919820098200"],
    // About two people: not kept.
    [false, null],
  ]);
});

test("a source keeps so many messages, and originals of the newest refused ones", async () => {
  const { db, clock, organisationId, services } = hospital;
  const refused = (i: number) => siu({ ...booking, controlId: `C${i}`, location: "MOON" });
  for (let i = 0; i < 6; i++) {
    await hospital.receive(refused(i));
    await clock.advance(1_000);
  }
  const log = createHl7Log({
    ...services,
    db,
    clock,
    sources: { byId: async () => null },
    receiver: services.hl7Receiver,
    keepDays: 30,
    mostMessages: 4,
  });
  await log.retention.run(clock.now());
  const { data } = await log.page(organisationId, {});
  expect(data.map(({ control_id }) => control_id)).toEqual(["C5", "C4", "C3", "C2"]);
  const whole = () =>
    db.reader.selectFrom("hl7_messages").select("id").where("sealed_message", "is not", null).execute();
  const [row] = await db.reader.selectFrom("hl7_messages").selectAll().orderBy("id").execute();
  await db.write(async (tx) => {
    for (let i = 0; i < MOST_ORIGINALS; i++)
      await insertMessage(
        tx,
        messageMeaning.read({ ...row!, id: `hlm_z${i}`, digest: `${i}`, created_at: clock.now() }),
      );
  });
  expect(await whole()).toHaveLength(MOST_ORIGINALS);
});

test("a message from a clock that is far ahead is refused, so that later ones are not stale", async () => {
  const ahead = await hospital.receive(siu({ ...booking, sentAt: "20991231" }));
  expect(ahead).toMatchObject({ code: "AE", reason: expect.stringContaining("Check the clock of the source.") });
  expect((await hospital.receive(siu({ ...booking, controlId: "C2" }))).outcome).toBe("created");
});

test("old messages are pruned", async () => {
  await hospital.receive(siu(booking));
  const { retention } = hospital.services.hl7Log;
  const count = async () => (await hospital.db.reader.selectFrom("hl7_messages").selectAll().execute()).length;
  await retention.run(hospital.clock.now() + 29 * DAY_MS);
  expect(await count()).toBe(1);
  await retention.run(hospital.clock.now() + 31 * DAY_MS);
  expect(await count()).toBe(0);
});
