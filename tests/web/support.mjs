// SPDX-License-Identifier: Apache-2.0
// What the tests of this folder share.
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

// The packages are in the build folder: the first argument of every test.
export const packages = path.resolve(process.argv[2]);
export const load = createRequire(path.join(packages, 'package.json'));

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function equal(actual, expected, what) {
  check(JSON.stringify(actual) === JSON.stringify(expected), `${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
