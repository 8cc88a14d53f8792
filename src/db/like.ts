// Parts of text, as people search for them: what they type is text, % and _ included, and a and A are the same. That
// holds for the letters of ASCII alone, in every database.
import { BinaryOperationNode, ExpressionWrapper, OperatorNode, ValueNode, type Expression, type SqlBool } from "kysely";
import type { Tables } from "./tables.ts";

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

type Text = Expression<string> | Expression<string | null>;

/** The column has `text` somewhere in it. */
export const holds = (column: Text, text: string): Expression<SqlBool> => ilike(column, `%${escaped(text)}%`);

export const beginsWith = (column: Text, text: string): Expression<SqlBool> => ilike(column, `${escaped(text)}%`);

const ILIKE = OperatorNode.create("ilike");

/** Each compiler writes it in the words of its database. */
const ilike = (column: Text, pattern: string): Expression<SqlBool> =>
  new ExpressionWrapper<Tables, keyof Tables, SqlBool>(
    BinaryOperationNode.create(column.toOperationNode(), ILIKE, ValueNode.create(pattern)),
  );
