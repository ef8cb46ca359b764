/** Compares the mounts of compose files with what the programs and the mounted files read. */
const ABSOLUTE = /(?<![\w.:/$-])\/(?:[\w.-]+\/)*[\w.-]+/g;

/**
 * @param {string} name Name of the service.
 * @param {object} service The service in the compose file, overlays applied.
 * @param {{has: (path: string) => boolean, texts: (path: string) => string[]}} files Whether a path relative to the
 *   compose file exists, and the texts of the files at or below it.
 * @returns {string[]} Violations.
 */
export function mountViolations(name, service, { has, texts }) {
  const mounts = (service.volumes ?? [])
    .map((volume) => volume.split(':'))
    .map(([from, to]) => ({ from, to }))
    .filter(({ from }) => from.startsWith('.'));
  const secrets = new Set((service.secrets ?? []).map((secret) => `/run/secrets/${secret}`));
  const words = [service.command ?? [], Object.values(service.environment ?? {})].flat().map(String);
  const found = [];
  for (const { from } of mounts) if (!has(from)) found.push(`volumes: ${from} does not exist`);
  const contents = mounts.flatMap(({ from }) => (has(from) ? texts(from) : []));
  for (const path of new Set([...words, ...contents.map(uncommented)].flatMap((text) => text.match(ABSOLUTE) ?? []))) {
    if (path.startsWith('/run/secrets/') && !secrets.has(path)) found.push(`secrets: ${path} is read, and not mounted`);
    const under = ({ to }) => path === to || path.startsWith(`${to}/`);
    const [mount] = mounts.filter(under).sort((a, b) => b.to.length - a.to.length);
    if (mount && !has(mount.from + path.slice(mount.to.length)))
      found.push(`volumes: ${path} is read, and not in ${mount.from}`);
  }
  return found.map((what) => `services.${name}.${what}`);
}

const uncommented = (text) => text.replace(/^\s*#.*$/gm, '');
