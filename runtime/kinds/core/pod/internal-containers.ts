import type { Shape } from '../../validation/internal-value.ts';
import { objectFieldSelector, resourceFieldSelector } from './internal-volumes.ts';

/** Containers, as Go shows them in messages. (pkg/apis/core/types.go) */

const containerPort: Shape = { name: '', hostPort: 0, containerPort: 0, protocol: '', hostIP: '' };
const configMapEnvSource: Shape = { name: '', optional: null };
const secretEnvSource: Shape = { name: '', optional: null };
const envFromSource: Shape = { prefix: '', configMapRef: configMapEnvSource, secretRef: secretEnvSource };
const configMapKeySelector: Shape = { name: '', key: '', optional: null };
const secretKeySelector: Shape = { name: '', key: '', optional: null };
const fileKeySelector: Shape = { volumeName: '', path: '', key: '', optional: null };
const envVarSource: Shape = {
  fieldRef: objectFieldSelector,
  resourceFieldRef: resourceFieldSelector,
  configMapKeyRef: configMapKeySelector,
  secretKeyRef: secretKeySelector,
  fileKeyRef: fileKeySelector,
};
const envVar: Shape = { name: '', value: '', valueFrom: envVarSource };
const resourceClaim: Shape = { name: '', request: '' };
export const resourceRequirements: Shape = { limits: [], requests: [], claims: resourceClaim };
const containerResizePolicy: Shape = { resourceName: '', restartPolicy: '' };
const containerRestartRuleOnExitCodes: Shape = { operator: '', values: null };
const containerRestartRule: Shape = { action: '', exitCodes: containerRestartRuleOnExitCodes };
const volumeMount: Shape = {
  name: '',
  readOnly: false,
  recursiveReadOnly: null,
  mountPath: '',
  subPath: '',
  mountPropagation: null,
  subPathExpr: '',
};
const volumeDevice: Shape = { name: '', devicePath: '' };
const execAction: Shape = { command: null };
const httpHeader: Shape = { name: '', value: '' };
const httpGetAction: Shape = { path: '', port: 0, host: '', scheme: '', 'httpHeaders:HTTPHeaders': httpHeader };
const tcpSocketAction: Shape = { port: 0, host: '' };
const grpcAction: Shape = { port: 0, service: null };
const probe: Shape = {
  exec: execAction,
  'httpGet:HTTPGet': httpGetAction,
  'tcpSocket:TCPSocket': tcpSocketAction,
  'grpc:GRPC': grpcAction,
  initialDelaySeconds: 0,
  timeoutSeconds: 0,
  periodSeconds: 0,
  successThreshold: 0,
  failureThreshold: 0,
  terminationGracePeriodSeconds: null,
};
const sleepAction: Shape = { seconds: 0 };
const lifecycleHandler: Shape = {
  exec: execAction,
  'httpGet:HTTPGet': httpGetAction,
  'tcpSocket:TCPSocket': tcpSocketAction,
  sleep: sleepAction,
};
const lifecycle: Shape = { postStart: lifecycleHandler, preStop: lifecycleHandler, stopSignal: null };
const capabilities: Shape = { add: null, drop: null };
export const seLinuxOptions: Shape = { user: '', role: '', type: '', level: '' };
export const windowsSecurityContextOptions: Shape = {
  gmsaCredentialSpecName: null,
  gmsaCredentialSpec: null,
  runAsUserName: null,
  hostProcess: null,
};
export const seccompProfile: Shape = { type: '', localhostProfile: null };
export const appArmorProfile: Shape = { type: '', localhostProfile: null };
const securityContext: Shape = {
  capabilities,
  privileged: null,
  seLinuxOptions,
  windowsOptions: windowsSecurityContextOptions,
  runAsUser: null,
  runAsGroup: null,
  runAsNonRoot: null,
  readOnlyRootFilesystem: null,
  allowPrivilegeEscalation: null,
  procMount: null,
  seccompProfile,
  appArmorProfile,
};
export const container: Shape = {
  name: '',
  image: '',
  command: null,
  args: null,
  workingDir: '',
  ports: containerPort,
  envFrom: envFromSource,
  env: envVar,
  resources: [resourceRequirements],
  resizePolicy: containerResizePolicy,
  restartPolicy: null,
  restartPolicyRules: containerRestartRule,
  volumeMounts: volumeMount,
  volumeDevices: volumeDevice,
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle,
  terminationMessagePath: '',
  terminationMessagePolicy: '',
  imagePullPolicy: '',
  securityContext,
  stdin: false,
  stdinOnce: false,
  'tty:TTY': false,
};
export const ephemeralContainer: Shape = { ...container, targetContainerName: '' };
