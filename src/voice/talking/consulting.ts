// Consultation call to the desk in an emergency. The waiting callee is told that the desk is being called and that it
// rings.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { lazily } from "../../core/lazily.ts";
import { within } from "../../core/within.ts";
import type { ConsultEnd, Line, Sound } from "../../telephony/port.ts";
import type { Phrases } from "../conversation/phrases/phrases.ts";
import type { TalkCall } from "../conversation/model.ts";
import type { PhraseSounds } from "./phrase-sounds.ts";
import type { Speaking } from "./speaking.ts";

/** The line gives up after 25 s of ringing; this bounds a line that never reports. */
const CONSULT_MOST_MS = 40 * SECOND_MS;
/** Ringback tones between two announcements. */
const RINGS_PER_WORD = 3;
const SAMPLE_RATE_HZ = 8_000;
const TONE = { hertz: 425, amplitude: 2_500, onSeconds: 1, offSeconds: 1.5 };

export interface ConsultingOptions {
  clock: Clock;
  line: Line;
  target: string;
  speaking: Speaking;
  sounds: PhraseSounds;
  phrases: Phrases;
  call: TalkCall;
  /** The call is still up. */
  isCurrent: () => boolean;
}

export async function consultDesk(options: ConsultingOptions): Promise<ConsultEnd> {
  const { clock, line, target, speaking, sounds, phrases, call, isCurrent } = options;
  const announcement = await sounds.of(phrases.forDesk(call)).clause(0);
  const consulting = within(clock, CONSULT_MOST_MS, () => line.consult(target, announcement), "no_answer" as const);
  const goesOn = whileUndecided(consulting, isCurrent);
  await Promise.race([consulting, speaking.say([phrases.callingDesk])]);
  for (let rings = 1; goesOn(); rings++) {
    await Promise.race([consulting, played(line, ringTone())]);
    if (goesOn() && rings % RINGS_PER_WORD === 0) await Promise.race([consulting, speaking.say([phrases.deskRings])]);
  }
  const end = await consulting;
  // Playback is stopped unless the calls are bridged; then the line is no longer ours.
  if (end !== "joined" && isCurrent()) {
    speaking.drop();
    line.stopPlaying();
  }
  return end;
}

function whileUndecided(consulting: Promise<unknown>, isCurrent: () => boolean): () => boolean {
  const known = { isOver: false };
  void consulting.then(() => (known.isOver = true));
  return () => !known.isOver && isCurrent();
}

const played = (line: Line, sound: Sound) => new Promise<void>((resolve) => void line.play(sound, () => resolve()));

const ringTone = lazily((): Sound => {
  const { hertz, amplitude, onSeconds, offSeconds } = TONE;
  const samples = new Int16Array(Math.round((onSeconds + offSeconds) * SAMPLE_RATE_HZ));
  const on = Math.round(onSeconds * SAMPLE_RATE_HZ);
  for (let i = 0; i < on; i++)
    samples[i] = Math.round(amplitude * Math.sin((2 * Math.PI * hertz * i) / SAMPLE_RATE_HZ));
  return { samples, lengthMs: (onSeconds + offSeconds) * SECOND_MS, words: "" };
});
