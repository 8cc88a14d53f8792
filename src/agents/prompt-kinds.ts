// What an agent can have recorded words for, in the order in which a call comes to them.
import type { PromptKind } from "../db/rows/telephony.ts";

export const PROMPT_KINDS = [
  "greeting",
  "menu",
  "confirmed",
  "change_requested",
  "transfer",
  "goodbye",
] as const satisfies readonly PromptKind[];

export function isPromptKind(text: string): text is PromptKind {
  return (PROMPT_KINDS as readonly string[]).includes(text);
}
