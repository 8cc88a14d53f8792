// Browser script of the share page: seeks by transcript line, follows the recording, shows times in the local zone.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

tellLocalTimes();

const audio = document.querySelector("audio");
if (audio) followTranscript(audio);

function tellLocalTimes(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const format = new Intl.DateTimeFormat(document.documentElement.lang === "hi" ? "hi-IN" : "en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  for (const place of document.querySelectorAll<HTMLElement>(".local")) {
    const { at = "", words = "" } = place.dataset;
    place.textContent = words
      .replace("{time}", format.format(new Date(at)))
      .replace("{zone}", timeZone.replaceAll("_", " "));
  }
}

export interface Line {
  element: HTMLElement;
  atSeconds: number;
}

function followTranscript(audio: HTMLAudioElement): void {
  const lines: Line[] = [...document.querySelectorAll<HTMLElement>(".transcript > li")].map((element) => ({
    element,
    atSeconds: Number(element.dataset["at"]),
  }));
  const backButton = document.querySelector<HTMLElement>("#back-to-line");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let current: HTMLElement | undefined;
  /** The reader has scrolled the spoken line out of view. */
  let isAway = false;
  /** The page itself is scrolling to the spoken line. */
  let isGliding = false;

  /** Top of the visible area: below the player once it sticks to the top of the screen. */
  function ceiling(): number {
    const { top = 0, bottom = 0 } = audio.closest(".player")?.getBoundingClientRect() ?? {};
    return top < innerHeight / 2 ? Math.max(0, bottom) : 0;
  }

  function isInView(element: HTMLElement, how: "partly" | "wholly"): boolean {
    const { top, bottom } = element.getBoundingClientRect();
    return how === "partly" ? bottom > ceiling() && top < innerHeight : top >= ceiling() && bottom <= innerHeight;
  }

  function setAway(away: boolean): void {
    isAway = away;
    if (backButton) backButton.hidden = !away || audio.paused;
  }

  function reveal(): void {
    setAway(false);
    if (!current || isInView(current, "wholly")) return;
    isGliding = true;
    current.scrollIntoView({ block: "center", behavior: calm.matches ? "instant" : "smooth" });
  }

  function mark(): void {
    // A seek may land slightly before its target if the recording has no sample at exactly that time.
    const now = audio.currentTime + 0.05;
    const spoken = lines.findLast(({ atSeconds }) => atSeconds <= now)?.element;
    if (spoken === current) return;
    current?.removeAttribute("aria-current");
    current = spoken;
    current?.setAttribute("aria-current", "true");
    if (!isAway) reveal();
  }

  function playFrom(line: Line): void {
    audio.currentTime = line.atSeconds;
    mark();
    reveal();
    // If the browser blocks playback, the player's own button remains.
    audio.play().catch(() => undefined);
  }

  for (const line of lines) {
    line.element.addEventListener("click", (event) => {
      const wantsNewTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      const isSelecting = getSelection()?.isCollapsed === false;
      if (wantsNewTab || isSelecting) return;
      event.preventDefault();
      playFrom(line);
    });
  }

  audio.addEventListener("timeupdate", mark);
  audio.addEventListener("seeking", mark);
  audio.addEventListener("play", () => {
    mark();
    reveal();
  });
  audio.addEventListener("pause", () => setAway(isAway));
  backButton?.addEventListener("click", reveal);

  addEventListener("scroll", () => {
    if (current && !isGliding) setAway(!isInView(current, "partly"));
  });
  addEventListener("scrollend", () => (isGliding = false));
  // A scroll gesture of the reader stops the page's own smooth scrolling, which the browser would continue otherwise.
  for (const gesture of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    addEventListener(
      gesture,
      () => {
        if (isGliding) scrollTo({ top: scrollY, behavior: "instant" });
        isGliding = false;
      },
      { passive: true },
    );
  }
  document.body.classList.add("with-script");
}
