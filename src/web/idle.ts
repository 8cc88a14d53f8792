// Idle lock: an unattended ward computer asks for the password, so that passers-by see no patient data. Activity in any
// tab counts for all tabs.
import { useEffect } from "preact/hooks";

const TOUCHED = "ringward-touched-at";
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
/** Throttles mouse events. */
const NOTE_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

export function noteTouch(): void {
  localStorage.setItem(TOUCHED, String(Date.now()));
}

/**
 * 0 minutes disables the lock. A page opened long after the last activity, for example after a night, locks at once.
 */
export function useIdleLock(minutes: number, lock: () => void): void {
  useEffect(() => {
    if (minutes === 0) return;
    let notedAt = 0;
    const touched = () => {
      if (Date.now() - notedAt < NOTE_EVERY_MS) return;
      notedAt = Date.now();
      noteTouch();
    };
    const look = () => {
      const last = Number(localStorage.getItem(TOUCHED) ?? Date.now());
      if (Date.now() - last >= minutes * MINUTE_MS) lock();
    };
    if (localStorage.getItem(TOUCHED) === null) noteTouch();
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    for (const kind of TOUCHES) window.addEventListener(kind, touched, { passive: true });
    return () => {
      clearInterval(timer);
      for (const kind of TOUCHES) window.removeEventListener(kind, touched);
    };
  }, [minutes]);
}
