// What a trunk may be, field by field.
import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import { checkedTrunk, NEW_TRUNK, type TrunkInput, type TrunkSecret } from "../../src/trunks/checked-trunk.ts";
import { createTrunkRefusal } from "../../src/trunks/trunk-addresses.ts";
import { createPrivateCa } from "../support/private-ca.ts";

const NO_SECRET: TrunkSecret = { secret: null, hasSecret: false };
const refusal = createTrunkRefusal(["127.0.0.5"]);
const input = (changes: object = {}): TrunkInput => ({ ...NEW_TRUNK, name: "Main", host: "pbx.example", ...changes });

function faultsOf(changes: object, secret = NO_SECRET): Record<string, string> {
  try {
    checkedTrunk(input(changes), secret, refusal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("VALIDATION_ERROR");
    return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
  }
  return {};
}

test("a name and a host are enough; nothing but India and North America is dialled by default", () => {
  expect(checkedTrunk(input(), NO_SECRET, refusal)).toEqual({
    name: "Main",
    enabled: true,
    host: "pbx.example",
    port: 0,
    transport: "udp",
    ca_pem: null,
    username: null,
    register: false,
    from_domain: null,
    from_user: null,
    identity_header: "auto",
    caller_id: null,
    number_format: "e164",
    dial_prefix: "",
    extensions: [],
    concurrent_calls: 10,
    calls_per_second: 1,
    options_seconds: 30,
    symmetric_rtp: false,
    srtp: "preferred",
    codecs: [],
    allowed_prefixes: ["+91", "+1"],
  });
});

test.each<[string, object]>([
  ["a name at its longest", { name: "n".repeat(60) }],
  ["an address", { host: "192.0.2.7" }],
  ["an IPv6 address", { host: "2001:db8::7" }],
  ["blanks around the host", { host: " pbx.example " }],
  ["one label", { host: "pbx" }],
  ["the highest port", { port: 65_535 }],
  ["no OPTIONS at all", { options_seconds: 0 }],
  ["the rarest OPTIONS", { options_seconds: 3_600 }],
  ["one call in ten seconds", { calls_per_second: 0.1 }],
  ["every number", { allowed_prefixes: [] }],
  ["a hundred prefixes", { allowed_prefixes: Array.from({ length: 100 }, (_, i) => `+9${i}`) }],
  ["encryption that is required, over TLS", { transport: "tls", srtp: "required" }],
  ["encryption that is preferred, over UDP", { srtp: "preferred" }],
  ["codecs in an order of its own", { codecs: ["PCMU", "G722"] }],
  ["an account without a secret", { username: "ringward", register: true }],
  ["quotes in the account", { username: 'ring"ward\\' }],
  ["a caller id", { caller_id: "+912212345678" }],
  ["a caller id of the 140 series", { caller_id: "+911409876543" }],
  ["a caller id of the 1600 series", { caller_id: "+911600123456" }],
  ["an extension as caller id", { caller_id: "2001" }],
  ["a From user", { from_user: "number" }],
  ["an outside line", { number_format: "national", dial_prefix: "*9#" }],
  ["names and extensions", { extensions: ["ward=+912212345678", "*=+912212345678", "+14=+912212345678"] }],
  ["two hundred extensions", { extensions: Array.from({ length: 200 }, (_, i) => `${i}=+912212345678`) }],
  ["empty texts for none", { username: "", caller_id: "", from_domain: "", ca_pem: "" }],
])("%s is taken", (_, changes) => {
  expect(faultsOf(changes)).toEqual({});
});

describe("refused, with the field and what is allowed:", () => {
  test.each<[field: string, changes: object, words: string]>([
    ["name", { name: "" }, "1 to 60 characters"],
    ["name", { name: "   " }, "1 to 60 characters"],
    ["name", { name: "n".repeat(61) }, "1 to 60 characters"],
    ["name", { name: "a\nb" }, "in one line"],
    ["host", { host: "" }, "a host name or an address"],
    ["host", { host: "sip:pbx.example" }, "without sip:"],
    ["host", { host: "pbx.example:5060" }, "without a port"],
    ["host", { host: "pbx example" }, "a host name or an address"],
    ["host", { host: "-pbx.example" }, "a host name or an address"],
    ["host", { host: "pbx..example" }, "a host name or an address"],
    ["host", { host: "300.0.2.7" }, "a host name or an address"],
    ["host", { host: "2001:db8:::7" }, "a host name or an address"],
    ["host", { host: `${"a.".repeat(126)}ab` }, "a host name or an address"],
    ["port", { port: -1 }, "from 0 to 65535"],
    ["port", { port: 65_536 }, "from 0 to 65535"],
    ["port", { port: 50.5 }, "a whole number"],
    ["transport", { transport: "ws" }, "one of udp, tcp, tls"],
    ["srtp", { srtp: "always" }, "one of off, preferred, required"],
    ["srtp", { srtp: "required" }, "with the transport tls alone"],
    ["srtp", { srtp: "required", transport: "tcp" }, "its keys would travel in clear"],
    ["codecs.0", { codecs: ["G729"] }, "one of G722, PCMA, PCMU"],
    ["codecs", { codecs: ["PCMA", "PCMA"] }, "each at most once"],
    ["codecs", { codecs: ["G722"] }, "PCMA or PCMU beside G722"],
    ["username", { username: "a\r\nVia: x" }, "in one line"],
    ["username", { username: "u".repeat(101) }, "at most 100"],
    ["register", { register: true }, "needs a username"],
    ["from_domain", { from_domain: "a b" }, "a host name or an address"],
    ["from_user", { from_user: "a\r\nVia: x" }, "in one line"],
    ["from_user", { from_user: "n".repeat(101) }, "at most 100"],
    ["identity_header", { identity_header: "P-Asserted-Identity" }, "one of auto, p_asserted_identity"],
    ["number_format", { number_format: "" }, "one of e164, digits, national"],
    ["dial_prefix", { dial_prefix: "9", number_format: "e164" }, 'needs number_format "digits" or "national"'],
    ["dial_prefix", { dial_prefix: "+", number_format: "digits" }, "at most 8 digits"],
    ["extensions.0", { extensions: ["2001"] }, "such as"],
    ["extensions.0", { extensions: ["2 1=+912212345678"] }, "such as"],
    ["extensions", { extensions: ["1=+912212345678", "1=+912212345679"] }, "each name once"],
    ["extensions", { extensions: Array.from({ length: 201 }, (_, i) => `${i}=+912212345678`) }, "at most 200"],
    ["caller_id", { caller_id: "0221234" }, '"+912212345678"'],
    ["concurrent_calls", { concurrent_calls: 0 }, "from 1 to 10000"],
    ["concurrent_calls", { concurrent_calls: 10_001 }, "from 1 to 10000"],
    ["calls_per_second", { calls_per_second: 0.05 }, "from 0.1 to 1000"],
    ["calls_per_second", { calls_per_second: 1_001 }, "from 0.1 to 1000"],
    ["options_seconds", { options_seconds: 4 }, "from 5 to 3600"],
    ["options_seconds", { options_seconds: 3_601 }, "from 5 to 3600"],
    ["allowed_prefixes.0", { allowed_prefixes: ["91"] }, '"+" and 1 to 15 digits'],
    ["allowed_prefixes.1", { allowed_prefixes: ["+1", "+1 2"] }, '"+" and 1 to 15 digits'],
    ["allowed_prefixes", { allowed_prefixes: Array.from({ length: 101 }, () => "+1") }, "at most 100"],
  ])("%s %j", (field, changes, words) => {
    expect(faultsOf(changes)).toEqual({ [field]: expect.stringContaining(words) });
  });

  test("all of them at once", () => {
    expect(Object.keys(faultsOf({ port: -1, transport: "x", caller_id: "1" })).toSorted()).toEqual([
      "caller_id",
      "port",
      "transport",
    ]);
  });

  test("a secret in two lines or without its account, and it is not repeated", () => {
    const secret = (text: string) => ({ secret: text, hasSecret: true });
    const broken = faultsOf({ username: "u" }, secret("first\nsecond"));
    expect(Object.keys(broken)).toEqual(["secret"]);
    expect(broken["secret"]).not.toContain("first");
    expect(faultsOf({ username: "u" }, secret("s".repeat(201)))).toHaveProperty("secret");
    expect(faultsOf({}, secret("alone"))["secret"]).toContain("needs the username");
    expect(faultsOf({ username: "u" }, secret("fine"))).toEqual({});
  });
});

describe("the authority of a TLS trunk", () => {
  const ca = createPrivateCa();

  test("is one or more certificates", () => {
    expect(faultsOf({ transport: "tls", ca_pem: ca.caPem })).toEqual({});
    expect(faultsOf({ transport: "tls", ca_pem: `# ours\n${ca.caPem}\n${ca.caPem}` })).toEqual({});
  });

  test("is refused where it is none, broken, or comes with a private key", () => {
    const { keyPem } = ca.issue(["pbx.example"]);
    const broken = ca.caPem.replace(/\n[A-Za-z0-9+/]{10}/, "\nAAAAAAAAAA");
    for (const ca_pem of ["x", keyPem, `${ca.caPem}${keyPem}`, broken, ca.caPem.slice(0, -30)]) {
      expect(faultsOf({ transport: "tls", ca_pem })["ca_pem"]).toContain("must be PEM");
    }
  });

  test("is refused without TLS", () => {
    expect(faultsOf({ transport: "tcp", ca_pem: ca.caPem })["ca_pem"]).toContain("TLS alone");
  });
});

describe("a host that is an address", () => {
  test.each([
    ["2001:DB8:0:0:0:0:0:7", "2001:db8::7"],
    [" [2001:db8::7] ", "2001:db8::7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["192.0.2.7", "192.0.2.7"],
  ])("is kept in its one spelling: %p", (host, kept) => {
    expect(checkedTrunk(input({ host, from_domain: host }), NO_SECRET, refusal)).toMatchObject({
      host: kept,
      from_domain: kept,
    });
  });

  test.each(["127.0.0.1", "::1", "169.254.10.1", "fe80::1", "169.254.169.254", "224.0.0.1", "0.0.0.0", "240.0.0.1"])(
    "at which no trunk may be is refused: %s",
    (host) => {
      expect(faultsOf({ host })["host"]).toStartWith("this host is not allowed: ");
    },
  );

  test.each(["10.1.2.3", "192.168.1.10", "172.20.0.5", "fd12:3456::1", "198.51.100.7", "8.8.8.8", "127.0.0.5"])(
    "of the hospital's network, of the internet, or opened by the settings is taken: %s",
    (host) => {
      expect(faultsOf({ host })).toEqual({});
    },
  );

  test("at which no trunk may be can still be switched off", () => {
    expect(faultsOf({ host: "127.0.0.1", enabled: false })).toEqual({});
  });
});
