// Agreement between the trunk form and the server.
import { describe, expect, test } from "bun:test";
import { bodyOf, EMPTY_TRUNK, formOf, withPrefix } from "../../src/web/pages/trunks/trunk-form.ts";
import { addressOf, conditionOf, type Trunk } from "../../src/web/pages/trunks/trunk.ts";
import { checkedTrunk, NEW_TRUNK } from "../../src/trunks/checked-trunk.ts";

const TRUNK: Trunk = {
  ...NEW_TRUNK,
  trunk_id: "trk_1",
  name: "Main PBX",
  host: "pbx.example",
  port: 5_070,
  transport: "tls",
  ca_pem: "PEM",
  username: "ward",
  register: true,
  has_secret: true,
  caller_id: "+912212345678",
  allowed_prefixes: ["+91"],
  codecs: ["PCMA", "PCMU"],
  number_format: "national",
  dial_prefix: "9",
  extensions: ["2001=+912212345678", "ward=+912212345678"],
  source: "dashboard",
  capture_until: null,
  numbers: [],
  created_at: "",
  updated_at: "",
  state: null,
  version: "",
};
const UP = {
  state: "up" as const,
  is_registered: null,
  round_trip_ms: 3,
  last_error: null,
  resting_until: null,
  active_calls: 0,
  lines: 10,
  address: "192.0.2.1:5060",
  at: "",
};

describe("the form of a trunk", () => {
  test("with its defaults requests the server's defaults", () => {
    const given = { name: "Main", host: "pbx.example" };
    const { secret, ...body } = bodyOf({ ...EMPTY_TRUNK, ...given });
    const none = { secret: null, hasSecret: false };
    expect(secret).toBeNull();
    const anywhere = () => null;
    expect(checkedTrunk(body, none, anywhere)).toEqual(checkedTrunk({ ...NEW_TRUNK, ...given }, none, anywhere));
  });

  test("of an unchanged trunk changes nothing, its secret included", () => {
    const body = bodyOf(formOf(TRUNK));
    expect(body).not.toHaveProperty("secret");
    expect(TRUNK).toMatchObject(body);
  });

  test("removes the secret and the registration with the username, and the certificate with TLS", () => {
    expect(bodyOf({ ...formOf(TRUNK), username: " ", transport: "udp" })).toMatchObject({
      username: null,
      secret: null,
      register: false,
      ca_pem: null,
    });
  });

  test.each([
    ["a new secret", "new one", "new one"],
    ["none any more", "", null],
  ])("that does not keep the secret sends %s", (_what, secret, sent) => {
    expect(bodyOf({ ...formOf(TRUNK), keepsSecret: false, secret })).toMatchObject({ secret: sent });
  });

  test("accepts extensions line by line, with spaces, and no prefix before a plus", () => {
    const form = {
      ...formOf(TRUNK),
      numberFormat: "e164",
      extensions: " 2001 = +91 22 1234 5678\n\n*=+12125550100\nx",
    };
    expect(bodyOf(form)).toMatchObject({
      dial_prefix: "",
      extensions: ["2001=+912212345678", "*=+12125550100", "x"],
    });
  });

  test("accepts codecs as typed, and none if the trunk is to choose", () => {
    expect(formOf(TRUNK).codecs).toBe("PCMA, PCMU");
    expect(bodyOf({ ...formOf(TRUNK), codecs: " g722,pcma  PCMU," }).codecs).toEqual(["G722", "PCMA", "PCMU"]);
    expect(bodyOf({ ...formOf(TRUNK), codecs: " " }).codecs).toEqual([]);
  });

  test("includes a prefix that was typed and not added to the list", () => {
    expect(bodyOf({ ...formOf(TRUNK), typedPrefix: "1 " }).allowed_prefixes).toEqual(["+91", "+1"]);
    expect(withPrefix(["+91"], "+91")).toEqual(["+91"]);
  });
});

describe("the state of a trunk in one word", () => {
  test.each([
    ["up", TRUNK, UP],
    ["down", TRUNK, { ...UP, state: "down" as const }],
    ["unheard", TRUNK, null],
    ["unheard", TRUNK, { ...UP, state: "unknown" as const }],
    ["resting", TRUNK, { ...UP, resting_until: "2026-11-16T09:00:00Z" }],
    ["off", { ...TRUNK, enabled: false }, UP],
  ] as const)("is %s", (word, trunk, state) => {
    expect(conditionOf({ ...trunk, state }, "sip")).toBe(word);
  });

  test("is not in use while calls are simulated, whatever was seen before", () => {
    expect(conditionOf({ ...TRUNK, state: UP }, "simulator")).toBe("idle");
  });

  test("shows its port if it has one, and an IPv6 address in brackets", () => {
    expect(addressOf(TRUNK)).toBe("pbx.example:5070");
    expect(addressOf({ host: "2001:db8::1", port: 5_060 })).toBe("[2001:db8::1]:5060");
    expect(addressOf({ host: "pbx.example", port: 0 })).toBe("pbx.example");
  });
});
