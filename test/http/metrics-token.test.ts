// /metrics is public unless the settings have a token.
import { afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, loadConfig } from "../../src/config/load.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";
import { tempFolder } from "../support/temp.ts";

const TOKEN = "a-token-of-some-length";

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const ask = async (settings: Record<string, string>, authorization?: string) => {
  app = await createTestApp({ settings });
  return app.request("GET", "/metrics", { key: null, headers: authorization === undefined ? {} : { authorization } });
};

test("without a token everyone may read them", async () => {
  const { status, text } = await ask({});
  expect(status).toBe(200);
  expect(text).toContain("ringward_db_commits_total");
});

describe("with a token", () => {
  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])("%s reads them", async (authorization) => {
    const { status, text } = await ask({ RINGWARD_METRICS__TOKEN: TOKEN }, authorization);
    expect(status).toBe(200);
    expect(text).toContain("ringward_db_commits_total");
  });

  test.each([
    undefined,
    "",
    TOKEN,
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
  ])("%p is 401 and reads nothing", async (authorization) => {
    const { status, json, text } = await ask({ RINGWARD_METRICS__TOKEN: TOKEN }, authorization);
    expect(status).toBe(401);
    expect(json.error.code).toBe("UNAUTHORIZED");
    expect(text).not.toContain("ringward_");
    expect(text).not.toContain(TOKEN);
  });

  test("from a file, the line end is not part of it", async () => {
    const file = join(tempFolder(), "token");
    writeFileSync(file, `${TOKEN}\n`);
    expect((await ask({ RINGWARD_METRICS__TOKEN_FILE: file }, `Bearer ${TOKEN}`)).status).toBe(200);
  });
});

describe("the settings reject", () => {
  const faultsOf = (environment: Record<string, string>): readonly string[] => {
    try {
      loadConfig({ environment });
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
    }
    return [];
  };
  const fileWith = (text: string) => {
    const file = join(tempFolder(), "token");
    writeFileSync(file, text);
    return file;
  };

  test("a guessable token, also from a file, without repeating it", () => {
    for (const faults of [
      faultsOf({ RINGWARD_METRICS__TOKEN: "hunter2" }),
      faultsOf({ RINGWARD_METRICS__TOKEN_FILE: fileWith("hunter2") }),
    ]) {
      expect(faults).toHaveLength(1);
      expect(faults[0]).toStartWith("metrics.token");
      expect(faults[0]).not.toContain("hunter2");
    }
  });

  test("an empty file, a missing file, and both kinds at once", () => {
    expect(faultsOf({ RINGWARD_METRICS__TOKEN_FILE: fileWith("\n") })[0]).toContain("is empty");
    expect(faultsOf({ RINGWARD_METRICS__TOKEN_FILE: "/nowhere/token" })[0]).toContain("cannot be read");
    expect(faultsOf({ RINGWARD_METRICS__TOKEN_FILE: fileWith(TOKEN), RINGWARD_METRICS__TOKEN: TOKEN })[0]).toContain(
      "give one, not both",
    );
  });
});
