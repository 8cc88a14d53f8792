// From an empty folder to a call with one file and one command: the example of the handbook.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { jsonOf } from "../support/appliance.ts";
import { leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { FINAL, numberEnding, QUICK, readCall, type Call } from "../support/calls.ts";
import { chanceOf } from "../support/chance.ts";
import { noonZone } from "../support/noon.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const SECRETS = { password: "correct horse battery", trunk: "opened-by-no-one", person: "+912212340001" };
const HANDBOOK = readFileSync(join(import.meta.dir, "../../src/handbook/operation.md"), "utf8");
const [, EXAMPLE = ""] = /^```toml\n(\[organisation\][\s\S]*?)^```/m.exec(HANDBOOK) ?? [];

interface Place {
  folder: string;
  dataDir: string;
  file: string;
}

function placeWith(toml: string): Place {
  const folder = tempFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("hospital.toml", toml);
  write("do-not-disturb.txt", `${SECRETS.person}\n`);
  write("trunk-secret", `${SECRETS.trunk}\n`);
  write("reminders.txt", "You remind people of their appointments.\n");
  return { folder, dataDir: join(folder, "data"), file: join(folder, "hospital.toml") };
}

const env = { OWNER_PASSWORD: SECRETS.password };
const apply = ({ file, dataDir }: Place, ...args: string[]) =>
  runBinary(["apply", file, "--data", dataDir, ...args], { env });

describe("the example of the handbook", () => {
  let place: Place;
  beforeAll(() => {
    place = placeWith(EXAMPLE);
  });

  test("is planned without leaving anything behind", async () => {
    const { code, stdout, stderr } = await apply(place, "--dry-run");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("create  agents             Reminders");
    expect(stdout).toEndWith("Nothing was changed (--dry-run).\n");
    expect(existsSync(place.dataDir)).toBeFalse();
    expect(existsSync(join(place.folder, "api-key"))).toBeFalse();
    const unconfirmed = await apply(place);
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(existsSync(place.dataDir)).toBeFalse();
  });

  test("makes a hospital that calls, and prints no secret", async () => {
    const { code, stdout, stderr } = await apply(place, "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const key = readFileSync(join(place.folder, "api-key"), "utf8").trim();
    for (const secret of [...Object.values(SECRETS), key, "whsec_"]) expect(stdout).not.toContain(secret);
    for (const name of ["api-key", "webhook-secret"])
      expect(statSync(join(place.folder, name)).mode & 0o777).toBe(0o600);

    const server = await startBinary({ demo: false, dataDir: place.dataDir, env: QUICK });
    const call = await calledBy(server, key);
    expect(call.status).toBe("completed");
    // Beside the running server.
    const again = await apply(place, "--yes");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to change.") });
    writeFileSync(place.file, EXAMPLE.replace("lines = 4", "lines = 5"));
    const changed = await apply(place, "--yes", "--json");
    expect(JSON.parse(changed.stdout)).toMatchObject({ applied: 1 });
    expect(await jsonOf(place.dataDir, "numbers", "list")).toMatchObject([{ concurrent_calls: 5 }]);
    expect(await server.stop()).toBe(0);
  });
});

async function calledBy(server: Running, key: string): Promise<Call> {
  const [agent] = (await jsonOf(server.dataDir, "agents", "list")) as { agent_id: string }[];
  const body = {
    agent_id: agent?.agent_id,
    user_number: numberEnding("0100"),
    user_name: "Ravi",
    user_time_zone: noonZone(),
    additional_info: { visit: "Monday" },
  };
  const made = await ask(server, "POST", "/v1/calls", { key, body });
  expect(`${made.status} ${made.text}`).toStartWith("201 ");
  let call = await readCall(server, String(made.data["call_id"]), key);
  await until(
    async () => {
      call = await readCall(server, call.call_id, key);
      return FINAL.includes(call.status);
    },
    { withinMs: 120_000, everyMs: 200, what: () => JSON.stringify(call) },
  );
  return call;
}

describe("a kill", () => {
  const AGENTS = 40;
  const more = Array.from({ length: AGENTS }, (_, i) => `[[agents]]\nname = "Agent ${i}"\n`).join("\n");
  const toml = EXAMPLE.replace("[[phone_numbers]]", `${more}\n[[phone_numbers]]`);
  /** Kills the command with SIGKILL once it has printed the line. */
  const KILLING = `file="$1"; line="$2"; shift 2; "$@" > "$file" & pid=$!
    until grep -qF "$line" "$file" 2>/dev/null || ! kill -0 $pid 2>/dev/null; do :; done
    kill -9 $pid 2>/dev/null; wait $pid`;
  const chance = chanceOf("apply-kills");

  test("at any moment is finished by the next run, with every object once", async () => {
    const place = placeWith(toml);
    const kills = [
      "Created organisation",
      "Created branches",
      ...[0, 20].map((from) => `Created agents "Agent ${from + Math.floor(chance() * 20)}"`),
      "Created windows",
      "Created webhook_endpoints",
    ];
    for (const line of kills) {
      const wrapper = ["sh", "-c", KILLING, "sh", join(place.folder, "output"), line];
      await runBinary(["apply", place.file, "--data", place.dataDir, "--yes"], { env, wrapper });
    }
    const last = await apply(place, "--yes");
    expect({ code: last.code, stderr: last.stderr }).toEqual({ code: 0, stderr: "" });
    expect(await apply(place, "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing to change."),
    });
    const counts = await Promise.all(
      ["orgs", "people", "branches", "agents", "trunks", "reminders", "endpoints"].map(
        async (kind) => ((await jsonOf(place.dataDir, kind, "list")) as unknown[]).length,
      ),
    );
    expect(counts).toEqual([1, 1, 1, AGENTS + 1, 1, 1, 1]);
    const keys = (await jsonOf(place.dataDir, "keys", "list")) as { status: string }[];
    expect(keys.filter(({ status }) => status === "active")).toHaveLength(1);
    expect(readFileSync(join(place.folder, "api-key"), "utf8")).toStartWith("rw_live_");
  });
});

test("a fault stops everything before the first change, and a lost variable is one", async () => {
  const place = placeWith(`${EXAMPLE}\n[[agents]]\nname = "Reminders"\npromt = "x"\n`);
  const typed = await apply(place, "--yes");
  expect(typed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("agents[1].promt: no such key. Did you mean"),
  });
  writeFileSync(place.file, EXAMPLE);
  unlinkSync(join(place.folder, "trunk-secret"));
  const { code, stderr } = await runBinary(["apply", place.file, "--data", place.dataDir, "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("owner.password_env: the variable OWNER_PASSWORD is not set.");
  expect(stderr).toContain("trunks[0].secret_file: ");
  expect(existsSync(place.dataDir)).toBeFalse();
});
