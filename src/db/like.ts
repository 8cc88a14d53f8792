// Substring search: % and _ are literal, and ASCII letters are case-insensitive, in every database.
import { BinaryOperationNode, ExpressionWrapper, OperatorNode, ValueNode, type Expression, type SqlBool } from "kysely";
import type { Tables } from "./tables.ts";

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

type Text = Expression<string> | Expression<string | null>;

/** The column contains `text`. */
export const holds = (column: Text, text: string): Expression<SqlBool> => ilike(column, `%${escaped(text)}%`);

export const beginsWith = (column: Text, text: string): Expression<SqlBool> => ilike(column, `${escaped(text)}%`);

const ILIKE = OperatorNode.create("ilike");

/** Each compiler translates it for its database. */
const ilike = (column: Text, pattern: string): Expression<SqlBool> =>
  new ExpressionWrapper<Tables, keyof Tables, SqlBool>(
    BinaryOperationNode.create(column.toOperationNode(), ILIKE, ValueNode.create(pattern)),
  );
