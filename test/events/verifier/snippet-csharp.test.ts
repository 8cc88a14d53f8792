// The C# snippet is not run, because .NET is not available to these tests. Its essential lines are compared as text.
import { expect, test } from "bun:test";
import { SNIPPETS } from "../../../src/events/verifier/snippets.ts";

test("the C# snippet, which is not run here, has every essential line, in order", () => {
  const { code } = SNIPPETS.find(({ id }) => id === "csharp")!;
  const lines = [
    "ToleranceSeconds = 300;",
    "public static bool Verify(byte[] rawBody, string? timestamp, string? signature, string secret, long now)",
    "if (timestamp == null || signature == null) return false;",
    "if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long sentAt)) return false;",
    "if (Math.Abs(now - sentAt) > ToleranceSeconds) return false;",
    'byte[] prefix = Encoding.UTF8.GetBytes(timestamp + ".");',
    "prefix.CopyTo(signed, 0);",
    "rawBody.CopyTo(signed, prefix.Length);",
    "byte[] received = Encoding.UTF8.GetBytes(signature);",
    "foreach (string each in secret.Split(' '))",
    'if (!each.StartsWith("whsec_", StringComparison.Ordinal)) continue;',
    "using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(each)))",
    'string expected = "v1=" + Convert.ToBase64String(hmac.ComputeHash(signed));',
    "if (CryptographicOperations.FixedTimeEquals(received, Encoding.UTF8.GetBytes(expected))) return true;",
    "return false;\n    }\n}",
  ];
  const places = lines.map((line) => code.indexOf(line));
  expect(lines.filter((_, index) => places[index] === -1)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
