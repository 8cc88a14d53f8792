// Rules over HTTP: what each role and each organisation sees and may change, in the dashboard and the API.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";

interface Rule {
  rule_id: string;
  value: unknown;
  book_value: unknown;
  change: { is_looser: boolean; reason: string | null } | null;
}
interface Rules {
  enforced: boolean;
  data: { country: string; disclaimer: string; rules: Rule[] }[];
  history: { rule_id: string; actor_name: string | null; reason: string | null }[];
}

const REASON = "The night clinic calls its own patients back.";
const WIDE = { start: "07:00", end: "21:00", days: [0, 1, 2, 3, 4, 5, 6] };
const RULES = "/dashboard/api/rules";

let hospital: Hospital;
let owner: Visitor;
let staff: Visitor;
let viewer: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  hospital = await createHospital();
  const { app, organisationId } = hospital;
  [owner, staff, viewer] = [
    await signedIn(app, organisationId, "owner"),
    await signedIn(app, organisationId, "staff"),
    await signedIn(app, organisationId, "viewer"),
  ];
  stranger = await signedIn(app, (await hospital.neighbour()).organisationId, "owner");
});
afterAll(() => hospital.close());

const rulesOf = async (visitor: Visitor) => (await visitor.ask("GET", RULES)).json as unknown as Rules;
const ruleOf = async (visitor: Visitor, id: string) =>
  (await rulesOf(visitor)).data.flatMap(({ rules }) => rules).find(({ rule_id }) => rule_id === id);

describe("in the dashboard", () => {
  test("only an owner changes or resets a rule", async () => {
    for (const visitor of [staff, viewer]) {
      const answers = [
        await visitor.ask("PUT", RULES, { rule_id: "in-hours", value: WIDE, reason: REASON }),
        await visitor.ask("POST", `${RULES}/reset`, { rule_id: "in-hours" }),
        await visitor.ask("POST", `${RULES}/compare`, { rule_id: "in-hours", value: WIDE }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    expect((await rulesOf(viewer)).history).toEqual([]);
  });

  test("an owner loosens with a reason, everyone of the organisation sees who did and why, no one else does", async () => {
    const bare = await owner.ask("PUT", RULES, { rule_id: "in-hours", value: WIDE });
    expect([bare.status, bare.json.error.details?.[0]?.field]).toEqual([400, "reason"]);
    const { status, json } = await owner.ask("PUT", RULES, {
      rule_id: "in-hours",
      value: WIDE,
      reason: REASON,
    });
    expect([status, json as object]).toEqual([200, { revision: 1, is_looser: true }]);
    expect(await ruleOf(viewer, "in-hours")).toMatchObject({
      value: WIDE,
      book_value: { start: "09:00" },
      change: { is_looser: true, reason: REASON },
    });
    const { history } = await rulesOf(viewer);
    expect(history).toMatchObject([{ rule_id: "in-hours", reason: REASON, actor_name: expect.stringMatching(/./) }]);
    expect(await rulesOf(stranger)).toMatchObject({ history: [] });
  });

  test("a value is compared with the book before it is saved", async () => {
    const compare = async (id: string, value: unknown) =>
      (await owner.ask("POST", `${RULES}/compare`, { rule_id: id, value })).json as object;
    expect(await compare("in-per-day", 1)).toEqual({ fault: null, is_looser: false });
    expect(await compare("in-per-day", 9)).toEqual({ fault: null, is_looser: true });
    expect(await compare("in-per-day", 0)).toMatchObject({ fault: expect.stringContaining("from 1 to 100") });
    expect(await compare("in-gone", 1)).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  test("a number is tried out with the organisation's changes", async () => {
    const tried = (visitor: Visitor, number: string) =>
      visitor.ask("POST", `${RULES}/try`, { number, purpose: "service", has_consent: false });
    expect((await tried(viewer, "+919810012345")).json as object).toMatchObject({
      hours: WIDE,
      version: "in-2026.11+1",
    });
    expect((await tried(stranger, "+919810012345")).json as object).toMatchObject({ hours: { start: "09:00" } });
    expect((await tried(viewer, "+18005550100")).json as object).toMatchObject({
      region: null,
      recording: "ask",
      time_zones: ["America/New_York", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"],
    });
    const abroad = await tried(viewer, "+442071838750");
    expect(abroad.json.error.code).toBe("UNSUPPORTED_COUNTRY");
  });

  test("a reset is kept in the history", async () => {
    expect((await owner.ask("POST", `${RULES}/reset`, { rule_id: "in-hours" })).status).toBe(200);
    expect(await ruleOf(viewer, "in-hours")).toMatchObject({ value: { start: "09:00" }, change: null });
    expect((await rulesOf(viewer)).history).toHaveLength(2);
  });
});

test.each([true, false])("whether the rules are enforced is told: %s", async (isEnforced) => {
  const other = await createHospital({ isEnforced });
  try {
    const visitor = await signedIn(other.app, other.organisationId, "viewer");
    const inApi = (await other.request("GET", "/v1/rules")).json as unknown as Rules;
    expect([(await rulesOf(visitor)).enforced, inApi.enforced]).toEqual([isEnforced, isEnforced]);
  } finally {
    await other.close();
  }
});

describe("in the API", () => {
  test("the books are listed with their sources", async () => {
    const { status, json } = await hospital.request("GET", "/v1/rules");
    expect(status).toBe(200);
    const { data } = json as unknown as Rules;
    expect(data.map(({ country }) => country)).toEqual(["IN", "US"]);
    expect(data[0]?.disclaimer).toContain("not legal advice");
  });

  test("the rules of a number are answered by purpose, state and consent", async () => {
    const ask = (query: string) => hospital.request("GET", `/v1/rules/for?number=${query}`);
    expect((await ask("%2B12125550100")).json as object).toMatchObject({
      data: {
        region: "NY",
        per_day: 1,
        per_week: 3,
        recording: "announce",
        notices: ["caller", "automatic", "callback", "stop"],
      },
    });
    expect((await ask("%2B12125550100&region=CA&consent=true&purpose=promotional")).json as object).toMatchObject({
      data: { region: "CA", per_day: 3, per_week: null, needs_consent: true, time_zones: ["America/Los_Angeles"] },
    });
    expect(outcome(await ask("%2B12125550100&region=ZZ"))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await ask("%2B12125550100&purpose=spam"))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await ask("%2B442071838750"))).toBe("422 UNSUPPORTED_COUNTRY");
    expect(outcome(await ask("12"))).toBe("422 INVALID_PHONE_NUMBER");
  });

  test("a key needs the scope to read calls", async () => {
    const key = await hospital.newKey(["slots:read"]);
    for (const path of ["/v1/rules", "/v1/rules/for?number=%2B12125550100"])
      expect(outcome(await hospital.request("GET", path, { key }))).toBe("403 INSUFFICIENT_SCOPE");
  });
});
