// Rows of an imported list as they are written, checked one by one. Pure.
import { invalidField } from "../../core/errors.ts";
import { checkedName } from "../../core/names.ts";
import { CONSENT_BASES } from "../../payloads/consent.ts";
import type { ConsentLine } from "../../payloads/consent-lines.ts";
import { PURPOSES } from "../../payloads/lawful.ts";
import type { DatedGrant } from "./consent-days.ts";
import { LONGEST_REFERENCE } from "./model.ts";

/** A row of an imported list, with its number in the list. */
export type ListedGrant = DatedGrant & { row: number };

/** Purpose and basis of rows that have none of their own. */
export interface ListDefaults {
  purpose: string;
  basis: string;
}

/** Throws an AppError that names the cell. */
export function listedGrant(line: ConsentLine, whole: ListDefaults): ListedGrant {
  const status = line.status.toLowerCase();
  if (status !== "" && status !== "active")
    throw invalidField("status", `A consent that is ${status} cannot be imported. Only active consents are imported.`);
  return {
    row: line.line,
    number: line.number.replaceAll(/[\s().-]/g, ""),
    purpose: word("purpose", PURPOSES, line.purpose || whole.purpose),
    basis: word("basis", CONSENT_BASES, line.basis || whole.basis),
    grantedOn: line.granted_on || null,
    untilDay: line.until || null,
    reference: line.reference === "" ? null : checkedName("reference", line.reference, LONGEST_REFERENCE),
  };
}

function word<Word extends string>(field: string, known: readonly Word[], text: string): Word {
  const asked = text.trim().toLowerCase().replaceAll(" ", "_");
  const found = known.find((one) => one === asked);
  if (found === undefined) throw invalidField(field, `${field} must be one of ${known.join(", ")}.`);
  return found;
}
