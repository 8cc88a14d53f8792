// Whether the peer holds us, as its SDP tells: told whenever it changes.

export interface HoldWatch {
  /** By each SDP: whether we may send. */
  negotiated(maySend: boolean): void;
  /** One listener. */
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
