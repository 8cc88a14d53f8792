import { describe, expect, test } from "bun:test";
import { createAnchors, renderPage, servedHref } from "../../src/handbook/render.ts";

const noImages = () => "";
const bodyOf = (markdown: string) => renderPage(`# Title\n\n${markdown}`, noImages).body;

describe("a page of the handbook", () => {
  test("escapes text, code and inline HTML", () => {
    const body = bodyOf('A & B <script>alert(1)</script> `x < y`\n\n```sh\na && b <c> "d"\n```\n');
    expect(body).toContain("A &amp; B &lt;script&gt;alert(1)&lt;/script&gt; <code>x &lt; y</code>");
    expect(body).toContain("<code>a &amp;&amp; b &lt;c&gt; &quot;d&quot;\n</code>");
    expect(body).not.toContain("<script");
  });

  test("drops comments and rejects blocks of HTML", () => {
    expect(bodyOf("<!-- written by a script -->\n\ntext")).not.toContain("written");
    expect(() => bodyOf("<div onclick=x>\n\ntext")).toThrow("Pages hold no raw HTML");
  });

  test("begins with its title", () => {
    expect(() => renderPage("text\n\n# Late", noImages)).toThrow("A page begins with its title");
    expect(renderPage("# A `b` & c\n", noImages).title).toBe("A b & c");
  });

  test("leaves a diagram as text", () => {
    expect(bodyOf("```mermaid\nstateDiagram-v2\n  [*] --> scheduled\n```\n")).toContain("[*] --&gt; scheduled");
  });

  test("turns what the appliance serves into links, and other code not", () => {
    expect(bodyOf("`/swagger` and `/healthz`")).toContain(
      '<a href="/swagger"><code>/swagger</code></a> and <code>/healthz</code>',
    );
  });

  test("puts tables where they can scroll, numbers to the right", () => {
    const body = bodyOf("| a | b |\n| --- | ---: |\n| 1 | 2 |\n");
    expect(body).toContain('<div class="table" tabindex="0"');
    expect(body).toContain('<th scope="col" class="right">b</th>');
    expect(body).toContain('<td class="right">2</td>');
  });

  test("has its images where they are served", () => {
    const { body } = renderPage("# T\n\n![A & b](x.png)\n", (name) => `/docs/assets/1-${name}`);
    expect(body).toContain('<img src="/docs/assets/1-x.png" alt="A &amp; b">');
  });

  test("is searched by section", () => {
    const { sections } = renderPage("# T\n\nfirst\n\n## Two & three\n\n- a\n- b `c<d`\n", noImages);
    expect(sections).toEqual([
      { level: 1, heading: "T", anchor: "t", text: "first" },
      { level: 2, heading: "Two & three", anchor: "two--three", text: "a b c<d" },
    ]);
  });
});

test.each([
  ["#here", "#here"],
  ["https://x.example/a", "https://x.example/a"],
  ["index.md", "/docs"],
  ["index.md#a", "/docs#a"],
  ["operation.md#backup-and-restore", "/docs/operation#backup-and-restore"],
  ["../../README.md#licence", null],
])("a link to %s is served as %p", (href, served) => {
  expect(servedHref(href)).toBe(served);
});

test.each(["javascript:alert(1)", "http://x.example", "/etc/passwd", "../x.md", "x.html"])(
  "a link to %s is rejected",
  (href) => {
    expect(() => servedHref(href)).toThrow("A link leads to");
  },
);

test("anchors are those of forges", () => {
  const anchor = createAnchors();
  expect(["TLS", "Backup, erasure & more", "100rel (PRACK)", "हिन्दी", "tls"].map(anchor)).toEqual([
    "tls",
    "backup-erasure--more",
    "100rel-prack",
    "हिन्दी",
    "tls-1",
  ]);
});
