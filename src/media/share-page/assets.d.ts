// The stylesheet is embedded as text.
declare module "*/share.css" {
  const text: string;
  export default text;
}
