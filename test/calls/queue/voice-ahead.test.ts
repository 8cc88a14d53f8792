// Which words of which calls are made ahead, and that only lines about nobody are kept for good.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { insertAgent } from "../../../src/agents/store.ts";
import { createVoiceAhead, type CallToSay } from "../../../src/calls/queue/voice-ahead.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import type { AgentRow } from "../../../src/db/tables.ts";
import { NO_SERVERS, type ServerChoices } from "../../../src/speech/servers/choices.ts";
import { agentRow, callRow } from "../../support/call-rows.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";

let world: TestApp;
beforeEach(async () => void (world = await createTestApp()));
afterEach(() => world.close());

const HINDI = { language: "hi-IN", voice: "psi", greeting: "नमस्ते {{contact_name}} जी, सिटी अस्पताल से कॉल है।" };

function setStage(isReady = false, servers: ServerChoices = NO_SERVERS) {
  const asked: { clauses: readonly string[]; voice: string }[] = [];
  const stocked: { clauses: readonly string[]; voice: string }[] = [];
  const ahead = createVoiceAhead({
    db: world.db,
    clock: world.clock,
    voice: () => ({
      isReady: (clauses, voice) => (asked.push({ clauses, voice }), isReady),
      stock: (clauses, voice) => void stocked.push({ clauses, voice }),
    }),
    wordsOf: async () => ({ recorded: [], pronunciations: [], servers }),
  });
  return { ahead, asked, stocked };
}

const toSay = (change: Partial<CallToSay> = {}): CallToSay => ({
  call: callRow({ contact_name: "रमेश" }),
  agent: agentRow(HINDI),
  recorded: [],
  pronunciations: [],
  servers: NO_SERVERS,
  ...change,
});

test("a Hindi call waits for its greeting, with the contact's name in it, and for what it will say next", () => {
  const { ahead, asked } = setStage();
  expect(ahead.isReady(toSay())).toBeFalse();
  expect(asked[0]?.voice).toBe("psi");
  expect(asked[0]?.clauses.slice(0, 2)).toEqual(["नमस्ते रमेश जी,", "सिटी अस्पताल से कॉल है।"]);
  expect(asked[0]?.clauses).toContain("पक्का करने के लिए एक दबाइए।");
  expect(asked[0]?.clauses).toContain("धन्यवाद।");
});

test("recorded words need no voice, and an organisation's pronunciations are part of what is made", () => {
  const { ahead, asked } = setStage();
  ahead.isReady(toSay({ recorded: [{ kind: "menu", key: "k" }], pronunciations: [{ word: "सिटी", said: "SIT-ee" }] }));
  expect(asked[0]?.clauses).toContain("{सिटी|SIT-ee} अस्पताल से कॉल है।");
  expect(asked[0]?.clauses.some((clause) => clause.includes("पक्का करने"))).toBeFalse();
});

test("calls in English wait for nothing, also of a Hindi agent, and Hindi ones of an English agent do", () => {
  const { ahead, asked } = setStage();
  expect(ahead.isReady(toSay({ agent: agentRow() }))).toBeTrue();
  expect(ahead.isReady(toSay({ call: callRow({ preferred_language: "en" }) }))).toBeTrue();
  expect(asked).toEqual([]);
  expect(ahead.isReady(toSay({ agent: agentRow(), call: callRow({ preferred_language: "hi" }) }))).toBeFalse();
});

async function addAgent(change: Partial<AgentRow>): Promise<AgentRow> {
  const agent = agentRow({ ...change, organisation_id: world.organisationId });
  await world.db.write((tx) => insertAgent(tx, agent));
  return agent;
}

test("stock is what agents always say, and the days and times of the next weeks: nothing that a call fills in", async () => {
  const { ahead, stocked } = setStage();
  await addAgent({ ...HINDI, id: "agt_hi", name: "सिटी अस्पताल" });
  await addAgent({ id: "agt_en" });
  await ahead.prepare();
  expect(stocked).toHaveLength(1);
  const clauses = stocked[0]?.clauses ?? [];
  for (const clause of [
    "सिटी अस्पताल से कॉल है।",
    "यह सिटी अस्पताल की ओर से कॉल है।",
    "इसके लिए तीन दबाइए।",
    "रविवार पंद्रह नवंबर,",
    "सोमवार तीस नवंबर,",
    "सुबह साढ़े दस बजे।",
    "शाम पौने आठ बजे।",
  ])
    expect(clauses).toContain(clause);
  expect(clauses.filter((clause) => /[{}A-Za-z]/.test(clause))).toEqual([]);
  expect(new Set(clauses).size).toBe(clauses.length);
});

test("where the hospital has a voice of its own, stock is also what a talking agent says when that one fails", async () => {
  const command = { kind: "command", id: "v", name: "v", command: ["say"], languages: ["hi"], totalMs: 1_000 } as const;
  const { ahead, stocked } = setStage(false, { ...NO_SERVERS, voice: [command] });
  await addAgent({ ...HINDI, id: "agt_hi", name: "सिटी अस्पताल" });
  await ahead.prepare();
  const clauses = stocked[0]?.clauses ?? [];
  expect(clauses[0]).toBe("एक क्षण रुकिए।");
  expect(clauses).toContain("आपकी आवाज़ ठीक से नहीं आ रही।");
  expect(clauses).toContain("सुबह साढ़े दस बजे।");
  expect(clauses.filter((clause) => /[{}A-Za-z]/.test(clause))).toEqual([]);
});

test("a voice of the hospital's own is the call's where it has the call's language", () => {
  const command = {
    kind: "command",
    id: "v",
    name: "v",
    command: ["say"],
    languages: ["hi-IN"],
    totalMs: 1_000,
  } as const;
  const servers = { ...NO_SERVERS, voice: [command] };
  const { ahead } = setStage();
  expect(ahead.isReady(toSay({ servers }))).toBeTrue();
  expect(ahead.isReady(toSay({ servers, call: callRow({ preferred_language: "hi" }) }))).toBeFalse();
});

test("calls that are due soon are prepared, and those of tomorrow are not yet", async () => {
  const { ahead, asked } = setStage();
  const agent = await addAgent({ ...HINDI, id: "agt_hi" });
  const at = (id: string, minutes: number) =>
    callRow({
      id,
      organisation_id: world.organisationId,
      agent_id: agent.id,
      contact_name: id,
      next_at: world.clock.now() + minutes * MINUTE_MS,
    });
  await world.db.write((tx) =>
    tx
      .insertInto("calls")
      .values([at("soon", 2), at("later", 24 * 60)])
      .execute(),
  );
  await ahead.prepare();
  expect(asked.map(({ clauses }) => clauses[0])).toEqual(["नमस्ते soon जी,"]);
});
