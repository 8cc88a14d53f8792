// Makes the two files by which the built-in voice knows how English words sound, out of the packages that publish them:
//   bun add cmu-pronouncing-dictionary@3.0.0 @dittli/tts-en@0.6.0     (anywhere outside this repository)
//   bun scripts/pack-pronunciations.ts THAT/node_modules
// They change only when the packages do; the results are committed, and their hashes are in the weights' catalogue.
import { join } from "node:path";

const INTO = join(import.meta.dir, "../src/speech/models");
const SOURCES = {
  dictionary: {
    file: "cmu-pronouncing-dictionary/index.js",
    sha256: "ef8b2b976d2e5801b7541ebcc7714f538d1ffa0ebb28645259536e2666bd2948",
  },
  letters: {
    file: "@dittli/tts-en/assets/en/g2p_model.json",
    sha256: "b9bf424ae0d6fea011960032cee6615097db23ab71c5770576c9c44103f1b49f",
  },
};

/** In the order in which src/speech/tts/neural/letters-to-sounds.ts reads them. */
const TENSORS = ["enc_emb", "enc_w_ih", "enc_w_hh", "enc_b_ih", "enc_b_hh"].concat(
  ["dec_emb", "dec_w_ih", "dec_w_hh", "dec_b_ih", "dec_b_hh"],
  ["fc_w", "fc_b"],
);

async function checked(packages: string, { file, sha256 }: { file: string; sha256: string }): Promise<string> {
  const path = join(packages, file);
  const bytes = await Bun.file(path).bytes();
  const found = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`${path} is not the file that was checked: its SHA-256 is ${found}.`);
  return path;
}

/** One word and its sounds per line, sorted by bytes for binary search. */
async function packWords(path: string): Promise<void> {
  const { dictionary } = (await import(path)) as { dictionary: Record<string, string> };
  const lines = Object.entries(dictionary)
    .filter(([word]) => /^[a-z][a-z']*$/.test(word))
    .map(([word, sounds]) => `${word} ${sounds}\n`)
    .toSorted((a, b) => (a < b ? -1 : 1));
  console.log(`${lines.length} words`, await Bun.write(join(INTO, "cmu-dictionary/words.txt"), lines.join("")));
}

/** All numbers in sequence, 32-bit little-endian; the reader has the shapes. */
async function packLetters(path: string): Promise<void> {
  const model = (await Bun.file(path).json()) as Record<string, { data: string }>;
  const parts = TENSORS.map((name) => Buffer.from(model[name]?.data ?? "", "base64"));
  console.log("letters to sounds", await Bun.write(join(INTO, "g2p-en/letters.bin"), Buffer.concat(parts)));
}

const packages = process.argv[2];
if (packages === undefined) throw new Error("Name the node_modules folder that holds both packages.");
await packWords(await checked(packages, SOURCES.dictionary));
await packLetters(await checked(packages, SOURCES.letters));
