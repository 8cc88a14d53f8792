// Saving while colleagues save: whatever the order, no value is overwritten that its editor did not see.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rejectionOf } from "../support/temp.ts";
import { changedValues, saveChange, type Clash } from "../../src/web/kit/save-change.ts";

const FIELDS = ["name", "greeting", "retries"] as const;
type Values = Record<(typeof FIELDS)[number], string>;
type Stored = Values & { version: string };

class Conflict extends Error {
  constructor(readonly current: Stored) {
    super("changed meanwhile");
  }
}

const valuesOf = ({ name, greeting, retries }: Stored): Values => ({ name, greeting, retries });
const currentOf = (error: unknown): Stored | null => (error instanceof Conflict ? error.current : null);

/** The server: one record with a version. Notes what each write replaced. */
function createServer() {
  let stored: Stored = { name: "0", greeting: "0", retries: "0", version: "1" };
  const replaced: { editor: number; field: keyof Values; before: string; after: string }[] = [];
  return {
    replaced,
    read: () => stored,
    write(editor: number, change: Partial<Values>, basedOn: string): Stored {
      if (basedOn !== stored.version) throw new Conflict(stored);
      for (const field of FIELDS) {
        const after = change[field];
        if (after !== undefined) replaced.push({ editor, field, before: stored[field], after });
      }
      stored = { ...stored, ...change, version: String(Number(stored.version) + 1) };
      return stored;
    },
  };
}

type Step =
  | { act: "load"; editor: number }
  | { act: "type"; editor: number; field: (typeof FIELDS)[number]; text: string }
  | { act: "save"; editor: number; keeps: boolean; meanwhile: { field: (typeof FIELDS)[number]; text: string } | null };

const editor = fc.integer({ min: 0, max: 1 });
const typed = { field: fc.constantFrom(...FIELDS), text: fc.constantFrom("a", "b", "c") };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant("load" as const), editor }),
  fc.record({ act: fc.constant("type" as const), editor, ...typed }),
  fc.record({
    act: fc.constant("save" as const),
    editor,
    keeps: fc.boolean(),
    // A third person saves while the question is open.
    meanwhile: fc.option(fc.record(typed), { nil: null }),
  }),
);

test("in any order, no editor overwrites an unseen value, and none loses what they typed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), async (steps) => {
      const server = createServer();
      const pages = [0, 1].map(() => ({ stored: server.read(), form: valuesOf(server.read()) }));
      for (const each of steps) {
        const page = pages[each.editor]!;
        if (each.act === "load") Object.assign(page, { stored: server.read(), form: valuesOf(server.read()) });
        if (each.act === "type") page.form = { ...page.form, [each.field]: each.text };
        if (each.act !== "save") continue;
        const wanted = changedValues(valuesOf(page.stored), page.form);
        const seen = new Map(FIELDS.map((field) => [field, new Set([page.stored[field]])]));
        const kept = new Set<string>();
        const from = server.replaced.length;
        let meanwhile = each.meanwhile;
        const ask = (clashes: readonly Clash[]) => {
          for (const { name, mine, theirs } of clashes) {
            expect(mine).toBe(wanted[name as keyof Values]!);
            seen.get(name as keyof Values)!.add(String(theirs));
            if (each.keeps) kept.add(name);
            else kept.delete(name);
          }
          if (meanwhile) server.write(2, { [meanwhile.field]: meanwhile.text }, server.read().version);
          meanwhile = null;
          return Promise.resolve(new Set(each.keeps ? clashes.map(({ name }) => name) : []));
        };
        const send = (change: Partial<Values>, version: string) =>
          Promise.resolve().then(() => server.write(each.editor, change, version));
        const saved = await saveChange({ stored: page.stored, valuesOf, typed: page.form, send }, { currentOf, ask });
        for (const write of server.replaced.slice(from).filter((one) => one.editor === each.editor)) {
          // Only what the editor typed, over what the editor saw.
          expect(wanted[write.field]).toBe(write.after);
          expect([...seen.get(write.field)!]).toContain(write.before);
        }
        // Everything typed is stored, unless its editor chose the other value.
        for (const [field, text] of Object.entries(wanted)) {
          const isDropped = seen.get(field as keyof Values)!.size > 1 && !kept.has(field);
          if (!isDropped) expect(saved?.[field as keyof Values]).toBe(text);
        }
        Object.assign(page, { stored: saved, form: valuesOf(saved!) });
      }
    }),
    { numRuns: 500 },
  );
});

test("only changed values are sent; without a change nothing is", async () => {
  const server = createServer();
  const sent: unknown[] = [];
  const save = (form: Partial<Values>) => {
    const stored = server.read();
    const send = (change: Partial<Values>, version: string) => {
      sent.push(change);
      return Promise.resolve(server.write(0, change, version));
    };
    const typedValues = { ...valuesOf(stored), ...form };
    return saveChange({ stored, valuesOf, typed: typedValues, send }, { currentOf, ask: () => Promise.resolve(null) });
  };
  expect(await save({})).toBe(server.read());
  await save({ greeting: "Hello" });
  expect(sent).toEqual([{ greeting: "Hello" }]);
});

test("who continues editing has saved nothing, and is asked again", async () => {
  const server = createServer();
  const stored = server.read();
  server.write(1, { name: "theirs" }, stored.version);
  const asked: unknown[] = [];
  const save = () =>
    saveChange(
      {
        stored,
        valuesOf,
        typed: { ...valuesOf(stored), name: "mine", retries: "3" },
        send: (change: Partial<Values>, version) => Promise.resolve().then(() => server.write(0, change, version)),
      },
      {
        currentOf,
        ask: (clashes) => {
          asked.push(clashes);
          return Promise.resolve(null);
        },
      },
    );
  expect([await save(), await save()]).toEqual([null, null]);
  expect(asked).toEqual(Array.from({ length: 2 }, () => [{ name: "name", mine: "mine", theirs: "theirs" }]));
  expect(server.read()).toMatchObject({ name: "theirs", retries: "0" });
});

test("another error is not a conflict", async () => {
  const stored = createServer().read();
  const send = () => Promise.reject(new Error("offline"));
  const saving = { stored, valuesOf, typed: { ...valuesOf(stored), name: "x" }, send };
  const deciding = { currentOf, ask: () => Promise.resolve(null) };
  expect(await rejectionOf(saveChange(saving, deciding))).toHaveProperty("message", "offline");
});
