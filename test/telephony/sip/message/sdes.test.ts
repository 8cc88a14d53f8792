// SDES keys in SDP (RFC 4568): accepted lines, chosen media, and the reason of each refusal.
import { describe, expect, test } from "bun:test";
import { EncryptionRefusal } from "../../../../src/telephony/sip/message/parse-error.ts";
import { parseCryptoLine } from "../../../../src/telephony/sip/message/sdes.ts";
import { createOfferAnswer } from "../../../../src/telephony/sip/call/offer-answer.ts";
import type { MediaKeys } from "../../../../src/telephony/sip/call/user-agent-port.ts";
import type { SrtpPolicy } from "../../../../src/trunks/trunk-settings.ts";

/** RFC 4568, section 6.1. */
const KEY = "WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz";
const OTHER_KEY = "PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR";
const LONG = "AES_CM_128_HMAC_SHA1_80";
const SHORT = "AES_CM_128_HMAC_SHA1_32";

describe("a crypto line is", () => {
  test.each([
    [`crypto:1 ${LONG} inline:${KEY}`, { tag: 1, suite: LONG, key: KEY }],
    [`crypto:2 ${SHORT} inline:${KEY}|2^20`, { tag: 2, suite: SHORT, key: KEY }],
    [`crypto:7 aes_cm_128_hmac_sha1_80 inline:${KEY}|1048576 WSH=128`, { tag: 7, suite: LONG, key: KEY }],
    [`crypto:1  ${LONG}   inline:${KEY} -FUTURE=1`, { tag: 1, suite: LONG, key: KEY }],
  ])("taken: %s", (line, taken) => {
    expect(parseCryptoLine(line)).toEqual(taken as never);
  });

  test.each([
    ["another suite", `crypto:1 AES_256_CM_HMAC_SHA1_80 inline:${KEY}`],
    ["a key identifier", `crypto:1 ${LONG} inline:${KEY}|2^20|1:4`],
    ["a key identifier without a lifetime", `crypto:1 ${LONG} inline:${KEY}|1:4`],
    ["two keys", `crypto:1 ${LONG} inline:${KEY}|1:4;inline:${OTHER_KEY}|2:4`],
    ["a short key", `crypto:1 ${LONG} inline:${KEY.slice(0, 36)}`],
    ["a long key", `crypto:1 ${LONG} inline:${KEY}AAAA`],
    ["no base64", `crypto:1 ${LONG} inline:${KEY.slice(0, 39)}!`],
    ["reports in clear", `crypto:1 ${LONG} inline:${KEY} UNENCRYPTED_SRTCP`],
    ["no tags", `crypto:1 ${LONG} inline:${KEY} UNAUTHENTICATED_SRTP`],
    ["keys derived again and again", `crypto:1 ${LONG} inline:${KEY} KDR=1`],
    ["no tag", `crypto: ${LONG} inline:${KEY}`],
    ["another way to give the key", `crypto:1 ${LONG} uri:${KEY}`],
  ])("left: %s", (_, line) => {
    expect(parseCryptoLine(line)).toBeNull();
  });
});

function side(srtp: SrtpPolicy) {
  const keys: (MediaKeys | null)[] = [];
  let made = 0;
  const media = createOfferAnswer({
    media: {
      localAddress: "192.0.2.1",
      localPort: 40_000,
      negotiated: (remote) => keys.push(remote.keys),
    },
    codecOrder: ["PCMA", "PCMU"],
    externalAddress: null,
    ownAddress: () => "192.0.2.1",
    trust: () => ({ trunkAddresses: [], symmetricRtp: false }),
    sessionId: 1,
    srtp,
    randomKey: () => `own${++made}`,
  });
  return { media, keys };
}

const sdp = (...media: string[]) =>
  ["v=0", "o=x 1 1 IN IP4 192.0.2.9", "s=-", "c=IN IP4 192.0.2.9", "t=0 0", ...media, ""].join("\r\n");
const line = (suite: string, { tag = 1, key = KEY } = {}) => `a=crypto:${tag} ${suite} inline:${key}`;
const SECURE = "m=audio 5000 RTP/SAVP 8";
const PLAIN = "m=audio 5000 RTP/AVP 8";
const mediaLines = (body: Buffer) =>
  body
    .toString()
    .split("\r\n")
    .filter((text) => /^m=|^a=crypto/.test(text));

describe("we offer", () => {
  test("nothing of it where it is off", () => {
    expect(mediaLines(side("off").media.offer(true))).toEqual(["m=audio 40000 RTP/AVP 8 0 101"]);
  });

  test.each(["preferred", "required"] as const)("SRTP with a key for each suite where it is %s", (srtp) => {
    const { media } = side(srtp);
    const offered = [
      "m=audio 40000 RTP/SAVP 8 0 101",
      "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:own1",
      "a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:own2",
    ];
    expect(mediaLines(media.offer(true))).toEqual(offered);
    // Asked again, for a challenge or a timer: the same.
    expect(mediaLines(media.offer(true))).toEqual(offered);
  });

  test("in clear once a peer has refused, where it is preferred alone", () => {
    const { media } = side("preferred");
    media.offer(true);
    expect(media.giveUpEncryption()).toBeTrue();
    expect(mediaLines(media.offer(true))).toEqual(["m=audio 40000 RTP/AVP 8 0 101"]);
    expect(media.giveUpEncryption()).toBeFalse();
    const strict = side("required").media;
    strict.offer(true);
    expect(strict.giveUpEncryption()).toBeFalse();
  });

  test("keys beside plain RTP, without a way to fall back to plain RTP", () => {
    const { media, keys } = side("preferred");
    expect(mediaLines(media.offer())[0]).toBe("m=audio 40000 RTP/AVP 8 0 101");
    expect(mediaLines(media.offer())).toHaveLength(3);
    media.accept(sdp(PLAIN));
    expect(keys).toEqual([null]);
  });
});

describe("an answer", () => {
  test("chooses one of our keys, which later offers say again alone", () => {
    const { media, keys } = side("required");
    media.offer(true);
    media.accept(sdp(SECURE, line(SHORT, { tag: 2 })));
    expect(keys).toEqual([{ suite: SHORT, ours: "own2", theirs: KEY }]);
    expect(mediaLines(media.offer())).toEqual([
      "m=audio 40000 RTP/SAVP 8 0 101",
      "a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:own2",
    ]);
    // An answer with another key of its own: theirs alone changes.
    media.accept(sdp(SECURE, line(SHORT, { tag: 2, key: OTHER_KEY })));
    expect(keys[1]).toEqual({ suite: SHORT, ours: "own2", theirs: OTHER_KEY });
  });

  test("that takes a key which was not offered is refused", () => {
    const { media } = side("required");
    media.offer(true);
    expect(() => media.accept(sdp(SECURE, line(LONG, { tag: 2 })))).toThrow("not offered");
    expect(() => media.accept(sdp(SECURE, line(LONG, { tag: 9 })))).toThrow("not offered");
  });

  test("in clear is taken where encryption is preferred, and never where it is required", () => {
    for (const answer of [sdp(PLAIN), sdp(SECURE)]) {
      const { media, keys } = side("preferred");
      media.offer(true);
      media.accept(answer);
      expect(keys).toEqual([null]);
      const strict = side("required");
      strict.media.offer(true);
      expect(() => strict.media.accept(answer)).toThrow(EncryptionRefusal);
      expect(strict.keys).toEqual([]);
    }
  });

  test("with keys to an offer without them is an answer in clear", () => {
    const { media, keys } = side("off");
    media.offer(true);
    media.accept(sdp(PLAIN, line(LONG)));
    expect(keys).toEqual([null]);
  });
});

describe("an offer", () => {
  test.each([
    ["SRTP", SECURE, "m=audio 40000 RTP/SAVP 8"],
    ["plain RTP with keys", PLAIN, "m=audio 40000 RTP/AVP 8"],
  ])("of %s is answered in kind, with the first suite that both have", (_, offered, answered) => {
    const { media, keys } = side("preferred");
    const body = media.answer(sdp(offered, line("AES_256_CM_HMAC_SHA1_80"), line(SHORT, { tag: 4 }), line(LONG)));
    expect(mediaLines(body)).toEqual([answered, "a=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:own1"]);
    expect(keys).toEqual([{ suite: SHORT, ours: "own1", theirs: KEY }]);
  });

  test("of both ways is taken encrypted, in whichever order they stand", () => {
    for (const order of [
      [PLAIN, SECURE, line(LONG)],
      [SECURE, line(LONG), PLAIN],
    ]) {
      const { media, keys } = side("preferred");
      const answered = mediaLines(media.answer(sdp(...order))).filter((text) => text.startsWith("m="));
      expect(keys[0]).toMatchObject({ suite: LONG });
      expect(answered.toSorted()).toEqual(["m=audio 0 RTP/AVP 8", "m=audio 40000 RTP/SAVP 8"]);
    }
  });

  test("that holds and resumes with the same key keeps ours; one with a new key gets a new one", () => {
    const { media, keys } = side("preferred");
    media.answer(sdp(SECURE, line(LONG)));
    media.answer(sdp(SECURE, line(LONG), "a=sendonly"));
    media.answer(sdp(SECURE, line(LONG, { key: OTHER_KEY })));
    expect(keys.map((one) => `${one?.ours} ${one?.theirs}`)).toEqual([
      `own1 ${KEY}`,
      `own1 ${KEY}`,
      `own2 ${OTHER_KEY}`,
    ]);
  });

  test.each([
    ["off", sdp(SECURE, line(LONG)), "off for this trunk"],
    ["preferred", sdp(SECURE), "no key that can be used"],
    ["preferred", sdp(SECURE, `a=crypto:1 ${LONG} inline:${KEY}|2^20|1:4`), "without MKI"],
    ["required", sdp(PLAIN), "srtp = required forbids"],
    ["required", sdp(PLAIN, line("F8_128_HMAC_SHA1_80")), "srtp = required forbids"],
    [
      "preferred",
      sdp("m=audio 5000 UDP/TLS/RTP/SAVP 8", "a=fingerprint:sha-256 00"),
      "DTLS-SRTP, which is not supported",
    ],
    ["off", sdp("m=audio 5000 UDP/TLS/RTP/SAVPF 8"), "DTLS-SRTP, which is not supported"],
  ] as const)("where it is %s is refused in words", (srtp, offer, words) => {
    const { media, keys } = side(srtp);
    expect(() => media.answer(offer)).toThrow(EncryptionRefusal);
    expect(() => media.answer(offer)).toThrow(words);
    expect(keys).toEqual([]);
  });

  test("of DTLS-SRTP beside plain RTP is taken in clear, unless encryption is required", () => {
    const offer = sdp("m=audio 5000 UDP/TLS/RTP/SAVP 8", PLAIN);
    expect(mediaLines(side("preferred").media.answer(offer))[1]).toBe("m=audio 40000 RTP/AVP 8");
    expect(() => side("required").media.answer(offer)).toThrow("DTLS-SRTP");
  });
});
