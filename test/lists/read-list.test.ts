// Lists as hospitals have them: every CSV dialect, pasted text, workbooks, and hostile files.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readList } from "../../src/lists/read-list.ts";
import { LONGEST_CELL, MOST_ROWS } from "../../src/lists/table.ts";
import { AppError } from "../../src/core/errors.ts";
import { csvLine } from "../../src/core/csv-line.ts";
import * as hostile from "../support/hostile/files.ts";
import { cpuMsOf } from "../support/cpu-time.ts";
import { sheetOf, workbookOf, workbookParts, zipOf } from "../support/workbook.ts";

const read = (content: string | Uint8Array, isPasted = false) =>
  readList(typeof content === "string" ? new TextEncoder().encode(content) : content, isPasted);
const cellsOf = async (content: string | Uint8Array, isPasted = false) =>
  (await read(content, isPasted)).map(({ cells }) => cells);
const faultOf = async (content: string | Uint8Array) => {
  try {
    await read(content);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
};

describe("CSV", () => {
  test.each([
    ["commas", "number,name\r\n+91981,Asha\r\n"],
    ["semicolons", "number;name\r\n+91981;Asha\r\n"],
    ["tabs", "number\tname\n+91981\tAsha"],
    ["the mark of UTF-8", "\ufeffnumber,name\n+91981,Asha\n"],
    ["line ends of old Macs", "number,name\r+91981,Asha\r"],
    ["a line that says what parts the cells", "sep=;\r\nnumber;name\r\n+91981;Asha\r\n"],
  ])("is read with %s", async (_, text) => {
    expect(await cellsOf(text)).toEqual([
      ["number", "name"],
      ["+91981", "Asha"],
    ]);
  });

  test("keeps delimiters, quotes and line ends inside quotes", async () => {
    expect(await cellsOf('number,name\r\n1,"Rao, Asha ""A""\r\nMs"\r\n')).toEqual([
      ["number", "name"],
      ["1", 'Rao, Asha "A"\r\nMs'],
    ]);
  });

  test("numbers rows as the spreadsheet does, and drops the empty ones", async () => {
    expect(await read("number,name\n\n,,\n1,Asha,,\n")).toEqual([
      { at: 1, cells: ["number", "name"] },
      { at: 4, cells: ["1", "Asha"] },
    ]);
  });

  test("is read as UTF-16 in both byte orders, with and without a BOM, and as Windows-1252", async () => {
    const little = Buffer.from("number,name\n1,Zoë\n", "utf16le");
    const big = Buffer.from(little).swap16();
    const expected = [
      ["number", "name"],
      ["1", "Zoë"],
    ];
    expect(await cellsOf(Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toEqual(expected);
    expect(await cellsOf(little)).toEqual(expected);
    expect(await cellsOf(Buffer.concat([Buffer.from([0xfe, 0xff]), big]))).toEqual(expected);
    expect(await cellsOf(big)).toEqual(expected);
    expect(await cellsOf(Buffer.from("number,name\n1,Zoë\n", "latin1"))).toEqual(expected);
  });

  test("reports the row whose quote is never closed", async () => {
    expect(await faultOf('number,name\n1,"Asha\n2,Ravi\n')).toContain("Row 2 opens a quote");
  });

  test("is limited in rows and columns", async () => {
    expect(await faultOf("1\n".repeat(MOST_ROWS + 2))).toContain("more than 10,000 rows");
    expect(await cellsOf("1\n".repeat(MOST_ROWS + 1))).toHaveLength(MOST_ROWS + 1);
    expect(await faultOf("x,".repeat(50) + "x")).toContain("more than 50 columns");
    expect(await faultOf(new Uint8Array(10 * 1024 * 1024 + 1))).toContain("larger than 10 MB");
  });
});

describe("pasted text", () => {
  test.each([
    ["one a line", "98765 43210\n+91 98765 43211"],
    ["in one line", "98765 43210, +91 98765 43211"],
    ["between semicolons", "98765 43210;+91 98765 43211;"],
  ])("is numbers, %s", async (_, text) => {
    expect((await cellsOf(text, true)).map(([cell]) => cell?.trim())).toEqual(["98765 43210", "+91 98765 43211"]);
  });

  test("is spreadsheet rows", async () => {
    expect(await cellsOf("Name\tPhone\nAsha\t98765 43210", true)).toEqual([
      ["Name", "Phone"],
      ["Asha", "98765 43210"],
    ]);
  });
});

describe("a workbook", () => {
  const HEADINGS = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>';
  const STRINGS =
    "<sst><si><t>Mobile &amp; more</t></si><si><r><t>Na</t></r><r><t>me</t></r><rPh><t>NEIM</t></rPh></si></sst>";

  test("yields shared and inline text, numbers with all their digits, dates and times", async () => {
    const row = `<row r="4" spans="1:7"><c r="A4"><v>919876543210</v></c><c r="B4"><v>9.1987654321E+11</v></c><c r="C4" t="inlineStr"><is><t>Asha</t></is></c><c r="D4" s="1"><v>46342</v></c><c r="E4" s="2"><v>46342.395833333336</v></c><c r="F4" s="4"><v>0.5</v></c><c r="G4" s="3"><v>0.30000000000000004</v></c><c r="H4" t="b"><v>1</v></c><c r="I4" t="str"><f>A4&amp;""</f><v>x_x000D_</v></c><c r="J4" s="1"/></row>`;
    expect(await read(workbookOf(HEADINGS + row, { "xl/sharedStrings.xml": STRINGS }))).toEqual([
      { at: 1, cells: ["Mobile & more", "", "Name"] },
      {
        at: 4,
        cells: [
          "919876543210",
          "919876543210",
          "Asha",
          "2026-11-16",
          "2026-11-16 09:30",
          "12:00",
          "0.3",
          "TRUE",
          "x\r",
        ],
      },
    ]);
  });

  test("is read with prefixed names, without references, uncompressed, and from its first visible sheet", async () => {
    const parts = workbookParts("", {
      "xl/workbook.xml":
        '<x:workbook><x:workbookPr date1904="1"/><x:sheets><x:sheet name="a" state="hidden" r:id="rId9"/><x:sheet name="b" r:id="rId1"/></x:sheets></x:workbook>',
      "xl/worksheets/sheet7.xml":
        '<x:worksheet><x:sheetData><x:row><x:c><x:v>9876543210</x:v></x:c><x:c t="inlineStr"><x:is><x:t><![CDATA[A < B]]></x:t></x:is></x:c><x:c s="1"><x:v>44880</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    expect(await cellsOf(zipOf(parts, { method: "stored" }))).toEqual([["9876543210", "A < B", "2026-11-16"]]);
  });

  test.each([
    ["locked file in a workbook", zipOf(workbookParts(""), { flags: 1 }), "locked with a password"],
    ["old .xls", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), "old .xls file or locked"],
    ["OpenDocument file", zipOf({ "content.xml": "" }), "OpenDocument"],
    ["archive of something else", zipOf({ "photo.jpg": "x" }), "no XLSX workbook"],
    ["PDF", new TextEncoder().encode("%PDF-1.7\n"), "PDF"],
    ["picture", new Uint8Array([0xff, 0xd8, 0, 0, 0, 1, 2, 3]), "holds no text"],
    ["workbook without rows", workbookOf(""), "empty"],
  ])("%s is refused in clear words", async (_, bytes, words) => {
    expect(await faultOf(bytes)).toContain(words);
  });

  test("that would fill the memory is rejected, whatever its directory claims", async () => {
    const bomb = workbookParts(" ".repeat(50 * 1024 * 1024));
    expect(await faultOf(zipOf(bomb))).toContain("too large");
    expect(await faultOf(zipOf(bomb, { claimedBytes: 10 }))).toContain("too large");
  });

  test("with expanding entities is rejected", async () => {
    const lol = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>';
    expect(await faultOf(workbookOf("", { "xl/worksheets/sheet7.xml": lol }))).toContain("cannot be read");
  });

  test("is limited in rows and columns", async () => {
    const row = (at: number) => `<row r="${at}"><c><v>1</v></c></row>`;
    const rows = Array.from({ length: MOST_ROWS + 2 }, (_, index) => row(index + 1)).join("");
    expect(await faultOf(workbookOf(rows))).toContain("more than 10,000 rows");
    expect(await faultOf(workbookOf('<row r="1"><c r="XFD1"><v>1</v></c></row>'))).toContain("more than 50 columns");
    // Formatted, but empty.
    expect(await cellsOf(workbookOf('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="1"/></row>'))).toEqual([["1"]]);
  });
});

describe("the expansion of a small file is limited:", () => {
  test("a cell is truncated at its maximum length, whatever its source", async () => {
    const long = "x".repeat(LONGEST_CELL + 500);
    const cut = [["x".repeat(LONGEST_CELL + 1), "y"]];
    expect(await cellsOf(`${long},y`)).toEqual(cut);
    expect(await cellsOf(`"${long}",y`)).toEqual(cut);
    expect(await cellsOf(workbookOf(sheetOf([[long, "y"]])))).toEqual(cut);
    expect(await cellsOf(`"${'""'.repeat(LONGEST_CELL + 500)}",y`)).toEqual([['"'.repeat(LONGEST_CELL + 1), "y"]]);
  });

  test.each([
    ["one long text that 3,000 cells name", hostile.oneTextNamedOften(60, 50), "too much text"],
    ["9.9 million empty cells of one row", hostile.emptyCells(), "more than 50 columns"],
    ["9.9 million empty rows", workbookOf("<row/>".repeat(6_500_000)), "too large"],
    ["10 MB of commas", hostile.commas(), "more than 50 columns"],
  ])("%s", async (_, bytes, words) => {
    expect(await faultOf(bytes)).toContain(words);
  });

  test("10 MB of quotes are one cell", async () => {
    expect(await cellsOf(new Uint8Array(10 * 1024 * 1024).fill(0x22))).toEqual([['"'.repeat(LONGEST_CELL + 1)]]);
  });

  test("a number format of 120,000 brackets is ignored, quickly", async () => {
    const brackets = async () => expect(await cellsOf(hostile.formatOfBrackets())).toHaveLength(2);
    expect(await cpuMsOf(brackets)).toBeLessThan(1_000);
  });
});

describe("for any bytes,", () => {
  const isHandled = async (bytes: Uint8Array, isPasted: boolean) => {
    try {
      await readList(bytes, isPasted);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  };

  test("reading returns rows or an error message", async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), isHandled), { numRuns: 300 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a", "'") }), (text) =>
        isHandled(new TextEncoder().encode(text), false),
      ),
    );
  });

  test("so does a workbook with flipped or missing bytes", async () => {
    const whole = workbookOf(
      sheetOf([
        ["number", "name"],
        ["9876543210", "Asha"],
      ]),
    );
    const harm = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), end: fc.nat(whole.length) });
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), fc.boolean(), (harms, isCut) => {
        const harmed = Uint8Array.from(whole);
        for (const { at, byte } of harms) harmed[at] = byte;
        return isHandled(isCut ? harmed.subarray(0, harms[0]?.end) : harmed, false);
      }),
      { numRuns: 300 },
    );
  });

  test("so does a sheet with unusual XML", async () => {
    const pieces = fc.constantFrom(
      "<row>",
      "</row>",
      "<c t='s'>",
      "<c r='A1'/>",
      "<v>",
      "</v>",
      "9",
      "<",
      ">",
      "&#x41;",
      "&#99999999;",
      '"',
      "<is>",
      "<!--",
      "]]>",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), (xml) => isHandled(workbookOf(xml.join("")), false)),
      { numRuns: 200 },
    );
  });
});

test("our own CSV output is read back unchanged", async () => {
  // A cell that starts with an apostrophe before a formula sign is indistinguishable from one that we escaped.
  const cell = fc
    .string({ unit: "binary", maxLength: 12 })
    .filter((text) => !/^'[=+\-@\t\r]/.test(text) && !text.includes("\0"));
  const filled = cell.filter((text) => text.trim() !== "");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, filled), { minLength: 1, maxLength: 20 }), async (rows) => {
      const written = [["number", "name", "reason"], ...rows];
      const bytes = Buffer.from(`\ufeff${written.map((cells) => csvLine(cells)).join("")}`);
      expect(await cellsOf(bytes)).toEqual(written);
    }),
  );
});
