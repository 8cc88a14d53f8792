// Converts number words to digits: "twenty first" → "21st", "half past ten" → "half past 10". "One" after "that", "the
// first" and similar words is not a number, nor is "second" in "just a second".

const UNITS = "one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );

const CARDINAL_VALUES: ReadonlyMap<string, number> = new Map([
  ["zero", 0],
  ...UNITS.map((word, index) => [word, index + 1] as const),
  ...TEENS.map((word, index) => [word, index + 10] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
  ["fourty", 40],
]);
const ORDINAL_VALUES: ReadonlyMap<string, number> = new Map([
  ...ORDINALS.map((word, index) => [word, index + 1] as const),
  ["thirtieth", 30],
]);

const NOT_A_NUMBER_AFTER =
  /^(?:that|this|the|first|second|third|last|other|another|later|earlier|next|which|any|either|good|better|no|some|every|each|new|early|late|latest|earliest|middle|only|same|morning|evening|afternoon|\d+(?:st|nd|rd|th))$/;
const NO_ORDINAL_AFTER = /^(?:a|one|just|half|few|1|per|every|this|split)$/;

export function writeNumbers(words: string): string {
  const kept: string[] = [];
  const all = words.trim().split(" ");
  for (let index = 0; index < all.length; index++) {
    const word = all[index] ?? "";
    const read = readNumber(word, all[index + 1], all[index - 1]);
    kept.push(read.written);
    index += read.used - 1;
  }
  return ` ${kept.join(" ")} `;
}

function readNumber(word: string, next = "", before = ""): { written: string; used: number } {
  const value = CARDINAL_VALUES.get(word) ?? tensIn(word, next);
  const ordinal = ORDINAL_VALUES.get(word);
  if (ordinal !== undefined) {
    return { written: word === "second" && NO_ORDINAL_AFTER.test(before) ? word : ordinalOf(ordinal), used: 1 };
  }
  if (value === undefined) return { written: word, used: 1 };
  if (value >= 20) {
    const unit = CARDINAL_VALUES.get(next) ?? 0;
    if (unit > 0 && unit < 10) return { written: String(value + unit), used: 2 };
    const last = lastOrdinal(next);
    if (last > 0 && last < 10) return { written: ordinalOf(value + last), used: 2 };
  }
  if (word === "one" && NOT_A_NUMBER_AFTER.test(before)) return { written: word, used: 1 };
  // "The Thursday one" versus "Thursday one thirty".
  if (word === "one" && before.endsWith("day") && !CARDINAL_VALUES.has(next) && !/^(?:oclock|am|pm|\d)/.test(next))
    return { written: word, used: 1 };
  return { written: String(value), used: 1 };
}

/** Recognisers also write "20 fifth" and "twenty fifths". */
const lastOrdinal = (word: string) => ORDINAL_VALUES.get(word) ?? ORDINAL_VALUES.get(word.replace(/ths$/, "th")) ?? 0;
const tensIn = (word: string, next: string) =>
  /^[2-9]0$/.test(word) && lastOrdinal(next) > 0 && lastOrdinal(next) < 10 ? Number(word) : undefined;

function ordinalOf(value: number): string {
  const last = value % 10;
  const isTeen = value > 10 && value < 14;
  return `${value}${isTeen || last === 0 || last > 3 ? "th" : ["st", "nd", "rd"][last - 1]}`;
}
