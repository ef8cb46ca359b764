declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.webp' {
  const address: string;
  export default address;
}
declare module '*.avif' {
  const address: string;
  export default address;
}
declare module '*.woff2' {
  const address: string;
  export default address;
}

/** The drawing itself, as text: for what is seen first, where a request would be too late. */
declare module '*.svg?raw' {
  const svg: string;
  export default svg;
}
