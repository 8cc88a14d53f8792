// Every route, role and branch: what each person gets, and that nothing of another branch is in any answer.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ACCESS } from "../../../src/dashboard/access-table.ts";
import type { Visitor } from "../../support/dashboard.ts";
import { namesBranch, routesOf, send, WIDE, type Route } from "./requests.ts";
import {
  createTwoBranches,
  NO_BRANCH_MARK,
  PEOPLE,
  type BranchWorld,
  type PersonName,
  type TwoBranches,
} from "./two-branches.ts";

let world: TwoBranches;
beforeAll(async () => void (world = await createTwoBranches()), 120_000);
afterAll(() => world.close());

const RANK = ["viewer", "staff", "owner"];
const isEnough = (role: string, required: string | undefined) =>
  required === "nobody" || RANK.indexOf(role) >= RANK.indexOf(required ?? "");

/** Streams never end; their own test is below. */
const routes = () => routesOf(world).filter(({ name }) => name !== "GET changes");
const isOver = ({ name }: Route, ...over: string[]) => over.includes(ACCESS[name]?.over ?? "none");

/** What a person may be answered: `closed` is 403, `open` anything but 403. */
function expected(person: PersonName, route: Route): "open" | "closed" {
  const [role, branch] = PEOPLE[person];
  if (isOver(route, "own")) return "open";
  if (role === "doctor" || role === "auditor") return ACCESS[route.name]?.also.includes(role) ? "open" : "closed";
  if (!isEnough(role, route.role)) return "closed";
  return branch !== null && isOver(route, "whole") ? "closed" : "open";
}

/** Texts and ids of a branch that nobody else may see. */
function marksOf(of: BranchWorld): RegExp {
  const { mark, prefix, callId, endedId, appointmentId, campaignId, waitingId, ruleId, feedId, closureId } = of;
  const ids = [callId, endedId, appointmentId, campaignId, waitingId, ruleId, feedId, closureId, of.contactId];
  return new RegExp([mark, prefix.replace("+", "\\+?"), ...ids].join("|"), "i");
}
/** Calls of no branch, and what concerns the whole organisation. */
const ofNoBranch = new RegExp(`${NO_BRANCH_MARK}|98100333`, "i");
/** Names and numbers of patients. Names of agents and branches are settings. */
const patients = /(?:Aardvark|Zebra|Quagga) (?:Patient|Booked|Listed|Waiting|said|notes?)|98100(?:111|222|333)/;

describe("the table", () => {
  test("has every route of the dashboard, and no other", () => {
    expect(
      routesOf(world)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(ACCESS).toSorted());
  });

  test("names something of a branch wherever a request can", () => {
    const named = Object.entries(ACCESS).filter(([, { names }]) => Object.keys(names).length > 0);
    const isSent = (name: string) => routes().some((route) => route.name === name && namesBranch(route));
    expect(named.map(([name]) => name).filter((name) => !isSent(name))).toEqual([]);
  });
});

/** Actions on the own session would end the walk. */
const ENDS = /^(?:POST (?:login|logout|lock|unlock|password|setup|demo-login)|POST account\/sessions\/end-others)$/;
const isSafe = ({ name, path }: Route) => !ENDS.test(name) && !path.startsWith("sign-in/");

test("nobody below a role or beyond a reach gets in", async () => {
  for (const person of Object.keys(PEOPLE) as PersonName[]) {
    const visitor = world.people[person];
    for (const route of routes().filter((each) => isSafe(each) && expected(person, each) === "closed")) {
      const answer = await send(world, visitor, route, world.a);
      expect(`${person} ${route.name}: ${answer.status}`).toBe(`${person} ${route.name}: 403`);
    }
  }
}, 300_000);

const BOUND = [
  ["staffOfA", "a", "b"],
  ["staffOfB", "b", "a"],
  ["viewerOfA", "a", "b"],
  ["doctorOfA", "a", "b"],
] as const;

for (const [person, own, other] of BOUND) {
  test(`${person} gets 404 for everything of the other branch, and changes nothing`, async () => {
    const visitor: Visitor = world.people[person];
    const before = await everythingKept();
    let asked = 0;
    for (const route of routes()) {
      const isNamed = Object.keys(ACCESS[route.name]?.names ?? {}).length > 0;
      if (!isNamed || expected(person, route) === "closed") continue;
      const { status, text } = await send(world, visitor, route, world[other]);
      // A doctor's appointments may be in any branch: the list of another branch is empty.
      const wanted = person === "doctorOfA" && route.name === "GET appointments" ? 200 : 404;
      expect(`${route.name}: ${status} ${text}`).toStartWith(`${route.name}: ${wanted}`);
      expect(text).not.toMatch(marksOf(world[other]));
      asked += 1;
    }
    expect(asked).toBeGreaterThan({ staffOfA: 60, staffOfB: 60, viewerOfA: 25, doctorOfA: 6 }[person]);
    expect(await everythingKept()).toEqual(before);
  }, 300_000);

  test(`${person} finds only the own branch in every list, search and export`, async () => {
    const visitor: Visitor = world.people[person];
    let seen = 0;
    for (const route of routes()) {
      const isRead = route.method === "GET" || route.name === "POST contacts/search";
      if (!isRead || expected(person, route) === "closed") continue;
      for (const isWide of route.name in WIDE ? [false, true] : [false]) {
        const { status, text } = await send(world, visitor, route, world[own], isWide);
        // A week is not copied to its own branch.
        const statuses = route.name === "GET calendar/plan" ? [400] : [200, 302, 404, 409];
        expect(`${route.name}: ${statuses.includes(status)} ${status}`).toBe(`${route.name}: true ${status}`);
        // Names of branches are settings, which every doctor may read.
        const isNames = person === "doctorOfA" && route.name === "GET calendar/configuration";
        const found = isNames ? null : marksOf(world[other]).exec(text);
        expect(`${route.name}: ${found?.[0]}`).toBe(`${route.name}: undefined`);
        expect(`${route.name}: ${ofNoBranch.exec(text)?.[0]}`).toBe(`${route.name}: undefined`);
        if (text.includes(world[own].mark)) seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(person === "doctorOfA" ? 4 : 20);
  }, 300_000);

  test(`${person} cannot name calls of the other branch in a bulk command`, async () => {
    const visitor: Visitor = world.people[person];
    const body = { call_ids: [world[other].endedId, world[other].callId] };
    const exported = await visitor.ask("POST", "/dashboard/api/calls/export", body);
    expect(exported.text).not.toMatch(marksOf(world[other]));
    expect(exported.status).toBe(200);
    for (const act of ["again", "cancel"]) {
      const { status, text } = await visitor.ask("POST", `/dashboard/api/calls/${act}`, body);
      if (person.startsWith("staff")) expect(`${status} ${text}`).toBe(`200 ${JSON.stringify(UNKNOWN)}`);
      else expect(status).toBe(403);
    }
  });
}
const UNKNOWN = { done: 0, left_out: [{ reason: "unknown", count: 2 }] };

test("an auditor reads settings, audit and proofs, and no patient", async () => {
  let read = 0;
  for (const route of routes()) {
    if (expected("auditor", route) === "closed" || route.method !== "GET") continue;
    const { status, text } = await send(world, world.people.auditor, route, world.a);
    expect(`${route.name}: ${[200, 404, 409].includes(status)} ${status}`).toBe(`${route.name}: true ${status}`);
    expect(`${route.name}: ${patients.exec(text)?.[0]}`).toBe(`${route.name}: undefined`);
    read += 1;
  }
  expect(read).toBeGreaterThan(30);
});

test("people who see the whole organisation find both branches", async () => {
  for (const person of ["owner", "staff", "viewer"] as const) {
    for (const path of ["calls", "appointments", "campaigns", "worklist", "waiting-list", "calls/export"]) {
      const { text } = await world.people[person].ask("GET", `/dashboard/api/${path}`);
      expect(`${person} ${path} ${text.includes("Aardvark")} ${text.includes("Zebra")}`).toBe(
        `${person} ${path} true true`,
      );
    }
  }
});

test("staff of a branch may do there what staff may do", async () => {
  // The destructive ones last.
  const order = (route: Route) => ["PATCH", "PUT", "POST", "DELETE"].indexOf(route.method);
  const wanted = routes()
    .filter((route) => route.method !== "GET" && isOver(route, "within") && expected("staffOfA", route) === "open")
    .toSorted((one, two) => order(one) - order(two));
  expect(wanted.length).toBeGreaterThan(40);
  for (const route of wanted) {
    const { status, text } = await send(world, world.people.staffOfA, route, world.a);
    expect(`${route.name}: ${status === 403 || status >= 500} ${text}`).toBe(`${route.name}: false ${text}`);
    expect(`${route.name}: ${marksOf(world.b).exec(text)?.[0]}`).toBe(`${route.name}: undefined`);
  }
}, 300_000);

async function everythingKept(): Promise<Record<string, unknown[]>> {
  const tables = [
    "calls",
    "appointments",
    "campaigns",
    "waiting_list",
    "windows",
    "branches",
    "agents",
    "reminder_rules",
  ];
  const more = [
    "closures",
    "worklist_items",
    "contact_notes",
    "reminders",
    "window_dates",
    "calendar_feeds",
    "consents",
  ];
  const kept: Record<string, unknown[]> = {};
  for (const table of [...tables, ...more])
    kept[table] = await world.clinic.db.reader
      .selectFrom(table as "calls")
      .selectAll()
      .execute();
  return kept;
}
