import { structuredPatch } from 'diff';
import type { ComponentChildren } from 'preact';

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** The lines around each change. */
  readonly context?: number;
}

const signs: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' };

/** What is different between two texts, line by line. */
export function DiffView({ before, after, context = 3 }: DiffViewProps): ComponentChildren {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context });
  if (hunks.length === 0) return <p class="subtle pad">Nothing else is different.</p>;
  return (
    <div class="diff" role="group" aria-label="Differences">
      {hunks.map(({ lines, newStart }) => (
        <ol key={newStart}>
          {lines
            .filter((line) => !line.startsWith('\\'))
            .map((line, at) => (
              <li key={at} class={signs[line[0] ?? ''] ?? ''}>
                <span class="sign">{line[0] === ' ' ? '' : line[0]}</span>
                {line.slice(1)}
              </li>
            ))}
        </ol>
      ))}
    </div>
  );
}
