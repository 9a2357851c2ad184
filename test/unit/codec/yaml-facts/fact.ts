/**
 * The observed results of sigs.k8s.io/yaml v1.6 (go.yaml.in/yaml/v2 v2.4): the JSON or error of YAMLToJSON, and for
 * duplicate keys the error of YAMLToJSONStrict.
 */
export type Fact =
  | readonly [yaml: string, json: string]
  | readonly [yaml: string, json: string, repeated: string]
  | readonly [yaml: string, result: { readonly error: string }];
