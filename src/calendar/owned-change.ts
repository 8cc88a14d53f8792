// What a change becomes where a source owns the appointment: cancelling and moving become wishes, other changes of
// owned fields are refused. Confirming is a fact of ours.
import { AppError } from "../core/errors.ts";
import { checkedText } from "../payloads/identifiers.ts";
import type { OwnedPart } from "../payloads/source.ts";
import type { CallAnswer } from "./contact-answer.ts";
import type { PatchAppointmentInput } from "./model.ts";
import { NO_SOURCE, type Appointment } from "./records.ts";
import type { Owner } from "./source-store.ts";

type Patch = Partial<Omit<Appointment, "id" | "organisation_id">>;

const { wish, wished_at, wish_call_id, wish_text, wish_state } = NO_SOURCE;
export const NO_WISH = { wish, wished_at, wish_call_id, wish_text, wish_state };

const CONTACT_FIELDS = ["contact_name", "contact_number", "contact_email", "notes"] as const;

export interface OwnedChange {
  /** The wish, and the contact's answer. */
  patch: Patch;
  /** Changes that the owner leaves to us. */
  left: PatchAppointmentInput;
}

export function ownedChange(
  row: Appointment,
  owner: Owner,
  input: PatchAppointmentInput,
  now: number,
  inCall: CallAnswer | null,
): OwnedChange {
  const { status, wish: asked, ...left } = input;
  assertNotOwned(row, owner, input);
  const wishes = new Wishes(row, now, inCall?.callId ?? null);
  const patch: Patch = {};
  if (asked === null) Object.assign(patch, wishes.withdrawn());
  if (asked) Object.assign(patch, wishes.asked(asked.wish, asked.text ?? null));
  const isCancelled = status === "cancelled" && owner.owns.has("status");
  if (isCancelled) Object.assign(patch, wishes.asked("cancel", null));
  if (inCall) Object.assign(patch, answerOf(row, owner, wishes, now, inCall));
  return { patch, left: status === undefined || isCancelled ? left : { ...left, status } };
}

function answerOf(
  row: Appointment,
  owner: Owner,
  wishes: Wishes,
  now: number,
  { callId, answer, wishText }: CallAnswer,
) {
  const noAnswer = { contact_confirmed_at: null, change_requested_at: null };
  switch (answer) {
    case "confirmed":
      return { contact_confirmed_at: now, change_requested_at: null, ...wishes.withdrawn() };
    case "withdrawn":
      return { ...noAnswer, ...(row.wish_call_id === callId ? wishes.withdrawn() : {}) };
    case "cancelled":
      return owner.owns.has("status") ? noAnswer : { ...noAnswer, contact_cancelled_at: now };
    case "change_requested": {
      const asked = owner.owns.has("time") ? wishes.asked("move", wishText ?? null) : {};
      return { ...noAnswer, change_requested_at: now, ...asked };
    }
  }
}

class Wishes {
  constructor(
    private readonly row: Appointment,
    private readonly now: number,
    private readonly callId: string | null,
  ) {}

  /** The same wish again changes nothing. */
  asked(asked: "cancel" | "move", text: string | null): Patch {
    const { row } = this;
    if (row.wish_state === "open" && row.wish === asked && (text === null || text === row.wish_text)) return {};
    return { wish: asked, wish_state: "open", wished_at: this.now, wish_call_id: this.callId, wish_text: text };
  }

  /** An answered wish stays as it is. */
  withdrawn(): Patch {
    return this.row.wish_state === "open" ? NO_WISH : {};
  }
}

function assertNotOwned(row: Appointment, { name, owns }: Owner, input: PatchAppointmentInput): void {
  const changed: [OwnedPart, boolean][] = [
    ["time", input.slot_id !== undefined],
    ["status", input.status !== undefined && input.status !== row.status && input.status !== "cancelled"],
    ["service", differs(input.appointment_type_id?.toLowerCase(), row.appointment_type_id, input.appointment_type_id)],
    ["contact", CONTACT_FIELDS.some((field) => differs(input[field], row[field], input[field]))],
    ["contact", input.contact_identifiers !== undefined && !isSameList(input.contact_identifiers, row)],
    ["practitioner", input.practitioner !== undefined],
  ];
  const part = changed.find(([each, isChanged]) => isChanged && owns.has(each))?.[0];
  if (part === undefined && input.external_id === undefined && input.source_id === undefined) return;
  const what = part === undefined ? "This appointment" : `The ${part} of this appointment`;
  const how = part === "time" ? " To ask for another time, send wish." : "";
  throw new AppError("CONFLICT", `${what} is owned by source ${name}. Change it there.${how}`);
}

function differs(given: string | null | undefined, stored: string | null, sent: string | null | undefined): boolean {
  return sent !== undefined && (given ?? null) !== stored;
}

const isSameList = (given: PatchAppointmentInput["contact_identifiers"], { contact_identifiers }: Appointment) =>
  checkedText(given, "contact_identifiers") === contact_identifiers;
