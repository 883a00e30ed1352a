// SPDX-License-Identifier: Apache-2.0
// The page of --html in Chromium: what a reader can do with it, and that it needs nothing but itself. One browser for
// all of it. With RAVEL_PICTURES=FOLDER it takes the pictures of the documents.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {longReport} from './long_execution.mjs';
import {check, equal, load, root} from './support.mjs';

const ravel = path.resolve(process.argv[3]);
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((one) => fs.existsSync(one));
if (!browserPath) {
  console.log('there is no Chromium; ./dev check installs it');
  process.exit(77);
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'ravel-page-'));
const pictures = process.env.RAVEL_PICTURES;

function run(words, code) {
  const done = spawnSync(words[0], words.slice(1), {cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
  check(done.status === code, `${words.join(' ')}: exit code ${done.status}\n${done.stdout}${done.stderr}`);
}

// A real campaign: two findings in one program.
function realPage() {
  const program = path.join(work, 'transfer');
  run([ravel, 'c++', '-g', '-pthread', path.join(root, 'tests/web/transfer.cpp'), '-o', program], 0);
  run([ravel, 'run', '--jobs', '1', '--executions', '300', '--keep-going', '--html', 'report.html', '--', './transfer'], 1);
  return path.join(work, 'report.html');
}

function longPage() {
  const template = fs.readFileSync(path.join(root, 'reports/report_page.html'), 'utf8');
  const page = path.join(work, 'long.html');
  fs.writeFileSync(page, template.replace('@RAVEL_DATA@', () => JSON.stringify(longReport(5000))));
  return page;
}

const {chromium} = load('playwright-core');
const browser = await chromium.launchPersistentContext(path.join(work, 'profile'), {
  executablePath: browserPath,
  headless: true,
  viewport: {width: 1440, height: 960},
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync'],
});
const requests = [];
const problems = [];

async function open(page) {
  const tab = await browser.newPage();
  tab.on('request', (request) => requests.push(request.url()));
  tab.on('pageerror', (error) => problems.push(String(error)));
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  // Tasks of the browser's main thread that keep the reader waiting.
  await tab.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
      .observe({type: 'longtask', buffered: true});
  });
  await tab.emulateMedia({colorScheme: 'light'});
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForSelector('.step');
  return tab;
}

const text = (tab, selector) => tab.locator(selector).first().innerText();
const selected = (tab) => tab.locator('.step.selected').first().getAttribute('data-step').then(Number);
const shown = async (tab) => Number((await text(tab, '.stepper output')).split('/')[1]);

async function picture(tab, name) {
  if (!pictures) return;
  await tab.evaluate(() => {
    document.activeElement?.blur();
    window.scrollTo(0, 0);
  });
  await tab.screenshot({path: path.join(pictures, `${name}.png`)});
}

async function readsLikeAStory(tab) {
  check((await tab.locator('nav.index a').count()) >= 2, 'an index of several findings');
  const data = await tab.evaluate(() => JSON.parse(document.getElementById('ravel-data').textContent));
  const at = data.findings.findIndex((finding) => finding.kind === 'assertion');
  check(at >= 0, `an assertion is among the findings: ${data.findings.map((finding) => finding.kind)}`);
  await tab.locator('nav.index a').nth(at).click();
  check((await text(tab, 'h1')).includes('assertion'), 'the chosen finding is shown');
  const {explanation} = data.findings[at];
  equal(await tab.locator('.lane-head').count(), explanation.tasks.length, 'one lane per task');

  // The pair that decides is marked, and selected at first.
  check((await tab.locator('.step.mark').count()) >= 2, 'the decisive pair is highlighted');
  const first = explanation.failing.steps.find((step) => step.mark === 1);
  equal(await selected(tab), first.number, 'the first of the pair is selected');
  check((await text(tab, '.details .line.here')).includes(first.source), 'its source line is shown');
  check((await tab.locator('.details .stack li').count()) >= 1, 'its stack is shown');
  check((await text(tab, '.details .values')).includes(first.before), 'its value is shown');
  check((await tab.locator('.arrows path.arrow').count()) > 0, 'arrows of what orders the steps');
  check((await tab.locator('.rows .held').count()) > 0, 'locks that are held are visible');

  // Keys.
  await tab.keyboard.press('2');
  equal(await selected(tab), explanation.failing.steps.find((step) => step.mark === 2).number, 'key 2');
  await tab.keyboard.press('Home');
  const begin = await selected(tab);
  await tab.keyboard.press('ArrowDown');
  const next = await selected(tab);
  check(next > begin, 'a step forward');
  await tab.keyboard.press('ArrowUp');
  equal(await selected(tab), begin, 'a step back');
  await tab.locator('[data-action=forward]').click();
  equal(await selected(tab), next, 'a step forward by button');
  await tab.keyboard.press('1');

  // A click on a step shows it.
  const other = tab.locator('.step:not(.selected)').last();
  const number = Number(await other.getAttribute('data-step'));
  await other.click();
  equal(await selected(tab), number, 'a click selects');
  check((await text(tab, '.details header')).includes(`step ${number}`), 'and shows the details');

  // Filters.
  const all = await shown(tab);
  const task = explanation.tasks[explanation.tasks.length - 1].task;
  await tab.locator(`.chip[data-task="${task}"]`).click();
  check((await shown(tab)) < all, 'fewer steps without a task');
  equal(await tab.locator('.lane-head').count(), explanation.tasks.length - 1, 'and no lane for it');
  await tab.locator(`.chip[data-task="${task}"]`).click();
  await tab.keyboard.press('/');
  await tab.keyboard.type(first.object);
  const of = explanation.failing.steps.filter((step) => [step.object, step.text, step.source].some((one) => one?.toLowerCase().includes(first.object.toLowerCase())));
  equal(await shown(tab), of.length, 'only the steps of an object');
  await tab.keyboard.press('Escape');
  equal(await shown(tab), all, 'Escape clears the filter');

  // The order that passes.
  if (explanation.passing) {
    await tab.keyboard.press('b');
    equal(await tab.locator('.timeline').count(), 2, 'two timelines');
    check((await tab.locator('.timeline.passes .step.mark').count()) >= 2, 'the same pair in the other order');
    await tab.keyboard.press('1');
    await picture(tab, 'report-beside');
    await tab.keyboard.press('b');
  }
  check(explanation.passing, 'the order that passes is known');
  await tab.keyboard.press('1');
  await picture(tab, 'report-light');

  // Themes.
  const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await tab.keyboard.press('t');
  check((await background()) !== light, 'another theme');
  await tab.keyboard.press('?');
  check(await tab.locator('.help').isVisible(), 'help');
  await tab.keyboard.press('Escape');

  // Tasks that wait for each other.
  const deadlock = data.findings.findIndex((finding) => finding.kind === 'deadlock');
  check(deadlock >= 0, 'a deadlock is among the findings');
  for (let i = at; i !== deadlock; i += Math.sign(deadlock - at)) await tab.keyboard.press(deadlock > at ? ']' : '[');
  await tab.waitForFunction(() => document.querySelector('h1').textContent.includes('deadlock'));
  check((await tab.locator('.rows .wait').allInnerTexts()).some((words) => words.includes('held by')), 'who has what is waited for');
  await tab.keyboard.press('2');
  await picture(tab, 'report-dark');
}

async function scrollsAFiveThousandStepExecution(tab) {
  equal(await shown(tab), 5000, 'all steps');
  check((await tab.locator('.step').count()) < 200, 'only the rows in view exist');
  await tab.evaluate(async () => {
    const scroller = document.querySelector('.scroller');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    scroller.scrollTop = 0;
    for (let i = 0; i < 120; ++i) {
      scroller.scrollTop += i < 60 ? 333 : 2500;
      await frame();
    }
    await frame();
  });
  const last = await tab.locator('.step').last().getAttribute('data-step');
  check(Number(last) > 4000, `the end is reached, not ${last}`);
  await tab.keyboard.press('End');
  equal(await selected(tab), 5000, 'the last step');
  for (let i = 0; i < 30; ++i) await tab.keyboard.press('ArrowUp');
  equal(await selected(tab), 4970, 'thirty steps back');
  await tab.locator('[data-filter=text]').fill('deposits_');
  equal(await shown(tab), 1000, 'a filter over all steps');
  await tab.locator('[data-filter=text]').fill('');
  await tab.locator('.minimap').click({position: {x: 10, y: 50}});
  check((await selected(tab)) < 1500, 'the minimap goes there');
  const tasks = await tab.evaluate(() => window.longTasks);
  const longest = Math.max(0, ...tasks);
  console.log(`longest task with 5,000 steps: ${longest.toFixed(0)} ms, of ${tasks.length} over 50 ms`);
  return longest;
}

let failure = null;
try {
  const tab = await open(realPage());
  await readsLikeAStory(tab);
  await tab.close();
  // The limit is about the page; a machine that is busy with other tests gets another try.
  const page = longPage();
  let longest = Infinity;
  for (let i = 0; i < 3 && longest > 200; ++i) {
    const long = await open(page);
    longest = await scrollsAFiveThousandStepExecution(long);
    if (pictures) {
      await long.keyboard.press('1');
      await picture(long, 'report-long');
    }
    await long.close();
  }
  check(longest <= 200, `a task of ${longest} ms keeps the reader waiting`);
  equal(problems, [], 'errors of the page');
  equal(requests.filter((url) => !url.startsWith('file://' + work)), [], 'requests that leave the file');
  equal(new Set(requests).size, 2, 'each page is one file');
} catch (error) {
  failure = error;
}
await browser.close();
fs.rmSync(work, {recursive: true, force: true});
if (failure) throw failure;
