import type { Query } from '../../http/query-string.ts';
import type { ConnectOptions } from '../node-backend.ts';

/** Returns the query for a kubelet's exec, attach or portForward. (streamParams) */
export function streamParameters({ stdin, stdout, stderr, tty, command, ports }: ConnectOptions): Query {
  return given({
    input: stdin && ['1'],
    output: stdout && ['1'],
    error: stderr && ['1'],
    tty: tty && ['1'],
    command: command?.length ? command : undefined,
    port: ports?.length ? [ports.join(',')] : undefined,
  });
}

/** Returns the query for a kubelet's log. (LogLocation) */
export function logParameters(options: ConnectOptions): Query {
  const { follow, previous, timestamps, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  const number = (value: number | undefined): string[] | undefined => (value === undefined ? undefined : [`${value}`]);
  return given({
    follow: follow && ['true'],
    previous: previous && ['true'],
    timestamps: timestamps && ['true'],
    sinceSeconds: number(sinceSeconds),
    sinceTime: sinceTime === undefined ? undefined : [sinceTime],
    tailLines: number(tailLines),
    limitBytes: number(limitBytes),
  });
}

function given(values: Readonly<Record<string, readonly string[] | false | undefined>>): Query {
  return new Map(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}
