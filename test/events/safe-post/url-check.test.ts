import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/core/errors.ts";
import { createSafePost } from "../../../src/events/safe-post/safe-post.ts";

function faultOf(url: string, allow: readonly string[] = []): string | null {
  const safePost = createSafePost({
    allow,
    caPem: null,
    proxyUrl: null,
    resolve: () => Promise.reject(new Error("no DNS here")),
  });
  try {
    safePost.checkUrl(url);
    return null;
  } catch (error) {
    const fault = error as AppError;
    expect(fault).toBeInstanceOf(AppError);
    expect(fault.code).toBe("VALIDATION_ERROR");
    expect(fault.details).toEqual([{ field: "url", message: fault.message }]);
    return fault.message;
  }
}

describe("URLs that may be registered", () => {
  test.each([
    "https://hook.example",
    "HTTPS://Hook.Example/",
    "https://hook.example:1/",
    "https://hook.example:65535/a/b?c=d&e",
    "https://hook.example./trailing-dot",
    "https://klinik-süd.example/ü?ü",
    "https://8.8.8.8/",
    "https://[2606:4700::1]:8443/",
    "https://[64:ff9b::808:808]/",
    "https://internal_name/",
    "https://metadata.google.internal/", // only DNS can tell; the attempt is blocked then
    `https://hook.example/${"a".repeat(2_048 - 21)}`,
  ])("%s", (url) => expect(faultOf(url)).toBeNull());
});

describe("URLs that can never be sent to", () => {
  test.each([
    ["http://hook.example/", "https://"],
    ["ftp://hook.example/", "https://"],
    ["hook.example", "https://"],
    ["//hook.example/", "https://"],
    ["https:hook.example", "https://"],
    ["https:/hook.example", "https://"],
    [" https://hook.example/", "https://"],
    ["https://", "valid URL"],
    ["https:///hook.example", "valid URL"],
    ["https://?a", "valid URL"],
    ["https://user@hook.example/", "user name"],
    ["https://user:secret@hook.example/", "user name"],
    ["https://@hook.example/", "user name"],
    ["https://:@hook.example/", "user name"],
    ["https://8.8.8.8@127.0.0.1/", "user name"],
    ["https://hook.example/#", "fragment"],
    ["https://hook.example/#part", "fragment"],
    ["https://hook.example:0/", "port"],
    ["https://hook.example:65536/", "valid URL"],
    ["https://hook.example:-1/", "valid URL"],
    ["https://hook.example:abc/", "valid URL"],
    ["https://hook.exa\tmple/", "control"],
    ["https://hook.example/\r\nx: y", "control"],
    ["https://hook.example/a b", "spaces"],
    ["https://hook.example/\u0000", "control"],
    ["https:\\\\hook.example/", "https://"],
    ["https://hook.example\\@127.0.0.1/", "backslash"],
    ["https://a..b/", "DNS name"],
    ["https://hook.example../", "DNS name"],
    ["https://*.example/", "DNS name"],
    ["https://-a.example/", "DNS name"],
    [`https://${"a".repeat(64)}.example/`, "DNS name"],
    [`https://${"a.".repeat(130)}example/`, "DNS name"],
    [`https://hook.example/${"a".repeat(2_048 - 20)}`, "2048"],
    ["https://[fe80::1%25eth0]/", "valid URL"],
    ["https://[fe80::1%eth0]/", "valid URL"],
    ["https://[::1/", "valid URL"],
    ["https://1.2.3.256/", "valid URL"],
    ["https://4294967296/", "valid URL"],
    ["https://hook%00.example/", "valid URL"],
    ["https://a%2fb/", "valid URL"],
  ])("%p", (url, word) => expect(faultOf(url)).toContain(word));
});

describe("an internal address is found in every notation", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0X7F.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "127.0.1",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "167772161",
    "192.168.1.1",
    "172.16.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:1::1]",
    "[fd00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "ｌｏｃａｌｈｏｓｔ",
    "%6cocalhost",
  ])("%s", (host) => {
    expect(faultOf(`https://${host}/`)).toContain("may reach");
    expect(faultOf(`https://${host}:8443/hook`)).toContain("may reach");
  });
});

describe("addresses on the allow-list may be registered", () => {
  test.each([
    ["https://127.0.0.1/", "127.0.0.1"],
    ["https://2130706433/", "127.0.0.0/8"],
    ["https://10.1.2.3:9443/", "10.0.0.0/8"],
    ["https://[::ffff:10.1.2.3]/", "10.0.0.0/8"],
    ["https://[fd12::1]/", "fd12::/16"],
    ["https://localhost/", "localhost"],
    ["https://LocalHost./", "127.0.0.1"],
    ["https://localhost/", "::1"],
  ])("%s by %s", (url, entry) => {
    expect(faultOf(url)).not.toBeNull();
    expect(faultOf(url, [entry])).toBeNull();
  });
});
