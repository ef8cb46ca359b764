/** Rules for the Dockerfiles that hadolint lacks. Each violation names the file and the instruction. */
import { imageViolation } from './check-variables.mjs';

/**
 * @param {string} file Name of the file, for the messages.
 * @param {string} text Its content.
 * @param {Set<string> | undefined} known Variables of its program; `undefined` for images without one.
 * @returns {string[]} Violations.
 */
export function violations(file, text, known) {
  const lines = text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  // A base image may be an argument, whose default is the image of production.
  const defaults = new Map(
    lines.map((line) => /^ARG (\w+)=(\S+)$/.exec(line)).flatMap((match) => (match ? [[match[1], match[2]]] : [])),
  );
  const stages = lines
    .filter((line) => line.startsWith('FROM '))
    .map((line) => line.split(/\s+/)[1].replace(/^\$\{(\w+)\}$/, (argument, name) => defaults.get(name) ?? argument));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const of = (word, among = last) =>
    among.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim());
  const found = [];
  const say = (instruction, what) => found.push(`${file}: ${instruction}: ${what}`);
  for (const stage of stages.filter((name) => name !== 'scratch')) {
    const wrong = imageViolation(stage);
    if (wrong) say('FROM', wrong);
  }
  if (!/^[1-9]\d*(:[1-9]\d*)?$/.test(of('USER').at(-1) ?? '')) say('USER', 'is not the numeric id of a non-root user');
  if (!of('HEALTHCHECK').length) say('HEALTHCHECK', 'is missing: declare one, or NONE');
  for (const label of ['version', 'revision', 'title', 'licenses']) {
    if (!of('LABEL').join(' ').includes(`org.opencontainers.image.${label}=`))
      say('LABEL', `org.opencontainers.image.${label} is missing`);
  }
  for (const [, name] of of('ENV')
    .join(' ')
    .matchAll(/([A-Z][A-Z0-9_]*)=/g)) {
    if (known && !known.has(name)) say('ENV', `the program does not know ${name}`);
  }
  if (
    /\b(ADD|curl|wget)\b/.test(
      of('RUN', lines).join(' ') +
        of('ADD', lines)
          .map(() => 'ADD')
          .join(' '),
    )
  )
    say('RUN', 'downloads a file without a checksum');
  if (
    /cargo (auditable )?build/.test(text) &&
    !/--locked/.test(of('RUN', lines).find((line) => /cargo auditable build/.test(line)) ?? '')
  ) {
    say('RUN', 'programs must be built by cargo auditable build --locked');
  }
  if (/npm run .*build/.test(text) && !of('COPY').some((line) => / \/sbom\.cdx\.json$/.test(line))) {
    say('COPY', 'the image has no list of the npm packages, /sbom.cdx.json');
  }
  return found;
}
