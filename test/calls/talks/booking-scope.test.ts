import { expect, test } from "bun:test";
import { bookingScopeOf } from "../../../src/calls/talks/booking-scope.ts";
import { agentRow, callRow } from "../../support/call-rows.ts";
import { BRANCH, OTHER_SERVICE, SERVICE, UNKNOWN_UUID } from "../../calendar/clinic.ts";

const call = (info: unknown) => callRow({ additional_info: info === undefined ? null : JSON.stringify(info) });
const AGENT = { branch_id: BRANCH, appointment_type_id: SERVICE };

test.each([
  ["nothing said anywhere: no calendar", undefined, {}, null],
  ["the agent's branch and service", undefined, AGENT, { branchId: BRANCH, appointmentTypeId: SERVICE }],
  ["a branch alone", undefined, { branch_id: BRANCH }, { branchId: BRANCH, appointmentTypeId: null }],
  ["a service alone books nowhere", { appointment_type_id: SERVICE }, {}, null],
  [
    "the call's branch goes before the agent's",
    { branch_id: UNKNOWN_UUID },
    AGENT,
    { branchId: UNKNOWN_UUID, appointmentTypeId: SERVICE },
  ],
  [
    "the call's service goes before the agent's",
    { appointment_type_id: OTHER_SERVICE },
    AGENT,
    { branchId: BRANCH, appointmentTypeId: OTHER_SERVICE },
  ],
  [
    "in capitals, it is the same UUID",
    { branch_id: BRANCH.toUpperCase() },
    {},
    { branchId: BRANCH, appointmentTypeId: null },
  ],
  [
    "what is no UUID is no branch",
    { branch_id: "Main", appointment_type_id: 7 },
    AGENT,
    { branchId: BRANCH, appointmentTypeId: SERVICE },
  ],
])("%s", (_what, info, agent, expected) => {
  expect(bookingScopeOf(call(info), agentRow(agent))).toEqual(expected);
});
