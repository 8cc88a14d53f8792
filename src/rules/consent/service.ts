// Service for consents: record, import, withdraw, list, export.
import { organisationById } from "../../accounts/organisation-store.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { Actor } from "../../core/actor.ts";
import { createTurns } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { decodeCursor, encodeCursor, pageSize } from "../../core/pages.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { Alongside } from "../../db/alongside.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { ConsentLine } from "../../payloads/consent-lines.ts";
import { assertGrantable, isNewGrant, sourceOf, type Grant } from "./checked-grant.ts";
import { momentsOf, type DatedGrant } from "./consent-days.ts";
import type { ConsentChanges, ConsentChangesDeps, Origin, Person } from "./consent-changes.ts";
import { listedGrant, type ListDefaults, type ListedGrant } from "./listed.ts";
import type {
  ConsentView,
  ConsentWithHistory,
  GrantConsentInput,
  ListConsentsInput,
  WithdrawConsentInput,
  Withdrawn,
} from "./model.ts";
import {
  changesOf,
  consentById,
  consentsOf,
  keepChanges,
  listConsents,
  saveConsents,
  withdrawalsOf,
} from "./record-store.ts";
import type { Consent, ConsentChange } from "./records.ts";
import { CONSENT_COLUMNS, consentCells, consentView, historyView } from "./view.ts";

export interface ConsentDeps extends ConsentChangesDeps {
  db: Database;
  readNotes: ReadNotes;
  changes: ConsentChanges;
  /** Puts the number on the do-not-disturb list, which withdraws its consents. Returns the withdrawn ones. */
  stopCalls: (tx: Tx, person: Person, origin: Origin) => Promise<readonly Consent[]>;
}

export interface ImportReport {
  granted: number;
  /** Recorded before. */
  unchanged: number;
  refused: { row: number; message: string }[];
}

type ConsentLineCells = readonly (string | null)[];

/** Keeps the transactions of an import short, so that calls do not wait for them. */
const GRANTS_AT_ONCE = 50;
const PER_EXPORTED_PAGE = 1_000;

export class ConsentService {
  constructor(private readonly deps: ConsentDeps) {}

  async grant(
    organisationId: string,
    input: GrantConsentInput,
    actor: Actor,
    alongside: Alongside<ConsentView> = async () => {},
  ): Promise<ConsentView> {
    return this.#grant(organisationId, grantOf(input), actor, alongside);
  }

  /** The same with days, as people enter them. */
  async record(organisationId: string, { grantedOn, untilDay, ...grant }: DatedGrant, actor: Actor) {
    const moments = momentsOf({ grantedOn, untilDay }, await this.#zoneOf(organisationId), this.deps.clock.now());
    return this.#grant(organisationId, { ...grant, ...moments }, actor);
  }

  async #zoneOf(organisationId: string): Promise<string> {
    return (await organisationById(this.deps.db.reader, organisationId))?.time_zone ?? "UTC";
  }

  async #grant(
    organisationId: string,
    grant: Grant,
    actor: Actor,
    alongside: Alongside<ConsentView> = async () => {},
  ): Promise<ConsentView> {
    const { db, clock, changes } = this.deps;
    assertGrantable(grant, clock.now());
    return db.write(async (tx) => {
      const consent = await changes.grant(tx, organisationId, grant, originOf(actor, grant.reference));
      const view = consentView(consent, clock.now());
      await alongside(tx, view);
      return view;
    });
  }

  /** Stores many grants in short transactions. Invalid rows are rejected individually. */
  async import(organisationId: string, rows: readonly ListedGrant[], actor: Actor): Promise<ImportReport> {
    const { db, clock, audit } = this.deps;
    const report: ImportReport = { granted: 0, unchanged: 0, refused: [] };
    const zone = await this.#zoneOf(organisationId);
    const valid: (Grant & { row: number })[] = [];
    for (const { grantedOn, untilDay, ...listed } of rows)
      isAccepted(report, listed, () => {
        const grant = { ...listed, ...momentsOf({ grantedOn, untilDay }, zone, clock.now()) };
        assertGrantable(grant, clock.now());
        valid.push(grant);
      });
    const turn = createTurns();
    for (let at = 0; at < valid.length; at += GRANTS_AT_ONCE) {
      const part = valid.slice(at, at + GRANTS_AT_ONCE);
      const done = await db.write((tx) => this.#importPart(tx, organisationId, part, actor));
      report.granted += done.granted;
      report.unchanged += done.unchanged;
      report.refused.push(...done.refused);
      await turn();
    }
    const detail = { granted: report.granted, unchanged: report.unchanged, refused: report.refused.length };
    await db.write((tx) => audit.record(tx, { organisationId, actor, action: "consent.imported", detail }));
    return report;
  }

  /** The same with the lines of a file, as they are written. */
  async importLines(
    organisationId: string,
    lines: readonly ConsentLine[],
    whole: ListDefaults,
    actor: Actor,
  ): Promise<ImportReport> {
    const rows: ListedGrant[] = [];
    const refused: ImportReport["refused"] = [];
    for (const line of lines)
      isAccepted({ refused }, { row: line.line }, () => void rows.push(listedGrant(line, whole)));
    const report = await this.import(organisationId, rows, actor);
    return { ...report, refused: [...refused, ...report.refused].toSorted((a, b) => a.row - b.row) };
  }

  async #importPart(tx: Tx, organisationId: string, part: readonly (Grant & { row: number })[], actor: Actor) {
    const { clock, changes } = this.deps;
    const report: ImportReport = { granted: 0, unchanged: 0, refused: [] };
    const numbers = [...new Set(part.map(({ number }) => number))];
    const present = new Map((await consentsOf(tx, organisationId, numbers)).map((row) => [keyOf(row), row]));
    const refusals = await changes.refusalsOf(tx, organisationId, numbers);
    const granted = new Map<string, Consent>();
    const kept: ConsentChange[] = [];
    for (const grant of part) {
      const key = keyOf({ contact_number: grant.number, purpose: grant.purpose });
      const known = granted.get(key) ?? present.get(key);
      isAccepted(report, grant, () => {
        if (!isNewGrant(known, grant, clock.now(), "list")) return void report.unchanged++;
        changes.assertAfterRefusal(refusals, grant, "list");
        const origin: Origin = { source: "list", actor, callId: null, reference: grant.reference };
        const { consent, change } = changes.granted(organisationId, grant, origin, known);
        granted.set(key, consent);
        kept.push(change);
        report.granted++;
      });
    }
    await saveConsents(tx, [...granted.values()]);
    await keepChanges(tx, kept);
    await changes.forgetRefusals(tx, [...granted.values()], refusals);
    await changes.publishGrants(tx, organisationId, [...granted.values()]);
    return report;
  }

  /** Withdraws one consent, at once. Idempotent. */
  async withdraw(organisationId: string, id: string, actor: Actor): Promise<ConsentView> {
    const { db, clock, changes } = this.deps;
    return db.write(async (tx) => {
      const consent = await consentById(tx, organisationId, id);
      if (!consent) throw unknownConsent();
      const person = { organisationId, number: consent.contact_number };
      const [withdrawn] = await changes.withdrawRows(tx, person, [consent], originOf(actor, null), false);
      return consentView(withdrawn ?? consent, clock.now());
    });
  }

  /** Withdraws the consent for a purpose, or everything: then the number is put on the do-not-disturb list. */
  async withdrawFor(organisationId: string, input: WithdrawConsentInput, actor: Actor): Promise<Withdrawn> {
    const { db, changes, stopCalls } = this.deps;
    const { contact_number: number, purpose, reference = null } = input;
    assertDiallable(number, "contact_number");
    const person = { organisationId, number };
    const origin = originOf(actor, reference);
    const isEverything = purpose === undefined;
    const withdrawn = await db.write((tx) =>
      isEverything ? stopCalls(tx, person, origin) : changes.withdraw(tx, person, purpose, origin),
    );
    return { contact_number: number, withdrawn: withdrawn.map(({ id }) => id), do_not_disturb: isEverything };
  }

  async get(organisationId: string, id: string, actor: Actor): Promise<ConsentWithHistory> {
    const { db, clock, readNotes } = this.deps;
    const consent = await consentById(db.reader, organisationId, id);
    if (!consent) throw unknownConsent();
    const changes = await changesOf(db.reader, id);
    await readNotes.note({ organisationId, actor, action: "consent.read", subjectId: id });
    return historyView(consent, changes, clock.now());
  }

  /** For a page that already shows the number, and records that it was read. */
  async ofNumber(organisationId: string, number: string): Promise<ConsentWithHistory[]> {
    const { db, clock } = this.deps;
    const consents = await consentsOf(db.reader, organisationId, [number]);
    return Promise.all(consents.map(async (row) => historyView(row, await changesOf(db.reader, row.id), clock.now())));
  }

  async list(organisationId: string, input: ListConsentsInput, actor: Actor) {
    const { clock, readNotes } = this.deps;
    const limit = pageSize(input.limit);
    const rows = await this.#page(organisationId, input, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    await readNotes.note({ organisationId, actor, action: "consent.listed", detail: { count: page.length } });
    return {
      data: page.map((row) => consentView(row, clock.now())),
      next_cursor:
        rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
    };
  }

  /** Lines of all consents in pages, the heading first. The audit entry is recorded before the first page. */
  async *exported(organisationId: string, actor: Actor): AsyncGenerator<ConsentLineCells[], void> {
    const { db, clock, readNotes } = this.deps;
    await readNotes.note({ organisationId, actor, action: "consent.exported" });
    let heading: ConsentLineCells[] = [CONSENT_COLUMNS];
    let cursor: string | undefined;
    for (;;) {
      const rows = await this.#page(organisationId, cursor === undefined ? {} : { cursor }, PER_EXPORTED_PAGE);
      const withdrawn = rows.filter(({ withdrawn_at }) => withdrawn_at !== null).map(({ id }) => id);
      const withdrawals = await withdrawalsOf(db.heavy, withdrawn);
      const now = clock.now();
      yield [...heading, ...rows.map((row) => consentCells(consentView(row, now), withdrawals.get(row.id) ?? null))];
      heading = [];
      const last = rows.at(-1);
      if (rows.length < PER_EXPORTED_PAGE || !last) return;
      cursor = encodeCursor({ createdAt: last.created_at, id: last.id }, {});
    }
  }

  #page(organisationId: string, input: ListConsentsInput, limit: number): Promise<Consent[]> {
    const { db, clock } = this.deps;
    return listConsents(db.heavy, {
      organisationId,
      number: input.contact_number,
      purpose: input.purpose,
      state: input.status,
      now: clock.now(),
      before: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
      limit,
    });
  }
}

const keyOf = ({ contact_number, purpose }: Pick<Consent, "contact_number" | "purpose">) =>
  `${contact_number} ${purpose}`;

const originOf = (actor: Actor, reference: string | null): Origin => ({
  source: sourceOf(actor),
  actor,
  callId: null,
  reference,
});

function grantOf({ contact_number, purpose, basis, granted_at, until, reference }: GrantConsentInput): Grant {
  return {
    number: contact_number,
    purpose,
    basis,
    grantedAt: granted_at === undefined ? null : parseIsoTime("granted_at", granted_at),
    until: until === undefined || until === null ? null : parseIsoTime("until", until),
    reference: reference ?? null,
  };
}

/** False if the work throws an AppError, whose message goes into the report. */
function isAccepted(report: Pick<ImportReport, "refused">, { row }: { row: number }, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report.refused.push({ row, message: error.message });
    return false;
  }
}

const unknownConsent = () => new AppError("NOT_FOUND", "There is no consent with this id.");
