#!/usr/bin/env node
// Builds the page-module package in the current directory into `dist/`.
import { buildPackage } from '../src/build.mjs';

const started = performance.now();
const { description, bytes } = await buildPackage({ packageDir: process.cwd() });
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${description.name} ${description.version}: ${bytes.files} files, ${bytes.brotli} bytes as brotli, ${seconds} s`,
);
