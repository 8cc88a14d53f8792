// Test fixture: a clinic with a waiting list, and calls about slots that a test ends.
import { createWaitingLoop } from "../../src/waiting-list/loop.ts";
import { waitingSettings } from "../../src/waiting-list/rules.ts";
import type { CreateWaitingInput } from "../../src/waiting-list/model.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Row } from "../../src/db/tables.ts";
import type { WaitingEntry, WaitingOffer } from "../../src/waiting-list/records.ts";
import { LONGEST_SLEEP_MS } from "../../src/scheduler/loop.ts";
import { BRANCH, createClinic, type Clinic } from "../calendar/clinic.ts";
import type { HospitalOptions } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";
import type { DialledCall } from "../support/fake-carrier.ts";

export interface Ward extends Clinic {
  /** Returns their id. Each name has its own number. */
  waits(name: string, changes?: Partial<CreateWaitingInput>, source?: WaitingEntry["source"]): Promise<string>;
  /** People whose phone rings now, in the order of dialling. */
  ringing(): string[];
  /** The live call to a person. */
  callTo(name: string): DialledCall;
  entry(id: string): Promise<Row<"waiting_list">>;
  /** As `name state`, in the order of creation. */
  offers(): Promise<string[]>;
  offerRows(): Promise<WaitingOffer[]>;
  /** Advances the clock and runs what is due by then. */
  later(ms: number): Promise<void>;
  /** Runs what is due, without the scheduler. */
  look(): Promise<number | null>;
}

export async function createWard(options: HospitalOptions = {}): Promise<Ward> {
  const clinic = await createClinic({ agent: { greeting: "Hello.", prompt: "Offer it." }, ...options });
  const { app, db, clock, carrier, config, organisationId } = clinic;
  const { waitingList, waitingOffers, calls } = app.services;
  const loop = createWaitingLoop({
    db,
    clock,
    logger: silentLogger,
    settings: waitingSettings(config),
    offers: waitingOffers,
    calls,
  });
  const names = new Map<string, string>();
  const numberOf = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const number = `+9198100${String(20_000 + names.size)}`;
    names.set(name, number);
    return number;
  };
  const nameOf = (number: string) => [...names].find(([, each]) => each === number)?.[0] ?? number;
  const live = () => carrier.dialled.filter(({ callId }) => carrier.live.has(callId));

  return {
    ...clinic,
    async waits(name, changes = {}, source = "dashboard") {
      const input = { branch_id: BRANCH, contact_name: name, contact_number: numberOf(name), ...changes };
      return (await waitingList.add(organisationId, input, source, CLI_ACTOR)).waiting_id;
    },
    ringing: () => live().map(({ to }) => nameOf(to)),
    callTo(name) {
      const call = live().find(({ to }) => nameOf(to) === name);
      if (!call) throw new Error(`Nobody calls ${name}.`);
      return call;
    },
    async entry(id) {
      await settle();
      return db.reader.selectFrom("waiting_list").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    },
    async offers() {
      await settle();
      const rows = await db.reader
        .selectFrom("waiting_offers")
        .innerJoin("waiting_list", "waiting_list.id", "waiting_offers.entry_id")
        .select(["contact_name", "waiting_offers.state"])
        .orderBy("waiting_offers.id")
        .execute();
      return rows.map(({ contact_name, state }) => `${contact_name} ${state}`);
    },
    offerRows: () => db.reader.selectFrom("waiting_offers").selectAll().orderBy("id").execute(),
    async later(ms) {
      clock.pass(ms - LONGEST_SLEEP_MS);
      await clock.advance(LONGEST_SLEEP_MS);
    },
    look: () => loop.runDue(),
  };
}
