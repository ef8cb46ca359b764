/** The laptop issuer as a process of the tests. */
import { fileURLToPath } from 'node:url';
import { Program } from '../processes.mjs';

/**
 * Starts an issuer on a free port. Its address is `http://localhost` with that port, and a restart keeps it.
 *
 * @param {{origin: string, secretFile: string, logDir: string, flags?: string[],
 *   env?: Record<string, string>}} options `origin`: the site whose staff signs in; `secretFile`: the secret of its
 *   client; `flags`: further flags; `env`: further variables
 */
export async function startIssuer({ origin, secretFile, logDir, flags = [], env = {} }) {
  const program = new Program('issuer.mjs', {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    wrapper: [process.execPath],
    announcement: 'listening on ',
    logDir,
    env,
    args: [
      ...['--host-name', 'localhost'],
      ...['--client-secret-file', secretFile],
      ...['--redirect-uri', `${origin}/staff/callback`],
      ...['--post-logout-uri', `${origin}/`],
      ...['--back-channel-logout-uri', `${origin}/staff/back-channel-logout`],
      ...flags,
    ],
  });
  await program.start();
  program.issuer = `http://localhost:${program.port}`;
  return program;
}
