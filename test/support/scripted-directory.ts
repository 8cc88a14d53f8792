// An LDAP directory that says whatever a test wants, over LDAPS and StartTLS, and remembers what it was asked.
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { BerReader, BerWriter } from "ldapts";
import { createPrivateCa } from "./private-ca.ts";
import { tempFolder } from "./temp.ts";

export interface LdapRequest {
  id: number;
  op: "bind" | "search" | "startTls" | "other";
  /** Of a bind. */
  dn: string;
  password: string;
  /** Of a search. */
  base: string;
  /** The whole message, in which a test may look for a value. */
  bytes: Buffer;
  connection: number;
  isEncrypted: boolean;
  /** A bind came before on this connection. */
  isBound: boolean;
  socket: Socket;
}

/** Bytes to send; `closes`: the connection ends behind them. */
export type LdapAnswer = { send?: readonly Buffer[]; closes?: boolean };
export type LdapScript = (request: LdapRequest) => LdapAnswer | Promise<LdapAnswer>;

export interface ScriptedDirectory {
  readonly port: number;
  readonly tlsPort: number;
  readonly caFile: string;
  readonly asked: LdapRequest[];
  readonly connections: { open: number; total: number };
  script: LdapScript;
  stop(): void;
}

export type Attributes = Readonly<Record<string, readonly (string | Buffer)[]>>;

const SEQUENCE = 0x30;
const OPS: Partial<Record<number, LdapRequest["op"]>> = { 0x60: "bind", 0x63: "search", 0x77: "startTls" };

function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence(SEQUENCE);
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}

function result(id: number, op: number, code: number, further: (writer: BerWriter) => void = () => {}): Buffer {
  return message(id, (writer) => {
    writer.startSequence(op);
    writer.writeEnumeration(code);
    writer.writeString("");
    writer.writeString("");
    further(writer);
    writer.endSequence();
  });
}

export const bindResult = (id: number, code = 0) => result(id, 0x61, code);
export const searchDone = (id: number, code = 0) => result(id, 0x65, code);
export const startTlsResult = (id: number, code = 0) => result(id, 0x78, code);

/** A refusal that refers to another directory. */
export const referral = (id: number, op: "bind" | "search", url: string) =>
  result(id, op === "bind" ? 0x61 : 0x65, 10, (writer) => {
    writer.startSequence(0xa3);
    writer.writeString(url);
    writer.endSequence();
  });

export const searchReference = (id: number, url: string) =>
  message(id, (writer) => {
    writer.startSequence(0x73);
    writer.writeString(url);
    writer.endSequence();
  });

/** Attributes may be given several times, as a list of pairs. */
export const searchEntry = (
  id: number,
  dn: string,
  attributes: Attributes | readonly (readonly [string, string[]])[],
) =>
  message(id, (writer) => {
    writer.startSequence(0x64);
    writer.writeString(dn);
    writer.startSequence(SEQUENCE);
    for (const [name, values] of Array.isArray(attributes) ? attributes : Object.entries(attributes)) {
      writer.startSequence(SEQUENCE);
      writer.writeString(name);
      writer.startSequence(0x31);
      for (const value of values as (string | Buffer)[]) {
        if (typeof value === "string") writer.writeString(value);
        else writer.writeBuffer(value, 0x04);
      }
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
    writer.endSequence();
  });

function requestIn(bytes: Buffer): Pick<LdapRequest, "id" | "op" | "dn" | "password" | "base"> {
  const reader = new BerReader(bytes);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const op = OPS[reader.readSequence() ?? 0] ?? "other";
  const none = { id, op, dn: "", password: "", base: "" };
  if (op === "search") return { ...none, base: reader.readString() ?? "" };
  if (op !== "bind") return none;
  reader.readInt();
  return { ...none, dn: reader.readString() ?? "", password: reader.readString(0x80) ?? "" };
}

export async function startScriptedDirectory(script: LdapScript): Promise<ScriptedDirectory> {
  const ca = createPrivateCa();
  const { certPem: cert, keyPem: key } = ca.issue(["localhost"]);
  const caFile = join(tempFolder(), "ca.pem");
  writeFileSync(caFile, ca.caPem);
  const sockets = new Set<Socket>();
  const asked: LdapRequest[] = [];
  const connections = { open: 0, total: 0 };

  function serve(socket: Socket, connection: number, isEncrypted: boolean): void {
    let buffer = Buffer.alloc(0);
    let isBound = false;
    const read = async (part: Buffer): Promise<void> => {
      buffer = Buffer.concat([buffer, part]);
      for (;;) {
        const reader = new BerReader(buffer);
        if (buffer.length < 2 || reader.readSequence() === null || reader.remain < reader.length) return;
        const end = reader.offset + reader.length;
        const bytes = buffer.subarray(0, end);
        buffer = buffer.subarray(end);
        const request = { ...requestIn(bytes), bytes, connection, isEncrypted, isBound, socket };
        asked.push(request);
        if (request.op === "bind") isBound = true;
        const { send = [], closes = false } = await directory.script(request);
        if (request.op === "startTls") socket.off("data", onData);
        if (send.length > 0) await new Promise<void>((sent) => void socket.write(Buffer.concat(send), () => sent()));
        if (closes) socket.destroy();
        else if (request.op === "startTls") upgrade(socket, connection);
      }
    };
    const onData = (part: Buffer) => void read(part);
    socket.on("data", onData);
  }

  function upgrade(socket: Socket, connection: number): void {
    const secure = new TLSSocket(socket, { isServer: true, key, cert });
    secure.on("error", () => {});
    serve(secure, connection, true);
  }

  const track = (socket: Socket) => {
    sockets.add(socket);
    connections.open++;
    connections.total++;
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      connections.open--;
    });
    return connections.total;
  };
  const plain = createServer((socket) => serve(socket, track(socket), false));
  const secure = createTlsServer({ key, cert }, (socket) => serve(socket, track(socket), true));
  secure.on("tlsClientError", () => {});
  for (const server of [plain, secure])
    await new Promise<void>((resolve) => void server.listen(0, "localhost", () => resolve()));

  const directory: ScriptedDirectory = {
    port: (plain.address() as AddressInfo).port,
    tlsPort: (secure.address() as AddressInfo).port,
    caFile,
    asked,
    connections,
    script,
    stop() {
      for (const socket of sockets) socket.destroy();
      plain.close();
      secure.close();
    },
  };
  return directory;
}
