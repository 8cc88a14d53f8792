// What the doctor finds of the built-in voice: which one speaks, why, and how quickly.
import type { Config } from "../config/schema.ts";
import { SECOND_MS, workwatch } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { loadRuntime, type Runtime } from "../speech/onnx/runtime.ts";
import { availablePacks } from "../speech/packs/packs.ts";
import { isLive, measureHindi } from "../speech/tts/ahead/role.ts";
import { loadKokoro } from "../speech/tts/kokoro/load.ts";
import { loadVoice } from "../speech/tts/load-voice.ts";
import { measureVoice } from "../speech/tts/measure-voice.ts";
import { nativeFolder } from "../workers.ts";
import type { Finding } from "./doctor-checks.ts";

/** For a second of speech. Slower, and callers would hear gaps between the clauses. */
const SLOWEST_MS = 500;

/** Nothing where it is not here: the doctor tells that of all optional weights. */
export async function checkHindi({ telephony, data }: Config): Promise<Finding[]> {
  const check = "voice";
  const pack = availablePacks(data.dir).kokoro;
  if (telephony.carrier === "simulator" || !pack) return [];
  try {
    const workSeconds = measureHindi(await loadKokoro(await loadRuntime(nativeFolder()), pack), workwatch);
    const how = isLive(workSeconds) ? "live" : "made ahead of calls";
    const pace = `${Math.round(workSeconds * SECOND_MS)} ms of work for a second of speech`;
    return [{ check, state: "ok", message: `Hindi is spoken, ${how}: ${pace}.` }];
  } catch (error) {
    return [{ check, state: "warn", message: `Hindi is not spoken: ${messageOf(error)}` }];
  }
}

export async function checkVoice(
  { telephony }: Config,
  loadOnnx: () => Promise<Runtime> = () => loadRuntime(nativeFolder()),
): Promise<Finding[]> {
  const check = "voice";
  if (telephony.carrier === "simulator") return [];
  const loaded = await loadVoice(loadOnnx).catch((error: unknown) => messageOf(error));
  if (typeof loaded === "string") return [{ check, state: "FAIL", message: `No built-in voice speaks: ${loaded}` }];
  const { synthesise, fallbackReason } = loaded;
  if (fallbackReason !== null) {
    return [{ check, state: "warn", message: `The simple voice (Flite) speaks: ${fallbackReason}` }];
  }
  const tookMs = measureVoice(synthesise, workwatch);
  const pace = `${Math.round(tookMs)} ms of work for a second of speech`;
  return tookMs > SLOWEST_MS
    ? [
        {
          check,
          state: "warn",
          message: `The neural voice speaks, but slowly: ${pace}. Record the words of busy agents.`,
        },
      ]
    : [{ check, state: "ok", message: `The neural voice speaks: ${pace}.` }];
}
