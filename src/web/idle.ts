// A computer of the ward that nobody touches asks for the password: whoever passes by sees no patient. Touching any tab
// counts for all of them.
import { useEffect } from "preact/hooks";

const TOUCHED = "ringward-touched-at";
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
/** A note at every move of the mouse would be too many. */
const NOTE_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

export function noteTouch(): void {
  localStorage.setItem(TOUCHED, String(Date.now()));
}

/** 0 minutes never lock. A page that is opened long after the last touch, as after a night, locks at once. */
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
