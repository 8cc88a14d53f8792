// NUL in text: not every database can keep it. From people it is refused, each where their words come in (http/body.ts
// and http/request-bounds.ts); what a machine on the network sent is kept without it.

export const NUL = "\0";

export function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, "") : text;
}
