// A transcript as a text file: time, speaker, text.
import type { Utterance } from "../payloads/conversation.ts";

const SPEAKERS: Readonly<Record<string, string>> = { agent: "Agent", user: "Contact" };

export function transcriptText(lines: readonly Utterance[]): string {
  return lines
    .map(({ speaker, text, timestamp }) => `${clock(timestamp)} ${SPEAKERS[speaker] ?? speaker}: ${text}\n`)
    .join("");
}

/** 83 → 01:23 */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${pad(Math.floor(whole / 60))}:${pad(whole % 60)}`;
}

const pad = (value: number): string => String(value).padStart(2, "0");
