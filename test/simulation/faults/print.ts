import type { ObjectInput, ObjectOperation, ObjectOutput, Version } from '../linearizability/object-model.ts';

/** Returns a line for each operation, in the order of calls. */
export function printed(operations: readonly ObjectOperation[]): string {
  return [...operations]
    .sort((one, other) => one.call - other.call)
    .map(({ client, input, output, call, return: end }) => {
      const times = `${call}..${Number.isFinite(end) ? end : ''}`;
      return `  ${times.padEnd(12)} ${client.padEnd(4)} ${asked(input)}: ${output ? answered(output) : 'outcome unknown'}`;
    })
    .join('\n');
}

function asked(input: ObjectInput): string {
  if (input.type === 'read') return 'read';
  const mark = 'mark' in input ? ` ${input.mark}` : '';
  const slot = 'slot' in input ? ` in slot ${input.slot}` : '';
  const guard = 'guard' in input && input.guard !== undefined ? ` if at revision ${input.guard}` : '';
  return `${input.type}${mark}${slot}${guard}`;
}

function answered(output: ObjectOutput): string {
  return output.result === 'version' ? described(output.version) : output.result;
}

export function described({ revision, writer, slots, uid }: Version): string {
  return `revision ${revision} by ${writer}, slots ${slots}, uid ${uid.slice(0, 8)}`;
}
