// Handling of NUL in text, which PostgreSQL cannot store. Text from people is rejected at the boundary (http/body.ts
// and http/request-bounds.ts); text from machines on the network is stored without it.

export const NUL = "\0";

export function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, "") : text;
}
