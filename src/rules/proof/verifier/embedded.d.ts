// Scripts of the verifier page, embedded into the binary as text.
declare module "*/verifier/verify.js" {
  const text: string;
  export default text;
}
declare module "*/verifier/form.js" {
  const text: string;
  export default text;
}
