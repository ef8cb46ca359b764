/** Fetches a document; returns the token that failure reports about the document must carry. */
export async function documentToken(origin, path) {
  const document = await fetch(origin + path);
  await document.text();
  const [, token] = /document;desc="([^"]+)"/.exec(document.headers.get('server-timing')) ?? [];
  return token;
}
