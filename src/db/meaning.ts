// What a column means where SQL has no type for it: a flag is 0 or 1, words have spaces between them, the rest is JSON.
// A room declares it in records.ts, and its stores read and write by it.
import type { Row, Tables } from "./tables.ts";

export interface Meaning<Stored, Meant> {
  read(stored: Stored): Meant;
  write(meant: Meant): Stored;
}

export const flag: Meaning<number, boolean> = { read: (stored) => stored === 1, write: (meant) => (meant ? 1 : 0) };

/** No word may hold a space, or be empty. */
export const words = <Word extends string = string>(): Meaning<string, readonly Word[]> => ({
  read: (stored) => (stored === "" ? [] : (stored.split(" ") as Word[])),
  write: (meant) => meant.join(" "),
});

export const json = <Meant>(): Meaning<string, Meant> => ({
  read: (stored) => JSON.parse(stored) as Meant,
  write: (meant) => JSON.stringify(meant),
});

export const orNull = <Stored, Meant>(meaning: Meaning<Stored, Meant>): Meaning<Stored | null, Meant | null> => ({
  read: (stored) => (stored === null ? null : meaning.read(stored)),
  write: (meant) => (meant === null ? null : meaning.write(meant)),
});

type Columns<Table extends keyof Tables> = { readonly [Name in keyof Row<Table>]?: Meaning<Row<Table>[Name], unknown> };

/** A row, or some of its columns, as they are meant. */
type Read<Some, All> = {
  [Name in keyof Some]: Name extends keyof All
    ? All[Name] extends Meaning<infer _, infer Meant>
      ? Meant
      : Some[Name]
    : Some[Name];
};
type Written<Some, All> = {
  [Name in keyof Some]: Name extends keyof All
    ? All[Name] extends Meaning<infer Stored, infer _>
      ? Stored
      : Some[Name]
    : Some[Name];
};

export interface Meanings<Table extends keyof Tables, All> {
  /** Never called: it carries the type. See `Meant`. */
  readonly meant?: Read<Row<Table>, All>;
  read<Some extends object>(row: Some): Read<Some, All>;
  readAll<Some extends object>(rows: readonly Some[]): Read<Some, All>[];
  write<Some extends object>(meant: Some): Written<Some, All>;
}

/** What a whole row means. */
export type Meant<Of> = Of extends Meanings<infer Table, infer All> ? Read<Row<Table>, All> : never;

/**
 * Of a table's columns, those that mean something else than they hold. Columns that a query left out stay left out.
 *
 *     const ruleMeaning = meanings<"reminder_rules">()({ enabled: flag, placeholders: json<PlaceholderSource[]>() });
 */
export const meanings =
  <Table extends keyof Tables>() =>
  <All extends Columns<Table>>(all: All): Meanings<Table, All> => {
    const columns = Object.entries(all) as [string, Meaning<unknown, unknown>][];
    const mapped = (some: object, way: "read" | "write") => {
      const result: Record<string, unknown> = { ...some };
      for (const [name, meaning] of columns) if (result[name] !== undefined) result[name] = meaning[way](result[name]);
      return result;
    };
    const read = <Some extends object>(row: Some) => mapped(row, "read") as Read<Some, All>;
    return {
      read,
      readAll: (rows) => rows.map((row) => read(row)),
      write: <Some extends object>(meant: Some) => mapped(meant, "write") as Written<Some, All>,
    };
  };
