import { describe, expect, test } from "bun:test";
import {
  createCredentials,
  WRONG_PASSWORD,
  ASKED_BY_STRANGER,
  OTHER_REALM,
} from "../../../../src/telephony/sip/trunk/credentials.ts";
import {
  authorization,
  digestResponse,
  nextNonce,
  parseChallenge,
  strongest,
  type Challenge,
} from "../../../../src/telephony/sip/trunk/digest.ts";
import { request, response } from "../message/messages.ts";

describe("published examples:", () => {
  // RFC 7616, section 3.9.1; RFC 8760 takes the same computation into SIP.
  const HEADER = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    `nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
  const INPUT = {
    username: "Mufasa",
    password: "Circle of Life",
    method: "GET",
    uri: "/dir/index.html",
    nonceCount: 1,
    clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
  };
  test.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ])("RFC 7616 with %s", (algorithm, expected) => {
    expect(digestResponse(parseChallenge(HEADER(algorithm))!, INPUT)).toBe(expected);
  });

  // RFC 2617, section 3.5.
  const OLD = { ...INPUT, password: "Circle Of Life", clientNonce: "0a4f113b" };
  const OLD_CHALLENGE: Challenge = {
    realm: "testrealm@host.com",
    nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
    opaque: "5ccc069c403ebaf9f0171e9517f40e41",
    algorithm: "MD5",
    qop: "auth",
    isStale: false,
  };
  test("RFC 2617", () => {
    expect(digestResponse(OLD_CHALLENGE, OLD)).toBe("6629fae49393a05397450978507c4ef1");
  });

  test("RFC 2069: no qop, no count, no client nonce", () => {
    const challenge = { ...OLD_CHALLENGE, qop: null };
    expect(digestResponse(challenge, OLD)).toBe("670fd8c2df070c60b045671b8b24ff02");
    expect(authorization(challenge, OLD)).not.toContain("cnonce");
  });
});

test("a challenge that we cannot answer is none", () => {
  expect(parseChallenge(`Basic realm="x"`)).toBeNull();
  expect(parseChallenge(`Digest realm="x", nonce="y", algorithm=SHA-512-256`)).toBeNull();
  expect(parseChallenge(`Digest realm="x", nonce="y", qop="auth-int"`)).toBeNull();
  expect(parseChallenge(`Digest realm="x"`)).toBeNull();
});

test("of several challenges the strongest is answered", () => {
  const challenges = ["MD5", "SHA-256"].map((name) =>
    parseChallenge(`Digest realm="r", nonce="n", algorithm=${name}`)!,
  );
  expect(strongest(challenges)!.algorithm).toBe("SHA-256");
});

test("commas and semicolons inside quotes are text", () => {
  const challenge = parseChallenge(`Digest realm="a, b; \\"c\\"", nonce="n=1,2;3", stale=TRUE`)!;
  expect(challenge).toMatchObject({ realm: `a, b; "c"`, nonce: "n=1,2;3", isStale: true });
  expect(nextNonce(`qop=auth, nextnonce="x,y"`)).toBe("x,y");
});

describe("an account", () => {
  const HOME = { address: "192.0.2.1" };
  const OTHER_HOME = { address: "192.0.2.2" };
  const STRANGER = { address: "203.0.113.9" };
  const challenge = (nonce: string, more = "", realm = "r") =>
    response(401, { extra: `WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}", qop="auth"${more}\n` });
  const account = () =>
    createCredentials(
      { username: "u", password: "p" },
      () => "random",
      (address) => address !== STRANGER.address,
    );
  const signed = (credentials: ReturnType<typeof account>, to = HOME) => {
    const draft = request("REGISTER");
    credentials.sign(draft, to);
    return draft;
  };

  test("counts the uses of a nonce and starts again with the next one", () => {
    const credentials = account();
    expect(signed(credentials).headers.get("authorization")).toBeUndefined();
    expect(credentials.challenged(challenge("one"), request("REGISTER"), HOME)).toBeNull();
    expect(signed(credentials).headers.get("authorization")).toContain(`nonce="one"`);
    const second = signed(credentials);
    expect(second.headers.get("authorization")).toContain("nc=00000002");
    credentials.accepted(response(200, { extra: `Authentication-Info: nextnonce="two"\n` }), second, HOME);
    const third = signed(credentials).headers.get("authorization");
    expect(third).toContain(`nonce="two"`);
    expect(third).toContain("nc=00000001");
  });

  test("answers a stale nonce again, and takes the same nonce twice for a wrong password", () => {
    const credentials = account();
    credentials.challenged(challenge("one"), request("REGISTER"), HOME);
    const sent = signed(credentials);
    expect(credentials.challenged(challenge("one", ", stale=true"), sent, HOME)).toBeNull();
    expect(credentials.challenged(challenge("one"), sent, HOME)).toBe(WRONG_PASSWORD);
  });

  test("answers a server and a proxy at once", () => {
    const credentials = account();
    credentials.challenged(challenge("one"), request("REGISTER"), HOME);
    const proxys = response(407, { extra: `Proxy-Authenticate: Digest realm="p", nonce="two"\n` });
    credentials.challenged(proxys, request("REGISTER"), HOME);
    const { headers } = signed(credentials);
    expect(headers.get("authorization")).toContain(`realm="r"`);
    expect(headers.get("proxy-authorization")).toContain(`realm="p"`);
  });

  test("without a name says what to configure", () => {
    const nobody = createCredentials(
      null,
      () => "random",
      () => true,
    );
    expect(nobody.challenged(challenge("one"), request("REGISTER"), HOME)).toContain("Set its username and secret");
  });

  test("shows one host nothing that another of the trunk's asked for, and a stranger nothing at all", () => {
    const credentials = account();
    credentials.challenged(challenge("one"), request("REGISTER"), HOME);
    expect(signed(credentials, OTHER_HOME).headers.get("authorization")).toBeUndefined();
    expect(credentials.challenged(challenge("his"), request("BYE"), STRANGER)).toBe(ASKED_BY_STRANGER);
    expect(signed(credentials, STRANGER).headers.get("authorization")).toBeUndefined();
    expect(signed(credentials).headers.get("authorization")).toContain(`nonce="one"`);
  });

  test("takes any realm until one was right, and that one alone from then on", () => {
    const credentials = account();
    credentials.challenged(challenge("one", "", "first"), request("REGISTER"), HOME);
    credentials.accepted(response(403), signed(credentials), HOME);
    expect(credentials.challenged(challenge("two", "", "second"), request("REGISTER"), HOME)).toBeNull();
    credentials.accepted(response(200), signed(credentials), HOME);
    expect(credentials.challenged(challenge("three", "", "first"), request("REGISTER"), HOME)).toBe(OTHER_REALM);
    expect(credentials.challenged(challenge("three", "", "first"), request("REGISTER"), OTHER_HOME)).toBe(OTHER_REALM);
    expect(signed(credentials).headers.get("authorization")).toContain(`realm="second"`);
  });
});
