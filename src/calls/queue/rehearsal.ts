// What the first calls after a start would wait for, done before they are due. Nothing of it is written, and nobody hears of it:
// queries are compiled, and a call that is none is planned as far as it goes without a line.
import { organisationById } from "../../accounts/organisation-store.ts";
import { firstAgent, numbersOfAgent } from "../../agents/store.ts";
import { othersFirst, type Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import { wallTime } from "../../core/zones.ts";
import type { Database } from "../../db/database.ts";
import { compileAhead } from "../../db/prepared.ts";
import type { AgentRow, CallRow, OrganisationRow } from "../../db/tables.ts";
import { newCallRow } from "../new-call.ts";
import type { DialFactsSource } from "./dial-facts.ts";
import type { DialPlan } from "./dial-plan.ts";
import { LinesInUse } from "./lines-in-use.ts";
import { judge } from "./policy.ts";
import { liveCalls } from "./queue-store.ts";

export interface RehearsalDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  dialPlan: DialPlan;
  dialFacts: DialFactsSource;
}

/** Of a range that is given to nobody. */
const NOBODY = "+12025550100";
/** After the first times the runtime has what runs most often in a faster form. */
const TIMES = 5;

/** `isWanted` is asked between its pieces, which take a few milliseconds each. */
export async function rehearse(deps: RehearsalDeps, isWanted: () => boolean): Promise<void> {
  const { db, clock, ids } = deps;
  await compileAhead(db.reader, isWanted);
  const agent = await firstAgent(db.reader);
  const organisation = agent && (await organisationById(db.reader, agent.organisation_id));
  if (!organisation) return;
  for (let i = 0; i < TIMES && isWanted(); i++) {
    const input = {
      organisationId: organisation.id,
      agent,
      source: "api" as const,
      contactNumber: NOBODY,
      contactName: null,
      contactEmail: null,
      preferredLanguage: null,
      additionalInfo: {},
      scheduledAt: clock.now(),
    };
    await plan(deps, organisation, agent, newCallRow(ids, input, clock.now()));
    await othersFirst();
  }
}

async function plan(
  { db, clock, dialPlan, dialFacts }: RehearsalDeps,
  organisation: OrganisationRow,
  agent: AgentRow,
  call: CallRow,
): Promise<void> {
  const { reader } = db;
  const numbers = await numbersOfAgent(reader, agent.id);
  const question = { organisation, agent, numbers, contactNumber: call.contact_number, now: clock.now() };
  const { facts, number } = await dialFacts.factsOf(reader, question, new LinesInUse(await liveCalls(reader)));
  judge(facts);
  if (!number) return;
  const timeZone = await dialPlan.timeZoneOf(reader, call, agent);
  wallTime(clock.now(), timeZone);
  dialPlan.request({
    call,
    agent,
    number,
    recorded: await dialPlan.recordedWordsOf(reader, agent.id),
    pronunciations: await dialPlan.pronunciationsOf(reader, organisation.id),
    servers: await dialPlan.serversOf(reader, organisation.id, agent.id),
    files: await dialPlan.files(reader, number),
    timeZone,
    branchName: await dialPlan.branchNameOf(reader, call, agent),
  });
}
