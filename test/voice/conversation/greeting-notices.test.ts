// Which greetings contain the opening notices themselves.
import { describe, expect, test } from "bun:test";
import { noticedGreeting } from "../../../src/voice/conversation/greeting-notices.ts";

const found = (greeting: string, hospital = "City Hospital", callee: string | null = "Ravi") =>
  noticedGreeting(greeting, hospital, callee);

describe("a greeting with both notices in its first sentence", () => {
  for (const greeting of [
    "Hello, this is Asha, the automatic assistant of City Hospital.",
    "Hello. This is the AI voice assistant of City Hospital.",
    "Good morning, Ravi. City Hospital speaking, this is an automated call.",
    "This is the virtual assistant of CITY  HOSPITAL!",
    "You are speaking with the A.I. assistant of Dr. Rao at City Hospital.",
    "नमस्ते, मैं City Hospital की ऑटोमैटिक सहायक हूँ।",
    "नमस्ते। यह City Hospital की ओर से स्वचालित कॉल है।",
    "Namaste, main City Hospital ki virtual assistant bol rahi hoon.",
    "Good morning, I'm Asha, an AI assistant calling from City Hospital about your visit.",
    "Hello, my name is Asha and I am the virtual assistant of the City Hospital.",
    "This is City Hospital's automated assistant.",
    "Hi, this is an automated message from City Hospital.",
    "नमस्ते, मैं आशा, City Hospital की एआई असिस्टेंट बोल रही हूँ।",
  ])
    test(greeting, () => expect(found(greeting)).toEqual({ head: greeting.replaceAll("  ", " "), rest: "" }));

  test("is divided after that sentence", () => {
    expect(found("Hello. This is the automatic assistant of City Hospital. Am I speaking with Ravi?")).toEqual({
      head: "Hello. This is the automatic assistant of City Hospital.",
      rest: "Am I speaking with Ravi?",
    });
  });

  test("may name the hospital in Hindi", () => {
    expect(found("नमस्ते, मैं सिटी अस्पताल की वर्चुअल असिस्टेंट हूँ। क्या आप सुन रहे हैं?", "सिटी अस्पताल")).toEqual({
      head: "नमस्ते, मैं सिटी अस्पताल की वर्चुअल असिस्टेंट हूँ।",
      rest: "क्या आप सुन रहे हैं?",
    });
  });
});

describe("a notice is missing", () => {
  for (const [why, greeting] of [
    ["neither", "Hello."],
    ["no greeting", ""],
    ["not automatic", "Hello, this is Asha from City Hospital."],
    ["no name", "Hello, this is an automated call."],
    ["a longer name", "Hello, this is the automatic assistant of City Hospitality."],
    ["denied", "Hello, this is City Hospital and not an automated call."],
    ["denied in Hindi", "नमस्ते, यह City Hospital है, यह ऑटोमैटिक कॉल नहीं है।"],
    ["asked", "Hello, do you like the automatic assistant of City Hospital?"],
    ["too late", "Hello. I call about your appointment. This is the automatic assistant of City Hospital."],
    ["two sentences", "Hello, this is City Hospital. This is an automated call about your appointment tomorrow."],
    ["told apart", "Unlike an automated call, I am Priya from City Hospital."],
    ["told apart in the middle", "Hello, this is City Hospital, I call instead of an automated assistant."],
    ["a subject of the call", "Priya from City Hospital calling about the AI system upgrade."],
    ["a subject of the call, after who calls", "This is Priya, calling about the AI system of City Hospital."],
    ["a person who works with it", "This is Priya, the AI system manager of City Hospital."],
    ["a part of a longer word", "I am Priya, the automated call centre lead of City Hospital."],
    ["a subject in Hindi", "नमस्ते, मैं City Hospital की एआई सिस्टम प्रमुख प्रिया हूँ।"],
    ["told apart in Hindi", "नमस्ते, ऑटोमैटिक कॉल के बजाय मैं City Hospital से प्रिया बोल रही हूँ।"],
    ["a thing that is automatic", "Hello, City Hospital has an automatic door."],
  ] as const)
    test(`${why}: ${greeting}`, () => expect(found(greeting)).toBeNull());

  test("the callee's name is no notice", () => {
    expect(
      found("Hello automatic assistant of City Hospital.", "City Hospital", "automatic assistant of City Hospital"),
    ).toBeNull();
  });

  test("the hospital's name does not describe the voice", () => {
    expect(found("Hello, this is the Virtual Voice Clinic.", "Virtual Voice Clinic")).toBeNull();
  });

  test("a name full of pattern characters and a very long greeting are searched quickly", () => {
    const greeting = `Hello, this is the automatic assistant of St. Mary's (Main) [A+] Hospital*. ${"word ".repeat(20_000)}`;
    const before = performance.now();
    expect(found(greeting, "St. Mary's (Main) [A+] Hospital*")?.head).toEndWith("Hospital*.");
    expect(found("a ".repeat(50_000))).toBeNull();
    expect(performance.now() - before).toBeLessThan(500);
  });
});
