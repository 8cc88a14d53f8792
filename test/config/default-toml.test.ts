// config/default.toml is the documentation of the settings: it must hold every key, and say what it is for.
import { expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_ENTRY_DEFAULTS, ModelEntry } from "../../src/config/model-entries.ts";
import { ConfigSchema } from "../../src/config/schema.ts";
import { ENTRY_DEFAULTS, TrunkEntry } from "../../src/config/trunk-entries.ts";

const TOML = readFileSync(join(import.meta.dir, "../../config/default.toml"), "utf8");

/** The example trunk without the mark that makes a comment of it. */
const WITH_EXAMPLE = TOML.replaceAll(/^#: /gm, "");

function schemaKeys(schema: TObject, path: string[] = []): string[] {
  return Object.entries(schema.properties).flatMap(([key, value]: [string, TSchema]) =>
    value["type"] === "object" && "properties" in value
      ? schemaKeys(value as TObject, [...path, key])
      : [[...path, key].join(".")],
  );
}

function tomlKeys(table: object, path: string[] = []): string[] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? tomlKeys(value, [...path, key])
      : [[...path, key].join(".")],
  );
}

/**
 * Keys without a comment in their block of lines. Sections of one kind, such as the plans, are documented once:
 * what is said of `plans.base.api_keys` holds for `plans.professional.api_keys`.
 */
function undocumented(toml: string): string[] {
  const missing: string[] = [];
  const explained = new Set<string>();
  let section = "";
  let documented = false;
  for (const line of toml.split("\n")) {
    const key = /^(\w+)\s*=/.exec(line)?.[1];
    if (line.startsWith("#")) documented = true;
    else if (line.trim() === "") documented = false;
    else if (line.startsWith("[")) section = `${line.replace(/[[\]]/g, "")}.`;
    else if (key !== undefined) {
      const kind = section.replace(/\w+\.$/, "*.") + key;
      if (documented && section.includes(".", section.indexOf(".") + 1)) explained.add(kind);
      if (!documented && !explained.has(kind)) missing.push(section + key);
    }
  }
  return missing;
}

test("the keys of default.toml are the keys of the schema, except tables with names of the administrator's choice", () => {
  const { trunks, ...rest } = Bun.TOML.parse(TOML) as { trunks: object; models: { servers: object } };
  expect(trunks).toEqual({});
  expect(rest.models.servers).toEqual({});
  expect(tomlKeys(rest).toSorted()).toEqual(
    schemaKeys(ConfigSchema)
      .filter((key) => key !== "trunks" && key !== "models.servers")
      .toSorted(),
  );
});

test("the example trunk of default.toml has every key of a trunk, with its default", () => {
  const { trunks } = Bun.TOML.parse(WITH_EXAMPLE) as { trunks: { main: { host: string } } };
  const { host, ...rest } = trunks.main;
  expect(Object.keys(trunks.main).toSorted()).toEqual(schemaKeys(TrunkEntry).toSorted());
  expect(rest).toEqual({ ...ENTRY_DEFAULTS });
  expect(host).not.toBe("");
});

test("so has the example model server", () => {
  const { models } = Bun.TOML.parse(WITH_EXAMPLE) as { models: { servers: { main: object } } };
  expect(Object.keys(models.servers.main).toSorted()).toEqual(schemaKeys(ModelEntry).toSorted());
  expect(models.servers.main).toEqual({ ...MODEL_ENTRY_DEFAULTS });
});

test("every key of default.toml is documented by a comment above it", () => {
  expect(undocumented(TOML)).toEqual([]);
  expect(undocumented(WITH_EXAMPLE)).toEqual([]);
});

test("a key without a comment is found", () => {
  expect(undocumented("# a\na = 1\nb = 2\n\nc = 3\n[d]\ne = 4\n\n# f\n[f]\ng = 1\n\n[h]\ng = 1\n")).toEqual([
    "c",
    "d.e",
    "h.g",
  ]);
  expect(undocumented("# p\n[p.a]\nx = 1\n\n[p.b]\nx = 1\ny = 1\n")).toEqual(["p.b.y"]);
});
