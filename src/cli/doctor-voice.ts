// What the doctor finds of the built-in voice: which one speaks, why, and how quickly.
import type { Config } from "../config/schema.ts";
import { SECOND_MS, workwatch } from "../core/clock.ts";
import { G711_SAMPLE_RATE_HZ } from "../audio/g711.ts";
import { loadRuntime, type Runtime } from "../speech/onnx/runtime.ts";
import { loadVoice } from "../speech/tts/load-voice.ts";
import { DEFAULT_VOICE } from "../speech/tts/voices.ts";
import { nativeFolder } from "../workers.ts";
import type { Finding } from "./doctor-checks.ts";

const SENTENCE = "You have an appointment on Friday, at ten thirty in the morning.";
/** Slower, and callers would hear gaps between the clauses. */
const SLOWEST_SHARE = 0.5;

export async function checkVoice(
  { telephony }: Config,
  loadOnnx: () => Promise<Runtime> = () => loadRuntime(nativeFolder()),
): Promise<Finding[]> {
  const check = "voice";
  if (telephony.carrier === "simulator") return [];
  const { synthesise, fallbackReason } = await loadVoice(loadOnnx);
  if (fallbackReason !== null) {
    return [{ check, state: "warn", message: `The simple voice (Flite) speaks: ${fallbackReason}` }];
  }
  synthesise("Hello.", DEFAULT_VOICE);
  const took = workwatch();
  const samples = synthesise(SENTENCE, DEFAULT_VOICE);
  const share = took() / ((samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS);
  const pace = `${Math.round(share * SECOND_MS)} ms of work for a second of speech`;
  return share > SLOWEST_SHARE
    ? [
        {
          check,
          state: "warn",
          message: `The neural voice speaks, but slowly: ${pace}. Record the words of busy agents.`,
        },
      ]
    : [{ check, state: "ok", message: `The neural voice speaks: ${pace}.` }];
}
