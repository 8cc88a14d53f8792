// The Python client: a hand-written connection, and a method for each operation of the API document.
import { VERSION } from "../../../core/version.ts";
import type { OpenApiDocument } from "../document.ts";
import { clientOperations, type ClientOperation } from "./operations.ts";
import base from "./ringward.py" with { type: "text" };

const KEYWORDS = new Set(["from", "in", "is", "class", "global", "import", "pass", "def", "return", "with"]);

/** `verify`: the source of the function that checks signatures of webhooks. */
export function pythonClient(document: OpenApiDocument, verify: string): string {
  return base
    .replace("{{version}}", () => VERSION)
    .replace("{{verify}}", () => withoutImports(verify))
    .replace("{{operations}}", () => clientOperations(document).map(methodFor).join("\n"));
}

/** `listCalls` → `list_calls`; a keyword gets an underscore. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

function methodFor(operation: ClientOperation): string {
  const { id, method, path, inPath, inQuery, body, answer, kinds, takesIdempotencyKey, about } = operation;
  const takesKind = kinds.length > 1;
  const optional = [
    ...inQuery.map(({ name }) => `${pythonName(name)}: Any = None`),
    ...(takesIdempotencyKey ? ["idempotency_key: Optional[str] = None"] : []),
    ...(takesKind ? [`accept: str = "${kinds[0]}"`] : []),
  ];
  const given = [
    "self",
    ...inPath.map((name) => `${pythonName(name)}: str`),
    ...(body ? ["body: Any"] : []),
    ...(optional.length > 0 ? ["*", ...optional] : []),
  ];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{_part(${pythonName(name)})}`);
  const address = filled === path ? `"${path}"` : `f"${filled}"`;
  const query = `{${inQuery.map(({ name }) => `"${name}": ${pythonName(name)}`).join(", ")}}`;
  const values = [
    ...(inQuery.length > 0 ? [`query=${query}`] : []),
    ...(body ? ["body=body"] : []),
    ...(takesIdempotencyKey ? ["idempotency_key=idempotency_key or str(uuid.uuid4())"] : []),
    ...(takesKind ? ["accept=accept"] : []),
  ];
  const sent = `self.request(${[`"${method}"`, address, ...values].join(", ")})`;
  const calls = {
    page: `self.items(${[address, ...(inQuery.length > 0 ? [query] : []), ...(body ? ["body=body"] : [])].join(", ")})`,
    data: `_data(${sent})`,
    whole: sent,
  };
  return [
    `    def ${pythonName(id)}(`,
    ...given.map((each) => `        ${each},`),
    `    ) -> ${answer.kind === "page" ? "Iterator[Dict[str, Any]]" : "Any"}:`,
    `        """${about.replaceAll('"', "'")}"""`,
    `        return ${calls[answer.kind]}`,
    "",
  ].join("\n");
}

/** They are at the start of the client. */
const withoutImports = (code: string): string => code.replace(/^(?:#[^\n]*\n|import [^\n]+\n|from [^\n]+\n)+\n*/, "");
