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
    /// <param name="secret">The whole string, whsec_ included, not decoded. During a rotation both, the old and the new, with a space between.</param>
    /// <param name="now">Unix seconds: DateTimeOffset.UtcNow.ToUnixTimeSeconds().</param>
    public static bool Verify(byte[] rawBody, string? timestamp, string? signature, string secret, long now)
    {
        if (timestamp == null || signature == null) return false;
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long sentAt)) return false;
        if (Math.Abs(now - sentAt) > ToleranceSeconds) return false;

        byte[] prefix = Encoding.UTF8.GetBytes(timestamp + ".");
        byte[] signed = new byte[prefix.Length + rawBody.Length];
        prefix.CopyTo(signed, 0);
        rawBody.CopyTo(signed, prefix.Length);
        byte[] received = Encoding.UTF8.GetBytes(signature);
        foreach (string each in secret.Split(' '))
        {
            // A secret that was never configured must not verify anything.
            if (!each.StartsWith("whsec_", StringComparison.Ordinal)) continue;
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(each)))
            {
                string expected = "v1=" + Convert.ToBase64String(hmac.ComputeHash(signed));
                // FixedTimeEquals takes the same time wherever the two differ.
                if (CryptographicOperations.FixedTimeEquals(received, Encoding.UTF8.GetBytes(expected))) return true;
            }
        }
        return false;
    }
}
