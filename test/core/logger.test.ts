import { expect, test } from "bun:test";
import { createLogger, LOG_LEVELS, type LogLevel } from "../../src/core/logger.ts";
import { createManualClock } from "../support/manual-clock.ts";

function linesAt(level: LogLevel): { lines: string[]; logger: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, logger: createLogger(createManualClock(0), level, (line) => void lines.push(line)) };
}

test("a line is one JSON object with time, level, message and fields", () => {
  const { lines, logger } = linesAt("info");
  logger.info("Request answered.", { status: 200, path: "a\nb", key_id: undefined });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"Request answered.","status":200,"path":"a\\nb"}',
  ]);
});

test.each(LOG_LEVELS.map((level, i) => [level, LOG_LEVELS.slice(i)] as const))(
  "level %s lets through %p",
  (level, passing) => {
    const { lines, logger } = linesAt(level);
    for (const each of LOG_LEVELS) logger[each]("x");
    expect(lines.map((line) => (JSON.parse(line) as { level: LogLevel }).level)).toEqual([...passing]);
  },
);
