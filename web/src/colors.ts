// SPDX-License-Identifier: Apache-2.0
// Colours of tasks and locks: hues; style.css gives them a lightness that fits the theme.

const kTaskHues = [215, 28, 150, 285, 350, 185, 50, 255];
const kLockHues = [265, 95, 330, 200, 20, 130, 240, 60];

export const taskHue = (task: number): number => kTaskHues[task % kTaskHues.length];

const lockHues = new Map<string, number>();
export function lockHue(lock: string): number {
  let hue = lockHues.get(lock);
  if (hue === undefined) lockHues.set(lock, (hue = kLockHues[lockHues.size % kLockHues.length]));
  return hue;
}

export const hueStyle = (hue: number): Record<string, string> => ({'--hue': String(hue)});
