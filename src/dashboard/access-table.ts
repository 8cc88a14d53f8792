// What each route of the dashboard reaches, for people who do not see the whole organisation. A test compares the table
// with the routes, and walks every role and branch over it.
import type { Role } from "../accounts/records.ts";

/** The kinds of ids that requests name. */
export type Named =
  | "agent"
  | "appointment"
  | "branch"
  | "call"
  | "campaign"
  | "closure"
  | "contact"
  | "item"
  | "reminder rule"
  | "slot"
  | "waiting entry"
  | "window";

export interface Access {
  /**
   * `own`: a person's own account, and what comes before a sign-in. `open`: nothing of patients, and of no branch.
   * `within`: only what is within reach. `whole`: the whole organisation.
   */
  over: "own" | "open" | "within" | "whole";
  /** Roles outside the order of viewer, staff and owner that may use the route. */
  also: readonly Extract<Role, "doctor" | "auditor">[];
  /** Ids in the address, the query and the body that must be within reach. With `!`, the request must name one. */
  names: Readonly<Record<string, Named | `${Named}!`>>;
}

type Also = Access["also"];
type Names = Access["names"];

const NO_NAMES: Names = {};
const DOCTOR: Also = ["doctor"];
const AUDITOR: Also = ["auditor"];
const BOTH: Also = ["doctor", "auditor"];

const own: Access = { over: "own", also: BOTH, names: NO_NAMES };
const open = (also: Also = []): Access => ({ over: "open", also, names: NO_NAMES });
const whole = (also: Also = []): Access => ({ over: "whole", also, names: NO_NAMES });
const within = (names: Names = NO_NAMES, also: Also = []): Access => ({ over: "within", also, names });

const CALL: Names = { call_id: "call" };
/** Values of a call may name its branch and its appointment. */
const VALUES: Names = { branch_id: "branch", appointment_id: "appointment" };
const NEW_CALLS: Names = { agent_id: "agent!", ...VALUES };
const ASKED: Names = { call_ids: "call", appointment_ids: "appointment", waiting_id: "waiting entry" };
const FILTERS: Names = { agent_id: "agent", campaign_id: "campaign" };
const CAMPAIGN: Names = { campaign_id: "campaign" };
const CONTACT: Names = { contact_id: "contact" };
const AGENT: Names = { id: "agent" };
const OF_BRANCH: Names = { branch_id: "branch" };
const IN_BRANCH: Names = { branch_id: "branch!" };
const CLOSING: Names = {
  branch_ids: "branch!",
  window_id: "window",
  agent_id: "agent",
  appointment_id: "appointment",
  slot_id: "slot",
};
const WAITING: Names = { id: "waiting entry", branch_id: "branch", agent_id: "agent" };
const RULE: Names = { id: "reminder rule", branch_id: "branch", agent_id: "agent" };
const REMIND: Names = { appointment_ids: "appointment", branch_id: "branch", agent_id: "agent" };
const PLAN: Names = { from_branch: "branch!", to_branch: "branch!", window_ids: "window" };

export const ACCESS: Readonly<Record<string, Access>> = {
  // sign-in and the own account
  "GET welcome": own,
  "GET first-view": own,
  "POST login": own,
  "POST demo-login": own,
  "POST setup": own,
  "POST logout": own,
  "POST lock": own,
  "POST unlock": own,
  "POST forgot-password": own,
  "POST password-link": own,
  "POST password-link/use": own,
  "POST sign-in/code": own,
  "POST sign-in/passkey/options": own,
  "POST sign-in/passkey": own,
  "POST sign-in/oidc/begin": own,
  "POST sign-in/oidc/finish": own,
  "POST sign-in/set-up/code": own,
  "POST sign-in/set-up/code/confirm": own,
  "POST sign-in/set-up/passkey/options": own,
  "POST sign-in/set-up/passkey": own,
  "PUT account/language": own,
  "POST password": own,
  "GET session": own,
  "GET account/factors": own,
  "POST account/factors/code": own,
  "POST account/factors/code/confirm": own,
  "POST account/factors/code/remove": own,
  "POST account/factors/recovery-codes": own,
  "POST account/factors/passkeys/options": own,
  "POST account/factors/passkeys": own,
  "PATCH account/factors/passkeys/:id": own,
  "POST account/factors/passkeys/:id/remove": own,
  "GET account/sessions": own,
  "POST account/sessions/:id/end": own,
  "POST account/sessions/end-others": own,
  "POST account/sessions/:id/recognise": own,
  "GET account/notices": own,
  "GET call-filters": own,
  "POST call-filters": own,
  "DELETE call-filters/:id": own,
  // calls
  "GET calls": within(FILTERS, DOCTOR),
  "GET calls/:call_id": within(CALL, DOCTOR),
  "POST calls": within(NEW_CALLS),
  "POST calls/dry-run": within(NEW_CALLS),
  "POST calls/:call_id/cancel": within(CALL),
  "POST calls/:call_id/hang-up": within(CALL),
  "DELETE calls/:call_id": within(CALL),
  "POST calls/:call_id/again": within(CALL),
  "PATCH calls/:call_id": within({ ...CALL, ...VALUES }),
  "POST calls/:call_id/erase": within(CALL),
  "POST calls/:call_id/share": within(CALL),
  "DELETE calls/:call_id/share": within(CALL),
  "GET calls/:call_id/line": within(CALL),
  "GET calls/:call_id/line.txt": within(CALL),
  "GET calls/:call_id/line.pcap": within(CALL),
  // Proofs hold nothing personal.
  "GET calls/:call_id/proof": within(CALL, BOTH),
  "GET calls/:call_id/proof.json": within(CALL, BOTH),
  "GET calls/:call_id/recording": within(CALL, DOCTOR),
  "GET calls/:call_id/transcript.txt": within(CALL, DOCTOR),
  "GET calls/:call_id/transcript.json": within(CALL, DOCTOR),
  "GET calls/matching": within(FILTERS),
  "GET calls/export": within(FILTERS, DOCTOR),
  // Bulk commands answer ids beyond reach as unknown ones.
  "POST calls/export": within(NO_NAMES, DOCTOR),
  "POST calls/again": within(),
  "POST calls/cancel": within(),
  "POST dial-ahead": within({ ...FILTERS, ...ASKED }),
  "POST held-calls/release": whole(),
  "POST held-calls/cancel": whole(),
  // people
  "POST contacts/search": within(),
  "GET contacts/:contact_id": within(CONTACT),
  "PUT contacts/:contact_id/do-not-disturb": within(CONTACT),
  "POST contacts/:contact_id/consents": within(CONTACT),
  "POST contacts/:contact_id/consents/withdraw": within(CONTACT),
  "POST contacts/:contact_id/notes": within(CONTACT),
  "DELETE contacts/:contact_id/notes/:note_id": within(CONTACT),
  // The name is in the records of every branch.
  "POST contacts/:contact_id/rename": whole(),
  "POST contacts/:contact_id/merge": whole(),
  "POST contacts/:contact_id/erase": whole(),
  "GET contacts/:contact_id/file": whole(),
  "GET do-not-disturb": whole(),
  "GET do-not-disturb/export": whole(),
  "POST do-not-disturb": whole(),
  "DELETE do-not-disturb/:number": whole(),
  "GET consents/export": whole(),
  "POST consents/import": whole(),
  "GET registry": whole(),
  "GET registry/export": whole(),
  "POST registry": whole(),
  "GET holds": whole(),
  "POST holds": whole(),
  "POST holds/:hold_id/release": whole(),
  "GET breach-report": whole(),
  // today
  "GET now": within(),
  "GET worklist": within(),
  "GET worklist/count": within(),
  "POST worklist/:id/done": within({ id: "item" }),
  "POST worklist/:id/undo": within({ id: "item" }),
  "GET overview": whole(),
  "GET figures": whole(),
  "GET checklist": open(),
  "GET changes": within(NO_NAMES, DOCTOR),
  // calendar
  "GET calendar/configuration": within(NO_NAMES, BOTH),
  "GET calendar/services": open(BOTH),
  "PUT calendar/branches/:id": within({ id: "branch" }),
  "POST calendar/branches/:id/archive": whole(),
  "PUT calendar/services/:id": whole(),
  "GET calendar/windows": within(IN_BRANCH),
  "POST calendar/windows": within(IN_BRANCH),
  "PATCH calendar/windows/:slot_id": within({ slot_id: "slot" }),
  "GET calendar/windows/:slot_id/booked": within({ slot_id: "slot" }),
  "POST calendar/windows/:slot_id/disable": within({ slot_id: "slot" }),
  "POST calendar/windows/many": within(IN_BRANCH),
  "GET calendar/tracking": within(IN_BRANCH),
  "PATCH calendar/tracking/:slot_id": within({ slot_id: "slot" }),
  "POST calendar/regenerate": within(IN_BRANCH),
  "GET calendar/availability": within(IN_BRANCH),
  "GET calendar/plan": within(PLAN),
  "POST calendar/plan": within(PLAN),
  "POST calendar/holidays/read": open(),
  "GET calendar/feeds": within(),
  "POST calendar/feeds": within(IN_BRANCH),
  "DELETE calendar/feeds/:id": whole(),
  "GET calendar/closures": within(),
  "POST calendar/closures/preview": within(CLOSING),
  "POST calendar/closures": within(CLOSING),
  "GET calendar/closures/:id/refused": within({ id: "closure" }),
  "POST calendar/closures/:id/reopen": within({ id: "closure" }),
  "GET appointments": within(OF_BRANCH, DOCTOR),
  "POST appointments": within({ slot_id: "slot", call_id: "call" }),
  "PATCH appointments/:id": within({ id: "appointment", slot_id: "slot" }),
  "POST appointments/:id/wish": within({ id: "appointment" }),
  "GET appointments/:id/reminders": within({ id: "appointment" }, DOCTOR),
  "GET waiting-list": within(OF_BRANCH),
  "POST waiting-list": within({ branch_id: "branch!", agent_id: "agent" }),
  "PATCH waiting-list/:id": within(WAITING),
  "DELETE waiting-list/:id": within(WAITING),
  "POST waiting-list/awaited": within(IN_BRANCH),
  "POST waiting-list/call-all": within(IN_BRANCH),
  "POST waiting-list/:id/call": within(WAITING),
  "GET reminders/rules": within(),
  "GET reminders/agents": within(),
  "POST reminders/rules": within({ branch_id: "branch!", agent_id: "agent" }),
  "POST reminders/preview": within({ branch_id: "branch!", agent_id: "agent" }),
  "PATCH reminders/rules/:id": within(RULE),
  "DELETE reminders/rules/:id": within(RULE),
  "GET reminders": within({ rule_id: "reminder rule" }),
  "POST reminders/check": within(REMIND),
  "POST reminders": within(REMIND),
  // campaigns
  "POST campaigns/list": within(),
  "POST campaigns/list/faulty.csv": within(),
  "POST campaigns/:campaign_id/pause": within(CAMPAIGN),
  "POST campaigns/:campaign_id/resume": within(CAMPAIGN),
  "POST campaigns/:campaign_id/stop": within(CAMPAIGN),
  "POST campaigns/:campaign_id/retry": within(CAMPAIGN),
  "DELETE campaigns/:campaign_id": within(CAMPAIGN),
  "GET campaigns": within(),
  "POST campaigns": within(NEW_CALLS),
  "POST campaigns/check": within(NEW_CALLS),
  "GET campaigns/:campaign_id": within(CAMPAIGN),
  "GET campaigns/:campaign_id/results": within(CAMPAIGN),
  "GET campaigns/:campaign_id/results.csv": within(CAMPAIGN),
  // agents and lines
  "GET agents": within(NO_NAMES, AUDITOR),
  "GET agents/archived": within(NO_NAMES, AUDITOR),
  "GET agents/library": open(AUDITOR),
  "POST agents": within(IN_BRANCH),
  "PATCH agents/:id": within({ ...AGENT, ...OF_BRANCH }),
  "POST agents/:id/archive": within(AGENT),
  "POST agents/:id/unarchive": within(AGENT),
  "POST agents/preview": within(OF_BRANCH),
  "POST agents/preview/model": within(OF_BRANCH),
  "GET agents/:id/versions": within(AGENT, AUDITOR),
  "GET agents/:id/versions/:version": within(AGENT, AUDITOR),
  "POST agents/:id/versions/:version/restore": within(AGENT),
  "GET agents/:id/words": within(AGENT, AUDITOR),
  "GET agents/:id/words/:kind": within(AGENT, AUDITOR),
  "PUT agents/:id/words/:kind": within(AGENT),
  "DELETE agents/:id/words/:kind": within(AGENT),
  "GET agents/:id/servers": within(AGENT, AUDITOR),
  "PUT agents/:id/servers": within(AGENT),
  "GET numbers": within(NO_NAMES, AUDITOR),
  "POST numbers": whole(),
  "PUT numbers/:number/agent": whole(),
  "DELETE numbers/:number": whole(),
  "PUT numbers/:number/lines": whole(),
  "PUT numbers/:number/trunk": whole(),
  "GET pronunciations": open(AUDITOR),
  "PUT pronunciations": whole(),
  "POST pronunciations/remove": whole(),
  "GET trunks": open(AUDITOR),
  "POST trunks": whole(),
  "PATCH trunks/:id": whole(),
  "DELETE trunks/:id": whole(),
  "POST trunks/:id/capture": whole(),
  "GET model-servers": open(AUDITOR),
  "POST model-servers": whole(),
  "PATCH model-servers/:id": whole(),
  "DELETE model-servers/:id": whole(),
  "POST model-servers/:id/try": whole(),
  // hospital systems and developers: their messages hold patients
  "GET sources": open(AUDITOR),
  "POST sources": whole(),
  "PATCH sources/:id": whole(),
  "DELETE sources/:id": whole(),
  "GET sources/:id/files": whole(),
  "POST sources/:id/files/:file/accept": whole(),
  "POST sources/:id/files/:file/reject": whole(),
  "POST sources/:id/sample/waiting": whole(),
  "POST sources/:id/sample": whole(),
  "GET hl7/messages": whole(),
  "GET hl7/messages/:id": whole(),
  "POST hl7/messages/:id/resend": whole(),
  "POST hl7/preview": whole(),
  "GET developers/catalogue": open(AUDITOR),
  "GET keys": whole(AUDITOR),
  "POST keys": whole(),
  "DELETE keys/:id": whole(),
  "GET endpoints": whole(AUDITOR),
  "POST endpoints": whole(),
  "PATCH endpoints/:id": whole(),
  "DELETE endpoints/:id": whole(),
  "POST endpoints/:id/rotate": whole(),
  "POST endpoints/:id/enable": whole(),
  "POST endpoints/:id/disable": whole(),
  "POST endpoints/:id/test": whole(),
  "POST endpoints/:id/replay": whole(),
  "GET endpoints/:id/range": whole(),
  "GET deliveries": whole(),
  "GET deliveries/:id": whole(),
  "POST deliveries/:id/replay": whole(),
  "GET hook": whole(AUDITOR),
  "POST hook/regenerate": whole(),
  "PUT hook/signature": whole(),
  "GET question": whole(AUDITOR),
  "PUT question": whole(),
  "POST question/rotate": whole(),
  "POST question/try": whole(),
  "DELETE question": whole(),
  "GET demo": open(BOTH),
  "GET received": whole(),
  "GET received/:id": whole(),
  // settings and records of the organisation
  "GET settings": open(BOTH),
  "PATCH settings/organisation": whole(),
  "PUT settings/idle-lock": whole(),
  "PUT settings/sharing": whole(),
  "PUT settings/second-factor": whole(),
  "GET settings/break-glass": whole(AUDITOR),
  "POST settings/break-glass/seal": whole(),
  "POST settings/break-glass/acknowledge": whole(),
  "GET rules": open(AUDITOR),
  "POST rules/try": open(AUDITOR),
  "POST rules/compare": whole(),
  "PUT rules": whole(),
  "POST rules/reset": whole(),
  "GET people": open(AUDITOR),
  "POST people": whole(),
  "PATCH people/:email": whole(),
  "PUT people/:email/name": whole(),
  "POST people/:email/invitation": whole(),
  "GET people/:email/sessions": whole(AUDITOR),
  "POST people/:email/sessions/:id/end": whole(),
  "POST people/:email/sessions/end": whole(),
  "POST people/:email/reset-factor": whole(),
  "GET alarms": open(AUDITOR),
  "POST alarms/test": whole(),
  "GET health": open(AUDITOR),
  "POST backup": whole(),
  "GET backup/file": whole(),
  "GET audit": whole(AUDITOR),
  "GET audit/export": whole(AUDITOR),
};
