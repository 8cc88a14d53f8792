// The style sheets of pages outside the dashboard, embedded as text.
declare module "*/tokens.css" {
  const text: string;
  export default text;
}
declare module "*/face.css" {
  const text: string;
  export default text;
}
