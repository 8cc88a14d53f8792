// The reader of a shared call: language by the browser's wish, times in the hospital's zone.
import { HINDI } from "./hindi.ts";
import { ENGLISH, type ShareWords } from "./words.ts";

export interface Reader {
  language: "en" | "hi";
  locale: "en-GB" | "hi-IN";
  words: ShareWords;
  zone: string;
}

export const ENGLISH_READER: Reader = { language: "en", locale: "en-GB", words: ENGLISH, zone: "UTC" };

/** Accept-Language: the first of the most wanted tags that there are words for; English otherwise. */
export function readerOf({ headers }: Request, zone: string): Reader {
  const wanted = (headers.get("accept-language") ?? "").split(",").map((each) => {
    const [tag = "", ...options] = each.split(";").map((part) => part.trim().toLowerCase());
    const weight = options.find((option) => option.startsWith("q="))?.slice(2);
    return { language: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
  });
  const known = wanted.filter(({ language, weight }) => (language === "en" || language === "hi") && weight > 0);
  const [first] = known.toSorted((a, b) => b.weight - a.weight);
  if (first?.language !== "hi") return { ...ENGLISH_READER, zone };
  return { language: "hi", locale: "hi-IN", words: HINDI, zone };
}
