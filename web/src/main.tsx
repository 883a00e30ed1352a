// SPDX-License-Identifier: Apache-2.0
// The page: the findings, an index of them, the theme and the help.

import {render} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {loadReport, placeOf, shortPaths, type Finding, type Report} from './data';
import {FindingPage} from './finding_page';

type Theme = 'light' | 'dark';

// Opened from a file, a browser may refuse to remember anything.
function remembered(): Theme | null {
  try {
    return localStorage.getItem('ravel-theme') as Theme | null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem('ravel-theme', theme);
  } catch {
    // The choice holds until the page is closed.
  }
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

function useTheme(): [Theme, () => void] {
  const [chosen, setChosen] = useState<Theme | null>(remembered);
  const [system, setSystem] = useState<Theme>(prefersDark.matches ? 'dark' : 'light');
  useEffect(() => {
    const listen = () => setSystem(prefersDark.matches ? 'dark' : 'light');
    prefersDark.addEventListener('change', listen);
    return () => prefersDark.removeEventListener('change', listen);
  }, []);
  const theme = chosen ?? system;
  document.documentElement.dataset.theme = theme;
  const toggle = () => {
    const other = theme === 'dark' ? 'light' : 'dark';
    setChosen(other);
    remember(other);
  };
  return [theme, toggle];
}

// "#2" opens the second finding.
function fromAddress(findings: Finding[]): number {
  const number = Number(location.hash.slice(1));
  return number >= 1 && number <= findings.length ? number - 1 : 0;
}

const kKeys: [string, string][] = [
  ['↓ j / ↑ k', 'step forward, back'],
  ['→ / ←', 'next, previous step of the same task'],
  ['n / p', 'next, previous operation on the same object'],
  ['1 2 3', 'the operations that decide'],
  ['Home / End', 'first, last step'],
  ['b', 'the order that passes, beside this one'],
  ['a', 'arrows: what orders the steps'],
  ['/', 'filter; Esc clears it'],
  ['[ ]', 'previous, next finding'],
  ['t', 'light, dark'],
  ['?', 'this help'],
];

function Help({onClose}: {onClose(): void}) {
  return (
    <div class="help" role="dialog" aria-label="keys" onClick={onClose}>
      <table>{kKeys.map(([key, words]) => <tr><td><kbd>{key}</kbd></td><td>{words}</td></tr>)}</table>
      <p class="legend">
        <span class="sample held" /> a lock is held <span class="sample wait" /> the task waits
        <span class="sample solid" /> this comes before that <span class="sample dashed" /> a read sees that write
        <span class="preempted">⇥</span> preempted: it could have gone on
      </p>
    </div>
  );
}

function placeOfFinding(finding: Finding): string {
  for (const stack of finding.stacks) {
    const frame = stack.frames.find((one) => one.line > 0);
    if (frame) return placeOf(frame);
  }
  return '';
}

function Cases({report}: {report: Report}) {
  if (report.cases.length === 0) return null;
  const failed = report.cases.filter((one) => one.failure !== undefined).length;
  return (
    <details class="more" open={report.findings.length === 0}>
      <summary>{report.cases.length} {report.cases.length === 1 ? 'case' : 'cases'}, {failed} failed</summary>
      <table class="cases">
        {report.cases.map((one) => (
          <tr>
            <td>{one.name}</td>
            <td class={one.failure !== undefined ? 'bad' : one.skipped ? 'faint' : 'good'}>{one.failure !== undefined ? 'failed' : one.skipped ? 'no verdict' : 'passed'}</td>
            <td>{one.failure ?? one.skipped}</td>
          </tr>
        ))}
      </table>
    </details>
  );
}

function App({report}: {report: Report}) {
  const {findings} = report;
  const [theme, toggleTheme] = useTheme();
  const [current, setCurrent] = useState(() => fromAddress(findings));
  const [help, setHelp] = useState(false);

  useEffect(() => {
    const onHash = () => setCurrent(fromAddress(findings));
    const go = (index: number) => {
      if (index >= 0 && index < findings.length) location.hash = String(index + 1);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') setHelp((on) => !on);
      else if (event.key === 'Escape') setHelp(false);
      else if (event.key === 't') toggleTheme();
      else if (event.key === '[') go(current - 1);
      else if (event.key === ']') go(current + 1);
    };
    window.addEventListener('hashchange', onHash);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('hashchange', onHash);
      window.removeEventListener('keydown', onKey);
    };
  });

  return (
    <div class={findings.length > 1 ? 'page with-index' : 'page'}>
      <header class="top">
        <b class="logo">Ravel</b>
        <code class="program" title={report.program.join(' ')}>{report.program.join(' ')}</code>
        <span class="verdict">{report.command}: {report.verdict}</span>
        <button type="button" class="round" data-action="help" title="keys (?)" onClick={() => setHelp(!help)}>?</button>
        <button type="button" class="round" data-action="theme" title="light or dark (t)" onClick={toggleTheme}>{theme === 'dark' ? '☀' : '☾'}</button>
      </header>
      {findings.length > 1 && (
        <nav class="index" aria-label="findings">
          {findings.map((finding, index) => (
            <a href={`#${index + 1}`} class={index === current ? 'current' : ''} aria-current={index === current}>
              <span class="kind">{finding.kind}</span>
              {finding.part && <span class="part">{finding.part}</span>}
              <span class="message">{shortPaths(finding.message.split('\n')[0])}</span>
              <span class="place">{placeOfFinding(finding)}</span>
            </a>
          ))}
        </nav>
      )}
      {findings.length > 0
        ? <FindingPage key={current} report={report} finding={findings[current]} dark={theme === 'dark'} />
        : <main class="finding"><h1>{report.verdict}</h1><p class="faint">There are no findings to show.</p><Cases report={report} /></main>}
      {(report.notes.length > 0 || (report.cases.length > 0 && findings.length > 0)) && (
        <footer>
          {findings.length > 0 && <Cases report={report} />}
          {report.notes.map((note) => <p>note: {note}</p>)}
        </footer>
      )}
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

const report = loadReport();
document.title = report.findings.length === 0 ? `Ravel: ${report.verdict}` : `Ravel: ${report.findings[0].kind}${report.findings.length > 1 ? ` and ${report.findings.length - 1} more` : ''}`;
render(<App report={report} />, document.getElementById('app')!);
