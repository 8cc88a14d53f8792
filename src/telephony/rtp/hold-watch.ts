// Detects hold from the peer's SDP and reports changes.

export interface HoldWatch {
  /** Called with each SDP: whether we may send. */
  negotiated(maySend: boolean): void;
  /** Single listener. */
  onHold(listener: (isHeld: boolean) => void): void;
}

export function createHoldWatch(): HoldWatch {
  let isHeld = false;
  let tell: (isHeld: boolean) => void = () => {};
  return {
    negotiated(maySend) {
      if (isHeld !== maySend) return;
      isHeld = !maySend;
      tell(isHeld);
    },
    onHold: (listener) => void (tell = listener),
  };
}
