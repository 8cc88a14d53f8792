// Scripts and icons of the installed app, embedded into the binary.
declare module "*/worker.js" {
  const text: string;
  export default text;
}
declare module "*/offline-script.js" {
  const text: string;
  export default text;
}
declare module "*.png" {
  const path: string;
  export default path;
}
