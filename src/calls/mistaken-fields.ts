// Rejects unknown fields that look like the time of a call or a dry run. Ignoring one would dial at once a call meant
// for next week, which cannot be undone; the error names the right field.
import { AppError } from "../core/errors.ts";
import { bare, isNear } from "../core/near-names.ts";

/** Names for the time of a call, reduced to letters. Responses use `scheduled_at`. */
const TIME_NAMES = [
  /^schedul(e|ed|ing)?(at|on|for|time|date|datetime|timestamp)$/,
  /^(send|call|dial|start|run|deliver)(at|on|time|date|datetime)$/,
  /^delay(s|seconds|minutes|ms|inseconds|inminutes)?$/,
];
const DRY_RUN = "dryrun";

export type Entrance = "api" | "hook" | "campaign";

/** The field for the time of a call. */
const RIGHT_PLACE: Readonly<Record<Entrance, string>> = {
  api: "scheduled_time in the body",
  hook: "scheduled_time in data",
  campaign: "start_at in the body",
};

/** `names` are fields of the body or query that no schema knows. */
export function assertNoMistakenFields(names: readonly string[], entrance: Entrance): void {
  const details = names.flatMap((name) => {
    const message = refusalOf(name, entrance);
    return message === null ? [] : [{ field: shown(name), message }];
  });
  if (details[0]) throw new AppError("VALIDATION_ERROR", details[0].message, { details: details.slice(0, MOST_TOLD) });
}

const MOST_TOLD = 10;
const LONGEST_NAME = 40;

function refusalOf(name: string, entrance: Entrance): string | null {
  if (name.length > LONGEST_NAME) return null;
  const letters = bare(name);
  if (letters === DRY_RUN) {
    return `${shown(name)} is not accepted here, and no call was created. For a dry run, send POST /v1/${entrance === "campaign" ? "campaigns" : "calls"}?dry_run=true.`;
  }
  if (!TIME_NAMES.some((pattern) => pattern.test(letters)) && !isNear(letters, "scheduledtime")) return null;
  return `${shown(name)} is not a field here, and no call was created. Send the time as ${RIGHT_PLACE[entrance]}.`;
}

/** Replaces unprintable characters, because a match ignores everything except letters. */
function shown(name: string): string {
  return name.replaceAll(/[^\x21-\x7e]/g, "?");
}
