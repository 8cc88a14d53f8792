// Checks the signature of a Ringward webhook. .NET Core 3.0 or newer; no packages needed.
#nullable enable
using System;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

public static class Webhook
{
    private const long ToleranceSeconds = 300;

    /// <param name="rawBody">The bytes as they arrived. Never JSON that was parsed and written again: its bytes differ.</param>
    /// <param name="timestamp">The header X-Webhook-Timestamp.</param>
    /// <param name="signature">The header X-Webhook-Signature.</param>
    /// <param name="secret">The whole string, whsec_ included, not decoded.</param>
    /// <param name="now">Unix seconds: DateTimeOffset.UtcNow.ToUnixTimeSeconds().</param>
    public static bool Verify(byte[] rawBody, string? timestamp, string? signature, string secret, long now)
    {
        // A secret that was never configured must not verify anything.
        if (!secret.StartsWith("whsec_", StringComparison.Ordinal)) return false;
        if (timestamp == null || signature == null) return false;
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long sentAt)) return false;
        if (Math.Abs(now - sentAt) > ToleranceSeconds) return false;

        byte[] prefix = Encoding.UTF8.GetBytes(timestamp + ".");
        byte[] signed = new byte[prefix.Length + rawBody.Length];
        prefix.CopyTo(signed, 0);
        rawBody.CopyTo(signed, prefix.Length);
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            string expected = "v1=" + Convert.ToBase64String(hmac.ComputeHash(signed));
            // FixedTimeEquals takes the same time wherever the two differ.
            return CryptographicOperations.FixedTimeEquals(
                Encoding.UTF8.GetBytes(signature), Encoding.UTF8.GetBytes(expected));
        }
    }
}
