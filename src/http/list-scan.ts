// Streaming scan of a JSON body: finds the boundaries of the list items, and checks the limits of body and list. The
// first byte beyond a limit stops the read.
import { AppError, invalidField } from "../core/errors.ts";

/** The only field of a body that may be long: a list. */
export interface ListShape {
  field: string;
  mostItems: number;
}

/** Everything outside the list items, including commas and spaces. */
const MOST_OTHER_BYTES = 256 * 1024;
/** A row's additional_info is limited to 16 KiB, and everything else is small. */
const MOST_ITEM_BYTES = 64 * 1024;
/** Ten thousand rows have about thirty values each. */
const MOST_VALUES = 500_000;
/** additional_info may be nested 64 levels. */
const DEEPEST = 100;
const DEPTH_OF_ITEMS = 2;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_TABLE, CLOSE_TABLE] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The end of the part if the byte is not found. */
function indexIn(part: Uint8Array, byte: number, from: number): number {
  const found = part.indexOf(byte, from);
  return found === -1 ? part.length : found;
}
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export class ListScan {
  readonly #shape: ListShape;
  readonly #field: Uint8Array;
  /** Start and end of each item, alternating. */
  readonly bounds: number[] = [];
  #read = 0;
  #itemBytes = 0;
  #values = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** For a name at the top level: how many bytes match the field so far, or -1 after a mismatch. */
  #matched = -1;
  #isNameOfList = false;
  #isInList = false;

  constructor(shape: ListShape) {
    this.#shape = shape;
    this.#field = new TextEncoder().encode(shape.field);
  }

  push(part: Uint8Array): void {
    let backslashAt = -1;
    for (let at = 0; at < part.length; at++) {
      // Fast path: most bytes are inside irrelevant strings.
      if (this.#isText && !this.#isEscaped && this.#matched < 0) {
        if (backslashAt < at) backslashAt = indexIn(part, BACKSLASH, at);
        const skipped = Math.min(indexIn(part, QUOTE, at), backslashAt) - at;
        at += skipped;
        this.#read += skipped;
        if (at === part.length) break;
      }
      this.#look(part[at] ?? 0);
      this.#read += 1;
    }
    if (this.#read - this.#itemBytes - this.#openBytes() > MOST_OTHER_BYTES)
      throw new AppError(
        "PAYLOAD_TOO_LARGE",
        `The body must not exceed ${MOST_OTHER_BYTES / 1024} KiB beside ${this.#shape.field}.`,
      );
    if (this.#openBytes() > MOST_ITEM_BYTES) throw this.#tooLong();
  }

  /** Bytes of the current item. */
  #openBytes(): number {
    return this.bounds.length % 2 === 1 ? this.#read - (this.bounds.at(-1) ?? 0) : 0;
  }

  #look(byte: number): void {
    if (this.#isText) {
      this.#lookInText(byte);
      return;
    }
    if (isSpace(byte)) return;
    if (this.#isInList && this.#depth === DEPTH_OF_ITEMS) this.#lookAmongItems(byte);
    if (byte === QUOTE) this.#beginText();
    else if (byte === OPEN_LIST || byte === OPEN_TABLE) this.#open(byte);
    else if (byte === CLOSE_LIST || byte === CLOSE_TABLE) this.#close();
    else if (byte === COMMA) this.#part();
    else if (byte !== COLON) this.#isNameOfList = false;
  }

  #lookInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isText = false;
      if (this.#depth === 1) this.#isNameOfList = this.#matched === this.#field.length;
      return;
    }
    if (this.#matched >= 0) this.#matched = byte === this.#field[this.#matched] ? this.#matched + 1 : -1;
  }

  /** An item ends at the following comma, or at the end of the list. */
  #lookAmongItems(byte: number): void {
    const isOpen = this.bounds.length % 2 === 1;
    if (byte !== COMMA && byte !== CLOSE_LIST) {
      if (!isOpen) this.#beginItem();
    } else if (isOpen) {
      if (this.#openBytes() > MOST_ITEM_BYTES) throw this.#tooLong();
      this.#itemBytes += this.#openBytes();
      this.bounds.push(this.#read);
    }
  }

  #beginItem(): void {
    const { field, mostItems } = this.#shape;
    if (this.bounds.length / 2 >= mostItems)
      throw invalidField(field, `${field} must be a list of 1 to ${mostItems} rows.`);
    this.bounds.push(this.#read);
  }

  #beginText(): void {
    this.#isText = true;
    this.#matched = this.#depth === 1 ? 0 : -1;
  }

  #open(byte: number): void {
    this.#count();
    if (this.#depth === 1 && this.#isNameOfList) this.#isInList = byte === OPEN_LIST;
    this.#isNameOfList = false;
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw new AppError("VALIDATION_ERROR", `The body must not be nested deeper than ${DEEPEST} levels.`);
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth === 1) this.#isInList = false;
  }

  #part(): void {
    this.#isNameOfList = false;
    this.#count();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MOST_VALUES)
      throw new AppError(
        "VALIDATION_ERROR",
        `The body must not hold more than ${MOST_VALUES.toLocaleString("en")} values.`,
      );
  }

  #tooLong(): AppError {
    const field = `${this.#shape.field}.${Math.floor(this.bounds.length / 2)}`;
    return invalidField(field, `${field} must not exceed ${MOST_ITEM_BYTES / 1024} KiB.`);
  }
}
