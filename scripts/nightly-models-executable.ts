// Checks of both servers as one organisation's model servers, through the executable.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runBinary, tempFolder } from "../test/support/binary.ts";
import { KEY, type ModelPeer } from "./model-peers.ts";
import { expectThat } from "./nightly-checks.ts";
import type { Check, ModelWorld } from "./nightly-models-world.ts";

const ALLOW = { RINGWARD_MODELS__ALLOW: "127.0.0.1" };

async function ran(
  args: readonly string[],
  dataDir: string,
  stdin = "",
): Promise<{ code: number | null; out: string }> {
  const { code, stdout, stderr } = await runBinary([...args, "--data", dataDir], { env: ALLOW, stdin });
  return { code, out: `${stdout}${stderr}` };
}

async function expectRan(args: readonly string[], dataDir: string, stdin = ""): Promise<string> {
  const { code, out } = await ran(args, dataDir, stdin);
  expectThat(code === 0, `${args.join(" ")} ended with ${code}:\n${out}`);
  return out;
}

async function triedByTheExecutable({ llama, whisper }: ModelWorld, folder: string): Promise<string> {
  const dataDir = join(folder, "data");
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, KEY);
  const owner = ["--organisation", "St. Mary", "--email", "owner@hospital.example"];
  await expectRan(["setup", ...owner], dataDir, "correct horse battery\n");
  const add = ({ address }: ModelPeer, role: string, ...more: string[]) => {
    const named = ["--name", address.name, "--role", role, "--url", address.baseUrl, "--model", address.model];
    return expectRan(["servers", "add", ...named, ...more], dataDir);
  };
  await add(llama, "language", "--key-file", keyFile);
  await add(whisper, "recognition");
  const { code, out } = await ran(["models", "test"], dataDir);
  for (const words of [
    /It talks/,
    /ok +It streams/,
    /ok +It uses tools/,
    /ok +It keeps to a JSON schema/,
    /It listens/,
  ])
    expectThat(words.test(out), `it does not say ${words}:\n${out}`);
  expectThat(code === 0 && !out.includes("FAIL") && !out.includes(KEY), `it ended with ${code}:\n${out}`);
  return `\n${out.trimEnd().replaceAll(/^/gm, "       ")}`;
}

export const EXECUTABLE: Check[] = [
  {
    group: "executable",
    name: "both belong to an organisation, and `models test` tells",
    async run(world) {
      const folder = tempFolder();
      try {
        return await triedByTheExecutable(world, folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
