// SPDX-License-Identifier: Apache-2.0
// reports/report_page.html is what web/ builds to; with RAVEL_TEST_TIER=full, its types are right, too.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {packages, root} from './support.mjs';

// The sources beside the packages, in the same places relative to each other as in the tree.
const copy = path.join(packages, 'copy');
fs.rmSync(copy, {recursive: true, force: true});
fs.cpSync(path.join(root, 'web'), path.join(copy, 'web'), {recursive: true, filter: (file) => !file.includes('node_modules')});
fs.mkdirSync(path.join(copy, 'reports'));
fs.copyFileSync(path.join(root, 'reports', 'report_page.html'), path.join(copy, 'reports', 'report_page.html'));
fs.symlinkSync(path.join(packages, 'node_modules'), path.join(copy, 'web', 'node_modules'));
const run = (...words) => execFileSync(process.execPath, words, {cwd: path.join(copy, 'web'), stdio: 'inherit'});
if (process.env.RAVEL_TEST_TIER === 'full') run('node_modules/typescript/bin/tsc', '--noEmit');
run('build.mjs', '--check');
