// Signature verification in six languages, as text to copy. Tests run the snippets against the vectors.
import csharp from "./snippets/Verify.cs" with { type: "text" };
import go from "./snippets/verify.go" with { type: "text" };
import java from "./snippets/Verify.java" with { type: "text" };
import php from "./snippets/verify.php" with { type: "text" };
import python from "./snippets/verify.py" with { type: "text" };
// Named .txt because it is plain text here: not compiled into Ringward and exempt from its rules on time and imports.
import typescript from "./snippets/verify.ts.txt" with { type: "text" };

export interface Snippet {
  /** Also the anchor in the page. */
  id: string;
  language: string;
  fileName: string;
  code: string;
  /** How common frameworks expose the raw bytes. */
  rawBody: { framework: string; expression: string }[];
}

export const SNIPPETS: readonly Snippet[] = [
  {
    id: "typescript",
    language: "TypeScript",
    fileName: "verify.ts",
    code: typescript,
    rawBody: [
      { framework: "Express", expression: 'express.raw({ type: "application/json" }), then req.body' },
      { framework: "Bun, Deno, Hono", expression: "new Uint8Array(await request.arrayBuffer())" },
    ],
  },
  {
    id: "python",
    language: "Python",
    fileName: "verify.py",
    code: python,
    rawBody: [
      { framework: "Flask", expression: "request.get_data()" },
      { framework: "Django", expression: "request.body" },
      { framework: "FastAPI", expression: "await request.body()" },
    ],
  },
  {
    id: "go",
    language: "Go",
    fileName: "verify.go",
    code: go,
    rawBody: [{ framework: "net/http", expression: "io.ReadAll(r.Body)" }],
  },
  {
    id: "java",
    language: "Java",
    fileName: "Verify.java",
    code: java,
    rawBody: [
      { framework: "Spring", expression: "@RequestBody byte[] rawBody" },
      { framework: "Servlet", expression: "request.getInputStream().readAllBytes()" },
    ],
  },
  {
    id: "php",
    language: "PHP",
    fileName: "verify.php",
    code: php,
    rawBody: [
      { framework: "Plain PHP", expression: "file_get_contents('php://input')" },
      { framework: "Laravel, Symfony", expression: "$request->getContent()" },
    ],
  },
  {
    id: "csharp",
    language: "C#",
    fileName: "Verify.cs",
    code: csharp,
    rawBody: [
      { framework: "ASP.NET Core", expression: "await Request.Body.CopyToAsync(buffer), then buffer.ToArray()" },
    ],
  },
];

export function snippetIn(id: string): string {
  const snippet = SNIPPETS.find((each) => each.id === id);
  if (!snippet) throw new Error(`There is no snippet in ${id}.`);
  return snippet.code;
}
