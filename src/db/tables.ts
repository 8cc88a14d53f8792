// Every table as Kysely sees it, and where queries run. The rows themselves are in rows/, a file per feature.
import type { Kysely } from "kysely";
import type {
  ApiKeyRow,
  AuditEntryRow,
  CreditEntryRow,
  HeartbeatRow,
  IdempotencyKeyRow,
  KnownDeviceRow,
  OrganisationRow,
  PersonRow,
  SessionRow,
  SetupCodeRow,
} from "./rows/accounts.ts";
import type {
  AgentRow,
  AgentVersionRow,
  CallResultRow,
  CallRow,
  DoNotDisturbRow,
  ErasedCallRow,
  InboundHookRow,
  PendingAnalysisRow,
  PhoneNumberRow,
  PronunciationRow,
} from "./rows/calls.ts";
import type {
  CallShareRow,
  DeliveryAttemptRow,
  DeliveryCountRow,
  DeliveryRow,
  EventRow,
  FileRemovalRow,
  WebhookEndpointRow,
} from "./rows/events.ts";
import type {
  AppointmentRow,
  AppointmentTypeRow,
  BranchRow,
  SlotHoldRow,
  WindowDateRow,
  WindowRow,
} from "./rows/calendar.ts";
import type { CampaignRow, CampaignRowRow } from "./rows/campaigns.ts";
import type { ChangeTable } from "./rows/changes.ts";
import type { ContactTable } from "./rows/contacts.ts";
import type {
  CalendarFeedRow,
  ClosureBranchRow,
  ClosureDateRow,
  ClosurePersonRow,
  ClosureRow,
} from "./rows/holidays.ts";
import type { DemoHistoryRow, DemoReceivedRow } from "./rows/demo.ts";
import type { LineageRow } from "./rows/lineage.ts";
import type { KeyCheckRow, WriteProbeRow } from "./rows/readiness.ts";
import type { ReminderRow, ReminderRuleRow } from "./rows/reminders.ts";
import type { AgentModelServerRow, ModelServerRow } from "./rows/model-servers.ts";
import type { RecordedWordsRow, CallLegRow, CallLineRow, TrunkRow, TrunkStateRow } from "./rows/telephony.ts";
import type { ContactNoteRow, SavedFilterRow, WorklistItemRow } from "./rows/worklist.ts";
import type { WaitingOfferRow, WaitingOpeningRow, WaitingRow } from "./rows/waiting.ts";

export type * from "./rows/accounts.ts";
export type * from "./rows/calls.ts";
export type * from "./rows/events.ts";
export type * from "./rows/calendar.ts";
export type * from "./rows/campaigns.ts";
export type * from "./rows/changes.ts";
export type * from "./rows/demo.ts";
export type * from "./rows/holidays.ts";
export type * from "./rows/lineage.ts";
export type * from "./rows/model-servers.ts";
export type * from "./rows/readiness.ts";
export type * from "./rows/reminders.ts";
export type * from "./rows/telephony.ts";
export type * from "./rows/worklist.ts";
export type * from "./rows/waiting.ts";

export interface Tables {
  organisations: OrganisationRow;
  people: PersonRow;
  setup_codes: SetupCodeRow;
  api_keys: ApiKeyRow;
  audit_entries: AuditEntryRow;
  idempotency_keys: IdempotencyKeyRow;
  heartbeats: HeartbeatRow;
  write_probes: WriteProbeRow;
  key_checks: KeyCheckRow;
  lineage: LineageRow;
  credit_entries: CreditEntryRow;
  agents: AgentRow;
  agent_versions: AgentVersionRow;
  phone_numbers: PhoneNumberRow;
  do_not_disturb: DoNotDisturbRow;
  pronunciations: PronunciationRow;
  calls: CallRow;
  contacts: ContactTable;
  call_results: CallResultRow;
  pending_analyses: PendingAnalysisRow;
  erased_calls: ErasedCallRow;
  inbound_hooks: InboundHookRow;
  webhook_endpoints: WebhookEndpointRow;
  events: EventRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  delivery_counts: DeliveryCountRow;
  call_shares: CallShareRow;
  file_removals: FileRemovalRow;
  branches: BranchRow;
  appointment_types: AppointmentTypeRow;
  windows: WindowRow;
  window_dates: WindowDateRow;
  appointments: AppointmentRow;
  slot_holds: SlotHoldRow;
  closures: ClosureRow;
  closure_branches: ClosureBranchRow;
  closure_dates: ClosureDateRow;
  closure_people: ClosurePersonRow;
  calendar_feeds: CalendarFeedRow;
  sessions: SessionRow;
  known_devices: KnownDeviceRow;
  trunks: TrunkRow;
  trunk_states: TrunkStateRow;
  agent_prompts: RecordedWordsRow;
  call_legs: CallLegRow;
  call_lines: CallLineRow;
  model_servers: ModelServerRow;
  agent_model_servers: AgentModelServerRow;
  campaigns: CampaignRow;
  campaign_rows: CampaignRowRow;
  reminder_rules: ReminderRuleRow;
  reminders: ReminderRow;
  changes: ChangeTable;
  saved_filters: SavedFilterRow;
  worklist_items: WorklistItemRow;
  contact_notes: ContactNoteRow;
  waiting_list: WaitingRow;
  waiting_offers: WaitingOfferRow;
  waiting_openings: WaitingOpeningRow;
  demo_history: DemoHistoryRow;
  demo_received: DemoReceivedRow;
}

/** Where a query runs: the read-only connection, or the transaction of a write. Stores take it as their first argument. */
export type Executor = Kysely<Tables>;

/** An executor inside a write. The brand keeps a reader from being passed where a change is made. */
export type Tx = Executor & { readonly [writable]: true };
declare const writable: unique symbol;
