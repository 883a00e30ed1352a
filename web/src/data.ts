// SPDX-License-Identifier: Apache-2.0
// The data in the page, as reports/html_report.cpp writes it.

export interface Frame {
  function: string;
  file: string;
  line: number;
  module: string;
  inlined?: boolean;
}

export interface Step {
  number: number; // of the step in the execution, from 1
  task: number;
  kind: string;
  text: string;
  weight: 'alone' | 'shared' | 'related' | 'cause';
  object?: string;
  before?: string;
  after?: string;
  older_store?: boolean;
  held?: string[];
  stack?: number;
  source?: string;
  mark?: number;
  rounds?: number;
  round_steps?: number;
  leaves?: string;
  preempted?: boolean;
}

// From the end of one step to the beginning of another, as indices into the steps.
export interface Span {
  task: number;
  object: string;
  first: number;
  last: number;
  holder?: number;
}

export interface Execution {
  steps: Step[];
  held: Span[];
  waits: Span[];
  orders?: [number, number, string][]; // numbers of steps
}

export interface Task {
  task: number;
  name: string;
  function: string;
}

export interface Explanation {
  summary: string[];
  failure: string;
  place: string;
  failing_task?: number;
  all_steps: number;
  cut: boolean;
  tasks: Task[];
  objects: {name: string; place: string}[];
  failing: Execution;
  passing: Execution | null;
}

export interface StackOfTask {
  task: number | null;
  task_name: string;
  operation: string;
  object: string;
  blocked: boolean;
  holder: number | null;
  held: {object: string; taken_at: Frame[]}[];
  value?: string;
  frames: Frame[];
}

export interface Cause {
  second_happened: boolean;
  passes_otherwise: boolean;
  older_store: boolean;
}

export interface Finding {
  id: number;
  kind: string;
  message: string;
  part?: string;
  first_execution: number;
  count: number;
  schedule: string;
  preemptions: number;
  tasks: number;
  step: number;
  replayed: boolean;
  best_effort: boolean;
  unfinished?: string;
  memory?: string;
  remedy?: string;
  known_defect?: string;
  weak_reads?: string[];
  stacks: StackOfTask[];
  stacks_total: number;
  created: {task: number | null; name: string; creator: number | null; created_at: Frame[]}[];
  objects: {name: string; place: string}[];
  cause: Cause | null;
  output: string;
  output_truncated: boolean;
  explanation: Explanation | null;
}

export interface Report {
  ravel: string;
  command: string;
  program: string[];
  verdict: string;
  notes: string[];
  cases: {name: string; failure?: string; skipped?: string}[]; // of a test binary, or race tests
  findings: Finding[];
  frames: Frame[];
  stacks: number[][];
  sources: Record<string, Record<string, string>>;
}

export function loadReport(): Report {
  return JSON.parse(document.getElementById('ravel-data')!.textContent!) as Report;
}

export function stackOf(report: Report, step: Step): Frame[] {
  return step.stack === undefined ? [] : report.stacks[step.stack].map((index) => report.frames[index]);
}

export const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

// "main::{lambda()#1}::operator()() const" is its lambda; the call operator says nothing more.
export const functionName = (name: string): string => name.replace(/::operator\(\)\(.*\)( const)?$/, '');

// Messages name files as the compiler did; their last part is enough to read.
export const shortPaths = (text: string): string => text.replace(/\/[^\s:]*\/(?=[^\s/:]+:\d)/g, '');

export const placeOf = (frame: Frame | undefined): string =>
  !frame ? '' : frame.line > 0 ? `${baseName(frame.file)}:${frame.line}` : frame.function;
