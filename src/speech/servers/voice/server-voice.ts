// A hospital's own voice: /audio/speech of a server, or a local program. Clause by clause; if it is slow or down, the
// built-in voice speaks the clause, provided it supports the language.
import { createSoundReader } from "../../../audio/sound-reader.ts";
import { forTelephone, joinSounds } from "../../../audio/telephone-sound.ts";
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import { othersFirst, SECOND_MS, type Clock } from "../../../core/clock.ts";
import { clausesOf } from "../../tts/clauses.ts";
import { SPEED, type Pace } from "../../tts/pace.ts";
import type { Manner, Voice } from "../../tts/port.ts";
import { readable } from "../../tts/reading.ts";
import type { SoundCache } from "../../tts/sound-cache.ts";
import { languageNamed } from "../../languages.ts";
import { createRunCommand } from "../command/run-command.ts";
import { createServerHttp, type ServerHttp } from "../http/server-http.ts";
import { ServerFault, type CommandAddress, type NoteSent, type ServerAddress } from "../port.ts";
import { askedAhead, soundOf } from "./ahead.ts";
import { createRequestQueue } from "./request-queue.ts";

export interface Speaker {
  /** Samples at 8 kHz, at the common speech level. Throws nothing but a ServerFault. */
  speak(words: string, signal: AbortSignal, pace?: Pace): Promise<Int16Array>;
  warm(): void;
  close(): void;
}

export interface ServerVoice extends Voice {
  warm(): void;
  close(): void;
}

export interface SpeakerOptions {
  clock: Clock;
  address: ServerAddress | CommandAddress;
  note: NoteSent;
  /** Cache shared by all calls of this thread: most sentences repeat on every call. */
  cache?: SoundCache;
}

/** One minute at 24 kHz takes 2.9 MB; a clause is at most a quarter of that. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_SECONDS = 60;
/** Two minutes of speech, the longest allowed greeting. */
const LONGEST_TEXT = 2_000;
/** Timeout when the built-in voice can take over. */
const PATIENCE_MS = 1_500;
/** Timeout when it does not support the language; a filler covers the wait. */
const LONG_PATIENCE_MS = 2_500;
/**
 * After a fault the built-in voice speaks for this long, because changing voices with every clause is hard to follow.
 */
const REST_MS = 20 * SECOND_MS;

export function createSpeaker(options: SpeakerOptions): Speaker {
  const { cache, address } = options;
  const speaker = createUncached(options);
  if (!cache) return speaker;
  const who = JSON.stringify(
    address.kind === "command" ? address.command : [address.baseUrl, address.model, address.voice],
  );
  return {
    ...speaker,
    async speak(words, signal, pace = "usual") {
      const key = `${who} ${pace} ${words}`;
      const known = cache.get(key);
      if (known) return known.slice();
      const samples = await speaker.speak(words, signal, pace);
      cache.set(key, samples);
      return samples.slice();
    },
  };
}

function createUncached({ clock, address, note }: SpeakerOptions): Speaker {
  if (address.kind === "command") {
    const program = createRunCommand({ clock, address, role: "voice", note });
    return {
      async speak(words, signal) {
        const wav = await program.run(Buffer.from(words), signal);
        return heardIn(once(wav), false);
      },
      warm() {},
      close() {},
    };
  }
  const http = createServerHttp({ clock, address, role: "voice", note });
  return {
    speak: (words, signal, pace) => spoken(http, address, words, signal, pace),
    warm: () => http.warm(),
    close: () => http.close(),
  };
}

async function spoken(http: ServerHttp, address: ServerAddress, words: string, signal: AbortSignal, pace?: Pace) {
  const { model, voice } = address;
  const asked = { model, input: words, voice: voice ?? "default", response_format: "wav" };
  const body = Buffer.from(JSON.stringify(pace === "slow" ? { ...asked, speed: SPEED.slow } : asked));
  const answer = await http.ask(
    { method: "POST", path: "/audio/speech", contentType: "application/json", body, mostBytes: MOST_BYTES },
    signal,
  );
  let fault: ServerFault | null = null;
  try {
    return await heardIn(answer.next, /pcm|l16|octet-stream/.test(answer.contentType));
  } catch (error) {
    fault = error instanceof ServerFault ? error : new ServerFault("garbage");
    throw fault;
  } finally {
    answer.finish(fault);
  }
}

/** Reads the response, resamples it while it arrives, and adjusts the level. */
async function heardIn(next: () => Promise<Buffer | null>, isBare: boolean): Promise<Int16Array> {
  const reader = createSoundReader(isBare);
  const parts: Int16Array[] = [];
  let samples = 0;
  const keep = (part: Int16Array) => {
    samples += part.length;
    if (samples > MOST_SECONDS * G711_SAMPLE_RATE_HZ) throw new ServerFault("tooLong");
    parts.push(part);
  };
  try {
    for (let bytes = await next(); bytes !== null; bytes = await next()) {
      for (const part of reader.push(bytes)) {
        keep(part);
        // Yields, because this thread must send call audio every few milliseconds.
        await othersFirst();
      }
    }
    keep(reader.end());
    return forTelephone(joinSounds(parts), G711_SAMPLE_RATE_HZ);
  } catch (error) {
    throw error instanceof ServerFault ? error : new ServerFault("garbage");
  }
}

function once(bytes: Buffer): () => Promise<Buffer | null> {
  let left: Buffer | null = bytes;
  return () => {
    const given = left;
    left = null;
    return Promise.resolve(given);
  };
}

export function createServerVoice(options: { clock: Clock; speaker: Speaker; builtIn: Voice }): ServerVoice {
  const { clock, speaker, builtIn } = options;
  const queue = createRequestQueue();
  let restsUntilMs = -Infinity;
  const isResting = () => clock.elapsedMs() < restsUntilMs;

  /** Null if cancelled, or if the built-in voice cannot speak it while the server is paused. */
  async function made(text: string, words: string, manner: Manner, stop: AbortSignal): Promise<Int16Array | null> {
    const other = async () => (await builtIn.speak(words, manner))?.samples ?? null;
    const isLetGo = () => stop.aborted;
    const samples = isResting() ? await other() : null;
    if (samples || isLetGo()) return samples;
    const wasResting = isResting();
    try {
      return await queue.run(text, stop, () => {
        // An earlier request failed meanwhile.
        if (isResting() && !wasResting) throw new ServerFault("refused");
        return asked(words, manner, stop);
      });
    } catch {
      if (isLetGo()) return null;
      if (!isResting()) restsUntilMs = clock.elapsedMs() + REST_MS;
      return await other();
    }
  }

  async function asked(words: string, manner: Manner, stop: AbortSignal): Promise<Int16Array> {
    const language = languageNamed(manner.language);
    const late = new AbortController();
    const cancel = clock.after(language === null ? LONG_PATIENCE_MS : PATIENCE_MS, () => late.abort());
    try {
      // Normalises numbers like the built-in voice.
      const text = language === "en" ? readable(words) : words;
      return await speaker.speak(text, AbortSignal.any([stop, late.signal]), manner.pace);
    } finally {
      cancel();
    }
  }

  const say: Voice["say"] = (text, manner) =>
    askedAhead(clausesIn(text), (words) => {
      const stop = new AbortController();
      return { samples: made(text, words, manner, stop.signal).catch(() => null), cancel: () => stop.abort() };
    });

  return {
    say,
    async speak(text, manner) {
      const stream = say(text, manner);
      const wanted = clausesIn(text).length;
      const parts: Int16Array[] = [];
      for (let sound = await stream.next(); sound; sound = await stream.next())
        if (sound.samples) parts.push(sound.samples);
      // A partial text is worse than none.
      return wanted > 0 && parts.length === wanted ? soundOf(joinSounds(parts), text) : null;
    },
    hurry(text, manner) {
      queue.hurry(text);
      builtIn.hurry?.(text, manner);
    },
    warm: () => speaker.warm(),
    close: () => speaker.close(),
  };
}

/** Hindi sentences end with a danda. */
function clausesIn(text: string): string[] {
  return text.length <= LONGEST_TEXT ? text.split(/(?<=।)\s+/u).flatMap(clausesOf) : [];
}
