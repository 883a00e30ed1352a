// SPDX-License-Identifier: Apache-2.0
// Details: everything that is known about the selected step.

import {useEffect, useState} from 'preact/hooks';
import {hueStyle, lockHue, taskHue} from './colors';
import {functionName, placeOf, stackOf, type Execution, type Frame, type Report, type Step, type Task} from './data';
import {historyOf, statesAt} from './execution_view';
import {Source} from './source';

export function TaskName({task}: {task: number}) {
  return <b class="task" style={hueStyle(taskHue(task))}>T{task}</b>;
}

// Of a lock, or of a task that is waited for.
export function LockName({lock}: {lock: string}) {
  if (/^T\d+$/.test(lock)) return <TaskName task={Number(lock.slice(1))} />;
  return <span class="lock" style={hueStyle(lockHue(lock))}>{lock}</span>;
}

export function Stack({frames, chosen, onChoose}: {frames: Frame[]; chosen: number; onChoose(index: number): void}) {
  if (frames.length === 0) return <p class="faint">no stack is known</p>;
  return (
    <ol class="stack">
      {frames.map((frame, index) => (
        <li>
          <button type="button" class={index === chosen ? 'chosen' : ''} onClick={() => onChoose(index)} title={`${frame.function}\n${frame.file || frame.module}`}>
            <span class="function">{functionName(frame.function)}{frame.inlined ? ' (inlined)' : ''}</span>
            <span class="place">{frame.line > 0 ? placeOf(frame) : frame.module}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

interface Props {
  report: Report;
  execution: Execution;
  tasks: Task[];
  objects: {name: string; place: string}[];
  index: number;
  onSelect(index: number): void;
}

const kOrderWords: Record<string, [string, string]> = {
  // [what the earlier step is to this one, what the later step is]
  created: ['was created by', 'creates it'],
  joined: ['waits for the end of', 'is awaited by'],
  lock: ['after it released the lock:', 'takes the lock next:'],
  notified: ['was notified by', 'notifies'],
  semaphore: ['after the post of', 'lets go on:'],
  barrier: ['after the last arrival:', 'leaves then:'],
  once: ['after it was done by', 'finds it done:'],
  atomic: ['acquires what was released by', 'releases to'],
  value: ['sees the value of', 'its value is seen by'],
};

const kHistory = 5; // steps before and after
const kMostLinks = 8;

export function Details({report, execution, tasks, objects, index, onSelect}: Props) {
  const step = execution.steps[index];
  const frames = step ? stackOf(report, step) : [];
  const [frame, setFrame] = useState(0);
  useEffect(() => setFrame(0), [step]);
  if (!step) return <aside class="details"><p class="faint">No step is selected.</p></aside>;

  const indexOfNumber = (number: number) => execution.steps.findIndex((one) => one.number === number);
  const before = (execution.orders ?? []).filter(([, second]) => second === step.number);
  const after = (execution.orders ?? []).filter(([first]) => first === step.number);
  const link = (number: number) => {
    const at = indexOfNumber(number);
    return <StepLink step={execution.steps[at]} onSelect={() => onSelect(at)} />;
  };
  const place = objects.find((object) => object.name === step.object)?.place;
  return (
    <aside class="details" aria-label="details of the step">
      <header>
        <TaskName task={step.task} /> <span class="step-number">step {step.number}</span>
        {step.mark && <b class="badge">{step.mark}</b>}
        <h2>{step.text}</h2>
        {step.leaves && <p class="leaves">then {step.leaves}</p>}
        {step.rounds && (
          <p class="leaves">{step.rounds} times in a row{step.round_steps! > 1 ? `, each round ${step.round_steps} steps` : ''}; shown once</p>
        )}
      </header>
      {(step.before !== undefined || step.after !== undefined) && (
        <p class="values">
          <span class="object">{step.object}</span>
          {step.before !== undefined && <code>{step.before}</code>}
          {step.after !== undefined && <><span class="arrow-word">→</span><code class="after">{step.after}</code></>}
          {step.older_store && <em>an older store</em>}
        </p>
      )}
      {place && <p class="faint">{step.object} is {place}.</p>}
      <Source report={report} frame={frames[frame]} />
      <h4>Stack</h4>
      <Stack frames={frames} chosen={frame} onChoose={setFrame} />
      {before.length + after.length > 0 && (
        <>
          <h4>Order</h4>
          <ul class="links">
            {before.map(([first, , kind]) => <li>{kOrderWords[kind][0]} {link(first)}</li>)}
            {after.slice(0, kMostLinks).map(([, second, kind]) => <li>{kOrderWords[kind][1]} {link(second)}</li>)}
            {after.length > kMostLinks && <li class="faint">and {after.length - kMostLinks} more</li>}
          </ul>
        </>
      )}
      <h4>Tasks before this step</h4>
      <table class="states">
        {statesAt(execution, tasks.map((task) => task.task), index).map((state) => (
          <tr>
            <td><TaskName task={state.task} /></td>
            <td>
              {state.holds.length > 0 && <>holds {state.holds.map((lock) => <LockName lock={lock} />)} </>}
              {state.waits && (
                <span class="waits">
                  waits{state.waits.object !== '' && <> for <LockName lock={state.waits.object} /></>}
                  {state.waits.holder !== undefined && state.waits.holder !== state.task && <>, held by <TaskName task={state.waits.holder} /></>}
                </span>
              )}
              {state.holds.length === 0 && !state.waits && <span class="faint">holds nothing</span>}
            </td>
          </tr>
        ))}
      </table>
      {step.object && <History execution={execution} index={index} onSelect={onSelect} />}
    </aside>
  );
}

function StepLink({step, onSelect}: {step: Step | undefined; onSelect(): void}) {
  if (!step) return null;
  return (
    <button type="button" class="step-link" onClick={onSelect}>
      <TaskName task={step.task} /> <span class="faint">{step.number}</span> {step.mark && <b class="badge">{step.mark}</b>} {step.text}
    </button>
  );
}

// What happened to the same object before and after.
function History({execution, index, onSelect}: {execution: Execution; index: number; onSelect(index: number): void}) {
  const object = execution.steps[index].object!;
  const all = historyOf(execution, object);
  const here = all.indexOf(index);
  const shown = all.slice(Math.max(0, here - kHistory), here + kHistory + 1);
  return (
    <>
      <h4><code>{object}</code> {all.length === 1 ? 'its only operation' : `operation ${here + 1} of ${all.length}`}</h4>
      <ul class="links history">
        {shown.map((at) => (
          <li class={at === index ? 'here' : ''}><StepLink step={execution.steps[at]} onSelect={() => onSelect(at)} /></li>
        ))}
      </ul>
    </>
  );
}
