// One request for each route of the dashboard, with the ids of one branch in address, query and body.
import { MONDAY } from "../../calendar/clinic.ts";
import { dashboardRoutes, OWN_PAGE, type Visitor } from "../../support/dashboard.ts";
import type { BranchWorld, TwoBranches } from "./two-branches.ts";

const API = "/dashboard/api/";

export interface Route {
  /** As in the access table. */
  name: string;
  method: string;
  path: string;
  role: string | undefined;
}

export const routesOf = ({ app }: TwoBranches): Route[] =>
  dashboardRoutes(app).map(({ method, path, role }) => {
    const short = path.slice(API.length);
    return { name: `${method} ${short}`, method, path: short, role };
  });

/** Address patterns with an id of a branch; longer patterns come first. */
const OF_BRANCH: readonly (readonly [pattern: string, value: (of: BranchWorld) => string])[] = [
  ["contacts/:contact_id/notes/:note_id", (of) => `contacts/${of.contactId}/notes/${of.noteId}`],
  ["contacts/:contact_id", (of) => `contacts/${of.contactId}`],
  ["calls/:call_id/cancel", (of) => `calls/${of.callId}/cancel`],
  ["calls/:call_id", (of) => `calls/${of.endedId}`],
  ["worklist/:id", (of) => `worklist/${of.itemId}`],
  ["calendar/branches/:id", (of) => `calendar/branches/${of.branchId}`],
  ["calendar/windows/:slot_id", (of) => `calendar/windows/${of.windowId}`],
  ["calendar/tracking/:slot_id", (of) => `calendar/tracking/${encodeURIComponent(of.slotId)}`],
  ["calendar/feeds/:id", (of) => `calendar/feeds/${of.feedId}`],
  ["calendar/closures/:id", (of) => `calendar/closures/${of.closureId}`],
  ["appointments/:id", (of) => `appointments/${of.appointmentId}`],
  ["waiting-list/:id", (of) => `waiting-list/${of.waitingId}`],
  ["reminders/rules/:id", (of) => `reminders/rules/${of.ruleId}`],
  ["campaigns/:campaign_id", (of) => `campaigns/${of.campaignId}`],
  ["agents/:id/versions/:version", (of) => `agents/${of.agentId}/versions/1`],
  ["agents/:id/words/:kind", (of) => `agents/${of.agentId}/words/greeting`],
  ["agents/:id", (of) => `agents/${of.agentId}`],
];

export function addressOf(world: TwoBranches, of: BranchWorld, path: string): string {
  if (!path.includes(":")) return path;
  const own = OF_BRANCH.find(([pattern]) => path === pattern || path.startsWith(`${pattern}/`));
  if (own) return path.replace(own[0], () => own[1](of));
  const known = Object.keys(world.ids).find((pattern) => path === pattern || path.startsWith(`${pattern}/`));
  if (known === undefined) throw new Error(`Name an id for ${path} in requests.ts.`);
  return path.replace(known, () => known.replace(/:.+/, world.ids[known] ?? "")).replace(":file", "x");
}

/** Bodies and queries that name a branch or what belongs to one. */
const SENT: Readonly<Record<string, (of: BranchWorld) => { query?: string; body?: unknown }>> = {
  "GET calls": (of) => ({ query: `?agent_id=${of.agentId}` }),
  "GET calls/matching": (of) => ({ query: `?agent_id=${of.agentId}` }),
  "GET calls/export": (of) => ({ query: `?campaign_id=${of.campaignId}` }),
  "POST calls": (of) => ({ body: { agent_id: of.agentId, user_number: `${of.prefix}09` } }),
  "POST calls/dry-run": (of) => ({ body: { agent_id: of.agentId, user_number: `${of.prefix}09` } }),
  "PATCH calls/:call_id": () => ({ body: { user_name: "Other" } }),
  "GET calendar/windows": (of) => ({ query: `?branch_id=${of.branchId}` }),
  "GET calendar/tracking": (of) => ({ query: `?branch_id=${of.branchId}` }),
  "GET calendar/availability": (of) => ({ query: `?branch_id=${of.branchId}` }),
  "GET calendar/plan": (of) => ({ query: `?from_branch=${of.branchId}&to_branch=${of.branchId}` }),
  "POST calendar/plan": (of) => ({
    body: { from_branch: of.branchId, to_branch: of.branchId, window_ids: [of.windowId] },
  }),
  "POST calendar/windows": (of) => ({
    body: { branch_id: of.branchId, day: "tuesday", session: "Morning", ai_slots: 1 },
  }),
  "POST calendar/windows/many": (of) => ({
    body: { branch_id: of.branchId, days: ["friday"], sessions: ["Morning"], ai_slots: 1, max_slots: 1 },
  }),
  "PATCH calendar/windows/:slot_id": () => ({ body: { max_slots: 12 } }),
  "PATCH calendar/tracking/:slot_id": () => ({ body: { max_slots: 12 } }),
  "POST calendar/regenerate": (of) => ({ body: { branch_id: of.branchId } }),
  "PUT calendar/branches/:id": (of) => ({ body: { name: `${of.mark} branch` } }),
  "POST calendar/closures/preview": (of) => ({
    body: { branch_ids: [of.branchId], ranges: [{ from: MONDAY, to: MONDAY }] },
  }),
  "POST calendar/closures": (of) => ({
    body: { branch_ids: [of.branchId], ranges: [{ from: "2026-12-31", to: "2026-12-31" }], otherwise: "leave" },
  }),
  "POST calendar/closures/:id/reopen": () => ({ body: {} }),
  "POST calendar/feeds": (of) => ({ body: { branch_id: of.branchId, people: "none" } }),
  "GET appointments": (of) => ({ query: `?branch_id=${of.branchId}` }),
  "POST appointments": (of) => ({ body: { slot_id: of.slotId, contact_name: "Other" } }),
  "PATCH appointments/:id": () => ({ body: { notes: "Other" } }),
  "POST appointments/:id/wish": () => ({ body: { state: "agreed" } }),
  "GET waiting-list": (of) => ({ query: `?branch_id=${of.branchId}` }),
  "POST waiting-list": (of) => ({ body: { branch_id: of.branchId, contact_number: `${of.prefix}08` } }),
  "POST waiting-list/awaited": (of) => ({ body: { branch_id: of.branchId } }),
  "POST waiting-list/call-all": (of) => ({ body: { branch_id: of.branchId } }),
  "POST dial-ahead": (of) => ({
    body: { agent_id: of.agentId, callees: [{ user_number: `${of.prefix}09` }], call_ids: [of.endedId] },
  }),
  "PATCH waiting-list/:id": () => ({ body: { notes: "Other" } }),
  "GET reminders": (of) => ({ query: `?view=next&rule_id=${of.ruleId}` }),
  "POST reminders/rules": (of) => ({ body: { agent_id: of.agentId, branch_id: of.branchId } }),
  "POST reminders/preview": (of) => ({ body: { agent_id: of.agentId, branch_id: of.branchId } }),
  "PATCH reminders/rules/:id": () => ({ body: { tries: 3 } }),
  "POST reminders/check": (of) => ({ body: { appointment_ids: [of.appointmentId] } }),
  "POST reminders": (of) => ({ body: { appointment_ids: [of.appointmentId], agent_id: of.agentId } }),
  "POST campaigns": (of) => ({ body: newCampaign(of) }),
  "POST campaigns/check": (of) => ({ body: newCampaign(of) }),
  "POST agents": (of) => ({ body: { name: `${of.mark} other`, greeting: "Hello", branch_id: of.branchId } }),
  "PATCH agents/:id": (of) => ({ body: { name: `${of.mark} agent` } }),
  "POST agents/preview": (of) => ({ body: { template: "x", values: {}, branch_id: of.branchId } }),
  "POST agents/preview/model": (of) => ({ body: { agent: previewed(of), values: {} } }),
  "PUT agents/:id/servers": () => ({ body: { voice: null } }),
  "PUT contacts/:contact_id/do-not-disturb": () => ({ body: { on: false } }),
  "POST contacts/:contact_id/consents": () => ({ body: { purpose: "service", basis: "written" } }),
  "POST contacts/:contact_id/consents/withdraw": () => ({ body: {} }),
  "POST contacts/:contact_id/notes": (of) => ({ body: { text: `${of.mark} second note` } }),
};

const newCampaign = (of: BranchWorld) => ({
  name: `${of.mark} other`,
  agent_id: of.agentId,
  rows: [{ user_number: `${of.prefix}07` }],
  start_at: "2026-12-02T10:00:00Z",
});

const previewed = (of: BranchWorld) => ({
  type: "outbound",
  name: "Preview",
  language: "en-IN",
  prompt: "x",
  greeting: "x",
  branch_id: of.branchId,
  transfer_to: null,
});

/** Whether a request for the route names something of a branch. */
export const namesBranch = ({ name, path }: Route): boolean =>
  OF_BRANCH.some(([pattern]) => path === pattern || path.startsWith(`${pattern}/`)) || name in SENT;

/** Requests of the routes that read lists without naming anything. */
export const WIDE: Readonly<Record<string, { query?: string; body?: unknown }>> = {
  "GET calls": {},
  "GET calls/matching": {},
  "GET calls/export": {},
  "GET appointments": {},
  "GET waiting-list": {},
  "GET first-view": { query: "?ask=calls+worklist+now+agents+campaigns+overview" },
  "GET reminders": { query: "?view=next" },
  "POST contacts/search": { body: { text: "" } },
  "GET breach-report": { query: "?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z" },
  "GET endpoints/:id/range": { query: "?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z" },
};

export async function send(world: TwoBranches, visitor: Visitor, route: Route, of: BranchWorld, isWide = false) {
  const { query = "", body } = isWide ? (WIDE[route.name] ?? {}) : (SENT[route.name]?.(of) ?? WIDE[route.name] ?? {});
  const hasBody = !["GET", "DELETE"].includes(route.method);
  return visitor.ask(
    route.method,
    `${API}${addressOf(world, of, route.path)}${query}`,
    hasBody ? (body ?? {}) : undefined,
  );
}

export { OWN_PAGE };
