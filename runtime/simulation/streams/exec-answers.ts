import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { annotationOf, annotationPrefix } from '../pods/behaviour.ts';

/** What a command answers. */
export interface ExecAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * The answer that the annotation `exec` has for a command: a map of command lines to what they print, or to `stdout`, `stderr` and
 * `exitCode`.
 *
 * @throws Error if the annotation makes no sense
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
