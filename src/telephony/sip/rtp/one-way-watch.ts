// Whether the line is deaf: five seconds after the answer nothing has come from the peer. Time on hold does not count.

const ONE_WAY_AFTER_MS = 5_000;

export interface OneWayWatch {
  answered(receivedSoFar: number): void;
  /** Whether the peer has said that it sends. */
  expectAudio(isExpected: boolean): void;
  isOneWay(received: number): boolean;
}

export function createOneWayWatch(nowMs: () => number): OneWayWatch {
  let receivedAtAnswer: number | null = null;
  /** Milliseconds since the answer in which audio was due, up to `countedUntilMs`. */
  let dueMs = 0;
  let countedUntilMs = 0;
  let isExpected = true;

  function count(): void {
    const now = nowMs();
    if (receivedAtAnswer !== null && isExpected) dueMs += now - countedUntilMs;
    countedUntilMs = now;
  }

  return {
    answered(receivedSoFar) {
      count();
      receivedAtAnswer ??= receivedSoFar;
    },
    expectAudio(expected) {
      count();
      isExpected = expected;
    },
    isOneWay(received) {
      count();
      return receivedAtAnswer !== null && received <= receivedAtAnswer && dueMs >= ONE_WAY_AFTER_MS;
    },
  };
}
