import { decodeConfiguration, listOf, type Reader, struct, type TypeMeta } from '../../codec/configuration.ts';
import { string } from '../../machinery/prune/values.ts';

/** The file of --admission-control-config-file. (apiserver pkg/apis/apiserver/v1 types.go) */
export interface AdmissionConfiguration extends TypeMeta {
  readonly plugins?: readonly AdmissionPluginConfiguration[];
}

export interface AdmissionPluginConfiguration {
  readonly name?: string;
  /** The path of the configuration, relative to the folder of the file. */
  readonly path?: string;
  /** The configuration as JSON, in place of `path`. */
  readonly configuration?: Uint8Array;
}

/** (runtime.Unknown) */
const raw: Reader<Uint8Array> = (value) => Buffer.from(JSON.stringify(value));

const pluginConfiguration = struct<AdmissionPluginConfiguration>('v1.AdmissionPluginConfiguration', {
  name: string,
  path: string,
  configuration: raw,
});
const admissionConfiguration = struct<AdmissionConfiguration>('v1.AdmissionConfiguration', {
  apiVersion: string,
  kind: string,
  plugins: listOf('v1.AdmissionPluginConfiguration', pluginConfiguration),
});

/** @throws DecodeError */
export const decodeAdmissionConfiguration = (bytes: Uint8Array): AdmissionConfiguration =>
  decodeConfiguration(bytes, {
    kind: 'AdmissionConfiguration',
    versions: {
      'apiserver.config.k8s.io/v1': admissionConfiguration,
      'apiserver.k8s.io/v1alpha1': admissionConfiguration,
    },
  });
