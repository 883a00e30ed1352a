// SPDX-License-Identifier: Apache-2.0
// Builds the page of --html: one file with its script and its style inside. The result is committed, so that building
// Ravel needs no node. With --check: fails unless the committed page is what the sources build to.
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function bundled(entry) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  });
  return result.outputFiles[0].text.trim();
}

const script = await bundled('src/main.tsx');
const style = await bundled('src/style.css');
if (script.includes('</script')) throw new Error('the script would end its own element');
const page = readFileSync(here('page.html'), 'utf8')
  .replace('@RAVEL_STYLE@', () => style)
  .replace('@RAVEL_SCRIPT@', () => script)
  .replace('@RAVEL_LICENCE@', () => readFileSync(here('node_modules/preact/LICENSE'), 'utf8').trim());
const target = here('../reports/report_page.html');
if (!process.argv.includes('--check')) {
  writeFileSync(target, page);
} else if (readFileSync(target, 'utf8') !== page) {
  console.error('reports/report_page.html is not what web/ builds to: run `npm run build` in web/ and commit it');
  process.exit(1);
}
