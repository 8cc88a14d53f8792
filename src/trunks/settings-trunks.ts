// Applies the trunks of the configuration to the database: creates new ones, updates changed ones, and deletes removed
// ones. A removed trunk that numbers still use is disabled instead.
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { allOrganisations } from "../accounts/organisation-store.ts";
import { caPemOf, secretOf, type TrunkEntry } from "../config/trunk-entries.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Organisation } from "../accounts/records.ts";
import type { Tx } from "../db/tables.ts";
import type { Trunk } from "./records.ts";
import type { TrunkRefusal } from "./trunk-addresses.ts";
import { checkedTrunk, type CheckedTrunk } from "./checked-trunk.ts";
import {
  allTrunks,
  deleteTrunk,
  insertTrunk,
  nextUpdatedAt,
  numbersOnTrunk,
  trunkByName,
  updateTrunk,
} from "./trunk-store.ts";

/** A problem with an entry of the configuration, for the log. Contains no secrets. */
export interface SettingsNote {
  trunk: string;
  problem: string;
}

/** Result for a number that the configuration assigns to a trunk. */
export type PlacedNumber = { kind: "unknown" } | { kind: "there already" } | { kind: "placed"; numberId: string };

export type PlaceNumber = (tx: Tx, organisationId: string, number: string, trunkId: string) => Promise<PlacedNumber>;

type Note = (problem: string) => void;

interface Work {
  tx: Tx;
  now: number;
  ids: Ids;
  audit: Audit;
  refusal: TrunkRefusal;
  seal: (id: string, secret: string) => string;
  open: (row: Trunk) => string | null;
  placeNumber: PlaceNumber;
}

export async function applySettings(
  work: Work,
  entries: Readonly<Record<string, TrunkEntry>>,
): Promise<{ notes: SettingsNote[]; hasChanged: boolean }> {
  const notes: SettingsNote[] = [];
  const organisations = await allOrganisations(work.tx);
  const applied = new Set<string>();
  let hasChanged = false;
  for (const [name, entry] of Object.entries(entries)) {
    const note: Note = (problem) => void notes.push({ trunk: name, problem });
    const organisation = organisationFor(entry, organisations);
    if (!organisation) {
      if (entry.organisation === "") note("There is no organisation yet; it waits for the setup.");
      else note("Its organisation is not on this appliance. Give the organisation's id or name.");
      continue;
    }
    try {
      const { id, isNew } = await upsert(work, organisation.id, name, entry);
      applied.add(id);
      hasChanged ||= isNew;
      await placeNumbers(work, organisation.id, id, entry.numbers, note);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      note(error.message);
      const present = await trunkByName(work.tx, organisation.id, name);
      // A file that is unreadable now must not remove a trunk that worked before.
      if (present?.source === "settings") applied.add(present.id);
    }
  }
  const gone = (await allTrunks(work.tx)).filter(({ id, source }) => source === "settings" && !applied.has(id));
  for (const row of gone) hasChanged = (await retire(work, row)) || hasChanged;
  return { notes, hasChanged };
}

/** By id or name; the first organisation if the entry names none. */
function organisationFor({ organisation }: TrunkEntry, all: readonly Organisation[]): Organisation | undefined {
  return organisation === "" ? all[0] : all.find(({ id, name }) => id === organisation || name === organisation);
}

async function upsert(work: Work, organisationId: string, name: string, entry: TrunkEntry) {
  const { tx, now, ids, audit, refusal, seal, open } = work;
  const secret = secretOf(entry);
  const checked = checkedTrunk(
    { ...entry, name, enabled: true, ca_pem: caPemOf(entry) },
    { secret, hasSecret: secret !== null },
    refusal,
  );
  const record = (action: string, id: string) =>
    audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action, subjectId: id, detail: { source: "settings" } });
  const present = await trunkByName(tx, organisationId, name);
  if (!present) {
    const id = ids.next("trk");
    await insertTrunk(tx, {
      ...checked,
      id,
      organisation_id: organisationId,
      source: "settings",
      sealed_secret: secret === null ? null : seal(id, secret),
      capture_until: null,
      created_at: now,
      updated_at: now,
    });
    await record("trunk.created", id);
    return { id, isNew: true };
  }
  const hasSecretChanged = openedOrNone(open, present) !== secret;
  const isSame = present.source === "settings" && !hasSecretChanged && isAs(present, checked);
  if (isSame) return { id: present.id, isNew: false };
  await updateTrunk(tx, present.id, {
    ...checked,
    source: "settings",
    ...(hasSecretChanged ? { sealed_secret: secret === null ? null : seal(present.id, secret) } : {}),
    updated_at: nextUpdatedAt(present, now),
  });
  await record("trunk.changed", present.id);
  return { id: present.id, isNew: true };
}

function isAs(row: Trunk, checked: CheckedTrunk): boolean {
  return (Object.keys(checked) as (keyof CheckedTrunk)[]).every(
    (key) => JSON.stringify(row[key]) === JSON.stringify(checked[key]),
  );
}

/** A secret that can no longer be decrypted is replaced by the one from the configuration. */
function openedOrNone(open: Work["open"], row: Trunk): string | null | undefined {
  try {
    return open(row);
  } catch {
    return undefined;
  }
}

async function placeNumbers(
  { tx, audit, placeNumber }: Work,
  organisationId: string,
  trunkId: string,
  numbers: readonly string[],
  note: Note,
): Promise<void> {
  for (const number of numbers) {
    const placed = await placeNumber(tx, organisationId, number, trunkId);
    if (placed.kind === "unknown") {
      note(`${number} is no phone number of its organisation. Register it: "ringward numbers add --number ${number}".`);
    } else if (placed.kind === "placed") {
      const detail = { trunk_id: trunkId, source: "settings" };
      const action = "phone_number.trunk_changed";
      await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action, subjectId: placed.numberId, detail });
    }
  }
}

async function retire({ tx, now, audit }: Work, row: Trunk): Promise<boolean> {
  const isUsed = (await numbersOnTrunk(tx, row.id)).length > 0;
  if (isUsed && !row.enabled) return false;
  if (isUsed) await updateTrunk(tx, row.id, { enabled: false, updated_at: nextUpdatedAt(row, now) });
  else await deleteTrunk(tx, row.id);
  await audit.record(tx, {
    organisationId: row.organisation_id,
    actor: SYSTEM_ACTOR,
    action: isUsed ? "trunk.disabled" : "trunk.deleted",
    subjectId: row.id,
    detail: { name: row.name, source: "settings" },
  });
  return true;
}
