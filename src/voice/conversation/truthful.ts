// The last check before synthesis, for phrases of any origin: the owner's texts, approved answers, a model's words. A
// sentence that claims what is not true is replaced by the fixed line.
import type { RecordingReport } from "../../payloads/lawful.ts";
import { claimSentences, claimsIn, isHarmless, type Claim } from "./claims.ts";
import type { TalkCall } from "./model.ts";
import { stopping } from "./notices.ts";
import type { Phrase } from "./phrase.ts";
import type { Phrases } from "./phrases/phrases.ts";

/** Returns the phrase itself if it claims nothing untrue. A fixed line in place of a whole phrase has its own name. */
export type Truthful = (phrase: Phrase) => Phrase;

export interface TruthOptions {
  call: TalkCall;
  phrases: Phrases;
  recording(): { isOn: boolean; consent: RecordingReport["consent"] };
}

export function createTruthful({ call, phrases, recording }: TruthOptions): Truthful {
  const hospital = call.notices?.hospital ?? null;
  const who = phrases.whoIsCalling(call);

  /** What is said instead; null if the claim is true. */
  function lineFor(claim: Claim): Phrase | null {
    const { isOn, consent } = recording();
    if (claim === "human" || claim === "toldWho") return who;
    if (claim === "toldHowToStop") return stopping({ call, phrases })[0] ?? who;
    if (claim === "unrecorded") return isOn ? phrases.isRecorded : null;
    if (consent === "given") return null;
    return call.recording === undefined ? who : isOn ? phrases.isRecorded : phrases.notRecorded;
  }

  return (phrase) => {
    if (isHarmless(phrase.text, hospital)) return phrase;
    const sentences = claimSentences(phrase.text);
    const lines = new Map<number, Phrase>();
    for (const { claim, from, to } of claimsIn(sentences, hospital)) {
      const line = lineFor(claim);
      if (line) for (let i = from; i <= to; i++) lines.set(i, lines.get(i) ?? line);
    }
    return lines.size === 0 ? phrase : replaced(phrase, sentences, lines);
  };
}

function replaced({ name }: Phrase, sentences: readonly string[], lines: ReadonlyMap<number, Phrase>): Phrase {
  const [line, ...others] = new Set(lines.values());
  if (line && others.length === 0 && lines.size === sentences.length) return line;
  const texts = sentences.map((sentence, i) => lines.get(i)?.text ?? sentence);
  const text = texts.filter((each, i) => each !== texts[i - 1]).join(" ");
  const notices = [...new Set([...lines.values()].flatMap((each) => each.notices ?? []))];
  return { name, text, recorded: null, ...(notices.length > 0 && { notices }) };
}
