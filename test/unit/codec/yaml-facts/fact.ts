/**
 * What sigs.k8s.io/yaml v1.6 (go.yaml.in/yaml/v2 v2.4) answers, as it was observed: YAMLToJSON's JSON or error, and where
 * keys come twice what YAMLToJSONStrict says of them.
 */
export type Fact =
  | readonly [yaml: string, json: string]
  | readonly [yaml: string, json: string, repeated: string]
  | readonly [yaml: string, result: { readonly error: string }];
