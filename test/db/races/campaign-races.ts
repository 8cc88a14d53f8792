// Races on campaigns, by four processes: stop and pause while running, delete while retried.
import { describe, expect, test } from "bun:test";
import { CAMPAIGN_PAUSED } from "../../../src/calls/queue/policy.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { callsOf, db, newAgent, newOrganisation, numberOf, ROUNDS, services, team } from "./ground.ts";
import { LINES_OF_THE_PLAN } from "./world.ts";

async function newCampaign(people: number): Promise<{ organisationId: string; agentId: string; campaignId: string }> {
  const organisationId = await newOrganisation();
  const { agentId } = await newAgent(organisationId);
  const rows = Array.from({ length: people }, (_, i) => ({ user_number: numberOf(i) }));
  const input = { name: "List", agent_id: agentId, calls_per_minute: 600, rows };
  const { campaign_id } = await services.campaigns.create(organisationId, input, CLI_ACTOR);
  return { organisationId, agentId, campaignId: campaign_id };
}

const campaignRow = (id: string) =>
  db.reader.selectFrom("campaigns").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const rowsOf = (campaignId: string) =>
  db.reader.selectFrom("campaign_rows").selectAll().where("campaign_id", "=", campaignId).execute();

export function campaignRaces(): void {
  describe("campaigns that are stopped", () => {
    test("a campaign that is stopped while it creates calls places no more", async () => {
      const { organisationId, campaignId } = await newCampaign(20);
      await team.race({ work: "stopAmidFeeding", organisationId, subject: campaignId, times: 4, atOnce: 2 });
      expect(new Set((await callsOf(organisationId)).map(({ state }) => state))).not.toContain("scheduled");
      expect(new Set((await rowsOf(campaignId)).map(({ state }) => state))).toEqual(new Set(["cancelled"]));
      expect((await campaignRow(campaignId)).state).toBe("stopped");
    });

    test("a campaign that is paused while it dials: every call has begun or is held", async () => {
      const { organisationId, campaignId } = await newCampaign(20);
      await team.race({ work: "feed", organisationId, times: 3, atOnce: 1 });
      const before = (await callsOf(organisationId)).length;
      const told = await team.race({
        work: "pauseAmidDialling",
        organisationId,
        subject: campaignId,
        times: 4,
        atOnce: 2,
      });
      const calls = await callsOf(organisationId);
      const [begun, others] = [true, false].map((isBegun) =>
        calls.filter(({ state }) => (state === "initiated") === isBegun),
      );
      const ids = new Set(calls.map(({ id }) => id));
      expect(told.dialled.filter((id) => ids.has(id)).toSorted()).toEqual((begun ?? []).map(({ id }) => id).toSorted());
      expect((begun ?? []).length).toBeLessThanOrEqual(LINES_OF_THE_PLAN);
      expect(new Set((others ?? []).map(({ hold_reason }) => hold_reason))).toEqual(new Set([CAMPAIGN_PAUSED]));
      expect(calls).toHaveLength(before);
      await services.campaigns.stop(organisationId, campaignId, CLI_ACTOR);
    });

    test("a campaign that is deleted while it is retried ends in one of both states", async () => {
      const campaigns = [];
      for (let i = 0; i < ROUNDS; i++) {
        const { organisationId, campaignId } = await newCampaign(3);
        await services.campaigns.stop(organisationId, campaignId, CLI_ACTOR);
        const failed = { state: "done" as const, outcome: "busy" };
        await db.write((tx) =>
          tx.updateTable("campaign_rows").set(failed).where("campaign_id", "=", campaignId).execute(),
        );
        campaigns.push({ organisationId, campaignId });
      }
      const subject = JSON.stringify(campaigns);
      await team.race({ work: "forget", organisationId: "", subject, times: ROUNDS, atOnce: ROUNDS });
      for (const { organisationId, campaignId } of campaigns) {
        const { state, forgotten_at } = await campaignRow(campaignId);
        const people = (await rowsOf(campaignId)).length;
        if (forgotten_at === null) {
          expect([state, people]).toEqual(["ready", 3]);
          await services.campaigns.stop(organisationId, campaignId, CLI_ACTOR);
        } else expect([state, people]).toEqual(["stopped", 0]);
      }
    });

    test("an agent that is archived while a list is created for it: one of both", async () => {
      const subjects = [];
      for (let i = 0; i < ROUNDS; i++) {
        const organisationId = await newOrganisation();
        subjects.push({ organisationId, agentId: (await newAgent(organisationId)).agentId });
      }
      const subject = JSON.stringify(subjects);
      await team.race({ work: "archive", organisationId: "", subject, times: ROUNDS, atOnce: ROUNDS });
      for (const { organisationId, agentId } of subjects) {
        const { archived_at } = await db.reader
          .selectFrom("agents")
          .select("archived_at")
          .where("id", "=", agentId)
          .executeTakeFirstOrThrow();
        const campaigns = await db.reader
          .selectFrom("campaigns")
          .select("id")
          .where("organisation_id", "=", organisationId)
          .execute();
        expect(campaigns.length).toBe(archived_at === null ? 2 : 0);
        for (const { id } of campaigns) await services.campaigns.stop(organisationId, id, CLI_ACTOR);
      }
    });
  });
}
