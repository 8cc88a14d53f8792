// What the Hindi voice's worker and its clients say to each other, beside requests for sound.
import type { HindiVoice } from "../kokoro/voices.ts";
import type { SpeechAnswer, SpeechCancel, SpeechRequest } from "../protocol.ts";
import type { Urgency } from "./render-queue.ts";

/** Somebody waits for it on the telephone now. */
export interface SpeechHurry {
  hurry: number;
}

/** To be made ahead; nobody wants to hear it yet. */
export interface AheadRequest extends Omit<SpeechRequest<HindiVoice>, "pace" | "longestWaitMs"> {
  ahead: Extract<Urgency, "due" | "stock">;
}

export type ToHindiVoice = SpeechRequest<HindiVoice> | AheadRequest | SpeechCancel | SpeechHurry;

export type FromHindiVoice = SpeechAnswer | { id: number; isMade: true };
