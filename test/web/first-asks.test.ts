// The first requests of each page, from its address.
import { expect, test } from "bun:test";
import { firstAsks } from "../../src/web/first-asks.ts";

const OF_EVERY_PAGE = ["worklist/count", "account/notices"];

test.each([
  ["/dashboard/today", "", ["worklist", "now", "campaigns", "agents", "health"]],
  ["/dashboard/today/", "?kind=call_failed", ["worklist?kind=call_failed", "now", "campaigns", "agents", "health"]],
  ["/dashboard/overview", "", ["overview?days=14", "checklist", "trunks"]],
  ["/dashboard/overview", "?days=90", ["overview?days=90", "checklist", "trunks"]],
  ["/dashboard/calls", "", ["calls?limit=25", "call-filters", "agents", "campaigns"]],
  ["/dashboard/calls", "?status=failed", ["call-filters", "agents", "campaigns"]],
  ["/dashboard/calls/call_1-a", "", ["calls/call_1-a"]],
  ["/dashboard/campaigns", "", ["campaigns?limit=25"]],
  ["/dashboard/settings/people", "", []],
  ["/dashboard", "", []],
])("%s%s", (path, search, asked) => {
  expect(firstAsks(path, search)).toEqual([...OF_EVERY_PAGE, ...asked]);
});
