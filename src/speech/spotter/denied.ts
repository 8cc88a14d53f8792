// "I do not have chest pain": the spotter hears the pain, and the recogniser that it is denied.

/** Before it, in the same clause. */
const DENIAL = /\b(?:not|no|never|without|nor)\b|n['’]t\b/;

/** Whether these words have the phrase in them, and take it back. Words that garble it decide nothing. */
export function isDenied(text: string, alarm: string): boolean {
  return text
    .toLowerCase()
    .split(/[.,;:!?]+/)
    .some((clause) => {
      const at = clause.indexOf(alarm);
      return at > 0 && DENIAL.test(clause.slice(0, at));
    });
}
