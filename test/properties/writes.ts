import type { TestObject, TestValue } from '../support/test-object.ts';
import { type Draw, SchemaValues, type Style } from './schema-values.ts';
import { collectionOf, type Subject } from './subjects.ts';

/** A request. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly contentType: string;
  readonly body: TestValue;
}

export const patchTypes = ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml', 'json-patch+json'];

/** Kinds that affect other requests. They are written only in dry runs. */
const influential = [
  'Namespace',
  'ResourceQuota',
  'LimitRange',
  'ServiceCIDR',
  'CustomResourceDefinition',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'PriorityClass',
  'RuntimeClass',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicyBinding',
];

/** Random writes of one kind with values that its schema allows. */
export class Writes {
  readonly #subject: Subject;
  readonly #values: SchemaValues;

  constructor(subject: Subject, style: Style) {
    this.#subject = subject;
    this.#values = new SchemaValues(subject.document, style);
  }

  /** Returns a create, or a write of the named object or its subresource. */
  next(name: string, draw: Draw): Write {
    const { definition } = this.#subject;
    const real = influential.includes(definition.kind) || draw(3) > 0 ? '?dryRun=All' : '';
    const query = definition.stored ? real : '';
    const targets = [undefined, ...definition.subresources.filter(({ connect }) => !connect)];
    if (!definition.stored || draw(2) === 0) {
      const metadata = this.#metadata({ generateName: 'x-', ...this.#subject.example.metadata }, draw);
      return {
        ...this.#json('POST', `${collectionOf(this.#subject)}${query}`),
        body: { ...this.#object(draw), metadata },
      };
    }
    const target = targets[draw(targets.length - 1)];
    const path = `${collectionOf(this.#subject)}/${name}${target === undefined ? '' : `/${target.name}`}${query}`;
    const metadata = this.#metadata({ name }, draw);
    const isOwn = target === undefined || target.gvk.kind === definition.kind;
    const object = isOwn ? this.#object(draw) : this.#values.object(target.gvk, draw);
    const verbs = (target ?? definition).verbs;
    if (verbs.includes('patch') && draw(1) === 1) return this.#patch(path, { ...object, metadata }, draw);
    const method = verbs.includes('update') ? 'PUT' : 'POST';
    return { ...this.#json(method, path), body: { ...object, metadata } };
  }

  #json(method: 'POST' | 'PUT', path: string): Omit<Write, 'body'> {
    return { method, path, contentType: 'application/json' };
  }

  #patch(path: string, object: TestObject, draw: Draw): Write {
    const contentType = `application/${patchTypes[draw(patchTypes.length - 1)]}`;
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...members } = object;
    const operations = Object.entries(members).map(([key, value]) => ({ op: 'add', path: `/${key}`, value }));
    const applied = contentType.includes('apply') ? `${path.includes('?') ? '&' : '?'}fieldManager=m&force=true` : '';
    return {
      method: 'PATCH',
      path: path + applied,
      contentType,
      body: contentType.includes('json-patch') ? operations : object,
    };
  }

  #metadata(given: object, draw: Draw): TestValue {
    return draw(4) < 4 ? given : { ...this.#values.metadata(draw), ...given };
  }

  /** Returns values of the schema, mostly in the example, with a null or empty value. */
  #object(draw: Draw): TestObject {
    const values = this.#values.object(this.#subject.definition, draw);
    const object = draw(4) < 3 ? merged(this.#subject.example, values) : values;
    return draw(2) === 0 ? object : emptied(object, draw);
  }
}

/** Returns a copy with the members of another object. Lists are merged by position. */
export function merged(object: TestValue, other: TestValue): TestValue {
  if (typeof object !== 'object' || typeof other !== 'object' || object === null || other === null) return other;
  const result = structuredClone(object);
  for (const [key, value] of Object.entries(other)) result[key] = key in result ? merged(result[key], value) : value;
  return result;
}

/** Returns a copy with one null or empty value. */
function emptied(object: TestObject, draw: Draw): TestObject {
  const copy = structuredClone(object);
  let at: TestValue = copy;
  for (let depth = 0; depth < 12; depth++) {
    const keys = Object.keys(at).filter((key) => depth > 0 || !['apiVersion', 'kind', 'metadata'].includes(key));
    if (keys.length === 0) break;
    const key = keys[draw(keys.length - 1)];
    const isInner = typeof at[key] === 'object' && at[key] !== null && draw(3) > 0;
    if (isInner) at = at[key];
    else {
      at[key] = draw(1) === 0 || typeof at[key] !== 'object' ? null : Array.isArray(at[key]) ? [] : {};
      break;
    }
  }
  return copy;
}
