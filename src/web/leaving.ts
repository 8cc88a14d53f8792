// End and lock of a session in all tabs of the browser. Leaving reloads the page, so that no patient data stays in the
// page, in its memory or in the URL. A page with unsaved input is set aside instead.
import { useEffect } from "preact/hooks";
import { isAside } from "./aside.tsx";
import { api, call } from "./client.ts";
import { hasUnsaved } from "./unsaved.ts";

type News = "signed-in" | "signed-out" | "locked" | "unlocked";

/** Reactions of the page, which knows its own user. */
export interface Doors {
  /** The session has ended, and the page has unsaved input. */
  askToSignIn: () => void;
  lock: () => void;
  /** Someone signed in or unlocked, in this tab or another. */
  somebodyIsBack: () => void;
}

const tabs = new BroadcastChannel("ringward-session");
/** For sessions that expire or are ended elsewhere. The check does not extend the session. */
const CHECK_EVERY_MS = 60_000;

/** Called after signing in or out in this tab; the other tabs follow. */
export function tellOtherTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  tabs.postMessage(news);
}

let isLeaving = false;

/**
 * Reloads the page without its search parameters. Runs only once: this tab's stream and the other tabs report the same
 * end, and a second navigation during the first has crashed Chromium.
 */
export function leave(path = location.pathname): void {
  if (isLeaving) return;
  isLeaving = true;
  // The user may have cancelled the navigation. Then the next check repeats it.
  setTimeout(() => (isLeaving = false), CHECK_EVERY_MS);
  document.documentElement.hidden = true;
  location.replace(path);
}

/** For pages that need a session, and for the sign-in page. */
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
        // Another person may have signed in, who must not see this page.
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
        // Not reachable: the state of the session is unknown.
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

/** Hides a page that enters the back/forward cache, and reloads it when it returns. */
export function keepNothingForBack(): void {
  window.addEventListener("pagehide", ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
