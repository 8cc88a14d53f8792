// `ringward update`: a signed release replaces the executable, and is rolled back if it does not start.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signFolder } from "../../scripts/releasing/signed-folder.ts";
import { platformName } from "../../src/speech/onnx/platform.ts";
import { VERSION } from "../../src/core/version.ts";
import { BINARY, freePort, leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { until } from "../support/until.ts";

/** As long as the current version, so it can replace it in a copy of the executable. */
const NEWER = VERSION.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)).replace(/^\d/, "9");
const OLDER = VERSION.replace(/^\d/, "0").replace(/\.\d/, ".0");

const key = generateKeyPairSync("ed25519");
const folder = tempFolder();
const executable = join(folder, "bin/ringward");
const dataDir = join(folder, "data");
const publicKey = join(folder, "release.pem");
const programs = join(folder, "programs");
let port = 0;

/** The same program with another version: bytecode and text contain it once each, beside the package metadata. */
function underVersion(version: string): Buffer {
  const bytes = readFileSync(BINARY);
  const inText = bytes.indexOf(`name:"ringward",version:"${VERSION}"`) + `name:"ringward",version:"`.length;
  const description = bytes.indexOf("Self-hosted voice-call");
  const inBytecode = bytes.lastIndexOf(VERSION, description);
  for (const at of [inText, inBytecode]) bytes.write(version, at, "latin1");
  return bytes;
}

/** A release folder with one executable, named as by the release script. */
function release(version: string, content: Buffer | string, signer: KeyObject = key.privateKey): string {
  const made = tempFolder();
  const file = join(made, `ringward-${version}-${platformName()}`);
  writeFileSync(file, content);
  signFolder(made, signer);
  return file;
}

/** Stub of systemctl: runs the installed executable as its only unit. */
function writeSystemctl(): void {
  mkdirSync(programs);
  const log = join(folder, "server.log");
  const script = `#!/bin/sh
echo "$*" >>${folder}/systemctl.log
case "$1" in
  start) setsid ${executable} serve --demo --data ${dataDir} --port ${port} >>${log} 2>&1 </dev/null & echo $! >${folder}/pid ;;
  stop) kill -TERM "$(cat ${folder}/pid)" 2>/dev/null; while kill -0 "$(cat ${folder}/pid)" 2>/dev/null; do :; done ;;
  is-failed) ! kill -0 "$(cat ${folder}/pid)" 2>/dev/null ;;
  *) true ;;
esac
`;
  writeFileSync(join(programs, "systemctl"), script, { mode: 0o755 });
}

const environment = () => ({ PATH: `${programs}:${process.env["PATH"] ?? ""}`, RINGWARD_DEMO__HISTORY: "false" });
const run = (args: string[]) =>
  runBinary([...args, "--data", dataDir], { binary: executable, env: environment(), cwd: folder });
const update = (file: string, ...more: string[]) =>
  run(["update", file, "--key", publicKey, "--service", "ringward.service", "--wait", "60", ...more]);
const systemctl = (verb: string) => Bun.spawnSync([join(programs, "systemctl"), verb], { env: environment() });

async function servedVersion(): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false }).catch(() => null);
  return answer ? ((await answer.json()) as { version: string }).version : null;
}

const isInstalled = (version: string) =>
  Bun.spawnSync([executable, "version"]).stdout.toString().startsWith(`ringward ${version} `);

beforeAll(async () => {
  port = await freePort();
  mkdirSync(join(folder, "bin"));
  mkdirSync(dataDir);
  copyFileSync(BINARY, executable);
  writeFileSync(publicKey, key.publicKey.export({ format: "pem", type: "spki" }));
  writeSystemctl();
  systemctl("start");
  await until(async () => (await servedVersion()) === VERSION, { withinMs: 60_000, what: () => "No server." });
});
afterAll(() => {
  systemctl("stop");
});
leaveNothingBehind();

describe("a release that is untrusted or unusable", () => {
  const stub = `#!/bin/sh\necho "ringward ${NEWER} (stub), schema 1, bun 1"\n`;

  test("is rejected, and nothing changes", async () => {
    const other = generateKeyPairSync("ed25519");
    const forged = release(NEWER, stub, other.privateKey);
    const changed = release(NEWER, stub);
    writeFileSync(changed, `${stub}# changed`);
    const older = release(OLDER, stub);
    const same = release(VERSION, stub);
    const mislabelled = release(NEWER.replace(/\d$/, "8"), `${stub}# of another version`);
    for (const [file, why] of [
      [forged, "is not a signature of"],
      [changed, "is not a file of the signed release"],
      [older, `is older than the installed ${VERSION}`],
      [same, "is installed already"],
      [mislabelled, "does not run on this machine, or is not"],
    ] as const) {
      const { code, stderr } = await update(file);
      expect({ code, why: stderr }).toEqual({ code: 1, why: expect.stringContaining(why) });
    }
    const withoutKey = await run(["update", older]);
    expect(withoutKey).toMatchObject({ code: 1, stderr: expect.stringContaining("built without a release key") });
    expect(readdirSync(join(folder, "bin"))).toEqual(["ringward"]);
    expect(await servedVersion()).toBe(VERSION);
  });

  test("is distinguished from a good one by update check", async () => {
    const good = release(NEWER, stub);
    const { code, stdout } = await run(["update", "check", good, "--key", publicKey]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/, signed by SHA256:/) });
  });
});

test("a version that cannot start changes the database, and both are rolled back", async () => {
  // Its migration: the schema version, at byte 60 of the file.
  const broken = `#!/bin/sh
if [ "$1" = version ]; then echo "ringward ${NEWER} (stub), schema 99, bun 1"; exit; fi
printf '\\000\\000\\000\\143' | dd of=${dataDir}/ringward.db bs=1 seek=60 conv=notrunc status=none
exit 1
`;
  const { code, stdout } = await update(release(NEWER, broken));
  expect(stdout).toContain(`Ringward ${NEWER} did not become ready: the service manager gave up`);
  expect(stdout).toContain("The database is as before the update.");
  expect(stdout).toContain(`Ringward ${VERSION} is ready again.`);
  expect(code).toBe(1);
  expect(await servedVersion()).toBe(VERSION);
  expect(isInstalled(VERSION)).toBe(true);
  expect(existsSync(join(dataDir, "before-update.backup"))).toBe(false);
  for (const name of readdirSync(dataDir)) if (name.includes(".before-restore-")) rmSync(join(dataDir, name));
});

test("a newer version serves, keeps the previous one, and can be rolled back", async () => {
  const file = release(NEWER, underVersion(NEWER));
  expect(await update(file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Ringward ${NEWER} is ready. ${VERSION} is kept as the previous executable.`),
  });
  expect(await servedVersion()).toBe(NEWER);
  expect(isInstalled(NEWER)).toBe(true);

  const { code, stdout } = await run(["update", "back", "--service", "ringward.service"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`Ringward ${VERSION} is ready again.`) });
  expect(await servedVersion()).toBe(VERSION);
  expect(readdirSync(join(folder, "bin"))).toEqual(["ringward"]);
});
