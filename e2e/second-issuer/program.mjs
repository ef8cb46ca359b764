/** Canaille, an issuer of other authors, as a process of the tests. `cargo xtask` installs it below `target/`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program, TARGET } from '../processes.mjs';

const PYTHON = process.env.CANAILLE_PYTHON ?? join(TARGET, 'canaille/bin/python');

/** Reason to skip a test with this issuer; `false` if it is installed. */
export const NO_SECOND_ISSUER =
  !existsSync(PYTHON) && `${PYTHON} is missing: cargo xtask test --only "second issuer" installs it`;

/** Starts it on a free port, as `startIssuer` does. Its accounts are `frontdesk`, and `visitor` without a group. */
export async function startSecondIssuer({ origin, secretFile, logDir }) {
  const program = new Program('issuer.py', {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    wrapper: [PYTHON],
    announcement: 'listening on ',
    logDir,
    args: ['--client-secret-file', secretFile, '--site-origin', origin],
  });
  await program.start();
  // It names itself by the root address, with a slash.
  program.issuer = `http://localhost:${program.port}/`;
  return program;
}
