// Versions of an agent: author, time, content and restore.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, type Actor } from "../../../src/core/actor.ts";
import type { AgentInput } from "../../../src/agents/checked-agent.ts";
import { MOST_VERSIONS } from "../../../src/agents/versions/versions.ts";
import type { AppError } from "../../../src/core/errors.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { rejectionOf } from "../../support/temp.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const agents = () => hospital.app.services.agents;
const change = (input: Partial<AgentInput>, actor: Actor = CLI_ACTOR) =>
  agents().update(hospital.organisationId, hospital.agentId, input, actor);
const versions = () => agents().versions(hospital.organisationId, hospital.agentId);
const restore = (version: number) => agents().restore(hospital.organisationId, hospital.agentId, version, CLI_ACTOR);
const now = () => new Date(hospital.clock.now()).toISOString();

describe("an agent's versions", () => {
  test("start with its creation, and record who changed what and when", async () => {
    const nurse = await signedIn(hospital.app, hospital.organisationId, "staff");
    await hospital.clock.advance(60_000);
    await change({ greeting: "Namaste.", retry_attempts: 2 }, { kind: "person", id: nurse.personId });
    expect(await versions()).toMatchObject([
      {
        version: 2,
        at: now(),
        by: { kind: "person", name: "The staff" },
        restored_from: null,
        changed: ["greeting", "retry_attempts"],
      },
      { version: 1, by: { kind: "cli", name: null }, changed: [] },
    ]);
  });

  test("are not created without a change", async () => {
    await change({ greeting: "Hello {{user_name}}." });
    expect(await versions()).toHaveLength(1);
  });

  test("show their difference from the previous or any other", async () => {
    await change({ greeting: "Namaste {{user_name}}." });
    await change({ voice: "emma" });
    const show = (version: number, against?: number) =>
      agents().version(hospital.organisationId, hospital.agentId, version, against);
    expect((await show(3)).differences).toEqual([{ field: "voice", before: "default", after: "emma", pieces: null }]);
    expect((await show(1, 3)).differences.map(({ field }) => field)).toEqual(["voice", "greeting"]);
    expect(await show(1)).toMatchObject({
      against: null,
      differences: [],
      fields: { greeting: "Hello {{user_name}}." },
    });
    expect((await rejectionOf<AppError>(show(4))).code).toBe("NOT_FOUND");
    expect((await rejectionOf<AppError>(show(1, 9))).code).toBe("NOT_FOUND");
  });

  test("are restored as a new version, which calls use", async () => {
    await change({ greeting: "Namaste.", prompt: "Another." });
    expect(await restore(1)).toMatchObject({ greeting: "Hello {{user_name}}.", prompt: "Confirm {{visit}}." });
    expect((await versions())[0]).toMatchObject({ version: 3, restored_from: 1, changed: ["prompt", "greeting"] });
    expect(await hospital.actionsOnRecord()).toContain("agent.restored");
    await hospital.app.start();
    const callId = await hospital.dial({ user_name: "Meera" });
    expect(hospital.carrier.dialled.find((call) => call.callId === callId)?.brief.greeting).toBe("Hello Meera.");
  });

  test("do not restore a transfer target that is no longer allowed", async () => {
    await change({ transfer_to: "201" });
    await hospital.db.write(async (tx) => {
      const forbidden = JSON.stringify({ transfer_to: "+19005550100" });
      await tx.updateTable("agent_versions").set({ fields: forbidden }).where("version", "=", 1).execute();
    });
    expect((await rejectionOf<AppError>(restore(1))).details[0]?.field).toBe("transfer_to");
    expect(await versions()).toHaveLength(2);
  });

  test(`are the newest ${MOST_VERSIONS}`, async () => {
    for (let i = 0; i < MOST_VERSIONS + 1; i++) await change({ greeting: `Hello ${i}.` });
    const kept = await versions();
    expect([kept.length, kept[0]?.version, kept.at(-1)?.version]).toEqual([MOST_VERSIONS, MOST_VERSIONS + 2, 3]);
  });

  test("are separate per organisation", async () => {
    const other = await hospital.neighbour();
    for (const asked of [
      () => agents().versions(hospital.organisationId, other.agentId),
      () => agents().version(hospital.organisationId, other.agentId, 1),
      () => agents().restore(hospital.organisationId, other.agentId, 1, CLI_ACTOR),
    ])
      expect((await rejectionOf<AppError>(asked())).code).toBe("NOT_FOUND");
  });
});

describe("at the dashboard", () => {
  const path = () => `/dashboard/api/agents/${hospital.agentId}/versions`;
  const restoredBy = async (visitor: Visitor) => (await visitor.ask("POST", `${path()}/1/restore`)).status;

  test("all roles see them, and staff can restore", async () => {
    await change({ greeting: "Namaste." });
    const viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
    expect((await viewer.ask("GET", path())).json).toHaveLength(2);
    expect((await viewer.ask("GET", `${path()}/1?against=2`)).json).toMatchObject({ against: 2 });
    expect((await viewer.ask("GET", `${path()}/none`)).status).toBe(400);
    expect(await restoredBy(viewer)).toBe(403);
    expect(await restoredBy(await signedIn(hospital.app, hospital.organisationId, "staff"))).toBe(200);
  });
});
