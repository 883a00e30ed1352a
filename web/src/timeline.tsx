// SPDX-License-Identifier: Apache-2.0
// Timeline: a lane for each task, a row for each step. Only the rows in view exist, so that an execution of many
// thousand steps scrolls like one of ten.

import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {hueStyle, lockHue, taskHue} from './colors';
import {functionName, placeOf, stackOf, type Explanation, type Report, type Step, type Task} from './data';
import type {Arrow, Bar, ExecutionView} from './execution_view';

const kRow = 30; // pixels, as in style.css
const kGutter = 62;
const kLeastLane = 168;
const kNarrow = 290; // lanes below it have no room for places
const kSpare = 8; // rows beyond the window
const kBar = 6;
const kChannel = 14; // right of the steps of a lane: arrows turn there

interface Props {
  report: Report;
  explanation: Explanation;
  view: ExecutionView;
  tasks: Task[];
  selected: number; // index of the step
  arrows: boolean;
  fails: boolean; // this is the execution that fails
  title?: string;
  onSelect(index: number): void;
}

export function Timeline(props: Props) {
  const {view, tasks, selected} = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({top: 0, height: 600, width: 900});

  useLayoutEffect(() => {
    const element = scroller.current!;
    let frame = 0;
    const measure = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() =>
        setWindow({top: element.scrollTop, height: element.clientHeight, width: element.clientWidth}));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, {passive: true});
    measure();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const laneOf = lanesOf(view, tasks, window.width - kGutter - 4);
  const lanes = [...laneOf.values()];
  const width = lanes.reduce((end, lane) => Math.max(end, lane.left + lane.width), kGutter);

  // The selected step stays in view.
  const row = view.nearestRow(selected);
  useEffect(() => {
    const element = scroller.current!;
    const head = 34;
    const top = row * kRow;
    const room = element.clientHeight - head;
    if (room <= 0) return;
    if (top < element.scrollTop + kRow) element.scrollTop = top - room / 3;
    else if (top + 2 * kRow > element.scrollTop + room) element.scrollTop = top - (room * 2) / 3;
    const lane = laneOf.get(view.execution.steps[selected]?.task);
    if (!lane) return;
    if (lane.left - kGutter < element.scrollLeft) element.scrollLeft = lane.left - kGutter;
    else if (lane.left + lane.width > element.scrollLeft + element.clientWidth) element.scrollLeft = lane.left + lane.width - element.clientWidth;
  }, [row, view]);
  const first = Math.max(0, Math.floor(window.top / kRow) - kSpare);
  const last = Math.min(view.rows.length, Math.ceil((window.top + window.height) / kRow) + kSpare);
  const rows = [];
  for (let i = first; i < last; ++i) rows.push(i);
  const inWindow = (top: number, bottom: number) => top < last && bottom >= first;
  const failureRows = props.fails && props.explanation.failure !== '' ? 1 : 0;

  return (
    <section class={`timeline ${props.fails ? 'fails' : 'passes'}${lanes.some((lane) => lane.width < kNarrow) ? ' narrow' : ''}`} aria-label={props.title ?? 'timeline'}>
      {props.title && <h3>{props.title}</h3>}
      <div class="scroller" ref={scroller} tabIndex={-1}>
        <div class="lane-heads" style={{width: `${width}px`, gridTemplateColumns: [kGutter, ...lanes.map((lane) => lane.width)].map((one) => `${one}px`).join(' ')}}>
          <span class="gutter-head">step</span>
          {tasks.map((task) => (
            <span class="lane-head" style={hueStyle(taskHue(task.task))} title={task.function}>
              <b>T{task.task}</b> {task.name && <em>{task.name}</em>} <span class="function">{functionName(task.function)}</span>
            </span>
          ))}
        </div>
        <div class="rows" style={{height: `${(view.rows.length + view.tail + failureRows) * kRow}px`, width: `${width}px`}}>
          {tasks.map((task, index) => (
            <div class="lane" style={{...hueStyle(taskHue(task.task)), left: `${lanes[index].left}px`, width: `${lanes[index].width}px`}} />
          ))}
          {view.waits.filter((bar) => laneOf.has(bar.task) && inWindow(bar.top, bar.bottom)).map((bar) => (
            <Wait bar={bar} lane={laneOf.get(bar.task)!} />
          ))}
          {view.held.filter((bar) => laneOf.has(bar.task) && inWindow(bar.top, bar.bottom)).map((bar) => (
            <div
              class="held"
              title={`T${bar.task} holds ${bar.object}`}
              style={{
                ...hueStyle(lockHue(bar.object)),
                left: `${laneOf.get(bar.task)!.left + 11 + bar.slot * (kBar + 2)}px`,
                top: `${bar.top * kRow}px`,
                height: `${Math.max(kRow / 2, (bar.bottom - bar.top) * kRow)}px`,
              }}
            />
          ))}
          {rows.map((i) => {
            const index = view.rows[i];
            const step = view.step(i);
            const lane = laneOf.get(step.task);
            if (!lane) return null;
            return (
              <StepRow
                key={index}
                report={props.report}
                step={step}
                row={i}
                left={lane.left}
                width={lane.width}
                bars={slotsAt(view.held, step.task)}
                selected={index === selected}
                sameObject={step.object !== undefined && step.object === view.execution.steps[selected]?.object}
                onSelect={() => props.onSelect(index)}
              />
            );
          })}
          {props.arrows && (
            <Arrows view={view} laneOf={laneOf} width={width} first={first} last={last} selectedRow={view.rowOf(selected)} />
          )}
          {failureRows > 0 && last >= view.rows.length && (
            <Failure explanation={props.explanation} row={view.rows.length + view.tail} laneOf={laneOf} width={width} />
          )}
          {view.rows.length === 0 && <p class="nothing">No step passes the filter.</p>}
        </div>
      </div>
    </section>
  );
}

interface Lane {
  left: number;
  width: number;
}
type Lanes = Map<number, Lane>;

// Side by side over the room there is. A task that does little, such as one that waits for the others, gets less.
function lanesOf(view: ExecutionView, tasks: Task[], room: number): Lanes {
  const most = Math.max(1, ...tasks.map((task) => view.countOf(task.task)));
  const shares = tasks.map((task) => (view.countOf(task.task) * 5 < most ? 0.6 : 1));
  const unit = room / Math.max(1, shares.reduce((sum, share) => sum + share, 0));
  let left = kGutter;
  return new Map(tasks.map((task, index) => {
    const lane = {left, width: Math.max(Math.floor(unit * shares[index]), Math.floor(kLeastLane * shares[index]))};
    left += lane.width;
    return [task.task, lane];
  }));
}

// "savings.balance -> 100": when there is little room, the value stays.
function parts(text: string): [string, string] {
  const at = text.search(/: | -> /);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

// How many bars of locks may stand beside the text of a lane.
const slotCounts = new WeakMap<Bar[], Map<number, number>>();
function slotsAt(bars: Bar[], task: number): number {
  let counts = slotCounts.get(bars);
  if (!counts) {
    counts = new Map();
    for (const bar of bars) counts.set(bar.task, Math.max(counts.get(bar.task) ?? 0, bar.slot + 1));
    slotCounts.set(bars, counts);
  }
  return Math.min(4, counts.get(task) ?? 0);
}

function StepRow(props: {
  report: Report;
  step: Step;
  row: number;
  left: number;
  width: number;
  bars: number;
  selected: boolean;
  sameObject: boolean;
  onSelect(): void;
}) {
  const {step} = props;
  const classes = ['step', `weight-${step.weight}`];
  if (props.selected) classes.push('selected');
  else if (props.sameObject) classes.push('same-object');
  if (step.mark) classes.push('mark');
  const indent = 14 + props.bars * (kBar + 2);
  const place = placeOf(stackOf(props.report, step)[0]);
  return (
    <>
      <span class="number" style={{top: `${props.row * kRow}px`}}>{step.number}</span>
      <button
        type="button"
        class={classes.join(' ')}
        data-step={step.number}
        aria-pressed={props.selected}
        tabIndex={-1}
        title={`${step.text}${step.source ? `\n${place}  ${step.source}` : ''}`}
        style={{
          ...hueStyle(taskHue(step.task)),
          top: `${props.row * kRow + 2}px`,
          left: `${props.left + indent}px`,
          width: `${props.width - indent - kChannel}px`,
        }}
        onClick={props.onSelect}
      >
        {step.mark && <b class="badge">{step.mark}</b>}
        <span class="text">{parts(step.text)[0]}</span>
        <span class="value">{parts(step.text)[1]}</span>
        {step.rounds && <i class="rounds">{step.rounds}×{step.round_steps! > 1 ? ` (${step.round_steps} steps)` : ''}</i>}
        {step.preempted && <i class="preempted" title="preempted: it could have gone on">⇥</i>}
        <span class="place">{place}</span>
      </button>
    </>
  );
}

function Wait({bar, lane}: {bar: Bar; lane: Lane}) {
  const top = bar.top + 0.5;
  const height = bar.bottom - 0.5 - top;
  if (height <= 0) return null;
  const holder = bar.holder !== undefined && bar.holder !== bar.task ? `, held by T${bar.holder}` : '';
  const text = bar.object === '' ? 'waits' : `waits for ${bar.object}${holder}`;
  return (
    <div
      class="wait"
      title={`T${bar.task} ${text}`}
      style={{...hueStyle(taskHue(bar.task)), top: `${top * kRow}px`, height: `${height * kRow}px`, left: `${lane.left + 14}px`, width: `${lane.width - 14 - kChannel}px`}}
    >
      {height >= 0.8 && <span>{text}</span>}
    </div>
  );
}

function Failure(props: {explanation: Explanation; row: number; laneOf: Lanes; width: number}) {
  const task = props.explanation.failing_task;
  const left = (task === undefined ? undefined : props.laneOf.get(task)?.left) ?? kGutter;
  return (
    <div class="failure" title={props.explanation.failure}
         style={{top: `${props.row * kRow + 2}px`, left: `${left + 8}px`, maxWidth: `${props.width - left - 12}px`}}>
      ✗ {props.explanation.failure}
    </div>
  );
}

function Arrows(props: {view: ExecutionView; laneOf: Lanes; width: number; first: number; last: number; selectedRow: number}) {
  const {view, laneOf, first, last, selectedRow} = props;
  const x = (task: number, right: boolean) => laneOf.get(task)!.left + (right ? laneOf.get(task)!.width - kChannel : 12);
  const curve = (arrow: Arrow) => {
    const rightwards = laneOf.get(arrow.fromTask)!.left < laneOf.get(arrow.toTask)!.left;
    const x1 = x(arrow.fromTask, rightwards);
    const x2 = x(arrow.toTask, !rightwards);
    const y1 = (arrow.from + 0.5) * kRow;
    const y2 = (arrow.to + 0.5) * kRow;
    const bend = Math.min(60, 16 + Math.abs(x2 - x1) / 4) * (rightwards ? 1 : -1);
    return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
  };
  const touches = (arrow: Arrow) => arrow.from === selectedRow || arrow.to === selectedRow;
  const shown = view.arrows.filter((arrow) =>
    laneOf.has(arrow.fromTask) && laneOf.has(arrow.toTask) && arrow.from < last && arrow.to >= first &&
    // Of what a step sees, the one that is asked for: many may see the value of one write.
    (arrow.kind !== 'value' || arrow.to === selectedRow) &&
    // An arrow across many screens says nothing while it passes by.
    (touches(arrow) || (arrow.to - arrow.from < 400)));
  const marks = view.marks;
  return (
    <svg class="arrows" width={props.width} height={view.rows.length * kRow} aria-hidden="true">
      <defs>
        {['plain', 'strong', 'decides'].map((name) => (
          <marker id={`head-${name}`} class={name} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        ))}
      </defs>
      {marks.slice(1).map((to, i) => ({from: marks[i], to, kind: 'decides', fromTask: view.step(marks[i]).task, toTask: view.step(to).task}))
        .filter((arrow) => laneOf.has(arrow.fromTask) && laneOf.has(arrow.toTask) && arrow.from < last && arrow.to >= first && arrow.fromTask !== arrow.toTask)
        .map((arrow) => <path key={`mark-${arrow.from}`} d={curve(arrow)} class="arrow decides" marker-end="url(#head-decides)" />)}
      {shown.map((arrow) => (
        <path key={`${arrow.from}-${arrow.to}`} d={curve(arrow)} class={`arrow ${arrow.kind}${touches(arrow) ? ' strong' : ''}`}
              marker-end={`url(#head-${touches(arrow) ? 'strong' : 'plain'})`} />
      ))}
    </svg>
  );
}
