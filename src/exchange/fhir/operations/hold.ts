// Appointment/$hold (ITI-116): keeps a proposed place for 90 seconds.
import type { Bundle, Reference } from "fhir/r4";
import { clientHold, holdForClient, releaseClientHold, type ClientHold } from "../../../calendar/client-hold.ts";
import { appointmentTypeName, branchNameOf, zoneOf } from "../../../calendar/directory-store.ts";
import type { Audit } from "../../../accounts/audit.ts";
import type { Alongside } from "../../../db/alongside.ts";
import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/tables.ts";
import { toIso, type Clock } from "../../../core/clock.ts";
import { AppError, invalidField, missingField } from "../../../core/errors.ts";
import type { Ids } from "../../../core/ids.ts";
import { idIn, ownId } from "../ids.ts";
import { textOf } from "../json.ts";
import type { Asker } from "../kind.ts";
import { bundleOf } from "./bundle.ts";
import type { OperationInput } from "./parameters.ts";
import { proposalIn, slotIdOf } from "./proposal.ts";
import { held, type Names } from "./proposed.ts";

export const HOLD_PARAMETERS = ["appointment-reference"];

export interface HoldDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  base: string;
}

/** The place of a reference: a proposal, or a hold of this key. */
export interface ReferredPlace {
  slotId: string;
  serviceId: string | null;
  hold: ClientHold | null;
}

export class Holds {
  constructor(private readonly deps: HoldDeps) {}

  async hold(asker: Asker, keyId: string, input: OperationInput, alongside: Alongside<Held>): Promise<Held> {
    const { db } = this.deps;
    const { organisationId, actor } = asker;
    const reference = input.reference("appointment-reference");
    if (!reference) throw invalidField("appointment-reference", missingField("appointment-reference"));
    const proposal = proposalIn(idOf(reference));
    if (!proposal)
      throw new AppError("NOT_FOUND", "appointment-reference must be of an Appointment that $find proposed.");
    const asked = { slotId: slotIdOf(proposal), serviceId: proposal.serviceId };
    return db.write(async (tx) => {
      const hold = await holdForClient(tx, this.deps, { organisationId, keyId }, asked, actor);
      const answer = { id: hold.id, bundle: await this.#bundle(tx, organisationId, hold, "pending") };
      await alongside(tx, answer);
      return answer;
    });
  }

  /** Throws NOT_FOUND if the hold ended, or the reference is of nothing that can be booked. */
  async place(organisationId: string, keyId: string, id: string): Promise<ReferredPlace> {
    const proposal = proposalIn(id);
    if (proposal) return { slotId: slotIdOf(proposal), serviceId: proposal.serviceId, hold: null };
    const hold = await this.find(organisationId, keyId, id);
    if (!hold) throw ended();
    const { window, date, serviceId } = hold;
    return { slotId: slotIdOf({ calendarId: window.id, date }), serviceId, hold };
  }

  async find(organisationId: string, keyId: string, id: string): Promise<ClientHold | undefined> {
    const own = ownId("hld", id);
    const { db, clock } = this.deps;
    return own === null ? undefined : clientHold(db.reader, clock, { organisationId, keyId }, own);
  }

  /** In the transaction that books its place: of two bookings with one hold, one finds it. */
  async take(tx: Tx, organisationId: string, keyId: string, { id }: ClientHold): Promise<void> {
    if (!(await clientHold(tx, this.deps.clock, { organisationId, keyId }, id))) throw ended();
    await releaseClientHold(tx, { id });
  }

  async release(organisationId: string, keyId: string, hold: ClientHold): Promise<Bundle> {
    return this.deps.db.write(async (tx) => {
      await this.take(tx, organisationId, keyId, hold);
      return this.#bundle(tx, organisationId, hold, "cancelled");
    });
  }

  async #bundle(tx: Tx, organisationId: string, hold: ClientHold, status: "pending" | "cancelled"): Promise<Bundle> {
    const resource = held(hold, status, await this.#names(tx, organisationId, hold));
    const text = `Held until ${toIso(hold.expiresAt)}. Book it with $book before.`;
    const issues = status === "pending" ? [{ severity: "information", code: "informational", details: { text } }] : [];
    return bundleOf(this.deps.base, [resource], issues as Parameters<typeof bundleOf>[2]);
  }

  async #names(tx: Tx, organisationId: string, { window, serviceId }: ClientHold): Promise<Names> {
    return {
      branch: await branchNameOf(tx, organisationId, window.branch_id),
      service: await appointmentTypeName(tx, organisationId, serviceId),
      zone: await zoneOf(tx, organisationId, window.branch_id),
    };
  }
}

export interface Held {
  id: string;
  bundle: Bundle;
}

const ended = () => new AppError("NOT_FOUND", "This hold has ended, or was never yours. Send $find, then $hold again.");

export const idOf = ({ reference }: Reference): string =>
  idIn(textOf(reference), "Appointment") ?? textOf(reference) ?? "";
