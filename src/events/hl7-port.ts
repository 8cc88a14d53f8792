// How events reach endpoints of kind hl7. exchange/hl7 implements it.
import type { EventToSend } from "./body.ts";

export interface Hl7Delivery {
  organisationId: string;
  sourceId: string;
  /** mllp:// or mllps:// */
  address: string;
  event: EventToSend;
  timeoutMs: number;
}

export type TellingResult =
  /** `code`: AA, AE or AR. `text`: the receiver's reason. */
  | { kind: "answered"; code: string; text: string; durationMs: number }
  | { kind: "timeout" | "unreachable" | "blocked" | "our_fault"; detail: string; durationMs: number };

export interface Hl7Transport {
  /** Throws AppError VALIDATION_ERROR on field "address" if it can never be sent to. No DNS. */
  checkAddress(address: string): void;
  /** Never throws. */
  tell(delivery: Hl7Delivery): Promise<TellingResult>;
}
