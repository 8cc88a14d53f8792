// Spoken key names: "one", "press two", "number three please". A callee who was told the keys may speak them.

const KEYS: Readonly<Record<string, string>> = {
  zero: "0",
  oh: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  star: "*",
  asterisk: "*",
};
/** Words around a key that carry no meaning. */
const BESIDE_KEYS =
  /^(?:i|i'll|i'd|i'm|will|would|want|to|like|press|pressed|pressing|push|pushed|dial|hit|choose|take|say|said|key|button|number|option|digit|the|it|it's|is|its|that|um|uh|okay|please|then|so|for|me)$/;
/** Longer utterances are not keys. */
const MOST_WORDS = 8;

/** Null if anything but one key was said: "one" inside a sentence does not count. */
export function spokenKey(text: string): string | null {
  const words = text.toLowerCase().match(/[a-z']+|\d+/g) ?? [];
  if (words.length > MOST_WORDS) return null;
  const left = words.filter((word) => !BESIDE_KEYS.test(word));
  const [word = ""] = left;
  if (left.length !== 1) return null;
  return KEYS[word] ?? (/^\d$/.test(word) ? word : null);
}
