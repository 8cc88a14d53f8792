// A television in the patient's room: four voices that converse, read the news and sometimes talk at once. The sound is
// always the same; the seed chooses where it starts.
import { lazily } from "../../../src/core/lazily.ts";
import { randomFrom } from "../sounds.ts";
import { activeRms } from "./levels.ts";
import { sayWithFlite } from "./voices.ts";

const SAMPLE_RATE_HZ = 8_000;
const VOICES = ["awb", "rms", "slt", "kal16"];
/** The next one begins this long after the one before has ended; less than nothing: they talk at once. */
const GAP_SECONDS = { least: -0.8, most: 0.5 };
const SEED = 33;

const LINES = [
  "Good evening, and welcome to the nine o'clock news.",
  "The minister said on Tuesday that the new bridge will open next month.",
  "Where were you last night when the lights went out?",
  "I told you already, I was at my sister's house until midnight.",
  "Tomorrow will be sunny in the south, with light rain along the coast.",
  "And that is the third wicket of the morning, what a ball that was.",
  "Nobody in this family ever listens to a single word I say.",
  "The price of onions has fallen again for the second week.",
  "Stay with us, we will be right back after a short break.",
  "Try it today, and get two for the price of one.",
  "She never told him about the letter, did she?",
  "In other news, the train drivers have called off their strike.",
  "Mix the flour with a little water, and let it rest for an hour.",
  "He hits it high, and it is gone, all the way into the crowd.",
  "We now go live to our reporter outside the city hall.",
  "Thank you, the people here have been waiting since early morning.",
];

/** About forty seconds of it, to be repeated. */
const programme = lazily(() => {
  const random = randomFrom(SEED);
  const spoken = LINES.map((line, at) => sayWithFlite(line, VOICES[at % VOICES.length] ?? "slt"));
  const all = new Float32Array(spoken.reduce((sum, { length }) => sum + length + SAMPLE_RATE_HZ, 0));
  let end = 0;
  for (const samples of spoken) {
    const gap = GAP_SECONDS.least + random() * (GAP_SECONDS.most - GAP_SECONDS.least);
    const from = Math.max(0, Math.round(end + gap * SAMPLE_RATE_HZ));
    for (const [at, sample] of samples.entries()) all[from + at] = (all[from + at] ?? 0) + sample;
    end = Math.max(end, from + samples.length);
  }
  const sound = all.subarray(0, end);
  const level = activeRms(sound);
  return sound.map((sample) => sample / level);
});

/** So many samples of it, whose level is 1 while one of them talks. */
export function television(length: number, seed: number): Float32Array {
  const sound = programme();
  const from = Math.floor(randomFrom(seed)() * sound.length);
  return Float32Array.from({ length }, (_, at) => sound[(from + at) % sound.length] ?? 0);
}
