import { expect, test } from "bun:test";
import { createRouteTable } from "../../src/http/route-table.ts";

const table = createRouteTable([
  { method: "GET", path: "/" },
  { method: "GET", path: "/v1/calls" },
  { method: "POST", path: "/v1/calls" },
  { method: "GET", path: "/v1/calls/:call_id" },
  { method: "POST", path: "/v1/calls/:call_id/cancel" },
  { method: "PATCH", path: "/v1/slots/:slot_id" },
  { method: "GET", path: "/v1/slots/availability" },
]);

test.each([
  ["/", ["GET"]],
  ["/v1/calls", ["GET", "POST"]],
  ["/v1/calls/call_1", ["GET"]],
  ["/v1/calls/call_1/cancel", ["POST"]],
  // A name and a parameter in the same place: both answer there.
  ["/v1/slots/availability", ["GET", "PATCH"]],
  ["/v1/slots/x", ["PATCH"]],
  ["", []],
  ["/v1", []],
  ["/v1/calls/", []],
  ["/v1//calls", []],
  ["/v1/calls/call_1/", []],
  ["/v1/calls/call_1/cancel/more", []],
  ["/V1/calls", []],
  ["/x", []],
  ["/".repeat(15_000), []],
])("%p takes %p", (path, methods) => {
  expect(table.methodsOf(path)).toEqual(methods);
});
