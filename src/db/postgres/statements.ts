// Splits a migration into its statements: words, strings and signs, without comments.

export type Token = { kind: "word" | "string" | "sign" | "space"; text: string };

/** One statement, without comments and semicolon. */
export interface Statement {
  tokens: readonly Token[];
  text: string;
}

const SHAPES: readonly [Token["kind"] | "comment", RegExp][] = [
  ["comment", /--[^\n]*|\/\*[^]*?\*\//y],
  ["string", /'(?:[^']|'')*'|"(?:[^"]|"")*"/y],
  ["space", /\s+/y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?/y],
  ["sign", /[^]/y],
];

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length;) {
    for (const [kind, shape] of SHAPES) {
      shape.lastIndex = at;
      const text = shape.exec(sql)?.[0];
      if (text === undefined) continue;
      at += text.length;
      // Words separated only by a comment stay separate.
      tokens.push(kind === "comment" ? { kind: "space", text: " " } : { kind, text });
      break;
    }
  }
  return tokens;
}

const isWord = (token: Token, word: string) => token.kind === "word" && token.text.toUpperCase() === word;

/** A trigger's BEGIN … END contains semicolons, and a CASE has its own END. */
export function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  let depth = 0;
  for (const token of tokensOf(sql)) {
    if (isWord(token, "BEGIN") || isWord(token, "CASE")) depth += 1;
    if (isWord(token, "END")) depth -= 1;
    if (token.text !== ";" || depth > 0) tokens.push(token);
    else {
      statements.push(statementOf(tokens));
      tokens = [];
    }
  }
  statements.push(statementOf(tokens));
  return statements.filter(({ text }) => text !== "");
}

export function statementOf(tokens: readonly Token[]): Statement {
  const text = tokens
    .map((token) => token.text)
    .join("")
    .trim();
  return { tokens, text };
}
