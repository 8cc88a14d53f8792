// Denied alarms: for "I do not have chest pain" the spotter detects the pain, and the recogniser the denial.

/** Before the phrase, in the same clause. */
const DENIAL = /\b(?:not|no|never|without|nor)\b|n['’]t\b/;

/** Whether the words contain the phrase and deny it. Garbled words decide nothing. */
export function isDenied(text: string, alarm: string): boolean {
  return text
    .toLowerCase()
    .split(/[.,;:!?]+/)
    .some((clause) => {
      const at = clause.indexOf(alarm);
      return at > 0 && DENIAL.test(clause.slice(0, at));
    });
}
