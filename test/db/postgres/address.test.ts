import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addressOf, placeOf } from "../../../src/db/postgres/address.ts";
import { settingsFor } from "../../support/postgres.ts";
import { tempFolder } from "../../support/temp.ts";

const at = (url: string, changes = {}) => addressOf({ ...settingsFor(url), ...changes });

describe("the address of PostgreSQL", () => {
  test("is displayed", () => {
    expect(at("postgres://rw:s%40crt@db.example:6543/calls")).toEqual({
      host: "db.example",
      port: 6543,
      database: "calls",
      user: "rw",
      password: "s@crt",
      tls: { ca: null },
    });
    expect(at("postgresql://db.example/calls")).toMatchObject({ port: 5432, user: "ringward", password: "" });
    expect(at("postgres://rw@[::1]:5433/calls")).toMatchObject({ host: "::1", port: 5433, tls: false });
  });

  test("or the folder of its socket", () => {
    expect(at("postgres://rw@/calls?host=/var/run/postgresql")).toMatchObject({
      host: "/var/run/postgresql",
      tls: false,
    });
    expect(at("postgres:///calls?host=%2Frun%2Fpg")).toMatchObject({ host: "/run/pg", database: "calls" });
  });

  test("and never with its password", () => {
    expect(placeOf(at("postgres://rw:secret@db.example/calls"))).toBe("PostgreSQL db.example:5432/calls");
  });

  test.each([
    "mysql://a/b",
    "postgres://db.example",
    "postgres://db.example/a/b",
    "postgres:///calls",
    "postgres://db.example/calls?sslmode=disable",
  ])("%s is rejected with a message", (url) => expect(() => at(url)).toThrow(/database\.url: /));
});

describe("TLS", () => {
  test.each([
    ["auto", "db.example", true],
    ["auto", "localhost", false],
    ["auto", "127.0.0.1", false],
    ["verify", "localhost", true],
    ["off", "db.example", false],
  ] as const)("%s to %s: %p", (tls, host, isUsed) => {
    expect(at(`postgres://rw@${host}/calls`, { tls }).tls !== false).toBe(isUsed);
  });

  test("reads the authority and the password from files", () => {
    const folder = tempFolder();
    const [ca_file, password_file] = [join(folder, "ca.pem"), join(folder, "password")];
    writeFileSync(ca_file, "PEM");
    writeFileSync(password_file, "p w\n");
    const address = at("postgres://rw:other@db.example/calls", { ca_file, password_file });
    expect(address).toMatchObject({ password: "p w", tls: { ca: "PEM" } });
    expect(() => at("postgres://rw@db.example/calls", { ca_file: join(folder, "none") })).toThrow(/database\.ca_file/);
  });
});
