// Races on organisations and their people, by four processes.
import { describe, expect, test } from "bun:test";
import { insertPerson } from "../../../src/accounts/person-store.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { Role } from "../../../src/accounts/records.ts";
import { MOST_DEVICES } from "./account-works.ts";
import { db, newAgent, newOrganisation, ROUNDS, services, team } from "./ground.ts";
import { counted, type Told } from "./team.ts";

let people = 0;

/** A person with a random password. */
export async function newPerson(organisationId: string, role: Role): Promise<{ id: string; email: string }> {
  const person = { id: services.ids.next("per"), email: `someone${people++}@hospital.example` };
  await db.write((tx) =>
    insertPerson(tx, {
      ...person,
      organisation_id: organisationId,
      name: "Test Person",
      role,
      password_hash: "none",
      created_at: 0,
      disabled_at: null,
      language: null,
      branches: null,
      practitioner_id: null,
    }),
  );
  return person;
}

/** Outcomes of all tries, by all racers. */
const byTry = ({ outcomes }: Told): string[][] =>
  (outcomes[0] ?? []).map((_, i) => outcomes.map((ofOne) => ofOne[i] ?? "").toSorted());

function claimRaces(): void {
  const ONE_WINS = ["CONFLICT", "CONFLICT", "CONFLICT", "done"];

  test("an address and a number belong to one organisation, for any claims", async () => {
    const organisations = [];
    for (let i = 0; i < 4; i++) organisations.push(await newOrganisation());
    const asked = { organisationId: "", subject: JSON.stringify(organisations) };
    const addresses = await team.race({ work: "claimAddress", ...asked, times: 2, atOnce: 2 });
    expect(byTry(addresses)).toEqual([ONE_WINS, ONE_WINS]);
    const numbers = await team.race({ work: "claimNumber", ...asked, times: ROUNDS, atOnce: ROUNDS });
    expect(byTry(numbers)).toEqual(Array.from({ length: ROUNDS }, () => ONE_WINS));
  });

  test("a client that probes numbers of others is refused five times, and then blocked", async () => {
    const { number } = await newAgent(await newOrganisation());
    const told = await team.race({
      work: "guessNumber",
      organisationId: await newOrganisation(),
      subject: number,
      times: 5,
    });
    expect(counted(told)).toEqual({ CONFLICT: 5, RATE_LIMITED: 15 });
  });
}

function ownerRaces(): void {
  test("of forty devices the twenty used last are known", async () => {
    const organisationId = await newOrganisation();
    const { id } = await newPerson(organisationId, "staff");
    await team.race({ work: "device", organisationId, subject: id, times: 10, atOnce: 10 });
    const known = await db.reader.selectFrom("known_devices").select("used_at").where("person_id", "=", id).execute();
    expect(known.map(({ used_at }) => used_at).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: MOST_DEVICES }, (_, i) => MOST_DEVICES + 1 + i),
    );
  });

  test("of two owners who demote each other one stays", async () => {
    const organisationId = await newOrganisation();
    const pairs = [];
    for (let i = 0; i < ROUNDS; i++)
      pairs.push([await newPerson(organisationId, "owner"), await newPerson(organisationId, "owner")]);
    const subject = JSON.stringify(pairs);
    await team.race({ work: "demote", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const rows = await db.reader
      .selectFrom("people")
      .select(["id", "role"])
      .where("organisation_id", "=", organisationId)
      .execute();
    const roleOf = new Map(rows.map(({ id, role }) => [id, role]));
    expect(pairs.map((pair) => pair.map(({ id }) => String(roleOf.get(id))).toSorted())).toEqual(
      pairs.map(() => ["owner", "viewer"]),
    );
  });

  test("a person who is disabled during sign-in is not signed in", async () => {
    const organisationId = await newOrganisation();
    const staff = [];
    for (let i = 0; i < ROUNDS; i++) staff.push(await newPerson(organisationId, "staff"));
    const subject = JSON.stringify(staff);
    await team.race({ work: "disable", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const sessions = db.reader.selectFrom("sessions").select("person_id");
    expect(await sessions.where("organisation_id", "=", organisationId).execute()).toEqual([]);
  });

  test("a password that was set by another person meanwhile is not replaced", async () => {
    const organisationId = await newOrganisation();
    const { id } = await newPerson(organisationId, "staff");
    const present = await db.reader.selectFrom("people").selectAll().where("id", "=", id).execute();
    const told = await team.race({ work: "ownPassword", organisationId, subject: JSON.stringify(present), times: 1 });
    expect(counted(told)).toEqual({ done: 1, CONFLICT: 3 });
  });

  test("there is one hook, and one setup code", async () => {
    const organisationId = await newOrganisation();
    expect(counted(await team.race({ work: "hook", organisationId, times: 5 }))).toEqual({ done: 20 });
    expect(counted(await team.race({ work: "setupCode", organisationId, times: 5 }))).toEqual({ done: 20 });
    const hooks = db.reader.selectFrom("inbound_hooks").select("token_hash");
    expect(await hooks.where("organisation_id", "=", organisationId).execute()).toHaveLength(1);
    expect(await db.reader.selectFrom("setup_codes").select("code_hash").execute()).toHaveLength(1);
  });
}

function trunkRaces(): void {
  test("a trunk is removed, or has a number, never both", async () => {
    const organisationId = await newOrganisation();
    const trunks = [];
    for (let i = 0; i < ROUNDS; i++)
      trunks.push(
        (await services.trunks.create(organisationId, { name: `trunk ${i}`, host: "192.0.2.1" }, CLI_ACTOR)).trunk_id,
      );
    const subject = JSON.stringify(trunks);
    const told = await team.race({ work: "trunkOrNumber", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const left = (await services.trunks.list(organisationId)).map(({ trunk_id, numbers }) => [
      trunk_id,
      numbers.length,
    ]);
    expect(left).toEqual(trunks.filter((_, i) => isKept(told, i)).map((id) => [id, 1]));
  });

  test("no agent has a removed model server", async () => {
    const organisationId = await newOrganisation();
    const pairs = [];
    for (let i = 0; i < ROUNDS; i++) {
      const input = { name: `server ${i}`, role: "language", base_url: "http://10.20.0.5:8000/v1", model: "m" };
      const { server_id } = await services.modelServers.create(organisationId, input, CLI_ACTOR);
      pairs.push([server_id, (await newAgent(organisationId)).agentId]);
    }
    const subject = JSON.stringify(pairs);
    await team.race({ work: "serverOrChoice", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
    const chosen = await db.reader.selectFrom("agent_model_servers").select("server_id").execute();
    expect(await services.modelServers.list(organisationId)).toEqual([]);
    expect(chosen).toEqual([]);
  });
}

/** One of the competing requests for the number succeeded. */
const isKept = ({ outcomes }: Told, i: number): boolean => outcomes[1]?.[i] === "done" || outcomes[3]?.[i] === "done";

export function accountRaces(): void {
  describe("organisations and their people", () => {
    claimRaces();
    ownerRaces();
    trunkRaces();
  });
}
