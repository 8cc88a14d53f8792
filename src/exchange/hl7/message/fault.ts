// A fault of a message, as its sender is told: acknowledgement code, place and reason (HL7 tables 0008 and 0357).

/** AE: the content is at fault. AR: this kind of message, its version or its sender is not accepted. */
export type RefusalCode = "AE" | "AR";

/** Table 0357. */
export const CONDITIONS = {
  100: "Segment sequence error",
  101: "Required field missing",
  102: "Data type error",
  103: "Table value not found",
  200: "Unsupported message type",
  201: "Unsupported event code",
  202: "Unsupported processing id",
  203: "Unsupported version id",
  204: "Unknown key identifier",
  207: "Application internal error",
} as const;
export type Condition = keyof typeof CONDITIONS;

/** The place in the message: `PID-13` of the first PID is { segment: "PID", sequence: 1, field: 13 }. */
export interface Place {
  segment: string;
  sequence?: number;
  field?: number;
}

/** The message must never quote the patient: it is sent, logged and shown. */
export class Hl7Fault extends Error {
  override name = "Hl7Fault";
  constructor(
    readonly code: RefusalCode,
    readonly condition: Condition,
    readonly place: Place | null,
    message: string,
  ) {
    super(message);
  }
}

export function placeText({ segment, field }: Place): string {
  return field === undefined ? segment : `${segment}-${field}`;
}
