// SPDX-License-Identifier: Apache-2.0
// The lines around a place of the sources, as far as the report has them.

import {baseName, type Frame, type Report} from './data';

const kTokens = new RegExp(
  [
    '(?<comment>//.*|/\\*.*?(?:\\*/|$))',
    '(?<string>"(?:[^"\\\\]|\\\\.)*"?|\'(?:[^\'\\\\]|\\\\.)*\'?)',
    '(?<number>\\b\\d[\\w.\']*\\b)',
    '(?<directive>^\\s*#\\s*\\w+)',
    '(?<keyword>\\b(?:alignas|alignof|auto|bool|break|case|catch|char|class|co_await|co_return|co_yield|concept|const|' +
      'consteval|constexpr|constinit|continue|default|delete|do|double|else|enum|explicit|extern|false|final|float|for|' +
      'friend|if|inline|int|long|mutable|namespace|new|noexcept|nullptr|operator|override|private|protected|public|' +
      'requires|return|short|signed|sizeof|static|static_assert|static_cast|struct|switch|template|this|thread_local|' +
      'throw|true|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while)\\b)',
  ].join('|'),
  'g',
);

function painted(line: string) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(kTokens)) {
    parts.push(line.slice(end, match.index));
    const kind = Object.entries(match.groups!).find(([, text]) => text !== undefined)![0];
    parts.push(<span class={`code-${kind}`}>{match[0]}</span>);
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
  return parts;
}

export function Source({report, frame, around = 5}: {report: Report; frame: Frame | undefined; around?: number}) {
  if (!frame) return null;
  const lines = report.sources[frame.file];
  const where = <div class="source-file" title={frame.file}>{baseName(frame.file)}{frame.line > 0 ? `:${frame.line}` : ''}</div>;
  if (!lines || frame.line === 0 || lines[frame.line] === undefined) {
    return (
      <div class="source">
        {where}
        <p class="faint">{frame.line > 0 ? 'The source was not there when the report was written.' : `no line is known; in ${frame.module}`}</p>
      </div>
    );
  }
  const shown = [];
  for (let line = Math.max(1, frame.line - around); line <= frame.line + around; ++line) {
    if (lines[line] !== undefined) shown.push(line);
  }
  const common = Math.min(...shown.map((line) => (lines[line].trim() === '' ? Infinity : lines[line].search(/\S/))));
  const cut = Number.isFinite(common) ? common : 0;
  return (
    <div class="source">
      {where}
      <pre>
        {shown.map((line) => (
          <div class={line === frame.line ? 'line here' : 'line'}>
            <span class="line-number">{line}</span>
            <code>{painted(lines[line].slice(cut))}</code>
          </div>
        ))}
      </pre>
    </div>
  );
}
