// ringward consents list | grant | withdraw | import | export: what people agreed to be called about.
import { CLI_ACTOR } from "../core/actor.ts";
import { csvText } from "../http/csv.ts";
import { CONSENT_BASES, CONSENT_STATES } from "../payloads/consent.ts";
import {
  CONSENT_LINES_AT_ONCE,
  MOST_CONSENT_BYTES,
  MOST_CONSENT_LINES,
  consentLines,
} from "../payloads/consent-lines.ts";
import { PURPOSES } from "../payloads/lawful.ts";
import type { ImportReport } from "../rules/consent/service.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { assertNew, writeNew } from "./new-file.ts";
import { print, printJson, printTable } from "./output.ts";

/** More are counted. */
const FAULTS_PRINTED = 20;
/** Newest consents that are listed; the export has all. */
const MOST_LISTED = 200;
const PER_PAGE = "100";

const PURPOSE_OPTION = { type: "string", value: "PURPOSE", help: `${PURPOSES.join(", ")}.` } as const;
const BASIS_OPTION = { type: "string", value: "BASIS", help: `How they agreed: ${CONSENT_BASES.join(", ")}.` } as const;
const REFERENCE_OPTION = {
  type: "string",
  value: "TEXT",
  help: "Where the proof is: the number of a form, or the id of a consent artefact.",
} as const;

export const consentsList: Command = {
  name: "consents list",
  summary: "List consents, newest first.",
  options: {
    number: { type: "string", value: "NUMBER", help: "Of this number only, in E.164 format." },
    purpose: PURPOSE_OPTION,
    status: { type: "string", value: "STATUS", help: `${CONSENT_STATES.join(", ")}.` },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const number = args.text("number");
      const purpose = oneOf(args, "purpose", PURPOSES);
      const status = oneOf(args, "status", CONSENT_STATES);
      const query = {
        limit: PER_PAGE,
        ...(number !== undefined && { contact_number: number }),
        ...(purpose && { purpose }),
        ...(status && { status }),
      };
      let page = await services.consents.list(organisationId, query, CLI_ACTOR);
      const found = [...page.data];
      while (page.next_cursor !== null && found.length < MOST_LISTED) {
        page = await services.consents.list(organisationId, { ...query, cursor: page.next_cursor }, CLI_ACTOR);
        found.push(...page.data);
      }
      if (args.flag("json")) printJson(found);
      else
        printTable(
          ["id", "number", "purpose", "status", "basis", "source", "granted", "until"],
          found.map((row) => [
            row.consent_id,
            row.contact_number,
            row.purpose,
            row.status,
            row.basis ?? "",
            row.source,
            row.granted_at ?? "",
            row.until ?? "",
          ]),
        );
      if (page.next_cursor !== null && !args.flag("json"))
        print(`These are the newest ${found.length}. "ringward consents export FILE" writes all of them.`);
      return 0;
    }),
};

export const consentsGrant: Command = {
  name: "consents grant",
  summary: "Record that a person agreed to be called.",
  positionals: ["NUMBER"],
  options: {
    purpose: { ...PURPOSE_OPTION, required: true },
    basis: { ...BASIS_OPTION, required: true },
    date: { type: "string", value: "DATE", help: "Day on which they agreed; today without it." },
    until: { type: "string", value: "DATE", help: "Last day; without it, until it is withdrawn." },
    reference: REFERENCE_OPTION,
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = ""] = args.positionals;
      const grant = {
        number,
        purpose: required(oneOf(args, "purpose", PURPOSES), "purpose"),
        basis: required(oneOf(args, "basis", CONSENT_BASES), "basis"),
        grantedOn: args.text("date") ?? null,
        untilDay: args.text("until") ?? null,
        reference: args.text("reference") ?? null,
      };
      const consent = await services.consents.record(await organisationOf(args, services), grant, CLI_ACTOR);
      if (args.flag("json")) printJson(consent);
      else print(`Recorded: ${consent.consent_id}`);
      return 0;
    }),
};

export const consentsWithdraw: Command = {
  name: "consents withdraw",
  summary: "Withdraw consent for a purpose, or for everything: then the number is not called any more.",
  positionals: ["NUMBER"],
  options: { purpose: PURPOSE_OPTION, reference: REFERENCE_OPTION, ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = ""] = args.positionals;
      const purpose = oneOf(args, "purpose", PURPOSES);
      const reference = args.text("reference");
      const input = { contact_number: number, ...(purpose && { purpose }), ...(reference && { reference }) };
      const done = await services.consents.withdrawFor(await organisationOf(args, services), input, CLI_ACTOR);
      if (args.flag("json")) printJson(done);
      else
        print(
          done.do_not_disturb
            ? `${number} has withdrawn everything and is on the do-not-disturb list.`
            : `${number} has withdrawn consent to ${purpose} calls.`,
        );
      return 0;
    }),
};

export const consentsImport: Command = {
  name: "consents import",
  summary: "Import a list of consents: a CSV file whose first line names the columns.",
  positionals: ["FILE"],
  options: {
    purpose: { ...PURPOSE_OPTION, help: "Purpose of lines without one." },
    basis: { ...BASIS_OPTION, help: "Basis of lines without one." },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [file = ""] = args.positionals;
      const lines = await linesOf(file);
      const organisationId = await organisationOf(args, services);
      const whole = {
        purpose: oneOf(args, "purpose", PURPOSES) ?? "",
        basis: oneOf(args, "basis", CONSENT_BASES) ?? "",
      };
      const all: ImportReport = { granted: 0, unchanged: 0, refused: [] };
      for (let at = 0; at < lines.length; at += CONSENT_LINES_AT_ONCE) {
        const part = lines.slice(at, at + CONSENT_LINES_AT_ONCE);
        const report = await services.consents.importLines(organisationId, part, whole, CLI_ACTOR);
        all.granted += report.granted;
        all.unchanged += report.unchanged;
        all.refused.push(...report.refused);
      }
      if (args.flag("json")) printJson(all);
      else {
        print(`${all.granted} recorded, ${all.unchanged} recorded before, ${all.refused.length} refused.`);
        for (const { row, message } of all.refused.slice(0, FAULTS_PRINTED)) print(`Line ${row}: ${message}`);
        const more = all.refused.length - FAULTS_PRINTED;
        if (more > 0) print(`And ${more} more lines. --json prints all of them.`);
      }
      return all.refused.length === 0 ? 0 : 1;
    }),
};

export const consentsExport: Command = {
  name: "consents export",
  summary: "Write all consents into a CSV file.",
  positionals: ["FILE"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [file = ""] = args.positionals;
      assertNew(file);
      const organisationId = await organisationOf(args, services);
      await writeNew(file, csvText(services.consents.exported(organisationId, CLI_ACTOR)));
      print(`Written to ${file}. It contains personal data.`);
      return 0;
    }),
};

async function linesOf(file: string) {
  if (Bun.file(file).size > MOST_CONSENT_BYTES) throw new UsageError("The file is larger than 20 MB. Split it.");
  const lines = consentLines(await Bun.file(file).text());
  if (lines === null) throw new UsageError('The first line of the file must name a column "contact_number".');
  if (lines.length === 0) throw new UsageError("The file has no lines after the heading.");
  if (lines.length > MOST_CONSENT_LINES) throw new UsageError("The file has more than 100,000 lines. Split it.");
  return lines;
}

function oneOf<Word extends string>(args: Arguments, name: string, known: readonly Word[]): Word | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const found = known.find((word) => word === text);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${known.join(", ")}.`);
  return found;
}

/** The parser has asked for it before. */
function required<Word>(word: Word | undefined, name: string): Word {
  if (word === undefined) throw new UsageError(`--${name} is required.`);
  return word;
}
