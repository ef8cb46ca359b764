#!/usr/bin/env node
// Builds the page-module package in the current directory into `dist/`. With `--watch <folder>`, builds into a new
// subfolder whenever a source is saved. Prints one line of JSON per build, and runs until the process is terminated.
import { parseArgs } from 'node:util';
import { buildPackage } from '../src/build.mjs';
import { watchPackage } from '../src/watch.mjs';

const { values } = parseArgs({ options: { watch: { type: 'string' } } });
const packageDir = process.cwd();

if (values.watch === undefined) {
  const started = performance.now();
  const { description, bytes } = await buildPackage({ packageDir });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${description.name} ${description.version}: ${bytes.files} files, ${bytes.brotli} bytes as brotli, ${seconds} s`,
  );
} else {
  const say = (line) => console.log(JSON.stringify(line));
  watchPackage({
    packageDir,
    workDir: values.watch,
    onBuilt: (built) => say({ built }),
    onFailed: (failed) => say({ failed }),
  });
}
