// Trunks in the settings: any number, each key by key, in the file and in the environment.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/config/load.ts";
import { ENTRY_DEFAULTS } from "../../src/config/trunk-entries.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { tempFolder } from "../support/temp.ts";

function fileWith(text: string): string {
  const file = join(tempFolder(), "file");
  writeFileSync(file, text);
  return file;
}

const trunksOf = (sources: ConfigSources) => loadConfig({ environment: {}, ...sources }).trunks;

function faultsOf(sources: ConfigSources): readonly string[] {
  try {
    loadConfig({ environment: {}, ...sources });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("there are none by default", () => {
  expect(trunksOf({})).toEqual({});
});

describe("a trunk", () => {
  const file = fileWith('[trunks.main]\nhost = "pbx.example"\n[trunks.backup-2]\nhost = "192.0.2.2"\nport = 5080\n');

  test("takes the defaults for what it does not say", () => {
    expect(trunksOf({ file })).toEqual({
      main: { ...ENTRY_DEFAULTS, host: "pbx.example" },
      "backup-2": { ...ENTRY_DEFAULTS, host: "192.0.2.2", port: 5080 },
    });
  });

  test("can come from the environment alone, with every kind of value", () => {
    const environment = {
      RINGWARD_TRUNKS__MAIN__HOST: "pbx.example",
      RINGWARD_TRUNKS__MAIN__PORT: "5070",
      RINGWARD_TRUNKS__MAIN__USERNAME: "2020",
      RINGWARD_TRUNKS__MAIN__SECRET: "Straße",
      RINGWARD_TRUNKS__MAIN__REGISTER: "true",
      RINGWARD_TRUNKS__MAIN__CALLS_PER_SECOND: "0.5",
      RINGWARD_TRUNKS__MAIN__ALLOWED_PREFIXES: "+91, +44",
      RINGWARD_TRUNKS__MAIN__NUMBERS: "+912212345678",
      RINGWARD_TRUNKS__MAIN__FROM_USER: "number",
      RINGWARD_TRUNKS__MAIN__IDENTITY_HEADER: "remote_party_id",
      RINGWARD_TRUNKS__MAIN__NUMBER_FORMAT: "national",
      RINGWARD_TRUNKS__MAIN__DIAL_PREFIX: "9",
      RINGWARD_TRUNKS__MAIN__EXTENSIONS: "2001=+912212345678, ward=+912212345678",
    };
    expect(trunksOf({ environment })).toEqual({
      main: {
        ...ENTRY_DEFAULTS,
        host: "pbx.example",
        port: 5070,
        username: "2020",
        secret: "Straße",
        register: true,
        calls_per_second: 0.5,
        allowed_prefixes: ["+91", "+44"],
        numbers: ["+912212345678"],
        from_user: "number",
        identity_header: "remote_party_id",
        number_format: "national",
        dial_prefix: "9",
        extensions: ["2001=+912212345678", "ward=+912212345678"],
      },
    });
  });

  test("of the file is changed by the environment key by key", () => {
    const environment = { "RINGWARD_TRUNKS__BACKUP-2__PORT": "0", RINGWARD_TRUNKS__MAIN__TRANSPORT: "tcp" };
    expect(trunksOf({ file, environment })).toMatchObject({
      main: { host: "pbx.example", transport: "tcp" },
      "backup-2": { host: "192.0.2.2", port: 0 },
    });
  });

  test("does not change the defaults of the next one", () => {
    const environment = { RINGWARD_TRUNKS__A__HOST: "a.example", RINGWARD_TRUNKS__A__NUMBERS: "+15555550100" };
    trunksOf({ environment });
    expect(trunksOf({ file })["main"]).toEqual({ ...ENTRY_DEFAULTS, host: "pbx.example" });
  });
});

describe("faults", () => {
  test("are told all at once, each by its key", () => {
    const file = fileWith(
      [
        "[trunks.main]",
        "port = 70000",
        'hots = "x"',
        'transport = "ws"',
        "options_seconds = 3",
        'allowed_prefixes = ["91"]',
        'caller_id = "022"',
        'numbers = ["100"]',
        "[trunks.Upper]",
        'host = "x"',
      ].join("\n"),
    );
    const environment = { RINGWARD_TRUNKS__MAIN__REGISTER: "perhaps", RINGWARD_TRUNKS__MAIN__COLOUR: "red" };
    expect(faultsOf({ file, environment }).toSorted()).toEqual([
      "RINGWARD_TRUNKS__MAIN__COLOUR: no such key (it would be trunks.main.colour).",
      'trunks.Upper: a trunk\'s name is lower-case letters, digits and "-", at most 60.',
      'trunks.main.allowed_prefixes.0: must be "+" and 1 to 15 digits, such as "+91", not "91".',
      'trunks.main.caller_id: must be a number such as "+912212345678", an extension such as "2001", or empty, not "022".',
      'trunks.main.host: must be a host name or an address, without sip: and without a port, not "".',
      "trunks.main.hots: no such key.",
      'trunks.main.numbers.0: must be a number such as "+912212345678", not "100".',
      "trunks.main.options_seconds: must be 0 or a whole number from 5 to 3600, not 3.",
      "trunks.main.port: must be a whole number from 0 to 65535, not 70000.",
      'trunks.main.register: must be true or false, not "perhaps".',
      'trunks.main.transport: must be one of udp, tcp, tls, not "ws".',
    ]);
  });

  const MAIN = '[trunks.main]\nhost = "pbx.example"\n';
  test.each<[string, string, string]>([
    ["register without an account", "register = true", "trunks.main.register: needs a username"],
    ["a secret without an account", 'secret = "x"', "trunks.main.secret: needs the username"],
    ["two secrets", 'username = "u"\nsecret = "x"\nsecret_file = "/nowhere/s"', "secret or secret_file, not both"],
    ["no secret file", 'username = "u"\nsecret_file = "/nowhere/s"', "/nowhere/s cannot be read"],
    ["an authority without TLS", 'ca_file = "/nowhere/ca"', "trunks.main.ca_file: it is for the transport tls alone"],
    [
      "required encryption without TLS",
      'srtp = "required"',
      "trunks.main.srtp: can be required with the transport tls",
    ],
    ["no authority", 'transport = "tls"\nca_file = "/nowhere/ca"', "/nowhere/ca cannot be read"],
    ["an authority that is none", `transport = "tls"\nca_file = "${fileWith("x")}"`, "must be PEM"],
    ["a secret of two lines", `username = "u"\nsecret_file = "${fileWith("a\nb\n")}"`, "in one line"],
    ["a prefix before a plus", 'dial_prefix = "9"', "trunks.main.dial_prefix: needs number_format"],
    [
      "a name that rings two numbers",
      'extensions = ["2001=+15555550100", "2001=+15555550101"]',
      "trunks.main.extensions: must hold each name once; 2001 stands twice",
    ],
    ["an extension that rings nothing", 'extensions = ["2001"]', "trunks.main.extensions.0: must be a dialled name"],
    ["a form of numbers that nobody knows", 'number_format = "plus"', "trunks.main.number_format: must be one of"],
    ["an empty secret file", `username = "u"\nsecret_file = "${fileWith("\n")}"`, "in one line"],
  ])("%s", (_, more, words) => {
    const faults = faultsOf({ file: fileWith(`${MAIN}${more}\n`) });
    expect(faults.join("\n")).toContain(words);
  });

  test("a number on two trunks is one", () => {
    const two = `${MAIN}numbers = ["+15555550100"]\n[trunks.other]\nhost = "b.example"\nnumbers = ["+15555550100"]\n`;
    expect(faultsOf({ file: fileWith(two) })).toEqual([
      "trunks.other.numbers: +15555550100 is on the trunk main already.",
    ]);
  });

  test("an authority and a secret in files are taken", () => {
    const ca = fileWith(createPrivateCa().caPem);
    const more = `transport = "tls"\nca_file = "${ca}"\nusername = "u"\nsecret_file = "${fileWith("secret\n")}"\n`;
    expect(faultsOf({ file: fileWith(MAIN + more) })).toEqual([]);
  });

  test.each<[string, ConfigSources]>([
    ["a text where the trunks are", { environment: { RINGWARD_TRUNKS: "hunter2hunter2" } }],
    ["a text where a trunk is", { file: fileWith('[trunks]\nmain = "hunter2hunter2"\n') }],
    [
      "a text over a trunk",
      { file: fileWith('[trunks.main]\nhost = "a"\n'), environment: { RINGWARD_TRUNKS__MAIN: "hunter2hunter2" } },
    ],
    ["a list of trunks", { file: fileWith('[[trunks]]\nsecret = "hunter2hunter2"\n') }],
    ["a list of one trunk", { file: fileWith('[[trunks.main]]\nsecret = "hunter2hunter2"\n') }],
    ["a name that every object has", { environment: { RINGWARD_TRUNKS____PROTO____HOST: "hunter2hunter2" } }],
    [
      "a secret in two lines",
      { file: fileWith('[trunks.main]\nhost = "a"\nusername = "u"\nsecret = "hunter2hunter2\\nx"\n') },
    ],
  ])("%s is one, and what it holds is not repeated", (_, sources) => {
    const faults = faultsOf(sources);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join("\n")).not.toContain("hunter2hunter2");
  });
});
