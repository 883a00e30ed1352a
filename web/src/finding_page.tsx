// SPDX-License-Identifier: Apache-2.0
// FindingPage: one finding: what happened, which order decides, the timeline, and everything about the selected step.

import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {hueStyle, taskHue} from './colors';
import {placeOf, shortPaths, type Execution, type Explanation, type Finding, type Report, type StackOfTask} from './data';
import {Details, LockName, Stack, TaskName} from './details';
import {ExecutionView, type Filter, type Level} from './execution_view';
import {Minimap} from './minimap';
import {Source} from './source';
import {Timeline} from './timeline';

interface Props {
  report: Report;
  finding: Finding;
  dark: boolean;
}

export function FindingPage({report, finding, dark}: Props) {
  return (
    <main class="finding">
      <FindingHead finding={finding} />
      {finding.explanation && finding.explanation.failing.steps.length > 0
        ? <Explained key={finding.id} report={report} finding={finding} explanation={finding.explanation} dark={dark} />
        : <Unexplained report={report} finding={finding} />}
    </main>
  );
}

function FindingHead({finding}: {finding: Finding}) {
  return (
    <header class="finding-head">
      <h1 title={finding.message}><span class="kind">{finding.kind}</span> {shortPaths(finding.message.split('\n')[0])}</h1>
      {(finding.explanation?.summary ?? []).map((sentence) => <p class="sentence">{withMarks(sentence)}</p>)}
      {finding.remedy && <p class="sentence remedy">{finding.remedy}</p>}
      {finding.known_defect && <p class="sentence remedy">{finding.known_defect}</p>}
      <Facts finding={finding} />
    </header>
  );
}

// "(1) T1 read `balance`" with badges and code.
function withMarks(sentence: string) {
  // A number after the name of an object is its value: "`wants[1]` (1)".
  return sentence.split(/(`[^`]*`(?: \([^)]*\))?|\([123]\)|\bT\d+\b)/).map((part) => {
    if (/^\([123]\)$/.test(part)) return <b class="badge">{part[1]}</b>;
    if (/^T\d+$/.test(part)) return <TaskName task={Number(part.slice(1))} />;
    if (!part.startsWith('`')) return part;
    const end = part.lastIndexOf('`');
    return <><code>{part.slice(1, end)}</code>{part.slice(end + 1)}</>;
  });
}

function Facts({finding}: {finding: Finding}) {
  const [copied, setCopied] = useState(false);
  const command = finding.schedule === '' ? '' : `ravel replay ${finding.schedule}`;
  const copy = () => {
    // From a file there may be no clipboard; then the text is there to be selected.
    navigator.clipboard?.writeText(command).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    }, () => undefined);
  };
  const facts = [
    `${finding.tasks} tasks`,
    `${finding.preemptions} ${finding.preemptions === 1 ? 'preemption' : 'preemptions'}`,
    finding.count > 1 ? `seen ${finding.count} times` : '',
    finding.first_execution > 0 ? `first in execution ${finding.first_execution}` : '',
    finding.replayed ? 'replayed: the same finding' : '',
    finding.best_effort ? 'its replay may differ' : '',
    finding.unfinished ?? '',
  ].filter((fact) => fact !== '');
  return (
    <p class="facts">
      {facts.map((fact) => <span class="fact">{fact}</span>)}
      {command && (
        <button type="button" class="command" onClick={copy} title="copy">
          <code>{command}</code> <span aria-hidden="true">{copied ? 'copied' : 'copy'}</span>
        </button>
      )}
    </p>
  );
}

// The deciding operations in the order in which an execution made them.
function marksOf(execution: Execution): {mark: number; task: number; text: string}[] {
  return execution.steps.flatMap((step) => (step.mark ? [{mark: step.mark, task: step.task, text: step.text}] : []));
}

function Orders({explanation, finding, beside, onBeside}: {explanation: Explanation; finding: Finding; beside: boolean; onBeside(): void}) {
  const failing = marksOf(explanation.failing);
  if (failing.length === 0) return null;
  const passing = explanation.passing ? marksOf(explanation.passing) : [];
  const list = (marks: typeof failing) => (
    <ol>
      {marks.map((one) => (
        <li style={hueStyle(taskHue(one.task))}><b class="badge">{one.mark}</b> <TaskName task={one.task} /> {one.text}</li>
      ))}
    </ol>
  );
  return (
    <section class="orders">
      <div class="order fails">
        <h3>✗ This order fails</h3>
        {list(failing)}
      </div>
      {finding.cause?.passes_otherwise && (
        <div class="order passes">
          <h3>✓ {finding.cause.older_store ? 'With the newest value it passes' : 'This order passes'} <small>it was run</small></h3>
          {passing.length > 0 ? list(passing) : <p class="faint">{explanation.passing ? 'It does not get to these operations.' : 'With (2) before (1).'}</p>}
          {explanation.passing && (
            <button type="button" class="link" onClick={onBeside} data-action="beside">{beside ? 'hide its timeline' : 'show its timeline beside'} <kbd>b</kbd></button>
          )}
        </div>
      )}
    </section>
  );
}

const kLevels: [Level, string][] = [
  ['cause', 'what decides'],
  ['related', 'what it is about'],
  ['shared', 'what tasks share'],
  ['all', 'every step'],
];

function firstLevel(execution: Execution): Level {
  return execution.steps.some((step) => step.weight !== 'alone') ? 'shared' : 'all';
}

function Explained({report, finding, explanation, dark}: {report: Report; finding: Finding; explanation: Explanation; dark: boolean}) {
  const {failing, passing} = explanation;
  const [level, setLevel] = useState<Level>(() => firstLevel(failing));
  const [text, setText] = useState('');
  const [hiddenTasks, setHiddenTasks] = useState<ReadonlySet<number>>(new Set());
  const [arrows, setArrows] = useState(true);
  const [beside, setBeside] = useState(false);
  const [selected, setSelected] = useState(() => {
    const first = failing.steps.findIndex((step) => step.mark === 1);
    return first >= 0 ? first : failing.steps.length - 1;
  });
  const [inPassing, setInPassing] = useState<number | null>(null); // a step of the other execution is selected
  const latest = useRef({selected, inPassing}); // keys may come faster than the page is drawn
  const search = useRef<HTMLInputElement>(null);

  const filter: Filter = useMemo(() => ({level, hiddenTasks, text}), [level, hiddenTasks, text]);
  const view = useMemo(() => new ExecutionView(failing, filter), [failing, filter]);
  const passingView = useMemo(() => (passing ? new ExecutionView(passing, filter) : null), [passing, filter]);
  const tasks = useMemo(() => explanation.tasks.filter((task) => !hiddenTasks.has(task.task)), [explanation, hiddenTasks]);
  const objects = useMemo(() => [...new Set(failing.steps.flatMap((step) => step.object ?? []))].sort(), [failing]);

  const select = (index: number) => {
    latest.current = {selected: index, inPassing: null};
    setInPassing(null);
    setSelected(index);
  };
  const selectInPassing = (index: number) => {
    latest.current = {selected: latest.current.selected, inPassing: index};
    setInPassing(index);
  };

  const onKey = (event: KeyboardEvent) => {
    // A step of the execution whose step is selected.
    const active = latest.current.inPassing !== null && passingView ? passingView : view;
    const at = latest.current.inPassing ?? latest.current.selected;
    const choose = active === view ? select : selectInPassing;
    const toRow = (row: number) => {
      if (active.rows.length > 0) choose(active.rows[Math.max(0, Math.min(active.rows.length - 1, row))]);
    };
    const next = (direction: number, wanted: (index: number) => boolean) => {
      let row = active.nearestRow(at);
      do row += direction;
      while (row >= 0 && row < active.rows.length && !wanted(active.rows[row]));
      if (row >= 0 && row < active.rows.length) choose(active.rows[row]);
    };
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'Escape' && typing) {
      (event.target as HTMLElement).blur();
      setText('');
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const here = active.execution.steps[at];
    const row = active.nearestRow(at);
    const shown = active.rowOf(at) >= 0;
    const actions: Record<string, () => void> = {
      ArrowDown: () => toRow(shown ? row + 1 : row),
      ArrowUp: () => toRow(row - 1),
      j: () => toRow(shown ? row + 1 : row),
      k: () => toRow(row - 1),
      PageDown: () => toRow(row + 15),
      PageUp: () => toRow(row - 15),
      Home: () => toRow(0),
      End: () => toRow(active.rows.length - 1),
      ArrowRight: () => next(1, (index) => active.execution.steps[index].task === here.task),
      ArrowLeft: () => next(-1, (index) => active.execution.steps[index].task === here.task),
      n: () => next(1, (index) => active.execution.steps[index].object === here.object),
      p: () => next(-1, (index) => active.execution.steps[index].object === here.object),
      a: () => setArrows((on) => !on),
      b: () => passing && setBeside((on) => !on),
      '/': () => search.current?.focus(),
    };
    const action = actions[event.key];
    const mark = '123'.includes(event.key) ? active.execution.steps.findIndex((step) => step.mark === Number(event.key)) : -1;
    if (mark >= 0) choose(mark);
    else if (action) action();
    else return;
    event.preventDefault();
  };
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  const toggleTask = (task: number) => {
    const hidden = new Set(hiddenTasks);
    if (!hidden.delete(task)) hidden.add(task);
    setHiddenTasks(hidden);
  };
  const row = view.rowOf(selected);
  const detailed = inPassing !== null && passing ? {execution: passing, index: inPassing} : {execution: failing, index: selected};
  return (
    <>
      <Orders explanation={explanation} finding={finding} beside={beside} onBeside={() => setBeside(!beside)} />
      <div class="toolbar" role="toolbar" aria-label="filter and steps">
        <span class="stepper">
          <button type="button" data-action="back" onClick={() => row > 0 && select(view.rows[row - 1])} title="step back (↑)">◀</button>
          <output>{row >= 0 ? row + 1 : '–'} / {view.rows.length}</output>
          <button type="button" data-action="forward" onClick={() => row + 1 < view.rows.length && select(view.rows[row + 1])} title="step forward (↓)">▶</button>
        </span>
        <span class="chips" role="group" aria-label="tasks">
          {explanation.tasks.map((task) => (
            <button type="button" class="chip" aria-pressed={!hiddenTasks.has(task.task)} style={hueStyle(taskHue(task.task))}
                    title={task.function} data-task={task.task} onClick={() => toggleTask(task.task)}>
              T{task.task}{task.name && ` ${task.name}`}
            </button>
          ))}
        </span>
        <label>show <select value={level} data-filter="level" onChange={(event) => setLevel(event.currentTarget.value as Level)}>
          {kLevels.map(([value, words]) => <option value={value}>{words}</option>)}
        </select></label>
        <input ref={search} type="search" list="objects" placeholder="object, operation or source  ( / )" value={text} data-filter="text"
               aria-label="filter by object, operation or source" onInput={(event) => setText(event.currentTarget.value)} />
        <datalist id="objects">{objects.slice(0, 500).map((object) => <option value={object} />)}</datalist>
        <label class="check"><input type="checkbox" checked={arrows} onChange={() => setArrows(!arrows)} /> arrows</label>
      </div>
      <div class={`workspace ${beside ? 'beside' : ''}`}>
        <Timeline report={report} explanation={explanation} view={view} tasks={tasks} selected={selected} arrows={arrows} fails
                  title={beside ? '✗ fails' : undefined} onSelect={select} />
        {beside && passingView && (
          <Timeline report={report} explanation={explanation} view={passingView} tasks={tasks} selected={inPassing ?? markIn(passing!)} arrows={false}
                    fails={false} title="✓ passes: this was run, too" onSelect={selectInPassing} />
        )}
        {!beside && view.rows.length > 40 && <Minimap view={view} tasks={tasks} selected={selected} dark={dark} onSelect={select} />}
        <Details report={report} tasks={explanation.tasks} objects={explanation.objects} {...detailed}
                 onSelect={inPassing !== null ? selectInPassing : select} />
      </div>
      {explanation.cut && <p class="faint">The execution has {explanation.all_steps} steps; some of them are left out here.</p>}
      <More report={report} finding={finding} />
    </>
  );
}

const markIn = (execution: Execution): number => Math.max(0, execution.steps.findIndex((step) => step.mark === 1));

function Unexplained({report, finding}: {report: Report; finding: Finding}) {
  return (
    <>
      <p class="faint hint">
        {finding.schedule
          ? <>The report has no steps of this finding. <code>ravel explain {finding.schedule} --html FILE</code> shows them.</>
          : 'There is no schedule of this finding, so its steps are not known.'}
      </p>
      <Stacks report={report} finding={finding} />
      <Output finding={finding} />
    </>
  );
}

function More({report, finding}: {report: Report; finding: Finding}) {
  return (
    <>
      {finding.stacks.length > 0 && (
        <details class="more"><summary>Stacks of the tasks at the failure</summary><Stacks report={report} finding={finding} /></details>
      )}
      {finding.output !== '' && <details class="more"><summary>Output of the program</summary><Output finding={finding} /></details>}
    </>
  );
}

function Stacks({report, finding}: {report: Report; finding: Finding}) {
  return (
    <section class="stacks">
      {finding.stacks.map((stack) => <TaskStack report={report} stack={stack} />)}
      {finding.memory && <p class="faint">The memory: {finding.memory}.</p>}
      {finding.objects.map((object) => <p class="faint">{object.name} is {object.place}.</p>)}
      {finding.created.filter((task) => task.task !== null && task.created_at.length > 0).map((task) => (
        <p class="faint">T{task.task} was created by T{task.creator} at {placeOf(task.created_at[0])}.</p>
      ))}
    </section>
  );
}

function TaskStack({report, stack}: {report: Report; stack: StackOfTask}) {
  const [frame, setFrame] = useState(0);
  return (
    <article class="task-stack">
      <h4>
        {stack.task !== null && <TaskName task={stack.task} />} {stack.task_name} {stack.blocked ? 'waits: ' : ''}{stack.operation} {stack.object && <code>{stack.object}</code>}
        {stack.holder !== null && <>, held by <TaskName task={stack.holder} /></>}
        {stack.value && <> (it held <code>{stack.value}</code>)</>}
      </h4>
      {stack.held.length > 0 && (
        <p>holds {stack.held.map((lock) => <><LockName lock={lock.object} />{lock.taken_at.length > 0 && <span class="faint"> taken at {placeOf(lock.taken_at[0])}</span>} </>)}</p>
      )}
      <Source report={report} frame={stack.frames[frame]} around={3} />
      <Stack frames={stack.frames} chosen={frame} onChoose={setFrame} />
    </article>
  );
}

function Output({finding}: {finding: Finding}) {
  if (finding.output === '') return null;
  // Escape sequences of terminals mean nothing here.
  const text = finding.output.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
  return <pre class="output">{finding.output_truncated ? '[...]\n' : ''}{text}</pre>;
}
