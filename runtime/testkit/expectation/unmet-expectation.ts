import { encodeYaml } from '../../codec/yaml.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { describeReferred, type ReferredObjects } from './object-reference.ts';
import type { WatchedObjects } from './watched-objects.ts';

/** The maximum characters of each object in a message, and the maximum number of objects. */
const shownCharacters = 4000;
const shownObjects = 5;

/** Objects did not become as expected. The message shows their state and their recent events. */
export class UnmetExpectationError extends Error {
  readonly isUnmetExpectationError = true;
}

/**
 * @param why the end of the wait: `within 4s`
 * @param thrown the error of the predicate's last call, if it threw
 */
export function unmetExpectation(referred: ReferredObjects, watched: WatchedObjects, why: string, thrown: unknown): UnmetExpectationError {
  const { apiVersion, kind } = { apiVersion: apiVersionOf(referred), kind: referred.kind };
  if (!watched.isServed) {
    return new UnmetExpectationError(`the server has not served the kind ${kind} of ${apiVersion} ${why}`);
  }
  const lines = [
    `${describeReferred(referred)} did not become what was expected ${why}.`,
    ...(thrown === undefined ? [] : ['', 'The predicate threw:', indent(messageOf(thrown))]),
    '',
    ...describeState(watched.objects),
    '',
    'Events:',
    ...describeEvents(watched),
  ];
  return new UnmetExpectationError(lines.join('\n'), { cause: thrown });
}

const apiVersionOf = ({ group, version }: ReferredObjects): string => (group === '' ? version : `${group}/${version}`);

function describeState(objects: readonly KubeObject[]): string[] {
  if (objects.length === 0) return ['It does not exist.'];
  const hidden = objects.length - shownObjects;
  return [
    objects.length === 1 ? 'It is:' : `These are the ${objects.length} objects:`,
    objects.slice(0, shownObjects).map(describe).join('  ---\n').trimEnd(),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

/** Returns an object as YAML, without fields that nobody reads. */
function describe(object: KubeObject): string {
  const { managedFields: _managers, ...metadata } = object.metadata;
  const yaml = Buffer.from(encodeYaml({ ...object, metadata })).toString();
  const shown = yaml.length > shownCharacters ? `${yaml.slice(0, shownCharacters)}...\n` : yaml;
  return `${indent(shown.trimEnd())}\n`;
}

function describeEvents({ seen }: WatchedObjects): string[] {
  if (seen.length === 0) return ['  none'];
  return seen.map(({ type, revision, name }) => `  ${type} ${name}, resourceVersion ${revision}`);
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const indent = (text: string): string => text.replace(/^/gm, '  ');
