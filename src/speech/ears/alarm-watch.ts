// Looks for alarm phrases in what one call's words are recognised from, beside the recogniser. Words wait for no alarm; one that comes
// after them is told by itself.
import type { Words } from "../asr/protocol.ts";
import { isDenied } from "../spotter/denied.ts";
import type { Spotted } from "../spotter/protocol.ts";
import { NOTHING_SPOTTED, type Spotters } from "../spotter/spotters.ts";
import type { EarMemory } from "./memory.ts";
import type { EarListener, Recognised } from "./port.ts";

/** Somebody who goes on speaking is recognised again from their first word, but looked through only from here before the last pause. */
const OVERLAP_MS = 1_500;

export interface AlarmWatch {
  /** What is being recognised, with the alarms that were heard in the same sound by then. */
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
