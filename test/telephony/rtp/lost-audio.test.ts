// A peer whose audio stops during a call is gone: the call ends.
import { expect, test } from "bun:test";
import { audioOf, drivenCall, reportOf, sdpNaming } from "./driven-call.ts";

const PEER = { address: "192.0.2.10", port: 4_000 };
const LIMIT_MS = 20_000;
const LIMIT_FRAMES = LIMIT_MS / 20;
/** A call looks every 100 ms, at what came and at how long ago that was. */
const LOOKS = 10;

function talkingCall({ limitMs = LIMIT_MS, answered = true } = {}) {
  const call = drivenCall();
  let lost = 0;
  let sequence = 0;
  call.stream.onAudioLost(limitMs, () => lost++);
  call.stream.negotiated(sdpNaming(PEER));
  if (answered) call.stream.answered();
  return {
    ...call,
    lost: () => lost,
    says: () => call.rtp(PEER, audioOf(0x11, 5, sequence++)),
    pass: (frames: number) => {
      for (let i = 0; i < frames; i++) call.tick();
    },
  };
}

test("it is told when nothing has come for as long as the setting says, and each time when as long again has passed", () => {
  const call = talkingCall();
  call.says();
  call.pass(LIMIT_FRAMES - LOOKS);
  expect(call.lost()).toBe(0);
  call.pass(2 * LOOKS);
  expect(call.lost()).toBe(1);
  call.pass(2 * LIMIT_FRAMES);
  expect(call.lost()).toBe(3);
});

test("each packet begins the wait anew, and so does each report: a silent peer may send nothing else", () => {
  const call = talkingCall();
  call.says();
  for (let i = 0; i < 5; i++) {
    call.pass(LIMIT_FRAMES - 2 * LOOKS);
    if (i % 2 === 0) call.says();
    else call.rtcp({ ...PEER, port: 4_001 }, reportOf(5, false));
  }
  expect(call.lost()).toBe(0);
});

test("strangers' packets keep no call alive", () => {
  const call = talkingCall();
  call.says();
  for (let i = 0; i < LIMIT_FRAMES + LOOKS; i++) {
    call.rtp({ address: "203.0.113.9", port: 4_000 }, audioOf(0x55, 5, i));
    call.rtcp({ address: "203.0.113.9", port: 4_001 }, reportOf(5, true));
    call.tick();
  }
  expect(call.lost()).toBe(1);
});

test("a peer that never sent anything is deaf or mute, but not gone; nor is one that does not answer yet", () => {
  const mute = talkingCall();
  mute.pass(3 * LIMIT_FRAMES);
  const ringing = talkingCall({ answered: false });
  ringing.says();
  ringing.pass(3 * LIMIT_FRAMES);
  expect([mute.lost(), ringing.lost()]).toEqual([0, 0]);
  ringing.stream.answered();
  ringing.pass(LIMIT_FRAMES + LOOKS);
  expect(ringing.lost()).toBe(1);
});

test.each(["sendonly", "recvonly", "inactive"] as const)(
  "while the peer holds us by %s the clock stands",
  (direction) => {
    const call = talkingCall();
    call.says();
    call.stream.negotiated(sdpNaming(PEER, { direction }));
    call.pass(5 * LIMIT_FRAMES);
    call.stream.negotiated(sdpNaming(PEER));
    call.pass(LIMIT_FRAMES - LOOKS);
    expect(call.lost()).toBe(0);
    call.pass(2 * LOOKS);
    expect(call.lost()).toBe(1);
  },
);

test("a machine that was suspended for a minute hangs up no call", () => {
  const call = talkingCall();
  call.says();
  call.pass(10);
  call.stall(60_000);
  call.pass(10);
  expect(call.lost()).toBe(0);
});

test("0 never gives up", () => {
  const call = talkingCall({ limitMs: 0 });
  call.says();
  call.pass(10 * LIMIT_FRAMES);
  expect(call.lost()).toBe(0);
});

test("after a failed transfer the peer must send sooner; once it has, the usual limit applies", () => {
  const gone = talkingCall();
  gone.says();
  gone.pass(100);
  gone.stream.expectAudioWithin(5_000);
  gone.pass(250 - LOOKS);
  expect(gone.lost()).toBe(0);
  gone.pass(2 * LOOKS);
  expect(gone.lost()).toBe(1);

  const back = talkingCall();
  back.says();
  back.stream.expectAudioWithin(5_000);
  back.pass(100);
  back.says();
  back.pass(LIMIT_FRAMES - LOOKS);
  expect(back.lost()).toBe(0);
});

test("the shorter limit does not apply to a peer that never sent, is on hold, or may stay silent", () => {
  const calls = [talkingCall(), talkingCall(), talkingCall({ limitMs: 0 })];
  for (const call of calls.slice(1)) call.says();
  calls[1]!.stream.negotiated({ ...sdpNaming(PEER), direction: "sendonly" });
  for (const call of calls) {
    call.stream.expectAudioWithin(5_000);
    call.pass(500);
  }
  expect(calls.map((call) => call.lost())).toEqual([0, 0, 0]);
});
