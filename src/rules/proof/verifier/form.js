// The form of the page: reads the chosen files in the browser. Nothing is sent anywhere.
// Null where no file was chosen. Every byte counts, a byte order mark too.
const textOf = async (id) => {
  const file = document.getElementById(id).files[0];
  return file ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer()) : null;
};
document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const result = document.getElementById("result");
  try {
    if (!globalThis.crypto?.subtle)
      throw new Error("Save this page and open it from your disk: over plain HTTP the browser has no cryptography.");
    const keyText = await textOf("keys");
    const keys = keyText === null ? null : (keyText.match(/\b[0-9a-f]{64}\b/g) ?? []);
    const found = await verifyProofs((await textOf("proofs")) ?? "", keys, await textOf("head"));
    const origin = keys ? "" : ` Compare the key with the appliance's: ${found.keys.join(", ")}.`;
    result.textContent = `Valid: ${found.count} ${found.count === 1 ? "proof" : "proofs"}.${origin}`;
  } catch (error) {
    result.textContent = error.message;
  }
});
