// Made by "npm run generate" from scripts/generate/assets.d.ts.txt. Do not edit.

// What functions can import besides code. A view's style sheets are added to its page; in other functions they are text.
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.csv' {
  const content: string;
  export default content;
}
declare module '*.ejs' {
  const content: string;
  export default content;
}
declare module '*.gql' {
  const content: string;
  export default content;
}
declare module '*.graphql' {
  const content: string;
  export default content;
}
declare module '*.hbs' {
  const content: string;
  export default content;
}
declare module '*.html' {
  const content: string;
  export default content;
}
declare module '*.liquid' {
  const content: string;
  export default content;
}
declare module '*.md' {
  const content: string;
  export default content;
}
declare module '*.mjml' {
  const content: string;
  export default content;
}
declare module '*.mustache' {
  const content: string;
  export default content;
}
declare module '*.njk' {
  const content: string;
  export default content;
}
declare module '*.sql' {
  const content: string;
  export default content;
}
declare module '*.svg' {
  const content: string;
  export default content;
}
declare module '*.tsv' {
  const content: string;
  export default content;
}
declare module '*.txt' {
  const content: string;
  export default content;
}
declare module '*.xml' {
  const content: string;
  export default content;
}
declare module '*.yaml' {
  const content: string;
  export default content;
}
declare module '*.yml' {
  const content: string;
  export default content;
}
// In a view, the address of the file; in other functions, its bytes.
declare module '*.avif' {
  const content: any;
  export default content;
}
declare module '*.bin' {
  const content: any;
  export default content;
}
declare module '*.gif' {
  const content: any;
  export default content;
}
declare module '*.ico' {
  const content: any;
  export default content;
}
declare module '*.jpeg' {
  const content: any;
  export default content;
}
declare module '*.jpg' {
  const content: any;
  export default content;
}
declare module '*.pdf' {
  const content: any;
  export default content;
}
declare module '*.png' {
  const content: any;
  export default content;
}
declare module '*.ttf' {
  const content: any;
  export default content;
}
declare module '*.wasm' {
  const content: any;
  export default content;
}
declare module '*.webp' {
  const content: any;
  export default content;
}
declare module '*.woff' {
  const content: any;
  export default content;
}
declare module '*.woff2' {
  const content: any;
  export default content;
}
