// The connection breaks during the commit of a claim: its calls are dialled once if they were claimed, and never
// otherwise.
import { afterEach, expect, test } from "bun:test";
import type { Command } from "../../../src/db/database.ts";
import { OutcomeUnknown } from "../../../src/db/outcome-unknown.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { rejectionOf } from "../../support/temp.ts";
import { UnsureClaims, type Claim } from "../../../src/calls/queue/unsure-claims.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

const claimOf = (...ids: string[]): Claim => ({
  dials: ids.map((callId) => ({ line: { callId } }) as Claim["dials"][number]),
  wordless: [],
  more: true,
  roomless: 0,
  at: 0,
});

test("calls claimed in the database are dialled once it answers again, and only once", async () => {
  hospital = await createHospital();
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
  const begun: string[] = [];
  const begin = ({ dials }: Claim) => void begun.push(...dials.map(({ line }) => line.callId));
  await unsure.stored((command) => db.write(command), begin);
  await unsure.stored((command) => db.write(command), begin);
  expect(begun).toEqual([stored]);
});

test("a claim that failed for another reason is not resumed", async () => {
  hospital = await createHospital();
  const unsure = new UnsureClaims();
  const refused = unsure.claim(
    () => Promise.reject(new Error("no")),
    async () => claimOf("call_1"),
  );
  expect((await rejectionOf(refused)).message).toBe("no");
  await unsure.stored(
    (command) => hospital.db.write(command),
    () => expect.unreachable(),
  );
});
