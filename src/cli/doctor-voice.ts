// Doctor checks of the built-in voice: which voice is used, why, and how fast it is.
import type { Config } from "../config/schema.ts";
import { workwatch } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { loadRuntime, type Runtime } from "../speech/onnx/runtime.ts";
import { loadVoice } from "../speech/tts/load-voice.ts";
import { measureHindi, measureVoice } from "../speech/tts/measure-voice.ts";
import { nativeFolder } from "../compose/threads/start.ts";
import type { Finding } from "./doctor-checks.ts";

/** Per second of speech. A slower voice leaves audible gaps between clauses. */
const SLOWEST_MS = 500;

export async function checkVoice(
  { telephony }: Config,
  loadOnnx: () => Promise<Runtime> = () => loadRuntime(nativeFolder()),
): Promise<Finding[]> {
  const check = "voice";
  if (telephony.carrier === "simulator") return [];
  const loaded = await loadVoice(loadOnnx).catch((error: unknown) => messageOf(error));
  if (typeof loaded === "string")
    return [{ check, state: "FAIL", message: `No built-in voice is available: ${loaded}` }];
  const { synthesise, fallbackReason } = loaded;
  if (fallbackReason !== null) {
    const message = `The simple voice (Flite) is used, English only: ${fallbackReason}`;
    return [{ check, state: "warn", message }];
  }
  return [
    findingOf("English", measureVoice(synthesise, workwatch)),
    findingOf("Hindi", measureHindi(synthesise, workwatch)),
  ];
}

function findingOf(language: string, tookMs: number): Finding {
  const check = "voice";
  const pace = `${Math.round(tookMs)} ms of work for a second of speech`;
  return tookMs > SLOWEST_MS
    ? {
        check,
        state: "warn",
        message: `The neural voice speaks ${language}, but slowly: ${pace}. Record the words of busy agents.`,
      }
    : { check, state: "ok", message: `The neural voice speaks ${language}: ${pace}.` };
}
