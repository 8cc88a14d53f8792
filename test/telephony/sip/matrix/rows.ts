// The rows of the compatibility matrix. To add one, add an entry with its words and a function for each peer that can
// show it; `./scripts/write-matrix` then writes the handbook's table.
import { CODECS } from "../../../../src/audio/codec.ts";
import { expect } from "bun:test";
import { heardByPeer, heardByUs } from "../../../support/impaired-call.ts";
import { bringIpv6Loopback } from "../../../support/ipv6.ts";
import { BAD_NETWORK } from "../../../support/impaired-network.ts";
import { speechLike } from "../../../support/sounds.ts";
import { until } from "../../../support/until.ts";
import { group, type Row } from "./row.ts";
import { firstHostIs, isInTheOtherInternet } from "./with-hosts.ts";
import * as baresip from "./with-baresip.ts";
import * as script from "./with-script.ts";
import * as sipp from "./with-sipp.ts";

const ACCOUNT = { username: "ward", secret: "s3cret" };
const answeredTo = (statuses: readonly string[], outcome: string): Row["with"] => ({
  scripted: script.refusesWith(statuses, outcome),
  sipp: sipp.refusesWith(statuses, outcome),
});

const RESPONSES = group("Responses", {
  "486, 600: `busy`": answeredTo(["486 Busy Here", "600 Busy Everywhere"], "busy"),
  "a person who puts the ringing telephone down: `busy`": {
    async baresip() {
      const { phone, run } = await baresip.withPhone({ answers: "manual" });
      run.invite();
      await run.heard("call_1 ringing");
      await phone.hangUp();
      expect(await run.ended()).toMatchObject({ by: "peer", outcome: "busy", sipCode: 486 });
    },
  },
  "408, 480, 487: `no_answer`": answeredTo(
    ["480 Temporarily Unavailable", "408 Request Timeout", "487 Request Terminated"],
    "no_answer",
  ),
  "404, 484, 604: `invalid_number`": answeredTo(
    ["404 Not Found", "484 Address Incomplete", "604 Does Not Exist Anywhere"],
    "invalid_number",
  ),
  "403, 603: `rejected`": answeredTo(["403 Forbidden", "603 Decline"], "rejected"),
  "488, 500, 503, 302: `carrier_error`": answeredTo(
    ["503 Service Unavailable", "488 Not Acceptable Here", "500 Server Internal Error", "302 Moved Temporarily"],
    "carrier_error",
  ),
  "none at all: `infrastructure_error`": { scripted: script.saysNothing },
});

const talksIn = (codec: "PCMA" | "PCMU") => async () => {
  const call = await baresip.withPhone({ codec });
  await baresip.callsAndTalks(call);
  expect(call.agreed).toMatchObject([{ codec }]);
};

/** That words are heard both ways at 16 kHz is for baresip-wideband.test.ts to show. */
const talksWide = async () => {
  const call = await baresip.withPhone({ codec: "G722" });
  call.run.invite({ codecOrder: CODECS });
  await call.run.heard("call_1 answered");
  call.stream.answered();
  expect(call.agreed).toMatchObject([{ codec: "G722" }]);
  await until(() => call.stream.stats().receivedPackets > 50);
};

const AUDIO = group("Audio", {
  "G.711 A-law and µ-law, by SDP": {
    async scripted() {
      await script.speaks("PCMA", 8)();
      await script.speaks("PCMU", 0)();
    },
    async sipp() {
      await sipp.weHangUp("answer", {}, {}, "PCMA")();
      await sipp.weHangUp("early-media", {}, {}, "PCMU")();
    },
  },
  "G.711 A-law, words heard both ways": { baresip: talksIn("PCMA") },
  "G.711 µ-law, words heard both ways": { baresip: talksIn("PCMU") },
  "G.722, 16 kHz": { baresip: talksWide },
  "keys as telephone-event": {
    async baresip() {
      const call = await baresip.withPhone();
      await baresip.answered(call);
      await until(() => call.stream.stats().receivedPackets > 10);
      await call.phone.press("159#");
      await until(() => call.keys.length >= 4);
      expect(call.keys.join("")).toBe("159#");
    },
  },
  "keys by INFO": {
    sipp: sipp.itHangsUp("requests-inside", (run) => expect(run.events).toContain("call_1 key 5")),
  },
  "3 % loss, 50 ms jitter, disorder, copies, both ways": {
    async scripted() {
      const [ours, theirs] = [speechLike(5, 1), speechLike(5, 2)];
      expect(heardByUs(theirs, BAD_NETWORK).match.correlation).toBeGreaterThan(0.95);
      expect(heardByPeer(ours, BAD_NETWORK).match.correlation).toBeGreaterThan(0.95);
    },
  },
});

const TRANSPORTS = group("Transports", {
  "UDP, we call": {
    scripted: script.weCallOverUdp,
    sipp: sipp.weHangUp("answer"),
    baresip: async () => baresip.callsAndTalks(await baresip.withPhone()),
  },
  "UDP, it calls": {
    scripted: script.itCallsOverUdp,
    sipp: sipp.itCallsUs("udp"),
    baresip: async () => baresip.isCalled(await baresip.withPhone(), (port) => `sip:+911140000000@127.0.0.1:${port}`),
  },
  "UDP over IPv6, we call": {
    scripted: isInTheOtherInternet,
    async baresip() {
      await bringIpv6Loopback();
      await baresip.callsAndTalks(await baresip.withPhone({ address: "::1" }));
    },
  },
  "TCP, we call": {
    sipp: sipp.weHangUp("answer", { transport: "tcp" }),
    baresip: async () => baresip.callsAndTalks(await baresip.withPhone({}, { transport: "tcp" })),
  },
  "TCP, it calls": {
    sipp: sipp.itCallsUs("tcp"),
    baresip: async () =>
      baresip.isCalled(
        await baresip.withPhone({}, { transport: "tcp" }),
        (port) => `sip:+911140000000@127.0.0.1:${port};transport=tcp`,
      ),
  },
  "TLS, we call": {
    scripted: script.weCallOverTls,
    baresip: async () => baresip.callsAndTalks(await baresip.withPhone({}, { transport: "tls" })),
  },
  "TLS, it calls over our connection": { scripted: script.itCallsOverTls },
});

const ENCRYPTION = group("Encryption", {
  "`required`: encrypted": {
    scripted: script.encrypts("required", true, true),
    async baresip() {
      const call = await baresip.withPhone({ encryption: "srtp-mand" }, { transport: "tls", srtp: "required" });
      await baresip.callsAndTalks(call);
      expect(call.stream.stats().encryption).toMatchObject({ isWhole: true });
    },
  },
  "`preferred`, and it has none: in clear": {
    scripted: script.encrypts("preferred", false, false),
    async baresip() {
      const call = await baresip.withPhone({}, { transport: "tls", srtp: "preferred" });
      await baresip.callsAndTalks(call);
      expect(call.stream.stats().encryption).toBeNull();
    },
  },
  "`required`, and it has none: no call": {
    scripted: script.encrypts("required", false, null),
    async baresip() {
      const { run } = await baresip.withPhone({}, { transport: "tls", srtp: "required" });
      run.invite();
      expect(await run.ended()).toMatchObject({ outcome: "carrier_error" });
    },
  },
});

const NAT = group("NAT", {
  "another address than its SDP's, `symmetric_rtp`: heard": {
    scripted: script.talksFromAfar({ symmetricRtp: true, isHeard: true }),
  },
  "the same over the bad network: heard": {
    scripted: script.talksFromAfar({ symmetricRtp: true, isHeard: true, network: BAD_NETWORK }),
  },
  "without `symmetric_rtp`: not heard, and warned of": {
    scripted: script.talksFromAfar({ symmetricRtp: false, isHeard: false }),
  },
});

const holdsAndResumes = (isEncrypted: boolean) => async () => {
  const call = await baresip.withPhone(
    isEncrypted ? { encryption: "srtp-mand" } : {},
    isEncrypted ? { transport: "tls", srtp: "required" } : {},
  );
  await baresip.answered(call);
  await call.phone.hold();
  await until(() => call.agreed.length === 2);
  await call.phone.resume();
  await until(() => call.agreed.length === 3);
  expect(call.agreed.map(({ direction }) => direction)).toEqual(["sendrecv", "sendonly", "sendrecv"]);
  await baresip.hears(call);
  await baresip.hungUp(call);
};

const HOLDS = group("Holds", {
  "it holds and resumes, with another codec": {
    sipp: sipp.itHangsUp("hold", ({ negotiated }) =>
      expect(negotiated.map(({ codec, direction }) => `${codec} ${direction}`)).toEqual([
        "PCMA sendrecv",
        "PCMA sendonly",
        "PCMU sendrecv",
      ]),
    ),
  },
  "it holds and resumes, and is heard again": { baresip: holdsAndResumes(false) },
  "the same, encrypted": { baresip: holdsAndResumes(true) },
});

const sendsOn = (answers: "auto" | "manual", state: string) => async () => {
  const { run } = await baresip.withPhone();
  const operator = await baresip.anotherPhone({ number: "operator", answers });
  run.invite();
  await run.heard("call_1 answered");
  run.agent.refer("call_1", operator.uri);
  if (answers === "manual") {
    await operator.told("CALL_INCOMING");
    await operator.hangUp();
  }
  await until(() => run.transfers.some((progress) => ["answered", "refused"].includes(progress.state)));
  expect(run.transfers.at(-1)).toMatchObject({ state });
};

const TRANSFERS = group("Transfers", {
  "to a person who answers": {
    sipp: sipp.transfersTo("SIP/2.0 200 OK", "answered"),
    baresip: sendsOn("auto", "answered"),
  },
  "to one who is busy": {
    sipp: sipp.transfersTo("SIP/2.0 486 Busy Here", "refused"),
    baresip: sendsOn("manual", "refused"),
  },
  "it takes no REFER: the call goes on": { sipp: sipp.takesNoRefer },
  "it hands the call to another telephone (Replaces)": { scripted: script.isHandedOn },
});

const SIGNALLING = group("Signalling", {
  "the host that DNS SRV prefers": { scripted: firstHostIs("there") },
  "that one silent: the next host": { scripted: firstHostIs("silent") },
  "registration, with a digest, and back": { sipp: sipp.registers },
  "OPTIONS, asked and answered": { sipp: sipp.isAsked },
  "digest with MD5, and a stale nonce": { sipp: sipp.weHangUp("stale-nonce", {}, ACCOUNT) },
  "digest with SHA-256": { scripted: script.asksForSha256 },
  "it hangs up": { scripted: script.itHangsUpOverUdp, sipp: sipp.itHangsUp("answer-then-hang-up") },
  "reliable ringing (100rel, PRACK)": {
    sipp: async () => {
      await sipp.weHangUp("reliable-ringing")();
      await sipp.itCallsUs("udp", "call-us-reliably")();
    },
  },
  "early media (183), and an answer without SDP": { sipp: sipp.weHangUp("early-media") },
  "nobody answers: CANCEL, `no_answer`": { sipp: sipp.nobodyAnswers },
  "it calls and gives up (CANCEL)": { sipp: sipp.givesUp },
  "it calls, and every line is busy: 486": { sipp: sipp.findsAllBusy },
  "forked calls": { sipp: sipp.forks },
  "session timers": { sipp: sipp.itHangsUp("refreshed-by-peer") },
});

export const ROWS: readonly Row[] = [
  ...RESPONSES,
  ...AUDIO,
  ...TRANSPORTS,
  ...ENCRYPTION,
  ...NAT,
  ...HOLDS,
  ...TRANSFERS,
  ...SIGNALLING,
];
