import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SipParseError } from "../../../../src/telephony/sip/message/parse-error.ts";
import {
  buildAnswer,
  buildOffer,
  parseDescription,
  type LocalAudio,
} from "../../../../src/telephony/sip/message/sdp.ts";

const LOCAL: LocalAudio = {
  address: "192.0.2.1",
  port: 40_000,
  codecs: ["PCMA", "PCMU"],
  dtmfPayloadType: 101,
  direction: "sendrecv",
  protocol: "RTP/AVP",
  crypto: [],
  sessionId: 7,
  version: 1,
};
const ORDER = ["PCMA", "PCMU"] as const;

function sdp(media: string, session = "c=IN IP4 192.0.2.9\n"): string {
  return `v=0\no=x 1 1 IN IP4 192.0.2.9\ns=-\n${session}t=0 0\n${media}`.replaceAll("\n", "\r\n");
}

test("our offer says what we can", () => {
  expect(buildOffer(LOCAL).split("\r\n")).toEqual([
    "v=0",
    "o=ringward 7 1 IN IP4 192.0.2.1",
    "s=-",
    "c=IN IP4 192.0.2.1",
    "t=0 0",
    "m=audio 40000 RTP/AVP 8 0 101",
    "a=rtpmap:8 PCMA/8000",
    "a=rtpmap:0 PCMU/8000",
    "a=rtpmap:101 telephone-event/8000",
    "a=fmtp:101 0-15",
    "a=ptime:20",
    "a=sendrecv",
    "",
  ]);
  expect(buildOffer({ ...LOCAL, address: "2001:db8::1" })).toContain("c=IN IP6 2001:db8::1");
  const wide = buildOffer({ ...LOCAL, codecs: ["G722", "PCMA", "PCMU"] });
  expect(wide).toContain("m=audio 40000 RTP/AVP 9 8 0 101\r\na=rtpmap:9 G722/8000\r\na=rtpmap:8 PCMA/8000");
});

describe("reading:", () => {
  const audio = (media: string, isAnswer = true, session?: string) =>
    parseDescription(sdp(media, session), { order: ORDER, isAnswer, srtp: "off" }).audio;

  test("an answer is obeyed in its own order, an offer in ours", () => {
    expect(audio("m=audio 5000 RTP/AVP 0 8\n", true).codec).toBe("PCMU");
    expect(audio("m=audio 5000 RTP/AVP 0 8\n", false).codec).toBe("PCMA");
  });

  test("G.722 is taken first where both have it, by its own number or another, and G.711 where one has not", () => {
    const chosen = (media: string, isAnswer: boolean) => {
      const order = ["G722", "PCMA", "PCMU"] as const;
      const { codec, payloadType } = parseDescription(sdp(media), { order, isAnswer, srtp: "off" }).audio;
      return `${codec} ${payloadType}`;
    };
    expect(chosen("m=audio 5000 RTP/AVP 0 8 9\n", false)).toBe("G722 9");
    expect(chosen("m=audio 5000 RTP/AVP 9 8 0\n", true)).toBe("G722 9");
    expect(chosen("m=audio 5000 RTP/AVP 0 96\na=rtpmap:96 g722/8000/1\n", false)).toBe("G722 96");
    expect(chosen("m=audio 5000 RTP/AVP 0 18\n", false)).toBe("PCMU 0");
    expect(chosen("m=audio 5000 RTP/AVP 8 0\n", true)).toBe("PCMA 8");
    // The clock of RTP is 8,000, whatever the samples; a peer that means another one means another format.
    expect(chosen("m=audio 5000 RTP/AVP 96 0\na=rtpmap:96 G722/16000\n", false)).toBe("PCMU 0");
  });

  test("dynamic payload numbers and a nearer address are taken", () => {
    const media =
      "m=audio 5000 RTP/AVP 96 97\nc=IN IP4 192.0.2.77\na=rtpmap:96 pcmu/8000/1\na=rtpmap:97 telephone-event/8000\n";
    expect(audio(media)).toEqual({
      address: "192.0.2.77",
      port: 5_000,
      codec: "PCMU",
      payloadType: 96,
      dtmfPayloadType: 97,
      direction: "sendrecv",
    });
  });

  test.each([
    ["a=sendonly\n", "sendonly"],
    ["a=recvonly\n", "recvonly"],
    ["a=inactive\n", "inactive"],
    ["c=IN IP4 0.0.0.0\n", "inactive"],
    ["", "sendrecv"],
  ] as const)("%p is understood as %s", (line, direction) => {
    expect(audio(`m=audio 5000 RTP/AVP 8\n${line}`).direction).toBe(direction);
  });

  test("a direction of the whole session counts where the stream has none", () => {
    expect(audio("m=audio 5000 RTP/AVP 8\n", true, "c=IN IP4 192.0.2.9\na=sendonly\n").direction).toBe("sendonly");
  });

  test.each([
    ["no audio", "m=video 5000 RTP/AVP 31\n"],
    ["a refused stream", "m=audio 0 RTP/AVP 8\n"],
    ["SRTP alone", "m=audio 5000 RTP/SAVP 8\n"],
    ["other codecs", "m=audio 5000 RTP/AVP 18 9\n"],
    ["a number that means something else", "m=audio 5000 RTP/AVP 8\na=rtpmap:8 G729/8000\n"],
    ["a name for an address", "m=audio 5000 RTP/AVP 8\nc=IN IP4 evil.example\n"],
    ["17 streams", "m=audio 5000 RTP/AVP 8\n".repeat(17)],
  ])("%s is refused", (_, media) => {
    expect(() => audio(media)).toThrow(SipParseError);
  });

  test("whatever comes, nothing but SipParseError", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        "v=0",
        "c=IN IP4 1.2.3.4",
        "m=audio 5000 RTP/AVP 8",
        "m=audio 9 RTP/AVP",
        "a=rtpmap:8 x",
        "a=sendonly",
        "m=audio 5000 RTP/SAVP 8",
        "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:x",
        `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${"A".repeat(40)}`,
      ),
    );
    const policy = fc.constantFrom("off", "preferred", "required");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), policy, (lines, isAnswer, srtp) => {
        try {
          parseDescription(lines.join("\r\n"), { order: ORDER, isAnswer, srtp });
        } catch (error) {
          expect(error).toBeInstanceOf(SipParseError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test("an answer keeps the peer's streams in order and refuses what is not ours", () => {
  const offer = sdp(
    "m=video 6000 RTP/AVP 31\nm=audio 5000 RTP/AVP 18 98 99\na=rtpmap:98 PCMU/8000\na=rtpmap:99 telephone-event/8000\na=sendonly\n",
  );
  const answer = buildAnswer(LOCAL, parseDescription(offer, { order: ORDER, isAnswer: false, srtp: "off" }));
  expect(answer.split("\r\n").slice(5)).toEqual([
    "m=video 0 RTP/AVP 31",
    "m=audio 40000 RTP/AVP 98 99",
    "a=rtpmap:98 PCMU/8000",
    "a=rtpmap:99 telephone-event/8000",
    "a=fmtp:99 0-15",
    "a=ptime:20",
    "a=recvonly",
    "",
  ]);
});
