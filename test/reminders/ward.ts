// Test fixture: a clinic with a reminder rule, its planned and dialled calls, and a clock that jumps.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Row } from "../../src/db/tables.ts";
import type { RuleInput } from "../../src/reminders/model.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { createClinic, type Clinic } from "../calendar/clinic.ts";
import type { HospitalOptions } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

/** Longer than the scheduler's maximum sleep. */
const ROUND_MS = 31_000;

export interface Ward extends Clinic {
  window: Slot;
  rule(changes?: RuleInput): Promise<string>;
  changeRule(id: string, changes: RuleInput): Promise<void>;
  /** Sets the clock to this time, and lets the scheduler run. */
  goTo(iso: string): Promise<void>;
  rows(): Promise<Row<"reminders">[]>;
  /** State and outcome of each reminder, in the order of planning. */
  fates(): Promise<string[]>;
  /** Ids of the calls created by reminders, in order. */
  dialled(): string[];
}

export async function createWard(options: HospitalOptions = {}): Promise<Ward> {
  const clinic = await createClinic(options);
  const window = await clinic.createWindow();
  const { reminderRules } = clinic.app.services;
  await clinic.app.start();

  async function rounds(): Promise<void> {
    await clinic.clock.advance(ROUND_MS);
    await clinic.clock.advance(ROUND_MS);
  }

  const rows = async () => {
    await settle();
    return clinic.db.reader.selectFrom("reminders").selectAll().orderBy("id").execute();
  };
  return {
    ...clinic,
    window,
    async rule(changes = {}) {
      const rule = { agent_id: clinic.agentId, ...changes };
      const { rule_id } = await reminderRules.create(clinic.organisationId, rule, CLI_ACTOR);
      await clinic.clock.advance(1);
      return rule_id;
    },
    async changeRule(id, changes) {
      await reminderRules.update(clinic.organisationId, id, changes, CLI_ACTOR);
      await clinic.clock.advance(1);
    },
    async goTo(iso) {
      clinic.clock.pass(Date.parse(iso) - clinic.clock.now());
      await rounds();
    },
    rows,
    async fates() {
      return (await rows()).map(({ state, outcome }) => (outcome === null ? state : `${state}: ${outcome}`));
    },
    dialled: () => clinic.carrier.dialled.map(({ callId }) => callId),
  };
}
