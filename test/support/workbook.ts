// XLSX workbooks for tests: the parts that spreadsheets write, in a ZIP archive.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipOptions {
  /** Bit 0 of the flags: encrypted. */
  flags?: number;
  method?: "stored" | "deflated";
  /** What the directory says of the length, where it lies. */
  claimedBytes?: number;
}

export function zipOf(files: Readonly<Record<string, string | Uint8Array>>, options: ZipOptions = {}): Uint8Array {
  const { flags = 0, method = "deflated", claimedBytes } = options;
  const [locals, directory]: Buffer[][] = [[], []];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const packed = method === "stored" ? plain : deflateRawSync(plain);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method === "stored" ? 0 : 8, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes ?? plain.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory!.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, tail, Buffer.from(name)]));
    locals!.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory!);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory!.length, 8);
  end.writeUInt16LE(directory!.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals!, listed, end]);
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The parts of a workbook; `parts` replaces or adds some. */
export function workbookParts(sheetData: string, parts: Record<string, string> = {}): Record<string, string> {
  return {
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships><Relationship Id="rId9" Target="styles.xml"/><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet7.xml"/></Relationships>`,
    "xl/worksheets/sheet7.xml": `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${sheetData}</sheetData></worksheet>`,
    "xl/styles.xml": `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\-mm\\-yyyy"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0.0"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    ...parts,
  };
}

export const workbookOf = (sheetData: string, parts: Record<string, string> = {}): Uint8Array =>
  zipOf(workbookParts(sheetData, parts));

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Rows of text, as inline strings. */
export function sheetOf(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells, row) => {
      const cellTexts = cells.map((text, column) => {
        const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
        return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
      });
      return `<row r="${row + 1}">${cellTexts.join("")}</row>`;
    })
    .join("");
}
