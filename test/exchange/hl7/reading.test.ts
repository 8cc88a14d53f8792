import { describe, expect, test } from "bun:test";
import { workwatch } from "../../../src/core/clock.ts";
import { Hl7Fault } from "../../../src/exchange/hl7/message/fault.ts";
import { parseText } from "../../../src/exchange/hl7/message/message.ts";
import { readMessage } from "../../../src/exchange/hl7/reading/read-message.ts";
import type { Hl7Settings } from "../../../src/exchange/hl7/settings.ts";
import { BRANCH, OTHER_BRANCH, siu, SOURCE, type Booking } from "../../support/hl7.ts";

const BOOKING = { trigger: "S12", controlId: "C1", id: "A1", sentAt: "20261118120000" };

async function understood(text: string, settings: Partial<Hl7Settings> = {}) {
  const source = { ...SOURCE, settings: { ...SOURCE.settings, ...settings } };
  return readMessage(parseText(text), source, async (branchId) => (branchId === null ? "UTC" : "America/New_York"));
}

async function read(change: Partial<Booking>, settings: Partial<Hl7Settings> = {}, edit = (text: string) => text) {
  const said = await understood(edit(siu({ ...BOOKING, ...change })), settings);
  if (said.kind !== "appointment") throw new Error("No appointment.");
  return { ...said.appointment, notes: said.notes };
}

describe("telephone numbers", () => {
  test.each([
    ["9810012345", "+919810012345"],
    ["09810012345", "+919810012345"],
    ["+91 98100 12345", "+919810012345"],
    ["00919810012345", "+919810012345"],
    ["(098)100-12345X17", "+919810012345"],
    ["98100-12345 ext. 5", "+919810012345"],
    ["^PRN^CP^^91^98100^12345", "+919810012345"],
    ["^PRN^PH^^^98100^12345^22", "+919810012345"],
    ["^PRN^CP^^^^^^^^^+919810012345", "+919810012345"],
    ["^PRN^FX^^91^98100^99999~^PRN^PH^^91^98100^12345", "+919810012345"],
    ["^PRN^PH^^91^98100^99999~^PRS^CP^^91^98100^12345", "+919810012345"],
    ["^NET^Internet^a.b@example.org~9810012345", "+919810012345"],
    ["9810012345\\T\\9", null],
    ["12345", null],
    ['""', null],
    ["", undefined],
  ] as const)("%s is %p", async (phone, number) => {
    expect((await read({ phone })).contactNumber).toBe(number);
  });

  test("an American number is completed by its country, and without a country only international ones count", async () => {
    expect((await read({ phone: "(415)555-0100" }, { country: "US" })).contactNumber).toBe("+14155550100");
    const unknown = await read({ phone: "9810012345" }, { country: null });
    expect(unknown.contactNumber).toBeNull();
    expect(unknown.notes).toEqual(["The telephone number in PID-13 cannot be called."]);
  });

  test("an e-mail address is taken from XTN-4", async () => {
    expect((await read({ phone: "^NET^Internet^a.b@example.org" })).contactEmail).toBe("a.b@example.org");
  });
});

describe("names and identifiers", () => {
  test.each([
    ["SHARMA^Ravi^Kumar^Jr^Dr", "Ravi Kumar SHARMA Jr"],
    ["Ravi Kumar Sharma", "Ravi Kumar Sharma"],
    ["ALIAS^A^^^^^A~SHARMA^Ravi^^^^^L", "Ravi SHARMA"],
    ["VAN DEN BERG&VAN&BERG^Anna", "Anna VAN DEN BERG"],
    ["O\\T\\Neil^Se\\XC3A1\\n", "Seán O&Neil"],
    ['""', null],
    ["", undefined],
  ] as const)("%s is %p", async (name, said) => {
    expect((await read({ name })).contactName).toBe(said);
  });

  test("the assigning authority becomes the system, by the mapping or as it is", async () => {
    const mrn = "MRN1^^^HOSP&1.2.3&ISO^MR~1234-5678^^^ABDM^ABHA~X9~MRN1^^^HOSP";
    expect((await read({ mrn: mrn.replace("~X9~MRN1^^^HOSP", "") })).identifiers).toEqual([
      { system: "mrn", value: "MRN1" },
      { system: "ABDM", value: "1234-5678" },
    ]);
    const edit = (text: string) => text.replace("MRN1^^^HOSP^MR", mrn);
    expect((await read({}, { identifier_system: "patient" }, edit)).identifiers).toEqual([
      { system: "mrn", value: "MRN1" },
      { system: "ABDM", value: "1234-5678" },
      { system: "patient", value: "X9" },
    ]);
  });
});

test("a merge has the time of its message, so that a clock behind ours makes nothing stale", async () => {
  const text = "MSH|^~\\&|HIS|MAIN|||20261118120000||ADT^A40|C|P|2.5.1\rPID|1||NEW^^^HOSP\rMRG|OLD^^^HOSP";
  const changedAt = Date.parse("2026-11-18T12:00:00+05:30");
  const said = await understood(text);
  expect(said).toMatchObject({ kind: "merge", changedAt, merges: [{ from: { value: "OLD" }, changedAt }] });
});

test("codes of a hostile message are looked up within 20 ms", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `CODE${i}`);
  const settings = {
    branches: many(1_000).map((code) => ({ code, branch_id: BRANCH })),
    services: many(1_000).map((code) => ({ code, appointment_type_id: BRANCH })),
    identifier_systems: many(100).map((authority) => ({ authority, system: "mrn" })),
  };
  const [head = "", schedule = ""] = siu(BOOKING).split("\r");
  for (const part of ["AIL|||a^^^b^^^c^^d", "AIS|||a^b^^c~d", "AIS|||a", `PID|||${"a^^^b&c^d~".repeat(60)}`]) {
    const lines = [head, schedule, ...Array.from({ length: 900 }, () => part)].join("\r").slice(0, 64 * 1024);
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const spentMs = workwatch();
      await understood(lines, settings).catch(() => null);
      times.push(spentMs());
    }
    expect(Math.min(...times)).toBeLessThan(20);
  }
});

describe("places, times and status", () => {
  test("the most specific location code decides, then the default branch", async () => {
    expect((await read({ location: "ORTHO^^^EAST" })).branchId).toBe(OTHER_BRANCH);
    expect((await read({ location: "ward^2^1^card" })).branchId).toBe(BRANCH);
    expect((await read({ location: "MOON" }, { default_branch_id: OTHER_BRANCH })).branchId).toBe(OTHER_BRANCH);
    await expect(read({ location: "MOON" })).rejects.toBeInstanceOf(Hl7Fault);
    expect((await read({ location: "MOON", trigger: "S15" })).branchId).toBeUndefined();
  });

  test("a time without offset is in the zone of the source, or of the branch; with one it is absolute", async () => {
    const startsAt = "202612011000";
    expect((await read({ startsAt })).startsAt).toBe(Date.parse("2026-12-01T04:30:00Z"));
    expect((await read({ startsAt }, { time_zone: null })).startsAt).toBe(Date.parse("2026-12-01T15:00:00Z"));
    expect((await read({ startsAt: `${startsAt}-0500` })).startsAt).toBe(Date.parse("2026-12-01T15:00:00Z"));
  });

  test("start and end are found in TQ1 and AIS where SCH-11 has none", async () => {
    const without = (text: string) => text.replace(/\^\^20\^\d+/, "");
    const tq1 = (text: string) => without(text).replace("PID|", "TQ1|1||||||202612011000|202612011045\rPID|");
    const ais = (text: string) =>
      without(text)
        .replace("|20|min|", "|||")
        .replace(/(AIS\|1\|A\|[^\r]*)/, "$1|202612011000|||1|h");
    const ten = Date.parse("2026-12-01T04:30:00Z");
    expect(await read({}, {}, tq1)).toMatchObject({ startsAt: ten, endsAt: ten + 45 * 60_000 });
    expect(await read({}, {}, ais)).toMatchObject({ startsAt: ten, endsAt: ten + 60 * 60_000 });
  });

  test.each([
    ["S12", "Booked", "confirmed"],
    ["S14", "Cancelled^x", "cancelled"],
    ["S14", "WAITLIST", "cancelled"],
    ["S14", "Complete", "completed"],
    ["S13", "No-Show", "no_show"],
    ["S26", "Booked", "no_show"],
    ["S17", "", "cancelled"],
  ] as const)("%s with %p is %s", async (trigger, status, said) => {
    expect((await read({ trigger, status })).status).toBe(said);
  });

  test("id and time of change are taken from the fields that the settings name", async () => {
    const edit = (text: string) => `${text}ZXX|1|x|y|20261119080000+0000\r`;
    const said = await read({}, { external_id: "filler", changed_at: "ZXX-4" }, edit);
    expect([said.externalId, said.changedAt]).toEqual(["FA1", Date.parse("2026-11-19T08:00:00Z")]);
  });

  test("a group is refused, and a missing PID is none", async () => {
    await expect(read({}, {}, (text) => text.replace("PV1|", "PID|2||B\rPV1|"))).rejects.toBeInstanceOf(Hl7Fault);
    const said = await read({}, {}, (text) => text.replace(/PID[^\r]*\r/, ""));
    expect([said.contactName, said.contactNumber, said.identifiers]).toEqual([undefined, undefined, undefined]);
  });
});
