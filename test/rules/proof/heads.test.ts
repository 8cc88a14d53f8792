// Heads are published once a day: the appliance's to a file, each organisation's as an event.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { ProofHeadEvent } from "../../../src/payloads/proof-head.ts";
import { createHeads } from "../../../src/rules/proof/heads.ts";
import { noteForProof } from "../../../src/rules/proof/sealing.ts";
import { readHead } from "../../../src/rules/proof/verify.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { chainOf, endedCall, headAfter } from "../../support/proof-chain.ts";

let hospital: Hospital;
let other: string;
let warnings: string[];
const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
beforeEach(async () => {
  warnings = [];
  hospital = await createHospital();
  await hospital.subscribe();
  other = (await hospital.neighbour()).organisationId;
});
afterEach(() => hospital.close());

async function seal(from: number, count: number, organisationId = hospital.organisationId): Promise<void> {
  const { db, app } = hospital;
  await db.write(async (tx) => {
    for (let at = from; at < from + count; at++) await noteForProof(tx, endedCall(at, organisationId));
  });
  await app.services.sealing.sealAll();
}

function heads(headFile: string) {
  const { db, app } = hospital;
  return createHeads({ db, logger, outbox: app.services.outbox, proofs: app.services.proofs, headFile });
}

async function published(): Promise<{ organisation_id: string; data: ProofHeadEvent }[]> {
  const query = hospital.db.reader.selectFrom("events").select(["organisation_id", "data"]);
  const rows = await query.where("type", "=", "proof.head").orderBy("id").execute();
  return rows.map(({ organisation_id, data }) => ({ organisation_id, data: JSON.parse(data) as ProofHeadEvent }));
}

test("each organisation hears its own head once a day, and of no other", async () => {
  const now = hospital.clock.now();
  await seal(0, 3);
  await seal(10, 2, other);
  const job = heads("");
  await job.run(now);
  await job.run(now + HOUR_MS);
  const [event, ...more] = await published();
  // The neighbour has no endpoint.
  expect(more).toEqual([]);
  expect(event).toMatchObject({ organisation_id: hospital.organisationId, data: { sequence: 3 } });
  expect(readHead(event!.data.line, null)).toMatchObject({
    organisation: hospital.organisationId,
    sequence: 3,
    last: event!.data.last,
  });
  await job.run(now + DAY_MS);
  expect(await published()).toHaveLength(2);
});

test("the file has the head of the whole appliance, and is replaced as a whole", async () => {
  const now = hospital.clock.now();
  const folder = join(hospital.dataDir, "heads");
  const file = join(folder, "head.json");
  const job = heads(file);
  // No proof yet: nothing to publish.
  await job.run(now);
  expect(existsSync(file)).toBeFalse();
  await seal(0, 3);
  await seal(10, 2, other);
  // A folder that is missing is reported, and tried again within the hour.
  await expect(job.run(now)).rejects.toThrow();
  mkdirSync(folder);
  await job.run(now + HOUR_MS);
  expect(readHead(readFileSync(file, "utf8").trimEnd(), null)).toMatchObject({ organisation: null, sequence: 5 });
  expect(readdirSync(folder)).toEqual(["head.json"]);
  await seal(20, 1);
  await job.run(now + 2 * HOUR_MS);
  expect(readHead(readFileSync(file, "utf8").trimEnd(), null).sequence).toBe(5);
  await job.run(now + DAY_MS);
  expect(readHead(readFileSync(file, "utf8").trimEnd(), null).sequence).toBe(6);
});

describe("a published head that is not in the chain", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = join(hospital.dataDir, "heads");
    file = join(folder, "head.json");
    mkdirSync(folder);
  });
  const textOf = (name = "head.json") => readFileSync(join(folder, name), "utf8");
  const sequenceIn = (name?: string) => readHead(textOf(name).trimEnd(), null).sequence;

  /** As after a restore: the last records are gone, and others take their places. */
  async function restored(to: number): Promise<void> {
    const { db } = hospital;
    await db.write((tx) => tx.deleteFrom("proofs").where("sequence", ">", to).execute());
    await seal(100 + to, 1);
  }

  test("is kept beside the new one, in the log and in /readyz", async () => {
    const now = hospital.clock.now();
    const job = heads(file);
    await seal(0, 3);
    await job.run(now);
    const before = textOf();
    await restored(2);
    await job.run(now + DAY_MS);
    expect(readdirSync(folder).toSorted()).toEqual(["head.json", "head.json.3"]);
    expect(textOf("head.json.3")).toBe(before);
    expect(sequenceIn()).toBe(3);
    expect(textOf()).not.toBe(before);
    expect(warnings).toEqual([expect.stringContaining("not in the chain") as string]);
    expect(job.note()).toContain(`${file}.3`);
    // Also after a start, until a person moved it.
    const again = heads(file);
    await again.run(now + DAY_MS + HOUR_MS);
    expect(again.note()).toContain(`${file}.3`);
    rmSync(join(folder, "head.json.3"));
    await again.run(now + DAY_MS + 2 * HOUR_MS);
    expect(again.note()).toBeNull();
  });

  test("does not replace an earlier one of the same number", async () => {
    const now = hospital.clock.now();
    const job = heads(file);
    await seal(0, 3);
    await job.run(now);
    for (const day of [1, 2]) {
      await restored(3 - day);
      if (day === 2) await seal(200, 1);
      await job.run(now + day * DAY_MS);
    }
    expect(readdirSync(folder).toSorted()).toEqual(["head.json", "head.json.3", "head.json.3-2"]);
    expect(textOf("head.json.3")).not.toBe(textOf("head.json.3-2"));
  });

  test("is kept too where it is by a key that the restored database does not have, or cannot be read", async () => {
    const now = hospital.clock.now();
    const job = heads(file);
    await seal(0, 3);
    const foreign = headAfter(chainOf(7));
    writeFileSync(file, `${foreign}\n`);
    await job.run(now);
    writeFileSync(file, "not a head");
    await job.run(now + DAY_MS);
    expect(readdirSync(folder).toSorted()).toEqual(["head.json", "head.json.7", "head.json.unreadable"]);
    expect(textOf("head.json.7")).toBe(`${foreign}\n`);
    expect(textOf("head.json.unreadable")).toBe("not a head");
  });

  test("one that is in the chain is replaced", async () => {
    const now = hospital.clock.now();
    const job = heads(file);
    await seal(0, 3);
    await job.run(now);
    await seal(20, 2);
    await job.run(now + DAY_MS);
    expect(readdirSync(folder)).toEqual(["head.json"]);
    expect([sequenceIn(), warnings, job.note()]).toEqual([5, [], null]);
  });
});

test("an organisation without a proof has no head", async () => {
  await heads("").run(hospital.clock.now());
  expect(await published()).toEqual([]);
  expect(await hospital.app.services.proofs.head(hospital.organisationId)).toBeNull();
});

test("unsealed proofs and the last sealing are figures", async () => {
  const { app, db, clock } = hospital;
  await db.write((tx) => noteForProof(tx, endedCall(1, hospital.organisationId)));
  await app.figures.count();
  expect(app.metrics.render()).toContain("ringward_proofs_unsealed 1");
  await app.services.sealing.sealAll();
  await app.figures.count();
  expect(app.metrics.render()).toContain("ringward_proofs_unsealed 0");
  expect(app.metrics.render()).toContain(`ringward_proofs_sealed_at_seconds ${clock.now() / 1_000}`);
});
