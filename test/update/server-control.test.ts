// Which systemd unit a process belongs to, and what operators' commands come to.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOwnedByPackage } from "../../src/update/installed-package.ts";
import { byCommands, unitIn } from "../../src/update/server-control.ts";
import { rejectionOf, tempFolder } from "../support/temp.ts";

describe("the unit of a process", () => {
  test.each([
    ["0::/system.slice/ringward.service\n", "ringward.service"],
    ["0::/system.slice/system-ringward.slice/ringward@main.service\n", "ringward@main.service"],
    ["12:pids:/system.slice/x\n0::/system.slice/ringward.service\n", "ringward.service"],
    ["0::/user.slice/user-1000.slice/session-2.scope\n", null],
    ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.service\n", null],
    ["0::/\n", null],
    ["", null],
  ])("in %p is %p", (cgroup, unit) => {
    expect(unitIn(cgroup)).toBe(unit);
  });
});

test("a command that fails says its exit code and its words", async () => {
  const control = byCommands("echo no such thing >&2; exit 3", "true");
  expect((await rejectionOf(control.stop())).message).toMatch(/failed \(exit code 3\): no such thing$/);
  await control.start();
});

test("an executable of the Debian package is known by dpkg's list", () => {
  const root = tempFolder();
  expect(isOwnedByPackage("/usr/bin/ringward", root)).toBe(false);
  mkdirSync(join(root, "var/lib/dpkg/info"), { recursive: true });
  writeFileSync(join(root, "var/lib/dpkg/info/ringward.list"), "/.\n/usr/bin\n/usr/bin/ringward\n");
  expect(isOwnedByPackage("/usr/bin/ringward", root)).toBe(true);
  expect(isOwnedByPackage("/usr/local/bin/ringward", root)).toBe(false);
});
