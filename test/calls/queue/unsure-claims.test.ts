// The connection breaks during the commit of a claim: a call that was claimed goes back to the queue once, and is
// judged again before it is dialled.
import { afterEach, expect, test } from "bun:test";
import type { Command } from "../../../src/db/database.ts";
import { OutcomeUnknown } from "../../../src/db/outcome-unknown.ts";
import { createHospital } from "../../support/hospital.ts";
import { faultsOf } from "../../support/lawful-oracle.ts";
import { LawfulWorld } from "../../support/lawful-world.ts";
import { rejectionOf } from "../../support/temp.ts";
import { UnsureClaims, type Claim } from "../../../src/calls/queue/unsure-claims.ts";

let opened: { close(): Promise<void> };
afterEach(() => opened.close());

async function openHospital() {
  const hospital = await createHospital();
  opened = hospital;
  return hospital;
}

const claimOf = (...ids: string[]): Claim => ({
  dials: ids.map((callId) => ({ line: { callId } }) as Claim["dials"][number]),
  wordless: [],
  more: true,
  roomless: 0,
  at: 0,
});

test("calls claimed in the database go back to the queue once it answers again, and only once", async () => {
  const hospital = await openHospital();
  const { db } = hospital;
  const [stored, other] = [await hospital.schedule(), await hospital.schedule()];
  const unsure = new UnsureClaims();
  const lost = async (command: Command<Claim>): Promise<Claim> => {
    await db.write(command);
    throw new OutcomeUnknown(2, null);
  };
  const claim = unsure.claim(lost, async (tx) => {
    await tx.updateTable("calls").set({ state: "initiated" }).where("id", "=", stored).execute();
    return claimOf(stored, other);
  });
  expect(await rejectionOf(claim)).toBeInstanceOf(OutcomeUnknown);
  const ended: unknown[] = [];
  const end = (...given: unknown[]) => void ended.push(given);
  await unsure.giveBack((command) => db.write(command), end);
  await unsure.giveBack((command) => db.write(command), end);
  expect(ended).toEqual([[stored, expect.objectContaining({ kind: "failed", putBack: true })]]);
});

test("a claim that failed for another reason is forgotten", async () => {
  const hospital = await openHospital();
  const unsure = new UnsureClaims();
  const refused = unsure.claim(
    () => Promise.reject(new Error("no")),
    async () => claimOf("call_1"),
  );
  expect((await rejectionOf(refused)).message).toBe("no");
  await unsure.giveBack(
    (command) => hospital.db.write(command),
    () => expect.unreachable(),
  );
});

/** 19:59 in India. */
const LATE = "2026-11-15T14:29:00Z";

test("a call claimed at 19:59, with its commit unknown until 23:00, rings in the morning and counts once", async () => {
  const world = await LawfulWorld.open(LATE);
  opened = world;
  await world.live({ do: "call", person: 0, agent: "service", isCallback: false });
  await world.live({ do: "lose", hours: 3 });
  expect(world.rings).toEqual([]);
  await world.live({ do: "pass", hours: 11 });
  expect(world.rings).toHaveLength(1);
  expect(faultsOf(world.rings)).toEqual([]);
  expect(await world.counted()).toEqual({ claimed: 1, counted: 1 });
});
