// Inbound calls of a trunk: finds the number that was dialled, checks whether its agent may answer, and creates the
// call.
import { organisationById } from "../../accounts/organisation-store.ts";
import type { Organisation } from "../../accounts/records.ts";
import { agentById, numbersOfTrunk, numbersTakingCalls } from "../../agents/store.ts";
import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Agent, PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Arrival } from "../../telephony/port.ts";
import { namesOfTrunk } from "../../trunks/trunk-store.ts";
import { e164Of } from "../../core/caller-number.ts";
import { arrivalBasisOf } from "../queue/dial-basis.ts";
import { keepBases, storedBasis, type StoredBasis } from "../queue/dial-basis-store.ts";
import type { DialFactsSource } from "../queue/dial-facts.ts";
import type { CallRequest, DialPlan, ModeQuestion } from "../talks/dial-plan.ts";
import { numberRung } from "./dialled-name.ts";
import type { CallEvents } from "../call/events.ts";
import { LinesInUse } from "../queue/lines-in-use.ts";
import { newCallRow } from "../call/new-call.ts";
import { mayBeTaken } from "../queue/policy.ts";
import { liveCalls } from "../queue/queue-store.ts";
import { callById, insertCall } from "../call/store.ts";

export interface ArrivalDeps {
  clock: Clock;
  ids: Ids;
  dialPlan: DialPlan;
  dialFacts: DialFactsSource;
  events: CallEvents;
  /** `rules.enforce`. */
  isEnforced: boolean;
}

export type ArrivalAnswer =
  | { kind: "accept"; request: CallRequest }
  | { kind: "reject"; why: "unknown_number" | "no_line"; becauseOf?: "words_too_long" };

const NOBODY: ArrivalAnswer = { kind: "reject", why: "unknown_number" };
const NO_LINE: ArrivalAnswer = { kind: "reject", why: "no_line" };
const NO_WORDS: ArrivalAnswer = { kind: "reject", why: "no_line", becauseOf: "words_too_long" };

export function createArrivals({ clock, ids, dialPlan, dialFacts, events, isEnforced }: ArrivalDeps) {
  async function hasLine(tx: Tx, organisation: Organisation, number: PhoneNumber): Promise<boolean> {
    const question = { organisation, numbers: [number], now: clock.now() };
    return mayBeTaken(dialFacts.ofArrival(question, new LinesInUse(await liveCalls(tx))));
  }

  function arrivedCall(arrival: Omit<Arrival, "accept">, agent: Agent, number: PhoneNumber, recording: string): Call {
    const now = clock.now();
    const call = newCallRow(
      ids,
      {
        organisationId: number.organisation_id,
        agent,
        source: "carrier",
        contactNumber: e164Of(arrival.from, number.number),
        contactName: null,
        contactEmail: null,
        preferredLanguage: null,
        additionalInfo: null,
        scheduledAt: now,
      },
      now,
    );
    return {
      ...call,
      id: arrival.callId,
      state: "ringing",
      direction: "inbound",
      phone_number_id: number.id,
      triggered_at: now,
      ringing_at: now,
      recording_file: recording,
      event_sequence: 1,
    };
  }

  function basisFor(question: ModeQuestion & { number: PhoneNumber }): StoredBasis {
    const { call, agent, number, changes } = question;
    const basis = arrivalBasisOf({
      now: call.created_at,
      isEnforced,
      caller: call.contact_number,
      ownNumber: number.number,
      purpose: agent.purpose,
      changes,
      recording: dialPlan.recordingMode(question),
    });
    return storedBasis(call.id, basis);
  }

  /** Runs in the transaction that stores the call: an answered call is always on disk. */
  return async (tx: Tx, arrival: Omit<Arrival, "accept">): Promise<ArrivalAnswer> => {
    const { trunkId } = arrival;
    const ours = await numbersOfTrunk(tx, trunkId);
    const number = numberRung(arrival, await namesOfTrunk(tx, trunkId), ours, await numbersTakingCalls(tx, trunkId));
    const agent = number?.agent_id ? await agentById(tx, number.organisation_id, number.agent_id) : undefined;
    const organisation = number && (await organisationById(tx, number.organisation_id));
    if (!number || !organisation || agent?.type !== "inbound") return NOBODY;
    // Stored by an earlier attempt whose answer was lost.
    const stored = await callById(tx, arrival.callId);
    if (stored && stored.state !== "ringing") return NO_LINE;
    if (!stored && !(await hasLine(tx, organisation, number))) return NO_LINE;
    const made = await dialPlan.files(tx, number);
    const files = { ...made, recording: stored?.recording_file ?? made.recording };
    const call = stored ?? arrivedCall(arrival, agent, number, files.recording);
    const recorded = await dialPlan.recordedWordsOf(tx, agent.id);
    const pronunciations = await dialPlan.pronunciationsOf(tx, agent.organisation_id);
    const servers = await dialPlan.serversOf(tx, agent.organisation_id, agent.id);
    const changes = await dialPlan.ruleChangesOf(tx, agent.organisation_id);
    const timeZone = await dialPlan.timeZoneOf(tx, call, agent);
    const branchName = await dialPlan.branchNameOf(tx, call, agent);
    const words = { recorded, pronunciations, servers, changes };
    const request = dialPlan.request({ organisation, call, agent, number, ...words, files, timeZone, branchName });
    if (!request) return NO_WORDS;
    if (stored) return { kind: "accept", request };
    await insertCall(tx, call);
    await keepBases(tx, [basisFor({ organisation, call, agent, number, changes })]);
    await events.publish(tx, call, agent, "initiated");
    return { kind: "accept", request };
  };
}

export type Arrivals = ReturnType<typeof createArrivals>;
