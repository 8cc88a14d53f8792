// Shows what is understood of a message that a person pastes. Changes and stores nothing.
import { toIsoOrNull } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PreviewedHl7, PreviewHl7Input } from "./log/model.ts";
import { Hl7Fault, placeText } from "./message/fault.ts";
import { parseText, type Message } from "./message/message.ts";
import type { Hl7Sources } from "./ports.ts";
import { assertAccepted, typeOf, type Understood } from "./reading/read-message.ts";
import type { Receiver } from "./receiver.ts";
import { senderFault } from "./sender.ts";
import type { Hl7Source } from "./settings.ts";

export interface PreviewDeps {
  sources: Pick<Hl7Sources, "ofSender" | "byId">;
  receiver: Pick<Receiver, "understood">;
}

export function createPreview({ sources, receiver }: PreviewDeps) {
  /** Sources of this organisation alone. */
  async function sourceOf(message: Message, organisationId: string, sourceId: string | undefined): Promise<Hl7Source> {
    if (sourceId !== undefined) {
      const source = await sources.byId(organisationId, sourceId);
      if (!source) throw new AppError("NOT_FOUND", "There is no HL7 source with this id that is switched on.");
      return source;
    }
    const header = message.first("MSH");
    const all = await sources.ofSender(message.value(header, 3), message.value(header, 4));
    const own = all.filter((each) => each.organisationId === organisationId);
    const [source] = own;
    if (source && own.length === 1) return source;
    throw senderFault(own.length, own.length > 1);
  }

  return async function preview(organisationId: string, input: PreviewHl7Input): Promise<PreviewedHl7> {
    let message: Message | null = null;
    let source: Hl7Source | null = null;
    try {
      message = parseText(input.message);
      source = await sourceOf(message, organisationId, input.source_id);
      assertAccepted(message);
      const understood = await receiver.understood(message, source);
      return { ...headOf(message, source), ...NOTHING, ...saidBy(understood), notes: [...understood.notes] };
    } catch (error) {
      if (!(error instanceof Hl7Fault)) throw error;
      const place = error.place === null ? null : placeText(error.place);
      const refusal = { code: error.code, reason: error.message, place };
      return { ...headOf(message, source), ...NOTHING, ...refusal, notes: [...(message?.notes ?? [])] };
    }
  };
}

export type Preview = ReturnType<typeof createPreview>;

const NOTHING = { code: "AA" as const, reason: null, place: null, appointment: null, patient: null, merges: [] };

function headOf(message: Message | null, source: Hl7Source | null) {
  const header = message?.first("MSH");
  const { type, trigger } = message ? typeOf(message) : { type: "", trigger: "" };
  const counts = Map.groupBy(message?.segments ?? [], ({ name }) => name);
  return {
    type: trigger === "" ? type : `${type}^${trigger}`,
    version: message?.value(header, 12) ?? "",
    control_id: message?.value(header, 10) ?? "",
    charset: message?.value(header, 18) ?? "",
    source_id: source?.id ?? null,
    segments: [...counts].map(([name, all]) => ({ name, count: all.length })),
  };
}

function saidBy(understood: Understood): Partial<PreviewedHl7> {
  if (understood.kind === "merge")
    return { merges: understood.merges.map(({ from, to, name }) => ({ from, to, name: name ?? null })) };
  if (understood.kind === "patient") {
    const { identifiers, name = null, number = null, email = null } = understood.patient;
    return { patient: { identifiers, name, number, email, changed_at: toIsoOrNull(understood.changedAt) } };
  }
  const { appointment } = understood;
  return {
    appointment: {
      external_id: appointment.externalId,
      changed_at: toIsoOrNull(appointment.changedAt),
      status: appointment.status,
      starts_at: toIsoOrNull(appointment.startsAt ?? null),
      ends_at: toIsoOrNull(appointment.endsAt ?? null),
      branch_id: appointment.branchId ?? null,
      appointment_type_id: appointment.appointmentTypeId ?? null,
      practitioner: appointment.practitioner ?? null,
      contact_name: appointment.contactName ?? null,
      contact_number: appointment.contactNumber ?? null,
      contact_email: appointment.contactEmail ?? null,
      identifiers: [...(appointment.identifiers ?? [])],
    },
  };
}
