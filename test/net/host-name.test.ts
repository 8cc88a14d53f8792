import { expect, test } from "bun:test";
import { isLoopbackHost } from "../../src/net/host-name.ts";

test.each([
  ["localhost", true],
  ["LocalHost.", true],
  ["demo.localhost", true],
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["localhost.attacker.example", false],
  ["notlocalhost", false],
  ["127.0.0.1.attacker.example", false],
  ["::10", false],
  ["", false],
])("%p is this machine and nothing else: %p", (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});
