// Icons of the project, drawn on a grid of 24 with one stroke width, in the colour of the text beside them.

const DRAWINGS = {
  today: "M9.5 5.5H20M9.5 12H20M9.5 18.5H20M3.5 5.5l1.3 1.3 2.4-2.6M3.5 12l1.3 1.3 2.4-2.6M3.5 18.5l1.3 1.3 2.4-2.6",
  overview: "M3.5 20.5h17M6.5 17v-5M12 17V5M17.5 17V9",
  calls:
    "M5.5 4h3.3l1.7 4.6-2.2 1.7a12 12 0 0 0 5.4 5.4l1.7-2.2 4.6 1.7v3.3a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 4 5.6 1.5 1.5 0 0 1 5.5 4Z",
  campaigns: "M4 10v4l11 4.5v-13L4 10ZM18 9a4.2 4.2 0 0 1 0 6M7 15.3V19a1 1 0 0 0 1 1h1.5a1 1 0 0 0 1-1v-2.2",
  people:
    "M9 11.5a3.7 3.7 0 1 0 0-7.4 3.7 3.7 0 0 0 0 7.4ZM2.5 20a6.5 6.5 0 0 1 13 0M15.8 4.5a3.7 3.7 0 0 1 0 6.7M18 14.3a6.5 6.5 0 0 1 3.5 5.7",
  appointments:
    "M8 2v4m8-4v4M3 9h18M5 4h14a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm4 11 2 2 4-4",
  calendar: "M4.5 6h15v14h-15ZM4.5 10.5h15M8.5 3.5V8M15.5 3.5V8",
  agents: "M4.5 14.5V12a7.5 7.5 0 0 1 15 0v2.5M4.5 14h3v5.5h-2a1 1 0 0 1-1-1ZM19.5 14h-3v5.5h2a1 1 0 0 0 1-1Z",
  developers: "M8 7.5 3.5 12 8 16.5M16 7.5l4.5 4.5-4.5 4.5M13.5 5l-3 14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  settings:
    "M4 7.5h8.5M18.5 7.5H20M4 16.5h1.5M11.5 16.5H20M15.5 10.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.5 19.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
} as const;

export type IconName = keyof typeof DRAWINGS;

/** Decorative: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** The logo, same as the favicon. */
export function Mark() {
  return <img class="mark" src="/favicon.svg" alt="" width={32} height={32} />;
}
