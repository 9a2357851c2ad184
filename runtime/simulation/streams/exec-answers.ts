import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { annotationOf, annotationPrefix } from '../pods/behaviour.ts';

/** The output and exit code of a command. */
export interface ExecAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Returns the answer for a command in the annotation `exec`: a map of command lines to their output, or to `stdout`,
 * `stderr` and `exitCode`.
 *
 * @throws Error for an invalid annotation
 */
export function execAnswer(pod: Pod, container: string, command: readonly string[]): ExecAnswer | undefined {
  const text = annotationOf(pod, 'exec', container);
  if (text === undefined) return undefined;
  let answers: unknown;
  try {
    answers = decodeYaml(Buffer.from(text));
  } catch (error) {
    throw new Error(`invalid annotation ${annotationPrefix}exec: ${messageOf(error)}`);
  }
  if (!isJsonObject(answers)) throw new Error(`invalid annotation ${annotationPrefix}exec: must be a map of commands`);
  const line = command.join(' ');
  if (!Object.hasOwn(answers, line)) return undefined;
  const answer: unknown = answers[line];
  if (!isJsonObject(answer)) return { stdout: String(answer ?? ''), stderr: '', exitCode: 0 };
  const { stdout = '', stderr = '', exitCode = 0 }: Readonly<Record<string, unknown>> = answer;
  return { stdout: String(stdout), stderr: String(stderr), exitCode: Number(exitCode) & 255 };
}
