import { expect, test } from "bun:test";
import { isOwnHost } from "../../src/dashboard/own-host.ts";

const URLS = ["https://calls.hospital.example", "http://10.0.0.5:8080/dashboard"];

test.each([
  ["localhost", true],
  ["localhost:8080", true],
  ["LOCALHOST.:8080", true],
  ["demo.localhost:8080", true],
  ["127.0.0.1", true],
  ["127.1.2.3:9000", true],
  ["127.1", true],
  ["[::1]:8080", true],
  ["calls.hospital.example", true],
  ["Calls.Hospital.Example:8443", true],
  ["10.0.0.5:8080", true],
  ["attacker.example", false],
  ["localhost.attacker.example", false],
  ["127.0.0.1.attacker.example", false],
  ["notlocalhost", false],
  ["calls.hospital.example.attacker.example", false],
  ["10.0.0.6", false],
  ["attacker.example@localhost.attacker.example", false],
  ["", false],
  [":8080", false],
  ["a b", false],
])("%p is an own host: %p", (host, isOwn) => {
  expect(isOwnHost(host, URLS)).toBe(isOwn);
});
