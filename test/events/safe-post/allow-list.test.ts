import { describe, expect, test } from "bun:test";
import { parseIp } from "../../../src/net/addresses.ts";
import { refusal } from "../../../src/events/safe-post/allow-list.ts";
import { parseAllowList } from "../../../src/events/safe-post/safe-post.ts";

const isOpen = (entries: readonly string[], address: string, host = "hook.example") =>
  refusal(parseAllowList(entries), host, parseIp(address)!) === null;

describe("addresses that an entry allows", () => {
  test.each([
    [[], "8.8.8.8", true],
    [[], "10.1.2.3", false],
    [["10.1.2.3"], "10.1.2.3", true],
    [["10.1.2.3"], "10.1.2.4", false],
    [["10.1.0.0/16"], "10.1.255.255", true],
    [["10.1.0.0/16"], "10.2.0.0", false],
    [["10.1.0.0/16"], "::ffff:10.1.0.1", true],
    [["::ffff:10.1.0.1"], "10.1.0.1", true],
    [["172.16.0.0/12"], "172.31.255.255", true],
    [["127.0.0.1"], "127.0.0.1", true],
    [["127.0.0.1"], "::1", false],
    [["::1"], "::1", true],
    [["fd12:3456::/32"], "fd12:3456::9", true],
    [["fd12:3456::/32"], "fd12:3457::9", false],
    [["hook.example"], "192.168.1.1", true],
    [["HOOK.Example."], "192.168.1.1", true],
    [["example"], "192.168.1.1", false],
    [["other.example"], "192.168.1.1", false],
    [["hook.example"], "fd00::1", true],
  ] as const)("%p and %s: %p", (entries, address, opened) => expect(isOpen(entries, address)).toBe(opened));

  test("an international name is compared in its DNS form", () => {
    expect(isOpen(["Bücher.example"], "10.0.0.1", "xn--bcher-kva.example")).toBe(true);
  });
});

describe("addresses that no entry allows, neither by name nor by the widest range", () => {
  test.each([
    "169.254.169.254",
    "169.254.1.1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "::",
    "2002:a00:1::1",
    "2001::1",
    "64:ff9b:1::a00:1",
    "100::1",
    "::a00:1",
  ])("%s", (address) => expect(isOpen(["hook.example", "0.0.0.0/0", "::/0"], address)).toBe(false));
});

describe("an invalid entry is named", () => {
  test.each([
    ["10.0.0.5/8", "Write 10.0.0.0/8"],
    ["fd00::1/8", "Write fd00::/8"],
    ["10.0.0.0/33", "no address range"],
    ["10.0.0.0/", "no address range"],
    ["10.0.0.0/08", "no address range"],
    ["https://hook.example", "no address range"],
    ["hook.example/path", "no address range"],
    ["hook.example:8443", "no host name"],
    ["*.example", "no host name"],
    ["user@hook.example", "no host name"],
    ["", "no host name"],
    ["two words", "no host name"],
    ["10.1", "Write 10.0.0.1"],
    ["0x7f.1", "Write 127.0.0.1"],
    ["169.254.169.254", "opens nothing"],
    ["169.254.0.0/16", "opens nothing"],
    ["fd00:ec2::254", "opens nothing"],
    ["fe80::/10", "opens nothing"],
    ["8.8.8.8", "opens nothing"],
    ["100.64.0.0/10", "opens nothing"],
  ])("%p", (entry, message) => {
    expect(() => parseAllowList(["fine.example", entry])).toThrow(message);
    expect(() => parseAllowList([entry])).toThrow(`"${entry}"`);
  });
});
