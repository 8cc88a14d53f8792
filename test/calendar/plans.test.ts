// Windows for several days at once, and copying a week's plan to another branch.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { servicesByName } from "../../src/calendar/plan-services.ts";
import { BRANCH, createClinic, OTHER_SERVICE, SERVICE, type Clinic } from "./clinic.ts";

const OTHER_BRANCH = "0190a1b2-0000-7000-8000-00000000000c";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
});
afterEach(() => clinic.close());

const plans = () => clinic.app.services.plans;
const windowsAt = async (branch: string) =>
  (await clinic.app.services.windows.list(clinic.organisationId, branch)).map(
    ({ day, session, start_time, max_slots, appointment_type }) =>
      [day, session, start_time, max_slots, appointment_type].join(" "),
  );

test("twelve windows are created at once, each with the hours of its session", async () => {
  await plans().createWindows(
    clinic.organisationId,
    {
      branch_id: BRANCH,
      days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
      sessions: ["Morning", "Evening"],
      ai_slots: 2,
      max_slots: 5,
      start_time: "10:00",
    },
    CLI_ACTOR,
  );
  const made = await windowsAt(BRANCH);
  expect(made).toHaveLength(12);
  expect(made.slice(0, 2)).toEqual(["monday Morning 09:00 5 ", "monday Evening 17:00 5 "]);
});

test("creation is atomic: an error creates nothing", async () => {
  const input = {
    branch_id: BRANCH,
    days: ["monday" as const],
    sessions: ["Morning" as const],
    ai_slots: 9,
    max_slots: 5,
  };
  const fault = await Promise.resolve()
    .then(() => plans().createWindows(clinic.organisationId, input, CLI_ACTOR))
    .catch((error: unknown) => error);
  expect(fault instanceof AppError && fault.details[0]?.field).toBe("ai_slots");
  expect(await windowsAt(BRANCH)).toEqual([]);
});

test("a week's plan is copied, with existing windows reported and services matched by name", async () => {
  const { directory } = clinic.app.services;
  await clinic.createWindow({ appointment_type_id: SERVICE, max_slots: 7 });
  const plain = await clinic.createWindow({ day: "tuesday" });
  await clinic.createWindow({ branch_id: OTHER_BRANCH, day: "tuesday" });
  await clinic.createWindow({ branch_id: OTHER_BRANCH, day: "friday", appointment_type_id: OTHER_SERVICE });
  await directory.setService(clinic.organisationId, SERVICE, "Eye test", CLI_ACTOR);
  await directory.setService(clinic.organisationId, OTHER_SERVICE, " eye TEST ", CLI_ACTOR);
  const preview = await plans().preview(clinic.organisationId, BRANCH, OTHER_BRANCH);
  expect(preview.windows.map(({ window, appointment_type, exists }) => [window.day, appointment_type, exists])).toEqual(
    [
      ["monday", OTHER_SERVICE, false],
      ["tuesday", null, true],
    ],
  );
  expect(preview.existing).toHaveLength(2);
  const [monday] = preview.windows;
  const input = { from_branch: BRANCH, to_branch: OTHER_BRANCH, window_ids: [monday!.window.slot_id] };
  await plans().copy(clinic.organisationId, input, CLI_ACTOR);
  expect(await windowsAt(OTHER_BRANCH)).toEqual([
    `monday Morning 09:00 7 ${OTHER_SERVICE}`,
    "tuesday Morning 09:00 10 ",
    `friday Morning 09:00 10 ${OTHER_SERVICE}`,
  ]);
  expect(plain.day).toBe("tuesday");
});

test("plans are isolated between organisations", async () => {
  await clinic.createWindow();
  const { organisationId } = await clinic.neighbour();
  const fault = await plans()
    .preview(organisationId, BRANCH, OTHER_BRANCH)
    .catch((error: unknown) => error);
  expect(fault instanceof AppError && fault.code).toBe("NOT_FOUND");
});

test("a service without a namesake in the other branch is kept", () => {
  const serviceOf = servicesByName(
    [
      { id: "a", name: null },
      { id: "b", name: null },
      { id: "c", name: "X" },
    ],
    [{ appointment_type_id: "b" }],
  );
  expect([serviceOf(null), serviceOf("a"), serviceOf("b"), serviceOf("c")]).toEqual([null, "a", "b", "c"]);
});
