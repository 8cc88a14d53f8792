// Change of a figure against the period before: percent of a number, points of a share. Null without a period before.

export type Change = { by: number; unit: "percent" | "points" } | null;

/** Of 50 % to 55 %: 5 points. */
export function changeOfShare(now: number | null, before: number | null): Change {
  return now === null || before === null ? null : { by: rounded((now - before) * 100), unit: "points" };
}

/** Of 40 to 50: 25 percent. */
export function changeOfNumber(now: number | null, before: number | null): Change {
  return now === null || before === null || before === 0
    ? null
    : { by: Math.round(((now - before) / before) * 100), unit: "percent" };
}

/** To a tenth, and never to minus zero. */
const rounded = (value: number): number => Math.round(value * 10) / 10 || 0;
