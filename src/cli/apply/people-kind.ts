// The do-not-disturb list. Numbers of people are counted and never printed.
import { listDoNotDisturb, listedAmong } from "../../calls/people/do-not-disturb-store.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { assertDiallable } from "../../core/phone.ts";
import { AppError } from "../../core/errors.ts";
import { actionFor, type Ground, type Step } from "./ground.ts";
import { textOf } from "./secret-files.ts";

/** Numbers of one transaction. */
const AT_ONCE = 1_000;

export async function planDoNotDisturb(ground: Ground): Promise<Step[]> {
  const given = ground.file.do_not_disturb;
  if (!given) return [];
  const { doNotDisturb } = ground.services;
  const { db, organisationId } = ground;
  const wanted = [...new Set([...listed(ground), ...fromFile(ground)])];
  const present = organisationId === null ? new Set<string>() : await listedAmong(db.reader, organisationId, wanted);
  const missing = wanted.filter((number) => !present.has(number));
  const isWanted = new Set(wanted);
  const stored = await ground.stored((id) => listDoNotDisturb(db.reader, id));
  const others = stored.filter((number) => !isWanted.has(number));
  const removal = {
    name: `${others.length} numbers`,
    run: async () => {
      for (const number of others) await doNotDisturb.remove(ground.org, number, CLI_ACTOR);
    },
  };
  ground.later(ground.rest("do_not_disturb", others.length === 0 ? [] : [removal], (each) => each));
  return [
    {
      kind: "do_not_disturb",
      name: `${missing.length === 0 ? wanted.length : missing.length} numbers`,
      action: actionFor(missing.length === 0, []),
      fields: [],
      run: async () => {
        for (let i = 0; i < missing.length; i += AT_ONCE)
          await doNotDisturb.addMany(ground.org, missing.slice(i, i + AT_ONCE), CLI_ACTOR);
      },
    },
  ];
}

function listed(ground: Ground): string[] {
  const numbers = ground.file.do_not_disturb?.numbers ?? [];
  return numbers.filter((number, i) => isNumber(ground, `do_not_disturb.numbers[${i}]`, number));
}

/** A number per line; empty lines and lines with # are skipped. */
function fromFile(ground: Ground): string[] {
  const file = ground.file.do_not_disturb?.file;
  if (file === undefined) return [];
  const text = ground.checked("do_not_disturb.file", () => textOf(ground, file)) ?? "";
  return text.split(/\r?\n/).flatMap((line, i) => {
    const number = line.trim();
    if (number === "" || number.startsWith("#")) return [];
    return isNumber(ground, `do_not_disturb.file: line ${i + 1}`, number) ? [number] : [];
  });
}

function isNumber(ground: Ground, path: string, number: string): boolean {
  try {
    assertDiallable(number, "The number");
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ground.fault(path, error.message);
    return false;
  }
}
