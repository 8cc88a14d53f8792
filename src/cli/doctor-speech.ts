// Doctor checks of speech recognition: whether this machine can run it, how fast it is, and with which weights.
import { availableParallelism } from "node:os";
import type { Config } from "../config/schema.ts";
import { systemClock, workwatch } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { measureRecogniser } from "../speech/asr/role.ts";
import { loadMoonshine } from "../speech/asr/moonshine.ts";
import { isTooSlow, recogniserCount } from "../speech/hearing.ts";
import { addedRecogniser } from "../speech/onnx/added-models.ts";
import { loadRuntime } from "../speech/onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../speech/onnx/weights.ts";
import { availablePacks } from "../speech/packs/packs.ts";
import { measureSpotter } from "../speech/spotter/role.ts";
import { loadSpotter } from "../speech/spotter/spotter.ts";
import { spotterCount } from "../speech/spotter/spotter-threads.ts";
import { createTalkLoad } from "../speech/talk-load.ts";
import { loadVoice } from "../speech/tts/load-voice.ts";
import { measureVoice } from "../speech/tts/measure-voice.ts";
import { nativeFolder } from "../compose/threads/start.ts";
import type { Finding } from "./doctor-checks.ts";

const KEYPAD = "Calls are led by keys alone";
const BY_TEXT = "Alarm phrases are found in recognised words alone";

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
    const spotter = await checkSpotter({ speech, data }, count);
    if (spotter.secondMs !== null) load.measured("spotter", spotter.secondMs);
    const { name, version } = WEIGHTS.moonshineEncoder;
    const which = added ? "The added recogniser" : `${name.replace(" encoder", "")} ${version}`;
    const who = `${which} listens (English): ${took}, ${count} at once`;
    const most = load.mostCalls(count, spotter.count);
    const message = `${who}; about ${most} talking calls on ${cores} ${cores === 1 ? "core" : "cores"}.`;
    return [{ check, state: "ok", message }, ...spotter.findings];
  } catch (error) {
    return [{ check, state: "warn", message: `${KEYPAD}: ${messageOf(error)}` }];
  }
}

interface FoundSpotter {
  count: number;
  /** Processing time per second of speech; null without a spotter. */
  secondMs: number | null;
  findings: Finding[];
}

/** A build without the spotter is reported with the other packs. */
async function checkSpotter(
  { speech, data }: Pick<Config, "speech" | "data">,
  recognisers: number,
): Promise<FoundSpotter> {
  const check = "alarms";
  const count = spotterCount(speech.spotters, recognisers);
  const pack = availablePacks(data.dir)["phrase-spotter"];
  const none = (...findings: Finding[]): FoundSpotter => ({ count: 0, secondMs: null, findings });
  if (count === 0) return none({ check, state: "ok", message: `${BY_TEXT}: speech.spotters is 0.` });
  if (!pack) return none();
  try {
    const secondMs = measureSpotter(await loadSpotter(await readWeights(pack.model)), workwatch);
    const took = `${Math.round(secondMs)} ms of work for a second of speech`;
    const message = `Alarm phrases are heard in the sound itself (English): ${took}, ${count} at once.`;
    return { count, secondMs, findings: [{ check, state: "ok", message }] };
  } catch (error) {
    return none({ check, state: "warn", message: `${BY_TEXT}: ${messageOf(error)}` });
  }
}
