// Removal of incomplete campaigns concurrent with their completion: an acknowledged campaign stays complete.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createPreparations } from "../../src/campaigns/preparations.ts";
import { OutcomeUnknown } from "../../src/db/outcome-unknown.ts";
import type { Command, Database } from "../../src/db/port.ts";
import type { CampaignPerson } from "../../src/campaigns/records.ts";
import { campaignRow, listedRow } from "../support/campaign-rows.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeEach(async () => void (hospital = await createHospital()));
afterEach(() => hospital.close());

const ROWS = 600;

const rowsOf = (campaignId: string): CampaignPerson[] =>
  Array.from({ length: ROWS }, (_, i) =>
    listedRow({ campaign_id: campaignId, row_number: i + 1, state: "waiting", attempts: 0 }),
  );

const newCampaign = () => {
  const { organisationId: organisation_id, agentId: agent_id } = hospital;
  return campaignRow({ organisation_id, agent_id, row_count: ROWS, look_at: 0 });
};

const nothing = async () => {};

/** The database as another process uses it: `before` runs before each of its commands, numbered from 1. */
function databaseWith(before: (command: number) => Promise<void>): Database {
  const { db } = hospital;
  let commands = 0;
  return {
    ...db,
    reader: db.reader,
    async write<T>(command: Command<T>): Promise<T> {
      commands += 1;
      await before(commands);
      return db.write(command);
    },
  };
}

async function stored() {
  const { reader } = hospital.db;
  const campaigns = await reader.selectFrom("campaigns").select(["id", "state"]).execute();
  const rows = await reader.selectFrom("campaign_rows").select("row_number").execute();
  return { campaigns, rows: rows.length };
}

/** A preparation that pauses before its command number `at` until it is released. */
function heldPreparation(at: number) {
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const db = databaseWith(async (command) => {
    if (command !== at) return;
    reached.resolve();
    await release.promise;
  });
  const campaign = newCampaign();
  const written = createPreparations({ db }).write(campaign, rowsOf(campaign.id), nothing, nothing);
  written.catch(nothing);
  return { reached: reached.promise, release: () => release.resolve(), written };
}

/** The campaign itself, three batches of rows, and the completing command. */
const LAST_COMMAND = 5;

test("a campaign completed after a starting server read it as preparing stays, with every row", async () => {
  const { reached, release, written } = heldPreparation(LAST_COMMAND);
  await reached;
  const db = databaseWith(async () => {
    // It was read as `preparing` and is acknowledged before the first removal.
    release();
    await written;
  });
  await createPreparations({ db }).clear();
  expect(await stored()).toEqual({ campaigns: [{ id: "cmp_1", state: "ready" }], rows: ROWS });
});

test("a started removal is finished: the campaign is not acknowledged, and nothing of it stays", async () => {
  const { reached, release, written } = heldPreparation(LAST_COMMAND);
  await reached;
  const db = databaseWith(async (command) => {
    if (command !== 2) return;
    // 250 rows are gone.
    release();
    await written.catch(nothing);
  });
  await createPreparations({ db }).clear();
  expect(written).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await stored()).toEqual({ campaigns: [], rows: 0 });
});

test("rows written after a removal are rejected as a conflict, and none stays", async () => {
  const { reached, release, written } = heldPreparation(3);
  await reached;
  await createPreparations({ db: hospital.db }).clear();
  release();
  expect(written).rejects.toMatchObject({ code: "CONFLICT" });
  await written.catch(nothing);
  expect(await stored()).toEqual({ campaigns: [], rows: 0 });
});

test("a campaign whose last commit succeeded without an answer stays; one that was not stored is removed", async () => {
  for (const isStored of [true, false]) {
    const { db } = hospital;
    let commands = 0;
    const lossy = {
      ...db,
      reader: db.reader,
      async write<T>(command: Command<T>): Promise<T> {
        commands += 1;
        if (commands !== LAST_COMMAND) return db.write(command);
        if (isStored) await db.write(command);
        throw new OutcomeUnknown(1, null);
      },
    } as Database;
    const campaign = { ...newCampaign(), id: `cmp_${isStored}` };
    const writing = createPreparations({ db: lossy }).write(campaign, rowsOf(campaign.id), nothing, nothing);
    expect(writing).rejects.toBeInstanceOf(OutcomeUnknown);
    await writing.catch(nothing);
  }
  expect(await stored()).toEqual({ campaigns: [{ id: "cmp_true", state: "ready" }], rows: ROWS });
});
