// Audio of the patients in the part talk.
import { encodeG711 } from "../../src/audio/g711.ts";
import { loadRuntime } from "../../src/speech/onnx/runtime.ts";
import { patientVoice } from "../../test/support/patient/voices.ts";
import { FRAME_BYTES, trimmed, type Reply } from "./talk-patient.ts";

export interface Script {
  says: string[];
  /**
   * Barge-in during the agent's greeting. The agent of this script has a greeting without pauses, so its end is caused
   * by the barge-in.
   */
  interruptsWith?: string;
  /** The expected outcome. */
  answer: string;
}

const CONFIRMS: Script = { says: ["Yes, this is Asha.", "Yes, I will be there."], answer: "confirmed" };
const INTERRUPTIONS = [
  "Sorry, who is this?",
  "Wait, wait.",
  "Excuse me.",
  "Hold on a second.",
  "Hello, who is calling?",
];

export const SCRIPTS: Script[] = [
  CONFIRMS,
  {
    says: [
      "Yes, this is Asha.",
      "No, can I have another day?",
      "Yes, please.",
      "The second one, please.",
      "Yes, please.",
    ],
    answer: "rescheduled",
  },
  ...INTERRUPTIONS.map((interruptsWith) => ({ ...CONFIRMS, interruptsWith })),
];
const VOICES = ["emma", "michael"];
/** Time into the greeting. */
const INTERRUPT_AFTER_MS = 1_500;

export async function makeWords(asked: readonly Script[]): Promise<Reply[][]> {
  const runtime = await loadRuntime("");
  const scripts: Reply[][] = [];
  for (const [i, { says, interruptsWith }] of asked.entries()) {
    const speak = await patientVoice(VOICES[i % VOICES.length] ?? "", runtime);
    const reply = async (text: string, interruptsAfterMs: number | null): Promise<Reply> => ({
      words: trimmed(framesOf(encodeG711(await speak(text), "PCMA"))),
      interruptsAfterMs,
    });
    const replies = interruptsWith === undefined ? [] : [await reply(interruptsWith, INTERRUPT_AFTER_MS)];
    for (const text of says) replies.push(await reply(text, null));
    scripts.push(replies);
  }
  return scripts;
}

const framesOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / FRAME_BYTES) }, (_, frame) =>
    bytes.slice(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES),
  );
