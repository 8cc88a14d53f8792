// Receivers sometimes answer with what they were sent. What looks like a person or a secret is not kept.

const PATTERNS: readonly RegExp[] = [
  // E-mail addresses
  /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,190}/g,
  // Phone numbers and other long runs of digits, with the separators people put in
  /\+?\d(?:[\s().-]?\d){6,}/g,
  // Secrets of ours
  /(?:whsec_|whin_|rw_live_)[A-Za-z0-9+/=_-]+/g,
  // Bearer tokens and the like
  /\b(?:bearer|token|password|secret|authorization)\b["']?\s*[:=]?\s*["']?[^\s"',}]+/gi,
];

export function redacted(text: string): string {
  return PATTERNS.reduce((kept, pattern) => kept.replace(pattern, "[…]"), text);
}
