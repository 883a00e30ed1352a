// SPDX-License-Identifier: Apache-2.0
// The golden SARIF files, which the unit tests compare with what Ravel writes, against the schema of SARIF 2.1.0.
import fs from 'node:fs';
import path from 'node:path';
import {check, load, root} from './support.mjs';

const Ajv = load('ajv-draft-04');
const ajv = new Ajv({strict: false, allErrors: true, unicodeRegExp: false});
load('ajv-formats')(ajv);
const validate = ajv.compile(load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));

const folder = path.join(root, 'tests', 'golden');
const files = fs.readdirSync(folder).filter((name) => name.startsWith('sarif-'));
check(files.length >= 10, `only ${files.length} golden SARIF files`);
for (const name of files) {
  const log = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  check(validate(log), `${name}: ${JSON.stringify(validate.errors, null, 1)}`);
}
// The schema is really asked.
const broken = JSON.parse(fs.readFileSync(path.join(folder, files[0]), 'utf8'));
broken.runs[0].results[0].level = 'terrible';
check(!validate(broken), 'a level that SARIF does not have passes');
console.log(`${files.length} files are valid`);
