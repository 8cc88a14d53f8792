// ringward holds add | list | release: what must not be erased.
import { CLI_ACTOR } from "../core/actor.ts";
import type { Hold } from "../rules/holds/model.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print } from "./output.ts";

const REASON = {
  reason: { type: "string", value: "TEXT", help: "Why, at least 3 characters.", required: true },
} as const;

export const holdsAdd: Command = {
  name: "holds add",
  summary: "Keep a call, a person or everything from being erased.",
  options: {
    ...ORG_OPTION,
    call: { type: "string", value: "ID", help: "Keep this call." },
    person: { type: "string", value: "NUMBER", help: "Keep everything about this person, in E.164 format." },
    everything: { type: "boolean", help: "Keep everything of the organisation." },
    until: { type: "string", value: "TIME", help: "ISO 8601; without it, until the hold is released." },
    ...REASON,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const until = args.text("until");
      const input = { ...subjectOf(args), reason: args.text("reason") ?? "", ...(until !== undefined && { until }) };
      const { hold_id } = await services.holds.add(await organisationOf(args, services), input, CLI_ACTOR);
      print(`Added: ${hold_id}`);
      return 0;
    }),
};

export const holdsList: Command = {
  name: "holds list",
  summary: "Print the retention holds that are in force, newest first.",
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      let count = 0;
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { in_force: "true", limit: "100", ...(cursor !== undefined && { cursor }) };
        const page = await services.holds.list(organisationId, query, CLI_ACTOR);
        for (const hold of page.data) print(lineOf(hold));
        count += page.data.length;
        cursor = page.next_cursor;
      }
      if (count === 0) print("None.");
      return 0;
    }),
};

export const holdsRelease: Command = {
  name: "holds release",
  summary: "Release a retention hold: the records can be erased again.",
  positionals: ["ID"],
  options: { ...ORG_OPTION, ...REASON },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const organisationId = await organisationOf(args, services);
      await services.holds.release(organisationId, id, args.text("reason") ?? "", CLI_ACTOR);
      print("Released.");
      return 0;
    }),
};

function subjectOf(args: Arguments) {
  const [call, person] = [args.text("call"), args.text("person")];
  const isEverything = args.flag("everything");
  if ([call !== undefined, person !== undefined, isEverything].filter(Boolean).length !== 1)
    throw new UsageError("Give one of --call, --person and --everything.");
  if (call !== undefined) return { subject: "call" as const, call_id: call };
  if (person !== undefined) return { subject: "person" as const, contact_number: person };
  return { subject: "organisation" as const };
}

function lineOf({ hold_id, subject, call_id, contact_number, reason, until }: Hold): string {
  const about = call_id ?? contact_number ?? subject;
  return `${hold_id}  ${about}  ${until === null ? "until released" : `until ${until}`}  ${reason}`;
}
