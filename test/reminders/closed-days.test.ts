// People on closed days are moved or called, shown as such, and not reminded of a time at which nobody is there.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { BRANCH, MONDAY, on } from "../calendar/clinic.ts";
import { askDashboard, signedIn, type Visitor } from "../support/dashboard.ts";
import { createWard, type Ward } from "./ward.ts";

let ward: Ward;
let staff: Visitor;
beforeEach(async () => {
  ward = await createWard();
  staff = await signedIn(ward.app, ward.organisationId, "staff");
});
afterEach(() => ward.close());

const ask = async (method: string, path: string, body?: unknown) =>
  JSON.parse(
    (
      await askDashboard(ward.app, method, `/dashboard/api/${path}`, {
        cookie: staff.cookie,
        ...(body === undefined ? {} : { body }),
      })
    ).text,
  ) as Record<string, never>;
const book = (number = "+919810012345") =>
  ward.book(on(ward.window, MONDAY), { contact_name: "Meera", contact_number: number });
/** There is no other place to move to: every Monday is closed. */
const close = async (otherwise: "move" | "call" | "leave") => {
  const ranges = [{ from: MONDAY, to: "2027-02-15", name: "Strike" }];
  const body = { branch_ids: [BRANCH], ranges, otherwise, agent_id: ward.agentId };
  return (await ask("POST", "calendar/closures", body))["closure_ids"]![0] as string;
};
const closedFor = async () =>
  (
    (await ask("GET", `appointments?branch_id=${BRANCH}&from=${MONDAY}&to=${MONDAY}`))["data"] as unknown as {
      closed_for: string | null;
    }[]
  ).map(({ closed_for }) => closed_for);

test.each([
  ["move", "move"],
  ["leave", null],
] as const)("a person who is to %s is shown as %j", async (choice, shown) => {
  await book();
  expect(await closedFor()).toEqual([null]);
  await close(choice);
  expect(await closedFor()).toEqual([shown]);
});

test("a person who is called is shown as such, and is expected again once the days are open", async () => {
  await book();
  const id = await close("call");
  expect(await closedFor()).toEqual(["call"]);
  await ask("POST", `calendar/closures/${id}/reopen`, {});
  expect(await closedFor()).toEqual([null]);
});

test("a planned reminder waits while the day is closed, and goes out after it is reopened", async () => {
  await ward.rule({ at: "15:00" });
  await book();
  const id = await close("move");
  await ward.goTo("2026-11-15T09:40:00Z");
  expect([ward.dialled(), await ward.fates()]).toEqual([[], ["pending"]]);
  await ask("POST", `calendar/closures/${id}/reopen`, {});
  await ward.goTo("2026-11-15T10:10:00Z");
  expect([ward.dialled().length, await ward.fates()]).toEqual([1, ["calling"]]);
});

test("who keeps the appointment on a closed day is reminded as before", async () => {
  await ward.rule({ at: "15:00" });
  await book();
  await close("leave");
  await ward.goTo("2026-11-15T09:40:00Z");
  expect(ward.dialled()).toHaveLength(1);
});

test("a reminder whose call waits for a line is taken back when the day is closed", async () => {
  await ward.close();
  ward = await createWard({ carrierLines: 1 });
  staff = await signedIn(ward.app, ward.organisationId, "staff");
  await ward.rule({ at: "15:00" });
  await book("+919810012301");
  await book("+919810012302");
  await ward.goTo("2026-11-15T09:40:00Z");
  expect([ward.dialled().length, await ward.fates()]).toEqual([1, ["calling", "calling"]]);
  await close("move");
  const fates = await ward.fates();
  expect(fates.toSorted()).toEqual(["calling", "pending"]);
  const states = await ward.db.reader.selectFrom("calls").select("state").orderBy("id").execute();
  expect(states.map(({ state }) => state)).toContain("cancelled");
});

test("reminders by hand leave these people out, and say so", async () => {
  const { appointment_id } = await book();
  await close("move");
  const wish = { appointment_ids: [appointment_id], agent_id: ward.agentId };
  expect(await ask("POST", "reminders/check", wish)).toEqual({ planned: 0, skipped: { day_closed: 1 } } as never);
});
