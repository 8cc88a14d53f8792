// An unconfigured proxy is detected and logged once an hour.
import { expect, test } from "bun:test";
import { HOUR_MS } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createProxyNotice } from "../../src/http/proxy-notice.ts";
import { rememberRequest } from "../../src/http/request-info.ts";
import { createManualClock } from "../support/manual-clock.ts";

function createNotice(addressHeader = "") {
  const clock = createManualClock();
  const lines: string[] = [];
  const logger = createLogger(clock, "debug", (line) => void lines.push(line));
  const notice = createProxyNotice({ clock, logger, addressHeader });
  const look = (source: string, headers: Record<string, string>) => {
    const request = new Request("http://localhost/dashboard/api/login", { headers });
    rememberRequest(request, { id: "req_1", source: () => source });
    notice.look(request);
  };
  return { clock, lines, look };
}
const FORWARDED = { "x-forwarded-for": "203.0.113.5" };

test("a proxy on this machine or network is logged with its header, once an hour, without an address", () => {
  const { clock, lines, look } = createNotice();
  for (let i = 0; i < 50; i++) look("127.0.0.1", FORWARDED);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("server.client_address_header");
  expect(lines[0]).toContain('"header":"x-forwarded-for"');
  expect(lines[0]).not.toMatch(/203\.0\.113\.5|127\.0\.0\.1/);
  clock.jump(HOUR_MS);
  look("10.0.0.7", { forwarded: "for=203.0.113.5" });
  expect(lines).toHaveLength(2);
});

test.each(["127.0.0.1", "::1", "::ffff:10.1.2.3", "172.20.0.1", "192.168.1.1", "fd00::1", "fe80::1"])(
  "%s can be one's own proxy",
  (source) => {
    const { lines, look } = createNotice();
    look(source, { "x-real-ip": "203.0.113.5" });
    expect(lines).toHaveLength(1);
  },
);

test("nothing is said of strangers who send the header, of direct requests, nor where the setting is there", () => {
  const open = createNotice();
  open.look("203.0.113.5", FORWARDED);
  open.look("172.32.0.1", FORWARDED);
  open.look("127.0.0.1", {});
  const set = createNotice("x-forwarded-for");
  set.look("127.0.0.1", FORWARDED);
  expect([...open.lines, ...set.lines]).toEqual([]);
});
