// The TypeScript client: a hand-written connection, a type for each named schema of the API document, and a method for
// each operation.
import { VERSION } from "../../../core/version.ts";
import type { OpenApiDocument } from "../document.ts";
import { clientOperations, type ClientOperation, type Schema } from "./operations.ts";
// Named .txt because it is plain text here: not compiled into Ringward and exempt from its rules on time and imports.
import base from "./ringward.ts.txt" with { type: "text" };

/** `verify`: the source of the function that checks signatures of webhooks. */
export function typescriptClient(document: OpenApiDocument, verify: string): string {
  const schemas = Object.entries(document.components.schemas as Record<string, Schema>);
  const types = schemas.map(
    ([name, schema]) => `${doc("", schema.description)}export type ${typeName(name)} = ${typeOf(schema, "")};\n`,
  );
  const imports = verify.match(/^import [^\n]+$/gm) ?? [];
  return base
    .replace("{{imports}}", () => imports.join("\n"))
    .replace("{{version}}", () => VERSION)
    .replace("{{verify}}", () => verify.replace(/^(?:\/\/[^\n]*\n|import [^\n]+\n)+\n*/, ""))
    .replace("{{types}}", () => types.join("\n"))
    .replace("{{operations}}", () => clientOperations(document).map(methodFor).join("\n"));
}

/** The global name stays free. */
const typeName = (name: string): string => (name === "Error" ? "ErrorBody" : name);

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function methodFor(operation: ClientOperation): string {
  const { id, method, path, inPath, inQuery, body, answer, kinds, takesIdempotencyKey, about } = operation;
  const takesKind = kinds.length > 1;
  const fields = [
    ...inQuery.map(
      ({ name, schema }) => `${key(name)}?: ${schema.enum ? typeOf(schema, "") : "QueryValue"} | undefined`,
    ),
    ...(answer.kind !== "page" && takesIdempotencyKey ? ["idempotencyKey?: string | undefined"] : []),
    ...(takesKind ? [`accept?: ${kinds.map((kind) => JSON.stringify(kind)).join(" | ")} | undefined`] : []),
  ];
  const given = [
    ...inPath.map((name) => `${camel(name)}: string`),
    ...(body ? [`body: ${typeOf(body, "  ")}`] : []),
    ...(fields.length > 0 ? [`options: { ${fields.join("; ")} } = {}`] : []),
  ];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${part(${camel(name)})}`);
  const address = filled === path ? `"${path}"` : `\`${filled}\``;
  const query =
    inQuery.length === 0 ? "{}" : `{ ${inQuery.map(({ name }) => `${key(name)}: options${access(name)}`).join(", ")} }`;
  const asked = [
    ...(inQuery.length > 0 ? [`query: ${query}`] : []),
    ...(body ? ["body"] : []),
    ...(takesIdempotencyKey ? ["idempotencyKey: options.idempotencyKey ?? newKey()"] : []),
    ...(takesKind ? [`accept: options.accept ?? ${JSON.stringify(kinds[0])}`] : []),
  ];
  const type = `${typeOf(answer.schema, "  ")}${takesKind ? " | Uint8Array" : ""}`;
  const values = [`"${method}"`, address, ...(asked.length > 0 ? [`{ ${asked.join(", ")} }`] : [])].join(", ");
  const calls = {
    page: [
      `AsyncGenerator<${type}, void, undefined>`,
      `this.items(${[address, ...(body || inQuery.length > 0 ? [query] : []), ...(body ? ["body"] : [])].join(", ")})`,
    ],
    data: [`Promise<${type}>`, `this.data(${values})`],
    whole: [`Promise<${type}>`, `this.request(${values})`],
  };
  const [answers, call] = calls[answer.kind];
  return `${doc("  ", about)}  ${id}(${given.join(", ")}): ${answers} {\n    return ${call};\n  }\n`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.anyOf) return unionOf(schema.anyOf.map((each) => typeOf(each, indent)));
  const { type } = schema;
  if (Array.isArray(type)) return unionOf(type.map((each) => typeOf({ ...schema, type: each }, indent)));
  if (type === "array") return `Array<${schema.items ? typeOf(schema.items, indent) : "unknown"}>`;
  const plain = PLAIN[type ?? ""];
  if (plain !== undefined) return plain;
  return type === "object" || schema.properties ? objectOf(schema, indent) : "unknown";
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(" | ");

function objectOf(
  { properties, required = [], patternProperties, additionalProperties }: Schema,
  indent: string,
): string {
  const values =
    Object.values(patternProperties ?? {})[0] ??
    (typeof additionalProperties === "object" ? additionalProperties : undefined);
  if (!properties) return `Record<string, ${values ? typeOf(values, indent) : "unknown"}>`;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${doc(inner, schema.description)}${inner}${key(name)}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const key = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
const access = (name: string): string => (IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

function doc(indent: string, text: string | undefined): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "* /").replaceAll(/\s*\n\s*/g, " ")} */\n`;
}
