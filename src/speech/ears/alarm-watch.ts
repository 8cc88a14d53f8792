// Spots alarm phrases in one call's audio, in parallel with the recogniser. Recognition never waits for the spotter; a
// later alarm is reported separately.
import type { Words } from "../asr/protocol.ts";
import { isDenied } from "../spotter/denied.ts";
import type { Spotted } from "../spotter/protocol.ts";
import { NOTHING_SPOTTED, type Spotters } from "../spotter/spotters.ts";
import type { EarMemory } from "./memory.ts";
import type { EarListener, Recognised } from "./port.ts";

/** Continued speech is recognised from its start, but spotted only from this long before the last pause. */
const OVERLAP_MS = 1_500;

export interface AlarmWatch {
  /** Adds the alarms found by then to the recognised words. */
  beside(recognising: Promise<Words | null>, fromMs: number, toMs: number): Promise<Recognised | null>;
}

export interface AlarmWatchOptions {
  ear: number;
  memory: EarMemory;
  spotters: Spotters;
  listener: Pick<EarListener, "alarm">;
}

export function createAlarmWatch({ ear, memory, spotters, listener }: AlarmWatchOptions): AlarmWatch {
  let watchedToMs = 0;

  function spot(fromMs: number, toMs: number): Promise<Spotted> {
    const samples = memory.spokenBetween(Math.max(fromMs, watchedToMs - OVERLAP_MS), toMs);
    watchedToMs = toMs;
    return samples ? spotters.spot(ear, samples) : Promise.resolve(NOTHING_SPOTTED);
  }

  return {
    async beside(recognising, fromMs, toMs) {
      let early = NOTHING_SPOTTED;
      let isEarly = true;
      let text = "";
      const meant = (phrases: readonly string[]) => phrases.filter((phrase) => !isDenied(text, phrase));
      void spot(fromMs, toMs).then((spotted) => {
        const [alarms, near] = [meant(spotted.alarms), meant(spotted.near)];
        if (isEarly) early = spotted;
        else if (alarms.length > 0) listener.alarm(alarms, true);
        else if (near.length > 0) listener.alarm(near, false);
      });
      const words = await recognising;
      isEarly = false;
      text = words?.text ?? "";
      const [alarms, nearAlarms] = [meant(early.alarms), meant(early.near)];
      if (!words && alarms.length + nearAlarms.length === 0) return null;
      const others = words?.others ?? [];
      const more = { ...(nearAlarms.length > 0 && { nearAlarms }), ...(others.length > 0 && { others }) };
      return { text, confidence: words?.confidence ?? 0, alarms, ...more };
    },
  };
}
