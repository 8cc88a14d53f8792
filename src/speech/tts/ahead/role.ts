// The two threads of the Hindi voice: one makes clauses, for seconds on end, the other hands out what is made already.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import type { Runtime } from "../../onnx/runtime.ts";
import { PACKS, type AvailablePacks } from "../../packs/packs.ts";
import { loadKokoro, type SayInHindi } from "../kokoro/load.ts";
import { DEFAULT_HINDI_VOICE, hindiVoiceNamed } from "../kokoro/voices.ts";
import { serveSpeech } from "../server.ts";
import { createMakerClient } from "./maker-client.ts";
import { createRenderer } from "./renderer.ts";
import { serveHindi } from "./server.ts";
import { createSoundStore } from "./sound-store.ts";

/** Faster than this, a clause is there before the one before it is over: nothing has to be made ahead. */
const LIVE_WORK_SECONDS = 0.5;
/** Of reading, letters to sounds and finish: counted up when one of them changes what is heard. */
const OWN_VERSION = "1";
export const SOUND_VERSION = `${PACKS.kokoro.parts.model.sha256} ${OWN_VERSION}`;
const MEASURED_CLAUSE = "आपका अपॉइंटमेंट है,";

export const isLive = (workSeconds: number): boolean => workSeconds <= LIVE_WORK_SECONDS;

/** Seconds of work for a second of speech. */
export function measureHindi(say: SayInHindi, workwatch: () => () => number): number {
  const tookMs = workwatch();
  const { length } = say(MEASURED_CLAUSE, DEFAULT_HINDI_VOICE);
  return tookMs() / SECOND_MS / (length / G711_SAMPLE_RATE_HZ);
}

export interface HindiMakerOptions {
  pack: AvailablePacks["kokoro"];
  workwatch: () => () => number;
  paced: (workSeconds: number) => void;
  /** Calls in other languages go first: this thread works for minutes on end. */
  stepBack: () => void;
}

/** Makes one clause after the other, and hears nothing meanwhile. */
export async function beHindiMaker(
  loadOnnx: () => Promise<Runtime>,
  { pack, workwatch, paced, stepBack }: HindiMakerOptions,
): Promise<(port: MessagePort) => void> {
  if (!pack) throw new Error("This build of Ringward comes without the Hindi voice. `ringward models list` says more.");
  const say = await loadKokoro(await loadOnnx(), pack);
  const workSeconds = measureHindi(say, workwatch);
  if (!isLive(workSeconds)) stepBack();
  paced(workSeconds);
  return (port) => serveSpeech(port, async (clause, { voice }) => say(clause, hindiVoiceNamed(voice)));
}

/** Holds what was made, and has made what is missing. */
export function beHindiShelf({ clock, soundFolder }: { clock: Clock; soundFolder: string | undefined }) {
  const maker = createMakerClient();
  const renderer = createRenderer({
    clock,
    say: maker.say,
    store: soundFolder === undefined ? null : createSoundStore(soundFolder, clock),
    version: SOUND_VERSION,
  });
  return { serve: (port: MessagePort) => serveHindi(port, renderer), connectMaker: maker.connect };
}
