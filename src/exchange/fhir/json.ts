// JSON values of clients, before anything is known about their shape.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
