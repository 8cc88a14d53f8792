// Output of recogniser and spotter for a sentence in a voice and a room, over µ-law as on a live line. Results are
// cached in an optional file, because hearing takes seconds and rules take no time: a run can resume, and other rules
// can be tried on the same audio.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import type { Moonshine } from "../src/speech/asr/moonshine.ts";
import { transcribeWell } from "../src/speech/asr/second-opinion.ts";
import type { Recognised } from "../src/speech/ears/port.ts";
import type { Runtime } from "../src/speech/onnx/runtime.ts";
import { isDenied } from "../src/speech/spotter/denied.ts";
import type { Spotted } from "../src/speech/spotter/protocol.ts";
import type { Spotter } from "../src/speech/spotter/spotter.ts";
import { inRoom, roomNamed } from "../test/support/patient/room.ts";
import { patientVoice } from "../test/support/patient/voices.ts";

export interface Saying {
  sentence: string;
  voice: string;
  /** Names as in roomNamed. */
  room: string;
  /** Repetition of the sentence, from 1; each has different noise. */
  time: number;
}

/** `isEnough`: if the words alone decide, the spotter is skipped. */
export type Hear = (saying: Saying, isEnough?: (words: Recognised) => boolean) => Promise<Recognised>;

/** Without the spotter's fields if it was skipped. */
type Heard = Partial<Spotted> & Omit<Recognised, keyof Spotted>;

interface Engines {
  runtime: Runtime;
  moonshine: Moonshine;
  spotter: Spotter;
}

const keyOf = ({ voice, room, sentence, time }: Saying) => [voice, room, time, sentence].join("|");
/** Independent of the other sentences in the list. */
const seedOf = (saying: Saying) => Number(Bun.hash(keyOf(saying)) % 1_000_000_007n);

/** `file`: delete it after a change of spotter or recogniser. */
export function createHearing({ runtime, moonshine, spotter }: Engines, file: string | undefined): Hear {
  const lines = file !== undefined && existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const known = new Map(
    lines.filter((line) => line !== "").map((line) => [keyOf(JSON.parse(line) as Saying), JSON.parse(line) as Heard]),
  );

  async function listen(saying: Saying, isEnough: (heard: Heard) => boolean): Promise<Heard> {
    const speak = await patientVoice(saying.voice, runtime);
    const sound = inRoom(await speak(saying.sentence), roomNamed(saying.room, seedOf(saying)), 0.1);
    const samples = decodeG711(encodeG711(sound, "PCMU"), "PCMU");
    const { text, confidence, others } = transcribeWell(moonshine, samples, () => () => 0);
    const words = { text, confidence, others };
    const heard = isEnough(words) ? words : { ...words, ...spotter.spot(samples) };
    known.set(keyOf(saying), heard);
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...saying, ...heard })}\n`);
    return heard;
  }

  return async (saying, isEnough = () => false) => {
    const isDecided = (words: Heard) => isEnough(recognisedOf(words));
    const kept = known.get(keyOf(saying));
    const isWhole = kept !== undefined && (kept.alarms !== undefined || isDecided(kept));
    return recognisedOf(isWhole ? kept : await listen(saying, isDecided));
  };
}

function recognisedOf({ text, confidence, others = [], alarms = [], near = [] }: Heard): Recognised {
  const meant = (phrases: readonly string[]) => phrases.filter((phrase) => !isDenied(text, phrase));
  return { text, confidence, others, alarms: meant(alarms), nearAlarms: meant(near) };
}
