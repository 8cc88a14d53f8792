// Pronunciation list of an organisation: validation, limits and separation.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MOST_PRONUNCIATIONS } from "../../src/agents/pronunciation-service.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { AppError } from "../../src/core/errors.ts";
import { rejectionOf } from "../support/temp.ts";
import { applianceWithTrunks, type ApplianceWithTrunks } from "../trunks/appliance-with-trunks.ts";

let it: ApplianceWithTrunks;
beforeEach(async () => {
  it = await applianceWithTrunks();
});
afterEach(() => it.close());

const put = (word: string, said: string, organisationId = it.ours) =>
  it.pronunciations.put(organisationId, { word, said }, CLI_ACTOR);
const refusal = (promise: Promise<unknown>) => rejectionOf<AppError>(promise);

describe("the pronunciation list", () => {
  test("has each word once, case-insensitive, with the last value and an audit entry", async () => {
    await put("Sharma", "SHAR-ma");
    await put("  SHARMA ", " shur-MAA ");
    await put("d'Souza", "dih-SOO-za");
    expect(await it.pronunciations.list(it.ours)).toEqual([
      { word: "d'Souza", said: "dih-SOO-za" },
      { word: "SHARMA", said: "shur-MAA" },
    ]);
    expect(await it.audited("pronunciation.set")).toHaveLength(3);
    // Entries may name a person, so they are not in the audit trail.
    expect(JSON.stringify(await it.audited("pronunciation.set"))).not.toContain("harma");
  });

  test("removes a word, and reports an unknown one", async () => {
    await put("Sharma", "SHAR-ma");
    await it.pronunciations.remove(it.ours, "sharma", CLI_ACTOR);
    expect(await it.pronunciations.list(it.ours)).toEqual([]);
    expect((await refusal(it.pronunciations.remove(it.ours, "sharma", CLI_ACTOR))).code).toBe("NOT_FOUND");
    expect(await it.audited("pronunciation.removed")).toHaveLength(1);
  });

  test("accepts only single words with a valid pronunciation", async () => {
    const wrong: [word: string, said: string][] = [
      ["", "SHAR-ma"],
      ["Doctor Sharma", "SHAR-ma"],
      ["Sharma|x", "SHAR-ma"],
      ["{Sharma}", "SHAR-ma"],
      ["x".repeat(61), "SHAR-ma"],
      ["Sharma", ""],
      ["Sharma", "shar2ma"],
      ["Sharma", "}{|"],
      ["Sharma", "la-".repeat(30)],
    ];
    for (const [word, said] of wrong) expect((await refusal(put(word, said))).code).toBe("VALIDATION_ERROR");
    expect(await it.pronunciations.list(it.ours)).toEqual([]);
  });

  test("is separate per organisation", async () => {
    await put("Sharma", "SHAR-ma");
    expect(await it.pronunciations.list(it.theirs)).toEqual([]);
    expect((await refusal(it.pronunciations.remove(it.theirs, "Sharma", CLI_ACTOR))).code).toBe("NOT_FOUND");
    await put("Sharma", "shar-MA", it.theirs);
    expect(await it.pronunciations.list(it.ours)).toEqual([{ word: "Sharma", said: "SHAR-ma" }]);
  });

  test("is limited to 500 words, which can still be changed", async () => {
    const letters = (i: number) => String(i).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
    await it.db.write(async (tx) => {
      for (let i = 0; i < MOST_PRONUNCIATIONS; i++) {
        const word = `w${letters(i)}`;
        const row = { organisation_id: it.ours, word_key: word, word, said: "wah", updated_at: 0 };
        await tx.insertInto("pronunciations").values(row).execute();
      }
    });
    const tooMany = await refusal(put("Sharma", "SHAR-ma"));
    expect([tooMany.code, tooMany.message]).toEqual(["CONFLICT", expect.stringContaining("500")]);
    expect(await put("wa", "WAA")).toEqual({ word: "wa", said: "WAA" });
    expect(await put("Sharma", "SHAR-ma", it.theirs)).toMatchObject({ word: "Sharma" });
  });
});
