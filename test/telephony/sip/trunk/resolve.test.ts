// Resolution of a trunk's host: NAPTR, SRV, addresses, their order, limits and lifetime.
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../../../src/core/clock.ts";
import { RefusedAddress, resolveTrunk, type LookupMeans } from "../../../../src/telephony/sip/trunk/resolve.ts";
import { bySrvOrder } from "../../../../src/telephony/sip/trunk/srv-order.ts";
import { canReach } from "../../../../src/telephony/sip/transport/addresses.ts";
import { createTrunkRefusal } from "../../../../src/trunks/trunk-addresses.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { dnsLeadingTo, scriptedDns, type Zone } from "./scripted-dns.ts";

const TARGET = { host: "trunk.example", port: 0, transport: "udp" } as const;

function means(zone: Zone, overrides: Partial<LookupMeans> = {}): LookupMeans {
  return {
    clock: systemClock,
    resolver: scriptedDns(zone),
    refusal: () => null,
    random: () => 0,
    canReach: () => true,
    ...overrides,
  };
}

async function places(target: Parameters<typeof resolveTrunk>[0], with_: LookupMeans): Promise<string[]> {
  const { hosts } = await resolveTrunk(target, with_);
  return hosts.map(({ address, port }) => `${address} ${port}`);
}

const ZONE: Zone = {
  addresses: {
    "trunk.example": ["192.0.2.1"],
    "a.example": ["192.0.2.10"],
    "b.example": ["192.0.2.20", "2001:DB8:0:0:0:0:0:2"],
  },
  srv: { "_sip._udp.trunk.example": ["20 1 5070 a.example", "10 1 5080 b.example"] },
};

describe("a trunk's host is looked up:", () => {
  test.each([
    ["an address as it is", { host: "192.0.2.9", port: 0, transport: "tls" }, ["192.0.2.9 5061"]],
    ["IPv6 in its one spelling", { host: "2001:DB8:0::0009", port: 5070, transport: "udp" }, ["2001:db8::9 5070"]],
    ["IPv4 that is written as IPv6", { host: "::ffff:192.0.2.9", port: 0, transport: "udp" }, ["192.0.2.9 5060"]],
    ["a name with a port by its address alone", { ...TARGET, port: 5062 }, ["192.0.2.1 5062"]],
    ["SRV, best priority first, IPv4 and IPv6", TARGET, ["192.0.2.20 5080", "2001:db8::2 5080", "192.0.2.10 5070"]],
    ["without SRV by its address", { ...TARGET, transport: "tcp" }, ["192.0.2.1 5060"]],
    ["with TLS at the port of TLS", { ...TARGET, transport: "tls" }, ["192.0.2.1 5061"]],
  ] as const)("%s", async (_, target, expected) => {
    expect(await places(target, means(ZONE))).toEqual([...expected]);
  });

  test("a port in the settings asks for neither NAPTR nor SRV", async () => {
    const dns = scriptedDns(ZONE);
    await places({ ...TARGET, port: 5062 }, means({}, { resolver: dns }));
    expect(dns.asked).toEqual(["addresses trunk.example"]);
  });

  test("NAPTR leads to other SRV names, those of the trunk's own transport alone, in its own order", async () => {
    const zone: Zone = {
      ...ZONE,
      naptr: {
        "trunk.example": [
          "10 5 s SIPS+D2T _sips._tcp.carrier.example",
          "10 10 s SIP+D2U _sip._udp.empty.example",
          "20 10 s SIP+D2U _sip._udp.late.example",
          "10 20 S sip+d2u _sip._udp.carrier.example",
          "1 1 u SIP+D2U _sip._udp.late.example",
          "1 1 s E2U+sip _sip._udp.late.example",
        ],
      },
      srv: {
        ...ZONE.srv,
        "_sip._udp.carrier.example": ["1 1 5090 a.example"],
        "_sip._udp.late.example": ["1 1 5099 b.example"],
        "_sips._tcp.carrier.example": ["1 1 5091 a.example"],
      },
    };
    expect(await places(TARGET, means(zone))).toEqual(["192.0.2.10 5090"]);
    expect(await places({ ...TARGET, transport: "tls" }, means(zone))).toEqual(["192.0.2.10 5091"]);
    expect(await places({ ...TARGET, transport: "tcp" }, means(zone))).toEqual(["192.0.2.1 5060"]);
  });

  test('a lone "." says that there is no such service, and the host itself is not asked instead', async () => {
    const zone = { ...ZONE, srv: { "_sip._udp.trunk.example": ["0 0 0 ."] } };
    await expect(resolveTrunk(TARGET, means(zone))).rejects.toThrow("it takes no calls over UDP");
  });

  test("one dead server does not hide the others, and is named", async () => {
    const found = await resolveTrunk(TARGET, means({ ...ZONE, failing: ["b.example"] }));
    expect(found.hosts.map(({ address }) => address)).toEqual(["192.0.2.10"]);
    expect(found).toMatchObject({ isCertain: true, silentNames: ["b.example"] });
  });

  test("where SRV or NAPTR cannot be asked, the host itself is taken, and it is said that this is a guess", async () => {
    for (const failing of ["_sip._udp.trunk.example", "trunk.example"]) {
      const zone = { ...ZONE, failing: [failing], srv: {}, addresses: { "trunk.example": ["192.0.2.1"] } };
      const resolver = scriptedDns(zone);
      const { addresses } = dnsLeadingTo("192.0.2.1");
      const found = await resolveTrunk(TARGET, means({}, { resolver: { ...resolver, addresses } }));
      expect(found).toMatchObject({ isCertain: false, hosts: [{ address: "192.0.2.1", port: 5060 }] });
    }
  });

  test("a resolver that never answers holds it for nine seconds at most", async () => {
    const clock = createManualClock();
    const silent = ["trunk.example", "_sip._udp.trunk.example"];
    const looking = resolveTrunk(TARGET, means({ ...ZONE, silent }, { clock }));
    let reason = "";
    void looking.catch((error: unknown) => (reason = String(error)));
    await clock.advance(9_000);
    expect(reason).toContain("no address");
  });

  test("however much DNS says, eight servers and sixteen places are the most", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `h${i}.example`);
    const many = Array.from({ length: 60 }, (_, i) => `192.0.2.${i + 1}`);
    const dns = scriptedDns({
      srv: { "_sip._udp.trunk.example": names.map((name, i) => `${i} 1 5060 ${name}`) },
      addresses: Object.fromEntries(
        names.map((name, i) => [name, many.map((address) => address.replace("192.0", `10.${i}`))]),
      ),
      naptr: { "trunk.example": names.map((name, i) => `${i} 1 s SIP+D2U _sip._udp.${name}`) },
    });
    const found = await places(TARGET, means({}, { resolver: dns }));
    expect(found).toHaveLength(16);
    expect(new Set(found.map((place) => place.split(".")[1]))).toEqual(new Set(["0", "1"]));
    expect(dns.asked.length).toBeLessThanOrEqual(2 + 4 + 8);
  });

  test.each([
    [120, 120_000],
    [0, 30_000],
    [604_800, 3_600_000],
    [null, 300_000],
  ])("what is kept for %p s by DNS is kept for %p ms", async (ttlSeconds, keepMs) => {
    expect(await resolveTrunk(TARGET, means({ ...ZONE, ttlSeconds }))).toMatchObject({ keepMs });
  });

  test("addresses that our sockets cannot send to are left out, and where none is left it is said why", async () => {
    const onlyIpv4 = { canReach: (address: string) => canReach("0.0.0.0", address) };
    expect(await places(TARGET, means(ZONE, onlyIpv4))).toEqual(["192.0.2.20 5080", "192.0.2.10 5070"]);
    const zone = { addresses: { "trunk.example": ["2001:db8::1"] } };
    await expect(resolveTrunk(TARGET, means(zone, onlyIpv4))).rejects.toThrow('"::" listens on both');
    for (const own of ["::", "::1", "2001:db8::5"]) expect(canReach(own, "2001:db8::1")).toBeTrue();
    expect(canReach("::", "192.0.2.1")).toBeTrue();
    expect(canReach("::1", "192.0.2.1")).toBeFalse();
  });
});

describe("servers of one priority are tried by lot (RFC 2782):", () => {
  const record = (name: string, priority: number, weight: number) => ({
    name,
    port: 5060,
    priority,
    weight,
    ttlSeconds: null,
  });

  test("the heavier, the more often first; a server without weight now and then", () => {
    const records = [record("light", 1, 10), record("heavy", 1, 30), record("none", 1, 0), record("spare", 2, 1_000)];
    // A fixed row of lots stands for chance: 410 of them, spread evenly.
    const firsts = Array.from({ length: 410 }, (_, i) => {
      const order = bySrvOrder(records, () => i / 410);
      expect(order.map(({ name }) => name).toSorted()).toEqual(["heavy", "light", "none", "spare"]);
      expect(order[3]!.name).toBe("spare");
      return order[0]!.name;
    });
    const count = (name: string) => firsts.filter((first) => first === name).length;
    expect([count("none"), count("light"), count("heavy")]).toEqual([10, 100, 300]);
  });
});

describe("a trunk's name that leads to where no trunk may be", () => {
  const target = { host: "trunk.example", port: 5060, transport: "udp" } as const;
  const at = (addresses: string[], opened: string[] = []) =>
    means({}, { resolver: dnsLeadingTo(...addresses), refusal: createTrunkRefusal(opened) });

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "fe80::1%eth0", "169.254.169.254", "192.0.2.1 127.0.0.1"])(
    "is refused: %s",
    async (addresses) => {
      await expect(resolveTrunk(target, at(addresses.split(" ")))).rejects.toThrow(RefusedAddress);
    },
  );

  test("is refused though SRV and NAPTR led there, and whatever port they name", async () => {
    const zone: Zone = {
      naptr: { "trunk.example": ["1 1 s SIP+D2U _sip._udp.other.example"] },
      srv: { "_sip._udp.other.example": ["1 1 5060 ok.example", "2 1 22 inner.example"] },
      addresses: { "ok.example": ["192.0.2.1"], "inner.example": ["127.0.0.1"] },
    };
    const looking = resolveTrunk({ ...target, port: 0 }, means(zone, { refusal: createTrunkRefusal([]) }));
    await expect(looking).rejects.toThrow(RefusedAddress);
  });

  test("is taken where the settings open the name or the address, and metadata never is", async () => {
    for (const opened of ["trunk.example", "127.0.0.1", "127.0.0.0/8"])
      expect((await resolveTrunk(target, at(["127.0.0.1"], [opened]))).hosts).toHaveLength(1);
    await expect(resolveTrunk(target, at(["169.254.169.254"], ["trunk.example"]))).rejects.toThrow("metadata");
  });

  test("is refused at the look at which it does so, though the one before was fine", async () => {
    expect(await places(target, at(["10.0.0.5"]))).toEqual(["10.0.0.5 5060"]);
    await expect(resolveTrunk(target, at(["127.0.0.1"]))).rejects.toThrow(RefusedAddress);
  });

  test.each(["10.0.0.0/8", "224.0.0.1", "8.8.8.8", "169.254.169.254", "http://pbx", ""])(
    "cannot be opened by an entry that opens nothing: %p",
    (entry) => {
      expect(() => createTrunkRefusal([entry])).toThrow();
    },
  );
});
