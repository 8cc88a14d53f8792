// A QR code as a drawing, made in the page.
import { qrCode } from "../../core/qr-code.ts";

/** Modules of light space around it (ISO/IEC 18004, section 6.3.8). */
const QUIET = 4;

/** Renders nothing for a text that is too long; show the text beside it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrCode(text);
  if (!rows) return null;
  const size = rows.length + 2 * QUIET;
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
    .join("");
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path class="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="qr-dark" d={path} />
    </svg>
  );
}
