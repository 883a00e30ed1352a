// SPDX-License-Identifier: Apache-2.0
// ExecutionView: an execution as the timeline shows it: the steps that pass the filter, as rows, and what refers to them.

import type {Execution, Span, Step} from './data';

export type Level = 'cause' | 'related' | 'shared' | 'all';

export interface Filter {
  level: Level;
  hiddenTasks: ReadonlySet<number>;
  text: string; // in the object, the operation or the source
}

const kWeights = {alone: 0, shared: 1, related: 2, cause: 3};
const kLeast: Record<Level, number> = {all: 0, shared: 1, related: 2, cause: 3};

export function isShown(step: Step, filter: Filter): boolean {
  if (filter.hiddenTasks.has(step.task)) return false;
  const wanted = filter.text.trim().toLowerCase();
  if (wanted !== '') {
    return [step.object, step.text, step.source].some((text) => text?.toLowerCase().includes(wanted));
  }
  return step.mark !== undefined || kWeights[step.weight] >= kLeast[filter.level];
}

export interface Arrow {
  from: number; // rows
  to: number;
  fromTask: number;
  toTask: number;
  kind: string;
}

// A span in rows: fractions are between rows.
export interface Bar extends Span {
  top: number;
  bottom: number;
  slot: number; // bars of one lane side by side
}

export class ExecutionView {
  readonly rows: number[] = []; // row -> index of the step
  readonly arrows: Arrow[] = [];
  readonly marks: number[] = []; // rows of the operations that decide
  readonly tail: number; // rows below the last step: what tasks wait for in the end
  readonly held: Bar[];
  readonly waits: Bar[];
  private readonly counts = new Map<number, number>(); // rows of each task
  private readonly rowOfStep: number[] = []; // step -> its row, or the first row after it
  private readonly indexOfNumber = new Map<number, number>();

  constructor(readonly execution: Execution, filter: Filter) {
    const {steps} = execution;
    steps.forEach((step, index) => {
      this.rowOfStep.push(this.rows.length);
      this.indexOfNumber.set(step.number, index);
      if (!isShown(step, filter)) return;
      if (step.mark) this.marks.push(this.rows.length);
      this.rows.push(index);
      this.counts.set(step.task, this.countOf(step.task) + 1);
    });
    for (const [first, second, kind] of execution.orders ?? []) {
      const from = this.rowOf(this.indexOfNumber.get(first));
      const to = this.rowOf(this.indexOfNumber.get(second));
      if (from < 0 || to < 0) continue;
      this.arrows.push({from, to, kind, fromTask: this.step(from).task, toTask: this.step(to).task});
    }
    this.tail = execution.waits.some((span) => span.last >= steps.length) ? 1 : 0;
    const shown = (span: Span) => !filter.hiddenTasks.has(span.task);
    this.held = withSlots(execution.held.filter(shown).map((span) => this.bar(span)));
    this.waits = execution.waits.filter(shown).map((span) => this.bar(span));
  }

  step(row: number): Step {
    return this.execution.steps[this.rows[row]];
  }

  countOf(task: number): number {
    return this.counts.get(task) ?? 0;
  }

  // The row of the step, -1 when it is not shown.
  rowOf(index: number | undefined): number {
    if (index === undefined) return -1;
    const row = this.rowOfStep[index];
    return this.rows[row] === index ? row : -1;
  }

  // The row of the step, or the nearest one.
  nearestRow(index: number): number {
    return Math.min(this.rowOfStep[index] ?? this.rows.length, this.rows.length - 1);
  }

  indexOf(number: number): number | undefined {
    return this.indexOfNumber.get(number);
  }

  private bar(span: Span): Bar {
    const end = span.last >= this.execution.steps.length;
    const first = this.rowOf(span.first);
    const last = end ? -1 : this.rowOf(span.last);
    const top = first >= 0 ? first + 0.5 : this.rowOfStep[span.first];
    const bottom = end ? this.rows.length + 1.5 * this.tail : last >= 0 ? last + 0.5 : this.rowOfStep[span.last];
    return {...span, top, bottom, slot: 0};
  }
}

function withSlots(bars: Bar[]): Bar[] {
  const busy = new Map<number, number[]>(); // task -> by slot, where its latest bar ends
  for (const bar of bars) {
    const slots = busy.get(bar.task) ?? [];
    busy.set(bar.task, slots);
    let slot = slots.findIndex((end) => end <= bar.top);
    if (slot < 0) slot = slots.length;
    slots[slot] = bar.bottom;
    bar.slot = slot;
  }
  return bars;
}

// What a task holds and waits for just before the step with this index.
export interface TaskState {
  task: number;
  holds: string[];
  waits?: Span;
}

// The steps on the same object, as indices.
const histories = new WeakMap<Execution, Map<string, number[]>>();
export function historyOf(execution: Execution, object: string): number[] {
  let all = histories.get(execution);
  if (!all) {
    all = new Map();
    for (const [index, step] of execution.steps.entries()) {
      if (step.object === undefined) continue;
      const known = all.get(step.object);
      if (known) known.push(index);
      else all.set(step.object, [index]);
    }
    histories.set(execution, all);
  }
  return all.get(object) ?? [];
}

export function statesAt(execution: Execution, tasks: readonly number[], index: number): TaskState[] {
  return tasks.map((task) => ({
    task,
    holds: execution.held.filter((span) => span.task === task && span.first < index && index <= span.last).map((span) => span.object),
    waits: execution.waits.find((span) => span.task === task && span.first < index && index < span.last),
  }));
}
