import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/config/load.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { tempFolder } from "../support/temp.ts";

function fileWith(toml: string): string {
  const file = join(tempFolder(), "ringward.toml");
  writeFileSync(file, toml);
  return file;
}

function faultsOf(sources: ConfigSources): readonly string[] {
  try {
    loadConfig({ environment: {}, ...sources });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("where only one key is wanted, nothing else is read or at fault", () => {
  const file = fileWith('base_url = "https://a.example/x"\nnonsense = 1\n[server]\nport = "no port"\n');
  const environment = { RINGWARD_NOT_A_KEY: "ignored", RINGWARD_SERVER__PORT: "1" };
  const config = loadConfig({ file, environment, only: ["base_url"] });
  expect([config.base_url, config.server.port]).toEqual(["https://a.example/x", 8080]);
  const overridden = { ...environment, RINGWARD_BASE_URL: "https://b.example/y/" };
  expect(loadConfig({ file, environment: overridden, only: ["base_url"] }).base_url).toBe("https://b.example/y");
  expect(faultsOf({ environment: { RINGWARD_BASE_URL: "nowhere" }, only: ["base_url"] })).toHaveLength(1);
});

describe("without any settings", () => {
  const config = loadConfig({ environment: {} });

  test("the defaults load, reachable from this machine alone", () => {
    expect(config.server.host).toBe("127.0.0.1");
    expect(config.server.port).toBe(8080);
    expect(config.base_url).toBe("http://localhost:8080");
    expect(config.dashboard_url).toBe("http://localhost:8080/dashboard");
    expect(config.data.dir).toBe(resolve("data"));
  });

  test("the plans are those of the contract", () => {
    const limits = (plan: keyof typeof config.plans) => Object.values(config.plans[plan]);
    expect(limits("base")).toEqual([5, 1, 1000, 120, 5]);
    expect(limits("professional")).toEqual(["unlimited", 5, 20_000, 1200, 50]);
    expect(limits("enterprise")).toEqual(["unlimited", 5, "unlimited", "unlimited", "unlimited"]);
  });
});

describe("what overrides what", () => {
  const file = fileWith(
    'base_url = "https://calls.example/"\n[server]\nport = 9001\n[plans.base]\napi_keys = "unlimited"\n',
  );

  test("a file overrides the defaults key by key", () => {
    const config = loadConfig({ file, environment: {} });
    expect(config.server.port).toBe(9001);
    expect(config.server.host).toBe("127.0.0.1");
    expect(config.plans.base).toMatchObject({ api_keys: "unlimited", requests_per_minute: 120 });
  });

  test("the environment overrides the file, and a flag overrides both", () => {
    const environment = { RINGWARD_SERVER__PORT: "9002", PATH: "/bin" };
    expect(loadConfig({ file, environment }).server.port).toBe(9002);
    expect(loadConfig({ file, environment, flags: { "server.port": 9003 } }).server.port).toBe(9003);
  });

  test("a command's own default yields to a setting, even to the same value as the embedded default", () => {
    const defaults = { "rules.enforce": false };
    const enforced = (environment: Record<string, string>) => loadConfig({ environment, defaults }).rules.enforce;
    expect(loadConfig({ environment: {} }).rules.enforce).toBeTrue();
    expect(enforced({})).toBeFalse();
    expect(enforced({ RINGWARD_RULES__ENFORCE: "true" })).toBeTrue();
  });

  test("a flag's text is taken as it is", () => {
    expect(loadConfig({ environment: {}, flags: { "data.dir": "/srv/ringward" } }).data.dir).toBe("/srv/ringward");
  });

  test("a variable that is set to nothing empties a text", () => {
    expect(loadConfig({ file, environment: { RINGWARD_BASE_URL: "" } }).base_url).toBe("http://localhost:9001");
  });
});

describe("a variable's text becomes what the key wants:", () => {
  test.each([
    ["a number", { RINGWARD_PLANS__BASE__API_KEYS: "7" }, 7],
    ["a limit lifted", { RINGWARD_PLANS__BASE__API_KEYS: "unlimited" }, "unlimited"],
  ])("%s", (_, environment, expected) => {
    expect(loadConfig({ environment }).plans.base.api_keys).toBe(expected as never);
  });

  test("a limit set where there was none", () => {
    const config = loadConfig({ environment: { RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "5000" } });
    expect(config.plans.enterprise.requests_per_minute).toBe(5000);
  });

  test("digits stay text where text is expected", () => {
    expect(loadConfig({ environment: { RINGWARD_SETUP__ORGANISATION: "2020" } }).setup.organisation).toBe("2020");
  });
});

describe("addresses", () => {
  test("lose the slashes at their end", () => {
    expect(loadConfig({ environment: { RINGWARD_BASE_URL: "https://calls.example//" } }).dashboard_url).toBe(
      "https://calls.example/dashboard",
    );
  });

  test("are https where a certificate is given", () => {
    const { certPem, keyPem } = createPrivateCa().issue(["localhost"]);
    const environment = (key: string) => ({
      RINGWARD_SERVER__TLS_CERT_FILE: fileWith(certPem),
      RINGWARD_SERVER__TLS_KEY_FILE: fileWith(key),
    });
    expect(loadConfig({ environment: environment(keyPem) }).base_url).toBe("https://localhost:8080");
    expect(faultsOf({ environment: environment("") })[0]).toContain("must be a private key as PEM");
  });

  test.each(["calls.example", "ftp://calls.example", "https://user:pass@calls.example", "https://calls.example?a=b"])(
    "%s is none to be reached at",
    (address) => expect(faultsOf({ environment: { RINGWARD_BASE_URL: address } })[0]).toStartWith("base_url: must be"),
  );
});

describe("faults", () => {
  test("are reported all at once, each by its key with what is allowed", () => {
    const file = fileWith('[server]\nport = 70000\nhots = "x"\n[log]\nlevel = "loud"\n');
    const environment = {
      RINGWARD_PLANS__BASE__API_KEYS: "many",
      RINGWARD_IDEMPOTENCY__KEEP_HOURS: "0",
      RINGWARD_NO__SUCH: "1",
    };
    expect(faultsOf({ file, environment }).toSorted()).toEqual([
      "RINGWARD_NO__SUCH: no such key (it would be no.such).",
      "idempotency.keep_hours: must be a whole number from 1 to 720, not 0.",
      'log.level: must be one of debug, info, warn, error, not "loud".',
      'plans.base.api_keys: must be a whole number of at least 0 or "unlimited", not "many".',
      "server.hots: no such key.",
      "server.port: must be a whole number from 0 to 65535, not 70000.",
    ]);
  });

  test("are counted in the message", () => {
    const two = { RINGWARD_SERVER__PORT: "x", RINGWARD_LOG__LEVEL: "x" };
    expect(() => loadConfig({ environment: two })).toThrow("The configuration has 2 faults:\n  - ");
    expect(() => loadConfig({ environment: { RINGWARD_LOG__LEVEL: "x" } })).toThrow(
      "The configuration has 1 fault:\n  - ",
    );
  });

  test.each([
    ["a section that is not one", "[serve]\nport = 1\n", "serve: no such key."],
    ["a key at the top", "port = 1\n", "port: no such key."],
    ["a text where a section is", 'server = "x"\n', 'server: must be a table, not "x".'],
    ["a section where a number is", "[server.port]\nx = 1\n", "server.port: must be a whole number from 0 to 65535."],
    ["a name that every object has", "constructor = 1\n", "constructor: no such key."],
    ["a fraction", "[server]\nport = 80.5\n", "server.port: must be a whole number from 0 to 65535, not 80.5."],
    [
      "a negative limit",
      "[plans.base]\napi_keys = -1\n",
      'plans.base.api_keys: must be a whole number of at least 0 or "unlimited", not -1.',
    ],
  ])("name %s in a file", (_, toml, fault) => {
    expect(faultsOf({ file: fileWith(toml) })).toEqual([fault]);
  });

  test("name a variable that stops at a section", () => {
    expect(faultsOf({ environment: { RINGWARD_SERVER: "x" } })).toEqual(['server: must be a table, not "x".']);
    expect(faultsOf({ environment: { RINGWARD_SERVER__PORT__X: "x" } })[0]).toContain("no such key");
    expect(faultsOf({ environment: { RINGWARD_: "x" } })[0]).toContain("no such key");
  });

  test("half a pair is one", () => {
    expect(faultsOf({ environment: { RINGWARD_SERVER__TLS_CERT_FILE: fileWith("") } })[0]).toContain(
      "give both, or neither",
    );
    expect(faultsOf({ environment: { RINGWARD_SETUP__OWNER_EMAIL: "a@b.example" } })[0]).toContain(
      "also give setup.organisation",
    );
  });

  test("a named file that cannot be read is one", () => {
    const environment = {
      RINGWARD_SERVER__TLS_CERT_FILE: fileWith(""),
      RINGWARD_SERVER__TLS_KEY_FILE: "/nowhere/k.pem",
    };
    expect(faultsOf({ environment })).toEqual(["server.tls_key_file: /nowhere/k.pem cannot be read."]);
  });

  test("a file that is not there, or not TOML, is named with the reason", () => {
    expect(faultsOf({ file: "/nowhere/ringward.toml" })[0]).toStartWith("/nowhere/ringward.toml: cannot be read");
    const broken = fileWith("[server\nport = 1");
    expect(faultsOf({ file: broken })[0]).toStartWith(`${broken}: cannot be read as TOML: `);
  });
});

describe("a secret is never echoed", () => {
  const SECRET = "hunter2hunter2";
  test.each([
    ["in a variable", { environment: { RINGWARD_SECURITY__ROOT_KEY: SECRET } }],
    ["in a file", { file: fileWith(`[security]\nroot_key = "${SECRET}"\n`) }],
    ["without its quotes", { file: fileWith(`[security]\nroot_key = ${SECRET}\n`) }],
    ["in a list of sections", { file: fileWith(`[[security]]\nroot_key = "${SECRET}"\n`) }],
    ["as the section itself", { environment: { RINGWARD_SECURITY: SECRET } }],
  ])("%s", (_, sources: ConfigSources) => {
    const faults = faultsOf(sources);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join("\n")).not.toContain(SECRET);
  });

  test("the SIP listener's certificate is looked at before the start", () => {
    const folder = tempFolder();
    const place = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const ca = createPrivateCa();
    const mine = ca.issue(["sip.hospital.example"]);
    const cert = place("cert.pem", mine.certPem);
    const key = place("key.pem", mine.keyPem);
    const otherKey = place("other.pem", ca.issue(["other.example"]).keyPem);
    const flags = (port: number, certFile: string, keyFile: string) => ({
      "telephony.sip.tls_port": port,
      "telephony.sip.tls_cert_file": certFile,
      "telephony.sip.tls_key_file": keyFile,
    });
    const fault = (port: number, certFile: string, keyFile: string) =>
      faultsOf({ flags: flags(port, certFile, keyFile) }).join(" ");
    expect(fault(5_061, cert, key)).toBe("");
    expect(fault(5_061, "", "")).toContain("also give telephony.sip.tls_cert_file and telephony.sip.tls_key_file");
    expect(fault(0, cert, key)).toContain("give the port that the certificate is for");
    expect(fault(5_060, cert, key)).toContain("must be another port than telephony.sip.port");
    expect(fault(5_061, cert, otherKey)).toContain("is not the key of the certificate");
    expect(fault(5_061, key, key)).toContain("tls_cert_file: ");
    expect(fault(5_061, cert, cert)).toContain("must be a private key as PEM, without a passphrase");
    expect(fault(5_061, join(folder, "none.pem"), key)).toContain("none.pem cannot be read");
  });
});
