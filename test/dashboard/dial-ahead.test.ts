// What a button is told before it dials: when calls really go out, which do not, and which are pending already.
import { afterEach, describe, expect, test } from "bun:test";
import type { DialAhead } from "../../src/calls/dial-ahead.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS } from "../../src/core/clock.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { settle } from "../support/manual-clock.ts";

const NUMBER = "+919810012399";

let clinic: Clinic;
let staff: Visitor;
afterEach(() => clinic.close());

async function open(isEnforced = true): Promise<void> {
  clinic = await createClinic({ isEnforced });
  staff = await signedIn(clinic.app, clinic.organisationId, "staff");
}

const ahead = async (about: object) =>
  (await staff.ask("POST", "/dashboard/api/dial-ahead", about)).json as unknown as DialAhead;
const aboutNumber = (user_number = NUMBER) => ({ agent_id: clinic.agentId, callees: [{ user_number }] });
/** The test clock starts at 11:30 in India. */
const toNight = () => clinic.clock.pass(12 * HOUR_MS);

describe("a call", () => {
  test("by day goes out at once, and there is nothing to say", async () => {
    await open();
    expect(await ahead(aboutNumber())).toMatchObject({ now: 1, later: 0, held: 0, first_at: null, pending: [] });
  });

  test("at night for the callee goes out when the rules allow it, which the dispatcher does too", async () => {
    await open();
    await clinic.app.start();
    toNight();
    const { now, later, first_at, reasons } = await ahead(aboutNumber());
    expect([now, later, reasons]).toEqual([0, 1, ["outside_legal_hours"]]);
    const id = await clinic.schedule({ user_number: NUMBER });
    clinic.clock.pass(Date.parse(first_at ?? "") - clinic.clock.now() - HOUR_MS);
    await clinic.clock.advance(31_000);
    expect((await clinic.row(id)).state).toBe("queued");
    await clinic.clock.advance(HOUR_MS);
    await settle();
    expect((await clinic.row(id)).triggered_at).toBeGreaterThanOrEqual(Date.parse(first_at ?? ""));
  });

  test("is said to go out at once where the rules hold nothing", async () => {
    await open(false);
    toNight();
    expect(await ahead(aboutNumber())).toMatchObject({ now: 1, later: 0 });
  });

  test("to a number on the do-not-disturb list does not go out", async () => {
    await open();
    await clinic.app.services.doNotDisturb.add(clinic.organisationId, NUMBER, CLI_ACTOR);
    expect(await ahead(aboutNumber())).toMatchObject({ now: 0, later: 0, held: 1, reasons: ["do_not_disturb"] });
  });

  test("names the pending call to the same number, and asking creates none", async () => {
    await open();
    const id = await clinic.schedule({ user_number: NUMBER, scheduled_time: "2026-12-24T10:00:00Z" });
    const { pending } = await ahead(aboutNumber());
    expect(pending).toMatchObject([{ call_id: id, status: "scheduled", contact_number: NUMBER }]);
    expect((await ahead(aboutNumber("+919810012398"))).pending).toEqual([]);
    expect(await clinic.db.reader.selectFrom("calls").select("id").execute()).toEqual([{ id }]);
    expect(await clinic.actionsOnRecord()).toContain("call.dry_run");
  });
});

test("calls that are repeated and people who are reminded are counted one by one", async () => {
  await open();
  await clinic.app.start();
  const ended = await clinic.dial({ user_number: NUMBER });
  clinic.carrier.fail(ended, "busy");
  await settle();
  expect(await ahead({ call_ids: [ended] })).toMatchObject({ now: 1, pending: [] });
  const window = await clinic.createWindow();
  const { appointment_id } = await clinic.book(on(window, MONDAY), { contact_number: "+919810012397" });
  toNight();
  const asked = { appointment_ids: [appointment_id], agent_id: clinic.agentId };
  expect(await ahead(asked)).toMatchObject({ now: 0, later: 1, reasons: ["outside_legal_hours"] });
});

test("a person on the waiting list is called within the hours of the list", async () => {
  await open();
  const { waiting_id } = await clinic.app.services.waitingList.add(
    clinic.organisationId,
    { branch_id: BRANCH, contact_number: NUMBER, contact_name: "Meena" },
    "dashboard",
    CLI_ACTOR,
  );
  expect(await ahead({ waiting_id })).toMatchObject({ now: 1 });
  toNight();
  expect(await ahead({ waiting_id })).toMatchObject({ now: 0, later: 1 });
});

test("viewers are refused, and so are numbers without an agent", async () => {
  await open();
  const viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
  expect((await viewer.ask("POST", "/dashboard/api/dial-ahead", aboutNumber())).status).toBe(403);
  const alone = await staff.ask("POST", "/dashboard/api/dial-ahead", { callees: [{ user_number: NUMBER }] });
  expect([alone.status, alone.text.includes("agent_id")]).toEqual([400, true]);
});
