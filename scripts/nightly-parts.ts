// The parts of ./scripts/nightly: each is a command that exits with 0 on success.

export interface Part {
  name: string;
  about: string;
  /** Relative to the root of the checkout. SEED is replaced by this night's seed. */
  command: readonly string[];
  /** Uses dist/ringward, which is built first. */
  needsBuild?: true;
  /** Has no goal: its figures are in its log. */
  isMeasurement?: true;
}

export const BUILD: Part = { name: "build", about: "both executables", command: ["./scripts/build"] };

export const PARTS: readonly Part[] = [
  BUILD,
  {
    name: "seed",
    about: "unit tests, tests by properties with the seed of this night",
    command: ["./scripts/test", "--all", "--only", "unit", "--seed", "SEED"],
  },
  {
    name: "unit-postgres",
    about: "every unit test that uses a database, on PostgreSQL",
    command: ["./scripts/test", "--all-on-postgres", "--only", "unit on postgres"],
  },
  {
    name: "scenarios-postgres",
    about: "every scenario on PostgreSQL",
    command: ["./scripts/test", "--all-on-postgres", "--only", "scenarios on postgres"],
  },
  {
    name: "image",
    about: "the container image, without a container engine",
    command: ["./scripts/prove-image"],
  },
  {
    name: "asterisk",
    about: "the executable against Asterisk",
    command: ["./scripts/nightly-asterisk"],
    needsBuild: true,
  },
  {
    name: "models",
    about: "adapters and executable against model servers",
    command: ["./scripts/nightly-models"],
    needsBuild: true,
  },
  {
    name: "hostile",
    about: "the whole hostile set through the executable",
    command: ["./scripts/nightly-hostile"],
    needsBuild: true,
  },
  {
    name: "talk",
    about: "spoken calls in several voices, in quiet, in noise, with lost packets",
    command: ["./scripts/nightly-talk"],
    needsBuild: true,
  },
  {
    name: "alarm-phrases",
    about: "alarm phrases in noise, and ordinary sentences that are none",
    command: ["./scripts/alarm-phrases"],
    isMeasurement: true,
  },
  {
    name: "torture",
    about: "ten minutes of kills and faults under load",
    command: ["./scripts/torture", "--seconds", "600", "--seed", "SEED"],
    needsBuild: true,
  },
  {
    name: "torture-postgres",
    about: "the same on PostgreSQL",
    command: ["./scripts/torture", "--seconds", "600", "--seed", "SEED", "--postgres"],
    needsBuild: true,
  },
  {
    name: "kills",
    about: "200 kills while calls, bookings and commands are written",
    command: ["./scripts/torture", "--kills", "200", "--seed", "SEED"],
    needsBuild: true,
  },
  {
    name: "campaign-kills",
    about: "200 kills while campaigns are created",
    command: ["./scripts/torture", "--campaign-kills", "200", "--seed", "SEED"],
    needsBuild: true,
  },
  {
    name: "mutations",
    about: "the code broken on purpose: torture must notice each time",
    command: ["./scripts/torture", "--mutations"],
  },
  {
    name: "proofs",
    about: "every byte of 10,000 proofs of calls changed once: every change is found",
    command: ["./scripts/nightly-proofs", "--seed", "SEED"],
  },
  {
    name: "soak",
    about: "an hour of a hospital's clock: nothing grows",
    command: ["./scripts/soak", "--minutes", "60", "--seed", "SEED"],
    needsBuild: true,
  },
  {
    name: "fuzz",
    about: "ten minutes of requests against the API document",
    command: ["./scripts/fuzz", "--seconds", "600", "--seed", "SEED"],
    needsBuild: true,
  },
  {
    name: "bench",
    about: "every benchmark in its long form",
    command: ["./scripts/bench"],
    needsBuild: true,
  },
  {
    name: "recogniser",
    about: "word errors of the recogniser, clean and in noise",
    command: ["./scripts/recogniser-errors"],
    isMeasurement: true,
  },
  {
    name: "voice",
    about: "word errors of the built-in voice",
    command: ["./scripts/voice-errors"],
    isMeasurement: true,
  },
  {
    name: "voice-hindi",
    about: "letter errors of the Hindi voices",
    command: ["./scripts/voice-hindi"],
    isMeasurement: true,
  },
];
