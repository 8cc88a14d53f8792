// The share of lost speech, reported to the listener with each frame.
import { expect, test } from "bun:test";
import { createHoles } from "../../../src/voice/turns/holes.ts";
import { audioOf, drivenCall, sdpNaming } from "./driven-call.ts";

const PEER = { address: "127.0.0.1", port: 5_000 };
const SSRC = 7;
const VALUE = 0x40;

const whole = (frame: number) => audioOf(VALUE, SSRC, frame);

function listened() {
  let lost = 0;
  const holes = createHoles();
  const call = drivenCall({
    onHeard(_, __, frames) {
      lost += frames;
      holes.tick(frames);
    },
  });
  call.stream.negotiated(sdpNaming(PEER));
  return { call, heard: () => ({ lost, hasHole: holes.since(0) }) };
}

/** A second of talk, what `send` makes of the next 20 frames, and another second. */
function told(send: (frame: number, rtp: (bytes: Uint8Array) => void) => void) {
  const { call, heard } = listened();
  const rtp = (bytes: Uint8Array) => call.rtp(PEER, bytes);
  for (let frame = 0; frame < 120; frame++) {
    if (frame >= 50 && frame < 70) send(frame, rtp);
    else rtp(whole(frame));
    call.tick();
  }
  return heard();
}

test("is nothing where everything arrives", () => {
  expect(told((frame, rtp) => rtp(whole(frame)))).toEqual({ lost: 0, hasHole: false });
});

test("is each packet that was lost, and a few of them are no hole", () => {
  expect(told((frame, rtp) => frame % 4 !== 0 && rtp(whole(frame)))).toEqual({ lost: 5, hasHole: false });
  expect(told((frame, rtp) => (frame < 55 || frame > 58) && rtp(whole(frame)))).toEqual({ lost: 4, hasHole: false });
});

test("is a hole where a short word was lost, however long it is", () => {
  for (const length of [5, 8, 15]) {
    const lost = told((frame, rtp) => (frame < 52 || frame >= 52 + length) && rtp(whole(frame)));
    expect(lost).toEqual({ lost: length, hasHole: true });
  }
});

test("is a hole where the beginning of a word came too late to be played", () => {
  const held: Uint8Array[] = [];
  const late = told((frame, rtp) => {
    held.push(whole(frame));
    if (frame === 69) for (const bytes of held) rtp(bytes);
  });
  // Five until it is known that the stream is late; and as much as it is late is given up afterwards, to be on time
  // again.
  expect(late).toEqual({ lost: 20, hasHole: true });
});

test("is a hole where we gave up a part to catch up with who speaks", () => {
  const { call, heard } = listened();
  for (let frame = 0; frame < 200; frame++) {
    if (frame < 50) call.rtp(PEER, whole(frame));
    else call.rtp(PEER, whole(frame + 12));
    // From here on, everything comes a quarter of a second earlier.
    if (frame === 50) for (let early = 50; early < 62; early++) call.rtp(PEER, whole(early));
    call.tick();
  }
  expect(heard()).toEqual({ lost: 12, hasHole: true });
});

test("is nothing where the other side was silent and sent nothing", () => {
  const { call, heard } = listened();
  for (let frame = 0; frame < 120; frame++) {
    const isPause = frame >= 50 && frame < 70;
    if (!isPause) call.rtp(PEER, audioOf(VALUE, SSRC, frame < 50 ? frame : frame - 20, frame));
    call.tick();
  }
  expect(heard()).toEqual({ lost: 0, hasHole: false });
});
