import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  canonicalAddress,
  formatIp,
  isOfKind,
  kindOf,
  parseIp,
  parseZonedIp,
  type AddressKind,
} from "../../src/net/addresses.ts";

/** Both ends of every range, and the neighbours outside. */
const KINDS: Readonly<Record<AddressKind, readonly string[]>> = {
  public: [
    "1.0.0.0",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "2001:200::",
    "2001:4860:4860::8888",
    "2001:db7::1",
    "2001:db9::1",
    "2003::1",
    "2606:4700::1",
    "3ffe::1",
    "3fff:1000::",
    "64:ff9b::8.8.8.8",
    "::ffff:8.8.8.8",
  ],
  loopback: ["127.0.0.0", "127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"],
  private: [
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.168.0.0",
    "192.168.255.255",
    "::ffff:10.0.0.1",
    "::ffff:c0a8:1",
    "64:ff9b::192.168.1.1",
  ],
  "unique-local": ["fc00::", "fd00::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  metadata: [
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "100.100.100.200",
    "168.63.129.16",
  ],
  "link-local": [
    "169.254.0.0",
    "169.254.169.253",
    "169.254.255.255",
    "fe80::",
    "fe80::1",
    "febf:ffff::1",
    "::ffff:169.254.0.1",
  ],
  "carrier-grade NAT": ["100.64.0.0", "100.127.255.255", "::ffff:100.64.0.1"],
  multicast: ["224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "ffff::1"],
  broadcast: ["255.255.255.255", "::ffff:255.255.255.255"],
  unspecified: ["0.0.0.0", "0.255.255.255", "::", "::ffff:0.0.0.0"],
  benchmarking: ["198.18.0.0", "198.19.255.255", "2001:2::", "2001:2:0:ffff::1"],
  documentation: [
    "192.0.2.0",
    "198.51.100.255",
    "203.0.113.7",
    "2001:db8::",
    "2001:db8:ffff::1",
    "3fff::1",
    "3fff:fff::1",
  ],
  discard: ["100::", "100::ffff:ffff:ffff:ffff"],
  "site-local": ["fec0::", "feff::1"],
  tunnel: [
    "192.88.99.1",
    "2001::1",
    "2001:0:7f00:1::",
    "2002::",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "64:ff9b:1::",
    "64:ff9b:1:ffff::1",
  ],
  reserved: [
    "192.0.0.0",
    "192.0.0.192",
    "240.0.0.0",
    "255.255.255.254",
    "::2",
    "::7f00:1",
    "::8.8.8.8",
    "::ffff:0:7f00:1",
    "64:ff9b::1:0:0",
    "64:ff9b:2::1",
    "100:0:0:1::",
    "2001:10::1",
    "2001:20::1",
    "2001:1ff:ffff::1",
    "1fff::1",
    "4000::1",
    "5f00::1",
    "fbff::1",
    "fe00::1",
    "fe7f::1",
  ],
};

describe.each(Object.entries(KINDS))("addresses of the kind %s", (kind, addresses) => {
  test.each(addresses.map((address) => [address]))("%s", (address) => {
    expect(kindOf(parseIp(address)!)).toBe(kind as AddressKind);
  });
});

describe("what is no address", () => {
  test.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "01.2.3.4",
    "0x7f.0.0.1",
    "1.2.3.4 ",
    "1.2.3.4.",
    "１.2.3.4",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8:9",
    "12345::",
    "g::1",
    "fe80::1%eth0",
    "::1.2.3",
    "1.2.3.4::",
    "::1.2.3.4:5",
    ":1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:",
    "[::1]",
  ])("%p", (text) => expect(parseIp(text)).toBeNull());
});

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
/** Half of them from the ranges that matter, or nearly all would be public. */
const tellingIpv4 = fc.oneof(
  ipv4,
  fc.tuple(
    fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255),
    fc.nat(255),
    fc.nat(255),
    fc.nat(255),
  ),
);

function spellings([a, b, c, d]: readonly [number, number, number, number]): string[] {
  const value = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const octal = (n: number) => `0${n.toString(8)}`;
  const hex = (n: number) => `0x${n.toString(16)}`;
  const dotted = `${a}.${b}.${c}.${d}`;
  const fullWidth = dotted.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  return [
    dotted,
    `${dotted}.`,
    String(value),
    hex(value),
    hex(value).toUpperCase(),
    octal(value),
    [a, b, c, d].map(octal).join("."),
    [a, b, c, d].map(hex).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    fullWidth,
    dotted.replaceAll(".", "。"),
    dotted.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    `[::ffff:${dotted}]`,
    `[::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
    `[0:0:0:0:0:FFFF:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
    `[64:ff9b::${dotted}]`,
  ];
}

test("an IPv4 address is of one kind in every spelling that a URL may hold", () => {
  fc.assert(
    fc.property(tellingIpv4, (parts) => {
      const kinds = spellings(parts).map((host) => {
        const { hostname } = new URL(`https://${host}/`);
        return kindOf(parseIp(hostname.replace(/^\[(.*)\]$/, "$1"))!);
      });
      expect(new Set(kinds)).toEqual(new Set([kindOf(Uint8Array.from(parts))]));
    }),
    { numRuns: 500 },
  );
});

test("what is written of an address reads as the same address", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        ipv4.map((parts) => Uint8Array.from(parts)),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
      ),
      (bytes) => {
        const again = parseIp(formatIp(bytes))!;
        expect(kindOf(again)).toBe(kindOf(bytes));
        expect(formatIp(again)).toBe(
          parseIp(formatIp(bytes))!.length === bytes.length ? formatIp(bytes) : bytes.subarray(12).join("."),
        );
      },
    ),
  );
});

describe("as the system tells it", () => {
  test("an address is read without the interface that stands beside it", () => {
    expect(parseZonedIp("fe80::1%eth0")).toEqual(parseIp("fe80::1"));
    expect(parseZonedIp("192.0.2.1")).toEqual(parseIp("192.0.2.1"));
    expect(parseIp("fe80::1%eth0")).toBeNull();
    expect(parseZonedIp("eth0")).toBeNull();
  });

  test("an address is of a kind, however it is written; what is none is of no kind", () => {
    expect(isOfKind(["private", "link-local"], "::ffff:10.1.2.3")).toBe(true);
    expect(isOfKind(["private", "link-local"], "fe80::1%eth0")).toBe(true);
    expect(isOfKind(["private", "link-local"], "127.0.0.1")).toBe(false);
    expect(isOfKind(["private", "public"], "hospital.example")).toBe(false);
  });

  test("two spellings of one address become the same text, and a name stays a name", () => {
    expect(canonicalAddress("2001:DB8:0:0::1")).toBe(canonicalAddress("2001:db8::0:1"));
    expect(canonicalAddress("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(canonicalAddress("PBX.hospital.example")).toBe("pbx.hospital.example");
    expect(canonicalAddress("fe80::1%eth0")).toBe("fe80::1%eth0");
  });
});
