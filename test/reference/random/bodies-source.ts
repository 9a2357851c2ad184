import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

const collection = '/api/v1/namespaces/default/configmaps';

/** Texts of a ConfigMap in JSON, as clients write them by hand. */
const jsonTexts = [
  '{"metadata":{"name":"x"},"data":{"a":"1","a":"2"}}',
  '{"metadata":{"name":"x","name":"y"},"data":{"a":"1"}}',
  '{"metadata":{"name":"x"},"data":{"a":"1"},"data":{"b":"2"}}',
  '{"metadata":{"name":"x"},"odd":1,"odd":2}',
  '{"metadata":{"name":"x"},"metadata":{"labels":{"a":"b"}}}',
  '{"metadata":{"name":"x","labels":{"a":"b"}},"metadata":{"labels":{"c":"d"},"name":"x"}}',
  '{"metadata":{"name":"x"},"data":{"a":"1"},"data":null}',
  '{"metadata":{"name":"x","finalizers":["a.b/c","d.e/f"],"finalizers":["g.h/i"]}}',
  '{"metadata":{"name":"x","ownerReferences":[{"apiVersion":"v1","kind":"A","name":"n","uid":"u","controller":true}],"ownerReferences":[{"apiVersion":"v1","kind":"B","name":"n","uid":"v"}]}}',
  '{"Metadata":{"name":"x"},"metadata":{"Name":"z","name":"x"}}',
  '{"metadata":{"name":"x"},"data":{"a":1}}',
  '{"metadata":{"name":"x"},"data":{"a":"\\ud800"}}',
  '{"metadata":{"name":"x"},"data":{"a":"\\u0000"}}',
  '{"metadata":{"name":"x"},"data":{"a":"b",}}',
  '{"metadata":{"name":"x"}} {"metadata":{"name":"y"}}',
  '{"metadata":{"name":"x"}} x',
  '  {"metadata":{"name":"x"}}\n\n',
  '\ufeff{"metadata":{"name":"x"}}',
  '{"metadata":{"name":"x"},"immutable":"true"}',
  '{"metadata":{"name":"x","generation":1e2}}',
  '{"metadata":{"name":"x","generation":1.0}}',
  '{"metadata":{"name":"x","generation":-0}}',
  '{"metadata":{"name":"x","generation":99999999999999999999}}',
  '{"kind":"configmap","metadata":{"name":"x"}}',
  '{"kind":"ConfigMap","apiVersion":"v2","metadata":{"name":"x"}}',
  '{"apiVersion":"/v1","metadata":{"name":"x"}}',
  '{"kind":["ConfigMap"],"metadata":{"name":"x"}}',
  'null',
  '""',
  '[]',
  '1',
  'tru',
  '',
  '{',
  "{'metadata':{'name':'x'}}",
  '{"metadata":{"name":"x"},"binaryData":{"a":"Y Q=="}}',
  '{"metadata":{"name":"x"},"binaryData":{"a":"YQ"}}',
  '{"metadata":{"name":"x"},"binaryData":{"a":"_-8="}}',
  '{"metadata":{"name":"x","creationTimestamp":"now"}}',
  '{"metadata":{"name":"x","creationTimestamp":""}}',
];

/** Texts in YAML. */
const yamlTexts = [
  'metadata: {name: x}\n',
  '---\nmetadata: {name: x}\n',
  'metadata: {name: x}\n---\nmetadata: {name: y}\n',
  '---\n---\nmetadata: {name: x}\n',
  'metadata: {name: x}\n---\n',
  '# nothing\n',
  'metadata: &a {name: x}\ndata: *a\n',
  'metadata: {name: x}\ndata:\n  <<: {a: "1"}\n  b: "2"\n',
  'metadata: {name: x}\ndata: {a: yes, b: no}\n',
  'metadata: {name: x}\ndata: {a: 010, b: 0o10, c: 0x1f, d: 1_000}\n',
  'metadata: {name: x}\ndata: {a: 1.0, b: .inf, c: .nan}\n',
  'metadata: {name: x}\ndata: {a: 2020-01-01, b: 12:30:45}\n',
  'metadata: {name: x}\ndata: {a: ~, b: null, c: }\n',
  'metadata: {name: x}\ndata: {a: !!str 1, b: !!int "2"}\n',
  'metadata: {name: x}\ndata: {a: !!binary YQ==}\n',
  'metadata: {name: x}\ndata: {a: !odd 1}\n',
  'metadata: {name: x}\ndata: {1: "a", true: "b", null: "c", 1.5: "d"}\n',
  'metadata: {name: x}\ndata: {? [a] : "b"}\n',
  'metadata: {name: x}\ndata:\n  a: |\n    one\n     two\n  b: >-\n    one\n    two\n',
  'metadata: {name: x}\ndata: {a: "b"\n',
  'metadata: {name: x}\n\tdata: {}\n',
  'metadata: {name: x}\ndata: {a: "1", a: "2"}\n',
  'metadata: {name: x}\nimmutable: "true"\n',
  'metadata: {name: x}\nimmutable: on\n',
  'metadata: {name: x, generation: 1e3}\n',
  '- a\n- b\n',
  'just text\n',
  '"metadata": {"name": "x"}\n',
  '%YAML 1.1\n---\nmetadata: {name: x}\n',
  '%YAML 3.0\n---\nmetadata: {name: x}\n',
  'metadata: {name: x}\n...\nodd\n',
  'metadata: {name: x}\ndata: {a: "\\x41\\u00e9\\U0001F600"}\n',
  'metadata:\n  name: x\n  labels: {a: b}\n labels: {c: d}\n',
  '? metadata\n: {name: x}\n',
  'metadata: {name: x}\ndata: {a: @b}\n',
  'metadata: {name: x}\ndata: {a: `b`}\n',
  'metadata: {name: x}\ndata: {a: a: b}\n',
];

const jsonTypes = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'application/JSON',
  'application/json;odd=1',
  'application/json, application/yaml',
  'application/*',
  'text/json',
  'application/json;',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  '',
];
const yamlTypes = ['application/yaml', 'application/yaml', 'application/yaml; charset=utf-8', 'application/x-yaml', 'text/yaml'];
const validations = ['', '', 'fieldValidation=Strict', 'fieldValidation=Ignore', 'fieldValidation=Warn'];
const dryRuns = ['dryRun=All', 'dryRun=All', 'dryRun=All&dryRun=All', 'dryRun=All&dryRun=', 'dryRun=all'];

function request(random: Choices): Request {
  const isYaml = random.chance(0.5);
  const query = [random.pick(dryRuns), random.pick(validations)].filter((part) => part !== '').join('&');
  const body: TestValue = random.pick(isYaml ? yamlTexts : jsonTexts);
  const contentType = random.chance(0.1) ? random.pick([...jsonTypes, ...yamlTypes]) : random.pick(isYaml ? yamlTypes : jsonTypes);
  const kind = random.pick(['POST', 'POST', 'POST', 'PUT', 'apply', 'merge', 'strategic', 'json']);
  if (kind === 'POST') return { method: 'POST', path: `${collection}?${query}`, contentType, body };
  const path = `${collection}/given?${query}`;
  if (kind === 'PUT') return { method: 'PUT', path, contentType, body: body.replaceAll(/\bx\b/g, 'given') };
  if (kind === 'apply')
    return {
      method: 'PATCH',
      path: `${path}&fieldManager=${random.pick(['a', 'b'])}&force=true`,
      contentType: 'application/apply-patch+yaml',
      body,
    };
  const patches = {
    merge: 'application/merge-patch+json',
    strategic: 'application/strategic-merge-patch+json',
    json: 'application/json-patch+json',
  };
  return { method: 'PATCH', path, contentType: patches[kind as keyof typeof patches], body };
}

/** Bodies of ConfigMaps that no encoder writes: repeated members, several documents, faults, and their media types. */
export function bodies(): Source {
  return {
    scenes: (seed): Scene[] => {
      const random = new Choices(seed);
      const given: Request = { method: 'POST', path: collection, body: { metadata: { name: 'given' }, data: { a: '0' } } };
      const requests = [given, ...Array.from({ length: 60 }, () => request(random))];
      return [{ title: 'bodies', feature: 'bodies', seed, requests, collection: '', name: '', isIndependent: true, isSettled: true }];
    },
  };
}
