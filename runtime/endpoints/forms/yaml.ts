import { listMetaObject } from '../../codec/list-meta.ts';
import { encodeYaml } from '../../codec/yaml.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { notAcceptable } from '../../machinery/status.ts';
import type { Form } from './form.ts';
import { objectAt } from './versioned.ts';

/** Objects as YAML, for people; there are no YAML watches. */
export function yamlForm(definition: ResourceDefinition): Form {
  const noStream = (): never => {
    throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  };
  return {
    contentType: 'application/yaml',
    text: true,
    one: (stored) => encodeYaml(objectAt(definition, stored)),
    oneObject: encodeYaml,
    list: (items, meta) => ({
      pieces: [
        encodeYaml({
          kind: definition.listKind,
          apiVersion: formatGroupVersion(definition),
          metadata: listMetaObject(meta),
          items: items.map((stored) => objectAt(definition, stored)),
        }),
      ],
    }),
    frame: noStream,
    bookmark: noStream,
    error: noStream,
  };
}
