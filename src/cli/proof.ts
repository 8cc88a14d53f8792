// ringward proof verify | export | key | head
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createTurns } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import type { Executor } from "../db/tables.ts";
import { currentKey } from "../rules/proof/key-store.ts";
import { publicKeys, signerOf } from "../rules/proof/proof-keys.ts";
import { proofsFrom, rangeIn } from "../rules/proof/proof-store.ts";
import { ProofChecker, ProofFault, readHead } from "../rules/proof/verify.ts";
import type { Arguments, Command } from "./command.ts";
import { withServices } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError, printJson } from "./output.ts";

export const proofVerify: Command = {
  name: "proof verify",
  summary: "Verify a file of proofs offline: canonical form, hashes, signatures and the chain.",
  positionals: ["FILE"],
  options: {
    key: {
      type: "string",
      value: "FILE",
      help: "Public keys of the appliance, from /v1/proofs/key or ringward proof key. Without it, any key is accepted.",
    },
    head: { type: "string", value: "FILE", help: "A published head: the proofs must be whole up to it." },
  },
  async run(args) {
    const [file = ""] = args.positionals;
    const keyFile = args.text("key");
    const headFile = args.text("head");
    let line = 0;
    try {
      const keys = keyFile === undefined ? null : keysIn(readText(keyFile));
      const head = headFile === undefined ? null : readHead(readText(headFile).trimEnd(), keys);
      const checker = new ProofChecker({ keys, head });
      const yields = createTurns();
      let last = 0;
      for await (const text of linesOf(file)) {
        line += 1;
        if (text.length > LONGEST_LINE) throw new ProofFault("It is too long for a proof.");
        last = checker.add(text).chain.sequence;
        await yields();
      }
      line = 0;
      checker.end();
      print(`Valid: ${checker.count} ${checker.count === 1 ? "proof" : "proofs"}, the last is record ${last}.`);
      if (checker.gaps > 0) print(`${checker.gaps} records between them belong to other organisations.`);
      if (!keys) for (const key of checker.keysSeen) print(`Signed with ${key}. Compare it with the appliance's key.`);
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof ProofFault)) throw error;
      printError(line === 0 ? `Not valid: ${error.message}` : `Not valid, line ${line}: ${error.message}`);
      return EXIT.failed;
    }
  },
};

const unreadable = (file: string, error: unknown) =>
  new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });

/** Keys and heads are small. */
function readText(file: string): string {
  try {
    if (statSync(file).size <= LONGEST_LINE) return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new AppError("VALIDATION_ERROR", `${file} is too large to be a file of keys or a head.`);
}

/** Lines end with a line feed alone; a file may lack the last one. */
async function* linesOf(file: string): AsyncGenerator<string, void> {
  const input = createReadStream(file, { encoding: "latin1" });
  try {
    let rest = "";
    for await (const part of input as AsyncIterable<string>) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      // Refused by its reader: no more of it is read.
      if (rest.length > LONGEST_LINE) break;
    }
    if (rest !== "") yield rest;
  } catch (error) {
    throw unreadable(file, error);
  }
}

const LONGEST_LINE = 100_000;

function keysIn(text: string): Set<string> {
  const found = text.match(/\b[0-9a-f]{64}\b/g) ?? [];
  if (found.length === 0) throw new ProofFault("The key file has no public key.");
  return new Set(found);
}

export const proofExport: Command = {
  name: "proof export",
  summary: "Print the proofs of all organisations, one per line, in the order of the appliance's chain.",
  options: {
    from: { type: "string", value: "TIME", help: "Only proofs sealed from this time on (ISO 8601 with offset)." },
    to: { type: "string", value: "TIME", help: "Only proofs sealed before this time." },
  },
  run: (args) =>
    withServices(args, async ({ db }) => {
      for await (const text of exportedLines(db.reader, periodOf(args))) await written(text);
      return EXIT.done;
    }),
};

const PAGE = 500;

/** Null: all of them. */
function periodOf(args: Arguments): { from: number; to: number } | null {
  const [from, to] = [args.text("from"), args.text("to")];
  if (from === undefined && to === undefined) return null;
  return {
    from: from === undefined ? 0 : parseIsoTime("--from", from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : parseIsoTime("--to", to),
  };
}

/** From the first proof in the period to the last: without a gap, even if the clock was set back meanwhile. */
async function* exportedLines(reader: Executor, period: ReturnType<typeof periodOf>): AsyncGenerator<string, void> {
  const range = period === null ? { first: 1, last: Infinity } : await rangeIn(reader, period);
  if (range === null) return;
  for (let next = range.first; ;) {
    const rows = await proofsFrom(reader, next, PAGE);
    const some = rows.filter(({ sequence }) => sequence <= range.last);
    yield some.map(({ line }) => `${line}\n`).join("");
    const last = some.at(-1);
    if (!last || some.length < PAGE) return;
    next = last.sequence + 1;
  }
}

/** Waits for a slow reader, so a long chain needs little memory. */
const written = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(text, () => resolve()));

export const proofKey: Command = {
  name: "proof key",
  summary: "Print the public keys that sign proofs, as JSON.",
  run: (args) =>
    withServices(args, async ({ db, services }) => {
      const keys = await publicKeys(db.reader);
      // The first key is made here if need be. A command replaces none: its secret key may not be the server's.
      printJson(keys.length > 0 ? { keys } : await services.proofs.keys());
      return EXIT.done;
    }),
};

export const proofHead: Command = {
  name: "proof head",
  summary: "Print the signed head of the appliance's chain, to publish it.",
  run: (args) =>
    withServices(args, async ({ db, services }) => {
      const key = await currentKey(db.reader);
      if (key && signerOf(key, services.secrets) === null) {
        const message = "The secret key does not open the key that signs proofs. Use the secret key of the server.";
        throw new AppError("CONFLICT", message);
      }
      const head = await services.proofs.head(null);
      if (head === null) throw new AppError("NOT_FOUND", "There is no proof yet.");
      print(head);
      return EXIT.done;
    }),
};
