// What the doctor finds of listening: whether this machine can, how quick it is, and with which weights.
import { availableParallelism } from "node:os";
import type { Config } from "../config/schema.ts";
import { systemClock, workwatch } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { measureRecogniser } from "../speech/asr/role.ts";
import { loadMoonshine } from "../speech/asr/moonshine.ts";
import { isTooSlow, recogniserCount } from "../speech/hearing.ts";
import { addedRecogniser } from "../speech/onnx/added-models.ts";
import { loadRuntime } from "../speech/onnx/runtime.ts";
import { WEIGHTS } from "../speech/onnx/weights.ts";
import { createTalkLoad } from "../speech/talk-load.ts";
import { loadVoice } from "../speech/tts/load-voice.ts";
import { measureVoice } from "../speech/tts/measure-voice.ts";
import { nativeFolder } from "../workers.ts";
import type { Finding } from "./doctor-checks.ts";

const KEYPAD = "Calls are led by keys alone";

export async function checkSpeech({ telephony, speech, data }: Config): Promise<Finding[]> {
  const check = "speech";
  if (telephony.carrier === "simulator") return [];
  if (speech.recognisers === 0) return [{ check, state: "ok", message: `${KEYPAD}: speech.recognisers is 0.` }];
  try {
    const added = addedRecogniser(data.dir) ?? undefined;
    const runtime = await loadRuntime(nativeFolder());
    const utteranceMs = measureRecogniser(await loadMoonshine(runtime, added), workwatch);
    const took = `${Math.round(utteranceMs)} ms for an ordinary answer`;
    if (isTooSlow(utteranceMs)) return [{ check, state: "warn", message: `${KEYPAD}: ${took} is too slow.` }];
    const cores = availableParallelism();
    const count = recogniserCount(speech.recognisers, cores);
    const load = createTalkLoad({ clock: systemClock, cores });
    load.measured("recogniser", utteranceMs);
    const { synthesise } = await loadVoice(() => Promise.resolve(runtime));
    load.measured("voice", measureVoice(synthesise, workwatch));
    const { name, version } = WEIGHTS.moonshineEncoder;
    const which = added ? "The added recogniser" : `${name.replace(" encoder", "")} ${version}`;
    const who = `${which} listens (English): ${took}, ${count} at once`;
    return [
      {
        check,
        state: "ok",
        message: `${who}; about ${load.mostCalls(count)} talking calls on ${cores} ${cores === 1 ? "core" : "cores"}.`,
      },
    ];
  } catch (error) {
    return [{ check, state: "warn", message: `${KEYPAD}: ${messageOf(error)}` }];
  }
}
