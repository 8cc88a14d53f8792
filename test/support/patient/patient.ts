// A patient with a real telephone: hears what the agent says, understands it with a recogniser, and answers by a
// script, aloud or by key. They know only what they heard, not what the agent meant to say.
import type { Phone } from "../baresip.ts";
import { until } from "../until.ts";
import { inRoom, type Room } from "./room.ts";

const SAMPLE_RATE_HZ = 8_000;
/** In samples: a tenth of a second after their last word. */
const HANG_UP_AFTER = 800;
const SAMPLES_PER_MS = 8;
const FRAME = 160;
/** Louder than this is the agent's voice, after a telephone. */
const VOICE_RMS = 250;
/** The agent has finished: people leave such a pause before they answer. */
const PAUSE_MS = 900;
/** A call is not made while the machine could not listen to it. */
const LONGEST_HOLD_MS = 300_000;
/** The room goes on as long as a call may last. */
const ROOM_SECONDS = 150;

export interface Reply {
  /** What they react to; the first reply of the list that matches. */
  to: RegExp;
  /** And only if this holds: of what they hear, and of what they heard before. */
  when?: (heard: string, before: readonly string[]) => boolean;
  says?: string;
  /** And after a pause this, whatever the agent does meanwhile. */
  thenSays?: { afterMs: number; says: string };
  presses?: string;
  /** In place of the words, where the keys are named. */
  orPresses?: string;
  hangsUp?: true;
  /** They do not wait for the end: they speak once the agent has spoken for so long. */
  interruptsAfterMs?: number;
}

export interface PatientOptions {
  phone: Phone;
  room: Room;
  replies: readonly Reply[];
  /** "Do you want …?": where the agent is not sure of what they said, these it has right. */
  means?: RegExp;
  /** 8 kHz. */
  speak: (text: string) => Promise<Int16Array>;
  recognise: (samples: Int16Array) => Promise<string>;
  /** What they say when they pick up, without being asked; a voicemail speaks first. */
  atAnswer?: { says: string; thenBeeps?: boolean };
}

export interface Exchange {
  heard: string;
  replied: string;
}

/** When the patient did something: from then until then, in samples of what they heard. */
export interface Act {
  from: number;
  to: number;
}

export interface Talk {
  exchanges: readonly Exchange[];
  acts: readonly Act[];
  /** The moment of the first sample, by `performance.now()`. */
  answeredAtMs: number;
  /** What they heard of the agent: a telephone that was sent on to another call hears that. */
  heard: Int16Array;
}

/** Talks until the call is over; answers with what was heard and said. */
export async function talk(options: PatientOptions): Promise<Talk> {
  const { phone, room, replies, speak, recognise, atAnswer } = options;
  const exchanges: Exchange[] = [];
  const acts: Act[] = [];
  const words = new Map<string, Int16Array>();
  const spoken = [...replies.map(({ says }) => says), "Yes.", "No."];
  for (const says of spoken) if (says !== undefined) words.set(says, await speak(says));
  for (const reply of replies) {
    const { says = "", thenSays } = reply;
    if (thenSays)
      words.set(spokenBy(reply), inTwoBreaths(words.get(says), thenSays.afterMs, await speak(thenSays.says)));
  }
  const hasHappened = (what: string) => phone.events.some(({ type }) => type === what);
  const isOver = () => hasHappened("CALL_CLOSED");
  let ofAgent: Int16Array = new Int16Array(0);
  /** Transferred: the phone records the call to the desk in a new file, unless the transfer fails. */
  const isSentOn = () => phone.events.findLast(({ type }) => type.includes("TRANSFER"))?.type === "TRANSFER";
  const hear = () => (isSentOn() ? ofAgent : (ofAgent = phone.heard()));
  let said = 0;
  /** In samples of what is heard: until then they speak, and answer nothing. */
  let speaksUntil = 0;
  // Nobody hears the same noise twice.
  const say = async (samples: Int16Array) => {
    await phone.say(inRoom(samples, { ...room, seed: room.seed + 10_000 * ++said }, ROOM_SECONDS));
    const from = phone.heard().length;
    speaksUntil = from + samples.length;
    if (samples.length > 0) acts.push({ from, to: speaksUntil });
  };
  const greeting = atAnswer && (await speak(atAnswer.says));

  const isAnswered = () => phone.events.some(({ type }) => type === "CALL_ESTABLISHED");
  await until(isAnswered, { withinMs: LONGEST_HOLD_MS, everyMs: 50, what: () => "the agent did not call" });
  const answeredAtMs = performance.now() - phone.heard().length / SAMPLES_PER_MS;
  if (greeting) await say(atAnswer.thenBeeps ? withBeep(greeting) : greeting);
  else if (room.noiseDb !== null) await say(new Int16Array(0));

  // What a machine is told while it speaks, its owner does not hear.
  let from = greeting ? speaksUntil : 0;
  const interruption = replies.find(({ interruptsAfterMs }) => interruptsAfterMs !== undefined);
  let hasInterrupted = false;
  while (!isOver()) {
    let speech = findSpeech(phone.heard(), from);
    const isTurn = () => {
      const heardAll = hear();
      speech = findSpeech(heardAll, from);
      if (isOver()) return true;
      if (heardAll.length < speaksUntil) return false;
      if (interruption && !hasInterrupted && speech.voicedMs >= (interruption.interruptsAfterMs ?? 0)) return true;
      return speech.voicedMs > 0 && speech.silentMs >= PAUSE_MS;
    };
    await until(isTurn, { withinMs: 120_000, everyMs: 200, what: () => "the agent neither spoke nor hung up" });
    if (isOver()) break;
    const heardAll = phone.heard();
    const heard = await recognise(heardAll.slice(speech.start, speech.end));
    const isInterrupting = speech.silentMs < PAUSE_MS;
    const reply = isInterrupting ? interruption : replyTo(heard, exchanges, options);
    hasInterrupted ||= isInterrupting;
    from = isInterrupting ? heardAll.length : speech.end;
    const answer = reply?.says === undefined ? undefined : spokenBy(reply);
    exchanges.push({ heard, replied: answer ?? reply?.presses ?? (reply?.hangsUp ? "(hangs up)" : "") });
    if (isOver()) break;
    if (reply?.says !== undefined) await say(words.get(spokenBy(reply)) ?? new Int16Array(0));
    if (reply?.presses !== undefined) {
      await phone.press(reply.presses);
      acts.push({ from: phone.heard().length, to: phone.heard().length });
    }
    if (reply?.hangsUp) {
      const isSaid = () => isOver() || phone.heard().length >= speaksUntil + HANG_UP_AFTER;
      await until(isSaid, { withinMs: 60_000, everyMs: 20, what: () => "the patient did not come to an end" });
      await phone.hangUp();
    }
  }
  return { exchanges, acts, answeredAtMs, heard: hear() };
}

const spokenBy = ({ says = "", thenSays }: Omit<Reply, "to">): string =>
  thenSays ? `${says} (${thenSays.afterMs} ms) ${thenSays.says}` : says;

function inTwoBreaths(first: Int16Array | undefined, pauseMs: number, second: Int16Array): Int16Array {
  const from = (first?.length ?? 0) + (pauseMs * SAMPLE_RATE_HZ) / 1_000;
  const all = new Int16Array(from + second.length);
  if (first) all.set(first);
  all.set(second, from);
  return all;
}

const YES: Omit<Reply, "to"> = { says: "Yes.", orPresses: "1" };
const NO: Omit<Reply, "to"> = { says: "No.", orPresses: "2" };

/**
 * The patient confirms whether they were understood; every other reply is in their script.
 * To any other "is that right?" they say no.
 */
export function replyTo(
  heard: string,
  before: readonly Exchange[],
  { replies, means }: Pick<PatientOptions, "replies" | "means">,
): Omit<Reply, "to"> | undefined {
  const earlier = before.map((each) => each.heard);
  const reply =
    doubtAnswer(heard, before, means) ??
    replies.find(({ to, when }) => to.test(heard) && (when?.(heard, earlier) ?? true)) ??
    (DANGER.test(heard) ? NO : undefined) ??
    (/that right\?/i.test(heard) ? NO : undefined);
  return KEYS_NAMED.test(heard) && reply?.orPresses !== undefined ? { presses: reply.orPresses } : reply;
}

/** Whoever is not in danger says so. */
const DANGER = /are you in pain|\bin danger\b|endangered/i;
const KEYS_NAMED = /\bpress\b|with the keys/i;
const YES_OR_NO_DOUBT = /\b(?:was|is) that (?:a |an )?(yes|no)\b/i;
const DOUBT = /not sure that i/i;
/** As the agent has them (phrases/en.ts). */
const OTHER_DOUBT = /do you want|not interested|call you later|wrong number|somebody else|is that right/i;

function doubtAnswer(heard: string, before: readonly Exchange[], means?: RegExp): Omit<Reply, "to"> | null {
  const [, asked] = YES_OR_NO_DOUBT.exec(heard) ?? [];
  const said = before.findLast(({ replied }) => /[a-z]/i.test(replied))?.replied ?? "";
  if (asked !== undefined) return said.toLowerCase().startsWith(asked.toLowerCase()) ? YES : NO;
  if (!DOUBT.test(heard)) return null;
  if (means?.test(heard)) return YES;
  // Whoever did not catch what was doubted says it again.
  return OTHER_DOUBT.test(heard) ? NO : { says: said };
}

/** The next stretch of voice at or after `from`, up to a pause: in samples, and how long it has been silent since. */
export function findSpeech(samples: Int16Array, from: number) {
  let start = -1;
  let end = from;
  for (let at = from; at + FRAME <= samples.length; at += FRAME) {
    if (rms(samples, at) < VOICE_RMS) continue;
    if (start >= 0 && ms(at - end) >= PAUSE_MS) break;
    if (start < 0) start = at;
    end = at + FRAME;
  }
  if (start < 0) return { start: from, end: from, voicedMs: 0, silentMs: 0 };
  const next = samples.length;
  return { start: Math.max(0, start - 800), end, voicedMs: ms(end - start), silentMs: ms(next - end) };
}

const ms = (count: number) => (count / SAMPLE_RATE_HZ) * 1_000;

function rms(samples: Int16Array, at: number): number {
  let sum = 0;
  for (let i = at; i < at + FRAME; i++) sum += (samples[i] ?? 0) ** 2;
  return Math.sqrt(sum / FRAME);
}

/** A voicemail's tone, half a second after its words. */
function withBeep(words: Int16Array): Int16Array {
  const pause = SAMPLE_RATE_HZ / 2;
  const all = new Int16Array(words.length + pause + SAMPLE_RATE_HZ / 2);
  all.set(words);
  for (let i = words.length + pause; i < all.length; i++) {
    all[i] = Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * i) / SAMPLE_RATE_HZ));
  }
  return all;
}
