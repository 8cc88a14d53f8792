// A message for display: every field that may tell about the patient is masked. Only listed fields are shown.
import type { Message, Segment } from "../message/message.ts";

const MASK = "***";
const LONGEST_MASKED = 16_000;

/** Segment → fields that are shown whole. */
const SHOWN: Readonly<Record<string, readonly number[]>> = {
  MSH: Array.from({ length: 13 }, (_, i) => i),
  EVN: [1, 2, 3, 4, 6, 7],
  SCH: [1, 2, 3, 4, 5, 9, 10, 11, 25],
  TQ1: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  RGS: [1, 2, 3],
  AIS: [1, 2, 4, 5, 6, 7, 8, 9, 10],
  AIG: [1, 2, 8, 9, 10, 11, 12],
  AIL: [1, 2, 3, 4, 6, 7, 8, 9, 10],
  AIP: [1, 2, 3, 4, 6, 7, 8, 9, 10],
  PV1: [1, 2, 3],
  PID: [1],
  MRG: [],
};

/** Of coded fields that may name an illness, the code alone. */
const CODES: Readonly<Record<string, readonly number[]>> = { SCH: [6, 7, 8], AIS: [3] };

export function masked(message: Message): string {
  const { field } = message.delimiters;
  const shown = message.segments.map((segment) => {
    const fields = segment.fields.map((raw, number) => maskedField(message, segment, number, raw));
    // The separator is a field of the header.
    return segment.name === "MSH" ? [fields[0], ...fields.slice(2)].join(field) : fields.join(field);
  });
  return shown.join("\n").slice(0, LONGEST_MASKED);
}

function maskedField(message: Message, { name, strayFrom }: Segment, number: number, raw: string): string {
  // It was checked to be the name of a character set.
  const isCharset = name === "MSH" && number === 18;
  const isShown = isCharset || SHOWN[name]?.includes(number) === true;
  if (number === 0 || raw === "" || (isShown && number < strayFrom)) return raw;
  const { component, repetition } = message.delimiters;
  const repetitions = raw.split(repetition);
  if (CODES[name]?.includes(number) && number < strayFrom)
    return repetitions.map((each) => each.split(component)[0] ?? "").join(repetition);
  // The shape shows which components are there.
  return repetitions
    .map((each) =>
      each
        .split(component)
        .map((part) => (part === "" ? "" : MASK))
        .join(component),
    )
    .join(repetition);
}
