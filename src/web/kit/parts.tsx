// Small components that every page uses.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Loaded } from "../data.ts";
import { plainFault } from "../plain-fault.ts";
import { common } from "../words.ts";
import { Skeleton, type SkeletonShape } from "./skeleton.tsx";

type ButtonProps = Omit<JSX.IntrinsicElements["button"], "label" | "children" | "onClick"> & {
  label: ComponentChildren;
  kind?: "plain" | "primary" | "danger" | "quiet";
  busy?: boolean;
  onClick?: (event: MouseEvent) => unknown;
};

export function Button({ label, kind = "plain", busy = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      onClick={(event) => void onClick?.(event)}
      class={`button ${kind}`}
      disabled={Boolean(rest.disabled) || busy}
      aria-busy={busy}
    >
      {label}
    </button>
  );
}

interface LinkButtonProps {
  href: string;
  label: string;
  kind?: "plain" | "primary";
  class?: string;
  download?: boolean;
  target?: "_blank";
  rel?: string;
  "aria-label"?: string;
  "aria-current"?: "date" | undefined;
}

/** A link that looks like a button. */
export function LinkButton({ label, kind = "plain", class: more = "", ...rest }: LinkButtonProps) {
  return (
    <a {...rest} class={`button ${kind} ${more}`.trim()}>
      {label}
    </a>
  );
}

const TONES: Record<string, string> = {
  down: "bad",
  failed: "bad",
  exhausted: "bad",
  cancelled: "muted",
  revoked: "muted",
  off: "muted",
  CLOSED: "muted",
  expired: "muted",
  disallowed: "warn",
  held: "warn",
  no_show: "warn",
  resting: "warn",
  initiated: "live",
  ringing: "live",
  in_progress: "live",
};

/** Colour marks what needs a person, and is never the only signal: the badge contains text. */
export function Badge({ state, text }: { state: string; text: string }) {
  return <span class={`badge ${TONES[state] ?? ""}`.trim()}>{text}</span>;
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          <div class="actions">{actions}</div>
        </header>
      )}
      {children}
    </section>
  );
}

export interface PageHeadProps {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
}

export function PageHead({ title, note, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · ${common.appName}`;
  }, [title]);
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {note !== undefined && <p class="note">{note}</p>}
      </div>
      <div class="actions">{actions}</div>
    </div>
  );
}

/** Shows the state of fetched data: loading, error, empty, or the data itself. */
export function Shown<T>({
  from,
  as,
  empty,
  isEmpty,
  children,
}: {
  from: Loaded<T>;
  /** Shape of the placeholder while loading. */
  as?: SkeletonShape;
  empty?: ComponentChildren;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ComponentChildren;
}) {
  if (from.data !== null) {
    return (
      <>
        <Problem text={from.error} onRetry={from.reload} />
        {isEmpty?.(from.data) ? <div class="empty">{empty}</div> : children(from.data)}
      </>
    );
  }
  if (from.error !== null) return <Problem text={from.error} onRetry={from.reload} />;
  return <Skeleton {...(as === undefined ? {} : { shape: as })} />;
}

/** An error; renders nothing without one. */
export function Problem({ text, onRetry }: { text: string | null; onRetry?: () => void }) {
  if (text === null) return null;
  return (
    <div class="problem" role="alert">
      <span>{plainFault(text)}</span>
      {onRetry && <Button onClick={onRetry} label={common.tryAgain} />}
    </div>
  );
}

export type Fact = readonly [label: string, value: ComponentChildren];

/** False, null and an empty string are skipped. */
export function Facts({ rows }: { rows: readonly (Fact | false | null | "")[] }) {
  return (
    <dl class="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
