// Checks the signature of a Ringward webhook. Java 8 or newer; no libraries needed.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    private static final long TOLERANCE_SECONDS = 300;

    private Verify() {}

    /**
     * @param rawBody the bytes as they arrived; never JSON that was parsed and written again: its bytes differ
     * @param timestamp the header X-Webhook-Timestamp
     * @param signature the header X-Webhook-Signature
     * @param secret the whole string, whsec_ included, not decoded; during a rotation both, the old and the new, with a space between
     * @param now Unix seconds: Instant.now().getEpochSecond()
     */
    public static boolean verify(byte[] rawBody, String timestamp, String signature, String secret, long now)
            throws GeneralSecurityException {
        if (secret == null || timestamp == null || signature == null || !timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;

        byte[] received = signature.getBytes(StandardCharsets.UTF_8);
        for (String each : secret.trim().split("\\s+")) {
            // A secret that was never configured must not verify anything.
            if (!each.startsWith("whsec_")) continue;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(each.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            String expected = "v1=" + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
            // MessageDigest.isEqual takes the same time wherever the two differ.
            if (MessageDigest.isEqual(received, expected.getBytes(StandardCharsets.UTF_8))) return true;
        }
        return false;
    }
}
