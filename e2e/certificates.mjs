/** Test authorities and their certificates, made with openssl. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const DAYS = ['-days', '2'];

const openssl = (folder, ...line) => execFileSync('openssl', line, { cwd: folder, stdio: 'pipe' });

/** Creates an authority as `<name>.pem` and `<name>.key`. */
export function makeAuthority(folder, name) {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl(folder, 'req', '-x509', ...KEY, ...files, ...DAYS, '-subj', '/CN=Test authority');
}

/**
 * Creates `<name>.pem` and `<name>.key`, signed by `authority`.
 * @param {'serverAuth' | 'clientAuth'} usage
 */
export function certify(folder, authority, name, usage) {
  openssl(folder, 'req', ...KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=localhost');
  const names = `subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=${usage}\n`;
  writeFileSync(join(folder, `${name}.names`), names);
  const signer = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
  const files = ['-in', `${name}.csr`, '-extfile', `${name}.names`, '-out', `${name}.pem`];
  openssl(folder, 'x509', '-req', ...signer, ...DAYS, ...files);
}
