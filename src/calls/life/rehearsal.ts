// Warm-up after a start: compiles queries, and dials and ends dummy calls in transactions that are rolled back. No line
// is used and nothing is stored. The JIT compiles the code path of calls, so the first real calls are not late.
import { organisationById } from "../../accounts/organisation-store.ts";
import { firstAgent } from "../../agents/store.ts";
import { othersFirst } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import { compileAhead } from "../../db/prepared.ts";
import type { Organisation } from "../../accounts/records.ts";
import type { Agent } from "../../agents/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { CallEnd } from "../call/call-end.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { newCallRow } from "../call/new-call.ts";
import { callById, insertCall } from "../call/store.ts";
import { ClaimRound, type ClaimDeps } from "../queue/claim-round.ts";
import { LinesInUse } from "../queue/lines-in-use.ts";
import { liveCalls } from "../queue/queue-store.ts";

export interface RehearsalDeps extends ClaimDeps {
  ids: Ids;
  lifecycle: Pick<Lifecycle, "end">;
}

/** A number in a range reserved for fiction. */
const NOBODY = "+12025550100";
/** The first run takes five times as long as the fourth; later runs gain little. */
const TIMES = 6;

const ENDS: readonly CallEnd[] = [
  { kind: "failed", code: "busy", message: "A rehearsal." },
  {
    kind: "completed",
    durationSeconds: 1,
    recorded: false,
    transcript: [{ speaker: "agent", text: "A rehearsal.", timestamp: 0 }],
    analytics: { summary: "A rehearsal.", sentiment: "neutral", next_steps: "None.", disposition: "session_ended" },
    extractedDetails: null,
  },
];

class TakenBack extends Error {}

/** `isWanted` is checked between steps. */
export async function rehearse(deps: RehearsalDeps, isWanted: () => boolean): Promise<void> {
  const { db } = deps;
  await compileAhead(db.reader, isWanted);
  const agent = await firstAgent(db.reader);
  const organisation = agent && (await organisationById(db.reader, agent.organisation_id));
  if (!organisation) return;
  for (let i = 0; i < TIMES && isWanted(); i++) {
    const end = ENDS[i % ENDS.length];
    if (end) await takenBack(deps, (tx) => live(deps, tx, { organisation, agent, end }));
    await othersFirst();
  }
}

async function takenBack({ db }: RehearsalDeps, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await db.write(async (tx) => {
      await work(tx);
      throw new TakenBack("This was a rehearsal.");
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

async function live(
  deps: RehearsalDeps,
  tx: Tx,
  { organisation, agent, end }: { organisation: Organisation; agent: Agent; end: CallEnd },
): Promise<void> {
  const now = deps.clock.now();
  const input = {
    organisationId: organisation.id,
    agent,
    source: "api" as const,
    contactNumber: NOBODY,
    contactName: null,
    contactEmail: null,
    preferredLanguage: null,
    additionalInfo: {},
    scheduledAt: now,
  };
  const call = { ...newCallRow(deps.ids, input, now), state: "queued" as const };
  await insertCall(tx, call);
  const round = new ClaimRound(deps, tx, now, new LinesInUse(await liveCalls(tx)), Infinity);
  await round.consider(organisation, call);
  const dialled = await callById(tx, call.id);
  if (dialled) await deps.lifecycle.end(tx, dialled, end);
}
