// SPDX-License-Identifier: Apache-2.0
// A report with an execution of many steps, as reports/html_report.cpp would write it: tasks that take turns at a lock.

const source = [
  'void Account::deposit(int amount) {', '  const int before = balance_;', '  std::lock_guard guard(mutex_);',
  '  balance_ = before + amount;', '  ++deposits_;', '}',
];

export function longReport(count, tasks = 6) {
  const frames = source.map((_, index) => ({function: 'Account::deposit(int)', file: '/src/account.cpp', line: index + 1, module: 'bank'}));
  frames.push({function: 'worker(int)', file: '/src/bank.cpp', line: 20, module: 'bank'});
  const stacks = source.map((_, index) => [index, source.length]);
  const steps = [];
  const held = [];
  const orders = [];
  let unlocked = 0;
  for (let round = 0; steps.length + 5 <= count; ++round) {
    const task = 1 + (round % tasks);
    const add = (kind, text, object, line, more = {}) =>
      steps.push({number: steps.length + 1, task, kind, text, weight: 'shared', object, stack: line - 1, source: source[line - 1].trim(), ...more});
    add('read', `reads balance_: ${round}`, 'balance_', 2, {before: String(round)});
    add('lock', 'lock mutex_', 'mutex_', 3);
    if (unlocked > 0) orders.push([unlocked, steps.length, 'lock']);
    add('write', `balance_ -> ${round + 1}`, 'balance_', 4, {before: String(round), after: String(round + 1), held: ['mutex_'], weight: 'related'});
    add('read-write', `deposits_: ${round} -> ${round + 1}`, 'deposits_', 5, {before: String(round), after: String(round + 1), held: ['mutex_']});
    add('unlock', 'unlock mutex_', 'mutex_', 6, {held: ['mutex_'], preempted: true, leaves: 'preempted'});
    unlocked = steps.length;
    held.push({task, object: 'mutex_', first: steps.length - 4, last: steps.length - 1});
  }
  const middle = Math.floor(steps.length / 10) * 5;
  Object.assign(steps[middle], {mark: 1, weight: 'cause'});
  Object.assign(steps[middle + 7], {mark: 2, weight: 'cause'});
  const explanation = {
    summary: ['(1) T1 read `balance_`, (2) T2 changed it.'], failure: 'assertion `total == 150`', place: 'bank.cpp:31', failing_task: 1,
    all_steps: steps.length, cut: false, objects: [],
    tasks: Array.from({length: tasks}, (_, index) => ({task: index + 1, name: '', function: 'worker(int)'})),
    failing: {steps, held, waits: [], orders}, passing: null,
  };
  const finding = {
    id: 1, kind: 'assertion', message: 'assertion `total == 150` failed at bank.cpp:31', first_execution: 1, count: 1, schedule: 'a.ravel',
    preemptions: 9, tasks: tasks + 1, step: steps.length, replayed: true, best_effort: false, stacks: [], stacks_total: 0, created: [],
    objects: [], cause: {second_happened: true, passes_otherwise: false, older_store: false}, output: '', output_truncated: false, explanation,
  };
  const lines = Object.fromEntries(source.map((text, index) => [String(index + 1), text]));
  return {
    ravel: '0', command: 'run', program: ['./bank'], verdict: '1 finding', notes: [], cases: [], findings: [finding], frames, stacks,
    sources: {'/src/account.cpp': lines},
  };
}
