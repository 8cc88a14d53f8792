// What would hold or refuse a call if the legal rules were enforced; see `rules.enforce`.
import { organisationById } from "../accounts/organisation-store.ts";
import { agentById, numbersOfAgent } from "../agents/store.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import { placeOf } from "./call/new-call.ts";
import type { Call } from "./call/records.ts";
import { callOf } from "./call/store.ts";
import { basisOf } from "./queue/dial-basis-store.ts";
import type { DialFactsSource } from "./queue/dial-facts.ts";
import { LinesInUse } from "./queue/lines-in-use.ts";
import { obstaclesShown, reasonOf } from "./queue/policy.ts";

export interface WouldBeHeldDeps {
  db: Database;
  config: Config;
  clock: Clock;
  dialFacts: Pick<DialFactsSource, "factsOf">;
}

export function createWouldBeHeld({ db: { reader }, config, clock, dialFacts }: WouldBeHeldDeps) {
  async function whileWaiting(call: Call): Promise<string[]> {
    const [organisation, agent, numbers] = await Promise.all([
      organisationById(reader, call.organisation_id),
      agentById(reader, call.organisation_id, call.agent_id),
      numbersOfAgent(reader, call.agent_id),
    ]);
    if (!organisation || !agent) return [];
    const question = {
      organisation,
      agent,
      ownHours: call.calling_hours,
      numbers,
      contactNumber: call.contact_number,
      place: placeOf(call),
      source: call.source,
      now: Math.max(clock.now(), call.next_at),
    };
    // The legal rules do not depend on lines.
    const { facts } = await dialFacts.factsOf(reader, question, new LinesInUse([]));
    return obstaclesShown(facts).map(reasonOf);
  }

  /** Hold reasons and refusal codes. A dialled call has those of its dial. */
  return async (organisationId: string, callId: string): Promise<readonly string[]> => {
    const call = await callOf(reader, organisationId, callId);
    if (call?.direction !== "outbound") return [];
    const basis = await basisOf(reader, callId);
    if (basis) return basis.wouldBeHeldBy ?? [];
    const waits = call.state === "scheduled" || call.state === "queued";
    return waits && !config.rules.enforce ? whileWaiting(call) : [];
  };
}

export type WouldBeHeld = ReturnType<typeof createWouldBeHeld>;
