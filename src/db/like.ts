// Parts of text, as people search for them: what they type is text, % and _ included.
import { sql, type Expression, type RawBuilder } from "kysely";

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

type Text = Expression<string> | Expression<string | null>;

/** The column has `text` somewhere in it. */
export const holds = (column: Text, text: string): RawBuilder<boolean> => like(column, `%${escaped(text)}%`);

export const beginsWith = (column: Text, text: string): RawBuilder<boolean> => like(column, `${escaped(text)}%`);

const like = (column: Text, pattern: string) => sql<boolean>`${column} like ${pattern} escape '\\'`;
