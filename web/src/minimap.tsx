// SPDX-License-Identifier: Apache-2.0
// Minimap: the whole execution beside its timeline, a column for each task; a click goes there.

import {useEffect, useRef} from 'preact/hooks';
import {taskHue} from './colors';
import type {Task} from './data';
import type {ExecutionView} from './execution_view';

interface Props {
  view: ExecutionView;
  tasks: Task[];
  selected: number;
  dark: boolean;
  onSelect(index: number): void;
}

export function Minimap({view, tasks, selected, dark, onSelect}: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      const scale = window.devicePixelRatio || 1;
      const {clientWidth: width, clientHeight: height} = element;
      element.width = width * scale;
      element.height = height * scale;
      const paint = element.getContext('2d')!;
      paint.scale(scale, scale);
      const lane = new Map(tasks.map((task, index) => [task.task, index]));
      const column = (width - 4) / Math.max(1, tasks.length);
      const rows = Math.max(1, view.rows.length);
      const thick = Math.max(1, Math.min(6, height / rows - 1));
      view.rows.forEach((index, row) => {
        const step = view.execution.steps[index];
        const at = lane.get(step.task);
        if (at === undefined || step.mark) return;
        paint.fillStyle = `hsl(${taskHue(step.task)} 55% ${dark ? 55 : 60}%)`;
        paint.fillRect(2 + at * column, (row / rows) * height, column - 1, thick);
      });
      view.rows.forEach((index, row) => {
        const step = view.execution.steps[index];
        const at = lane.get(step.task);
        if (at === undefined || !step.mark) return;
        paint.fillStyle = dark ? '#ffb224' : '#e5484d';
        paint.fillRect(1 + at * column, (row / rows) * height - 1, column + 1, Math.max(4, thick + 1));
      });
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [view, tasks, dark]);

  const go = (event: MouseEvent) => {
    const element = canvas.current!;
    const share = (event.clientY - element.getBoundingClientRect().top) / element.clientHeight;
    const row = Math.max(0, Math.min(view.rows.length - 1, Math.floor(share * view.rows.length)));
    if (view.rows.length > 0) onSelect(view.rows[row]);
  };
  // What moves with every step is not part of the picture.
  const here = (view.nearestRow(selected) / Math.max(1, view.rows.length)) * 100;
  return (
    <div class="minimap" onClick={go} title="the whole execution; click to go there" aria-hidden="true">
      <canvas ref={canvas} />
      <div class="here" style={{top: `${here}%`}} />
    </div>
  );
}
