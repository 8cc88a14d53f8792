// Conversion of column values for which SQL has no type: a flag is 0 or 1, words are separated by spaces, the rest is
// JSON. A module declares the conversions in records.ts, and its stores use them.
import type { Row, Tables } from "./tables.ts";

export interface Meaning<Stored, Meant> {
  read(stored: Stored): Meant;
  write(meant: Meant): Stored;
}

export const flag: Meaning<number, boolean> = { read: (stored) => stored === 1, write: (meant) => (meant ? 1 : 0) };

/** A word must not be empty or contain a space. */
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

/** A row, or some of its columns, after conversion. */
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
  /** Never set: it carries the type. See `Meant`. */
  readonly meant?: Read<Row<Table>, All>;
  read<Some extends object>(row: Some): Read<Some, All>;
  readAll<Some extends object>(rows: readonly Some[]): Read<Some, All>[];
  write<Some extends object>(meant: Some): Written<Some, All>;
}

/** The type of a converted row. */
export type Meant<Of> = Of extends Meanings<infer Table, infer All> ? Read<Row<Table>, All> : never;

/**
 * Declares the columns of a table that need a conversion. Columns missing from a query stay missing.
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
