/** The script runs in a browser. `package.json` chooses between this file and `server.ts`, so that builds drop dead code. */
export const IS_BROWSER = true;
