// Every call carries every notice that a rule book asks for, in every language. The notices are fixed phrases: no book
// and no organisation can remove one. A kind that a book adds fails here until the agent says it.
import { expect, test } from "bun:test";
import type { NoticeKind } from "../../../src/payloads/lawful.ts";
import { ruleBook } from "../../../src/rules/book/embedded-books.ts";
import { SOUND_MS, setStage, type StageOptions } from "../stage.ts";
import { heardOut, setTalkingStage, type TalkingStage } from "./callee.ts";

const wanted = ruleBook().books.flatMap(({ country, rules }) => {
  const own = rules.filter(({ setting }) => setting === "notices").flatMap(({ value }) => value as NoticeKind[]);
  return [{ country, kinds: [...new Set(own)] }];
});

const NOTICES = { hospital: "City Hospital", callbackNumber: "+912212345678" };
const brief = (language: string): NonNullable<StageOptions["brief"]> => ({
  language,
  notices: NOTICES,
  greeting: "",
  recording: "announce",
});

const WORDS = {
  "en-IN": ["Yes, speaking.", "Yes, I will come."],
  "hi-IN": ["जी हाँ, बोल रहा हूँ।", "हाँ, मैं आऊँगा।"],
} as const;
const LANGUAGES = Object.keys(WORDS) as (keyof typeof WORDS)[];

const heardKinds = ({ agent }: Pick<TalkingStage, "agent">) =>
  (agent.ended("us").notices ?? []).filter(({ heardAt }) => heardAt !== null).map(({ kind }) => kind);

async function byVoice(language: keyof typeof WORDS) {
  const stage = setTalkingStage({ brief: brief(language) });
  await stage.answer();
  await heardOut(stage, 3);
  for (const words of WORDS[language]) {
    await stage.says(words);
    await heardOut(stage, 4);
  }
  await stage.pass(2_000);
  return heardKinds(stage);
}

async function byKeys(language: string) {
  const stage = setStage({ brief: brief(language) });
  await stage.answer();
  for (const key of ["1", "1"]) {
    await stage.clock.advance(5 * SOUND_MS);
    await stage.press(key);
  }
  await stage.clock.advance(6 * SOUND_MS);
  return heardKinds(stage);
}

test("every book names what must be said", () => {
  expect(wanted.filter(({ kinds }) => kinds.length < 4)).toEqual([]);
});

test.each(LANGUAGES)("a call by voice in %s carries every notice of every book, heard to its end", async (language) => {
  const heard = await byVoice(language);
  for (const { kinds } of wanted) expect(heard).toEqual(expect.arrayContaining([...kinds]));
});

test.each(LANGUAGES)("a call by keypad in %s does too", async (language) => {
  const heard = await byKeys(language);
  for (const { kinds } of wanted) expect(heard).toEqual(expect.arrayContaining([...kinds]));
});
