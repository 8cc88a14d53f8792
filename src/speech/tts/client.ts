// Client of the speech worker, used on the thread that plays the audio. Requests clause by clause, so that playback
// starts while the rest is synthesised. A clause that misses its deadline is not spoken.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Sound } from "../../telephony/port.ts";
import { G711_SAMPLE_RATE_HZ } from "../../audio/g711.ts";
import { joinSounds } from "../../audio/telephone-sound.ts";
import { languageNamed, type Language } from "../languages.ts";
import { clausesOf } from "./clauses.ts";
import { hindiClauses } from "./hindi/clauses.ts";
import { hindiVoiceNamed } from "./hindi/voices.ts";
import type { Manner, SpokenStream, Voice } from "./port.ts";
import type { SpeechAnswer, SpeechCancel, SpeechHurry, SpeechRequest } from "./protocol.ts";
import { voiceNamed, type BuiltInVoice } from "./voices.ts";

/** A clause takes 50 to 500 ms. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;
/** Two minutes of speech, the longest allowed greeting. */
const LONGEST_TEXT = 2_000;
/** The next clause is synthesised during playback; more in flight would delay other calls. */
const MOST_IN_FLIGHT = 2;

export interface SpeechClient extends Voice {
  /** Connects the worker, or its replacement after a crash; pending requests are repeated. */
  connect(port: MessagePort): void;
}

/** Per language: how to cut clauses, and which voice an agent's setting selects. */
interface Tongue {
  clausesOf(text: string): string[];
  voiceNamed(setting: string): BuiltInVoice;
}

const TONGUES: Readonly<Record<Language, Tongue>> = {
  en: { clausesOf, voiceNamed },
  hi: { clausesOf: hindiClauses, voiceNamed: hindiVoiceNamed },
};

interface Waiting extends SpeechRequest {
  /** It failed once: a worker that is being terminated reports its last clause as failed. */
  hasFailed: boolean;
  settle(samples: Int16Array | null): void;
}

interface Asked {
  samples: Promise<Int16Array | null>;
  cancel(): void;
}

/** `longestWaitMs`: per clause. Short on calls, longer for generated recordings. */
export function createSpeechClient({
  clock,
  longestWaitMs = LONGEST_WAIT_MS,
}: {
  clock: Clock;
  longestWaitMs?: number;
}): SpeechClient {
  const waiting = new Map<number, Waiting>();
  let way: MessagePort | null = null;
  let count = 0;

  function ask(text: string, delivery: Pick<SpeechRequest, "voice" | "pace">): Asked {
    const id = ++count;
    const { promise, resolve } = Promise.withResolvers<Int16Array | null>();
    const settle = (samples: Int16Array | null): void => {
      stopWaiting();
      waiting.delete(id);
      resolve(samples);
    };
    const giveUp = (): void => {
      if (!waiting.has(id)) return;
      way?.postMessage({ cancel: id } satisfies SpeechCancel, []);
      settle(null);
    };
    const stopWaiting = clock.after(longestWaitMs, giveUp);
    const request: SpeechRequest = { id, text, ...delivery, longestWaitMs };
    waiting.set(id, { ...request, hasFailed: false, settle });
    send(request);
    return { samples: promise, cancel: giveUp };
  }

  function send({ id, text, voice, pace }: SpeechRequest): void {
    way?.postMessage({ id, text, voice, pace, longestWaitMs } satisfies SpeechRequest, []);
  }

  function answered(answer: SpeechAnswer): void {
    const request = waiting.get(answer.id);
    if (!request) return;
    if ("samples" in answer) request.settle(answer.samples);
    else if (request.hasFailed) request.settle(null);
    else {
      request.hasFailed = true;
      send(request);
    }
  }

  const say = (text: string, { language, voice, mark, pace = "usual" }: Manner): SpokenStream => {
    const tongue = TONGUES[languageNamed(language) ?? "en"];
    const delivery = { voice: tongue.voiceNamed(voice), pace };
    return inClauses(sayable(text, language), (words) => ask(mark(words), delivery));
  };

  return {
    connect(port) {
      way?.close();
      way = port;
      port.addEventListener("message", ({ data }: MessageEvent<SpeechAnswer>) => answered(data));
      port.start();
      for (const request of waiting.values()) send(request);
    },
    async speak(text, manner) {
      const stream = say(text, manner);
      const clauses = sayable(text, manner.language).length;
      const parts: Int16Array[] = [];
      for (let sound = await stream.next(); sound; sound = await stream.next())
        if (sound.samples) parts.push(sound.samples);
      // A partial text is worse than none.
      return clauses > 0 && parts.length === clauses ? soundOf(joinSounds(parts), text) : null;
    },
    say,
    hurry(text, { language, mark }) {
      const wanted = new Set(sayable(text, language).map((clause) => mark(clause)));
      for (const { id, text: asked } of waiting.values())
        if (wanted.has(asked)) way?.postMessage({ hurry: id } satisfies SpeechHurry, []);
    },
  };
}

/** Empty for a language without a voice, and for a text that is too long. */
function sayable(text: string, language: string): string[] {
  const spoken = languageNamed(language);
  return spoken !== null && text.length <= LONGEST_TEXT ? TONGUES[spoken].clausesOf(text) : [];
}

/** Streams the clauses in order, requesting a few ahead. */
function inClauses(clauses: readonly string[], ask: (words: string) => Asked): SpokenStream {
  const inFlight: (Asked & { words: string })[] = [];
  let asked = 0;
  let isOver = false;

  function askAhead(): void {
    for (; !isOver && inFlight.length < MOST_IN_FLIGHT && asked < clauses.length; asked++) {
      const words = clauses[asked] ?? "";
      inFlight.push({ ...ask(words), words });
    }
  }

  function cancel(): void {
    isOver = true;
    for (const each of inFlight.splice(0)) each.cancel();
  }

  askAhead();
  return {
    cancel,
    async next() {
      const first = inFlight[0];
      const samples = await first?.samples;
      if (!first || isOver) return null;
      if (!samples?.length) {
        cancel();
        return null;
      }
      inFlight.shift();
      askAhead();
      return soundOf(samples, first.words);
    },
  };
}

function soundOf(samples: Int16Array, words: string): Sound {
  return { samples, lengthMs: (samples.length / G711_SAMPLE_RATE_HZ) * SECOND_MS, words };
}
