// When a session ends or is locked, every tab of the browser drops what it shows. Leaving is loading the page anew:
// nothing of a patient stays in the page, in its memory or in the address. A page with something unsaved is put aside
// instead.
import { useEffect } from "preact/hooks";
import { isAside } from "./aside.tsx";
import { api, call } from "./client.ts";
import { hasUnsaved } from "./unsaved.ts";

type News = "signed-in" | "signed-out" | "locked" | "unlocked";

/** What the page does about it; it knows whose it is. */
export interface Doors {
  /** The session has ended, and something here is not saved. */
  askToSignIn: () => void;
  lock: () => void;
  /** Somebody is signed in again, or has opened the lock: in another tab or here. */
  somebodyIsBack: () => void;
}

const tabs = new BroadcastChannel("ringward-session");
/** For sessions that end by age, or that were ended elsewhere. Asking is not use: it does not prolong the session. */
const CHECK_EVERY_MS = 60_000;

/** After signing in or out in this tab: the others follow. */
export function tellOtherTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  tabs.postMessage(news);
}

let isLeaving = false;

/**
 * The address keeps the page, but not what was searched for there. Once: this tab's own stream and the other tabs tell
 * of the same end, and a page that is sent away while it is on its way has crashed Chromium.
 */
export function leave(path = location.pathname): void {
  if (isLeaving) return;
  isLeaving = true;
  // Somebody may have kept the page: then it is sent away at the next check.
  setTimeout(() => (isLeaving = false), CHECK_EVERY_MS);
  document.documentElement.hidden = true;
  location.replace(path);
}

/** For the page that shows what only somebody signed in may see, or the door before it. */
export function useSessionEnd(isSomebodyIn: boolean, doors: Doors): void {
  useEffect(() => {
    const ended = () => {
      if (hasUnsaved()) doors.askToSignIn();
      else leave();
    };
    const hear = ({ data }: MessageEvent<News>) => {
      if (data === "locked") {
        if (isSomebodyIn) doors.lock();
      } else if (isAside()) {
        if (data === "signed-out") ended();
        else doors.somebodyIsBack();
      } else if (data === "signed-out") {
        if (isSomebodyIn) ended();
      } else {
        // Somebody else may have signed in: what is shown is not theirs.
        leave();
      }
    };
    tabs.addEventListener("message", hear);
    return () => tabs.removeEventListener("message", hear);
  }, [isSomebodyIn]);

  useEffect(() => {
    if (!isSomebodyIn) return;
    const refused = () => {
      if (isAside()) return;
      tellOtherTabs("signed-out");
      if (hasUnsaved()) doors.askToSignIn();
      else leave();
    };
    const check = () => {
      call(api.welcome.get()).then(
        ({ signed_in, locked }) => {
          if (!signed_in) refused();
          else if (locked) doors.lock();
        },
        // Out of reach for a moment: whether the session has ended is not known.
        () => {},
      );
    };
    const seen = () => {
      if (!document.hidden) check();
    };
    const timer = setInterval(check, CHECK_EVERY_MS);
    window.addEventListener("ringward:signed-out", refused);
    window.addEventListener("ringward:stream-refused", check);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      window.removeEventListener("ringward:signed-out", refused);
      window.removeEventListener("ringward:stream-refused", check);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [isSomebodyIn]);
}

/** A page that the browser keeps for its Back button is kept empty, and loads anew when it comes back. */
export function keepNothingForBack(): void {
  window.addEventListener("pagehide", ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
