import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/config/load.ts";
import { MODEL_ENTRY_DEFAULTS, modelKeyOf } from "../../src/config/model-entries.ts";
import { tempFolder } from "../support/temp.ts";

const serversOf = (sources: ConfigSources) => loadConfig({ environment: {}, ...sources }).models.servers;

function fileWith(text: string): string {
  const file = join(tempFolder(), "ringward.toml");
  writeFileSync(file, text);
  return file;
}

function faultsOf(text: string, environment: Record<string, string> = {}): readonly string[] {
  try {
    loadConfig({ environment, file: fileWith(text) });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const URL = 'base_url = "http://10.20.0.5:8000/v1"\nmodel = "sarvam"\n';

test("there are no model servers by default", () => {
  expect(serversOf({})).toEqual({});
});

test("model servers are named in the file and in the environment", () => {
  const file = fileWith(`[models.servers.main]\n${URL}`);
  const environment = {
    RINGWARD_MODELS__ALLOW: "gpu.example, 10.0.0.0/8",
    RINGWARD_MODELS__SERVERS__MAIN__FIRST_MS: "900",
    RINGWARD_MODELS__SERVERS__HINDI__ROLE: "voice",
    RINGWARD_MODELS__SERVERS__HINDI__COMMAND: "espeak-ng,--stdout",
    RINGWARD_MODELS__SERVERS__HINDI__LANGUAGES: "hi",
  };
  expect(serversOf({ file, environment })).toEqual({
    main: { ...MODEL_ENTRY_DEFAULTS, base_url: "http://10.20.0.5:8000/v1", model: "sarvam", first_ms: 900 },
    hindi: { ...MODEL_ENTRY_DEFAULTS, role: "voice", command: ["espeak-ng", "--stdout"], languages: ["hi"] },
  });
});

test("a key may lie in a file", () => {
  const keyFile = join(tempFolder(), "key");
  writeFileSync(keyFile, "sk-secret\n");
  const { main } = serversOf({ file: fileWith(`[models.servers.main]\n${URL}key_file = "${keyFile}"\n`) });
  expect(main && modelKeyOf(main)).toBe("sk-secret");
});

test.each([
  ["a name", `[models.servers.Upper]\n${URL}`, "models.servers.Upper: a server's name is lower-case"],
  ["a role", `[models.servers.a]\n${URL}role = "eyes"\n`, "models.servers.a.role: must be one of"],
  ["no address", '[models.servers.a]\nmodel = "m"\n', "models.servers.a.base_url: must be the address before"],
  ["no model", '[models.servers.a]\nbase_url = "http://a.example/v1"\n', "models.servers.a.model: must be the name"],
  ["a user in the address", '[models.servers.a]\nbase_url = "http://u:p@a.example/v1"\nmodel = "m"\n', "user name"],
  [
    "a program that is to lead",
    '[models.servers.a]\ncommand = ["llm"]\n',
    "models.servers.a.command: a program can be",
  ],
  ["both", `[models.servers.a]\n${URL}role = "voice"\ncommand = ["x"]\n`, "give base_url or command, not both"],
  ["a key twice", `[models.servers.a]\n${URL}key = "x"\nkey_file = "/nope"\n`, "give key or key_file, not both"],
  ["a file that is not there", `[models.servers.a]\n${URL}ca_file = "/nope.pem"\n`, "/nope.pem cannot be read"],
  [
    "times",
    `[models.servers.a]\n${URL}first_ms = 5000\ntotal_ms = 3000\n`,
    "models.servers.a.total_ms: must be at least",
  ],
  ["a key that is none", `[models.servers.a]\n${URL}key = "a b"\n`, "models.servers.a.key: must be at most 500"],
  ["another key", `[models.servers.a]\n${URL}colour = "red"\n`, "models.servers.a.colour: no such key."],
])("%s at fault is told by its key", (_, text, fault) => {
  const faults = faultsOf(text);
  expect(faults.join("\n")).toContain(fault);
  expect(faults.join("\n")).not.toContain("a b");
});
