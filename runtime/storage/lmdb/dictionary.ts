/**
 * What objects have in common, for compressing values: without it an object of one or two kilobytes is too short
 * to repeat itself much. Part of the data format: what was compressed with it cannot be read with another. LZ4
 * looks back from the end, so the commonest comes last.
 */
const common = Buffer.from(
  [
    '"rules":[{"verbs":["get","list","watch","create","update","patch","delete"],"apiGroups":["apps"],"resources":["',
    '"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"","subjects":[{"kind":"ServiceAccount"',
    '"spec":{"holderIdentity":"","leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"',
    '"involvedObject":{"kind":"Pod","namespace":"default","name":"","reason":"Scheduled","message":"","source":{"component":"',
    '"firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:00Z","count":1,"type":"Normal"',
    '"ports":[{"name":"http","protocol":"TCP","port":80,"targetPort":8080}],"selector":{"app":""},"clusterIP":"10.0.0.',
    '"clusterIPs":["10.0.0.1"],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack"',
    '"internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}',
    '"spec":{"replicas":1,"selector":{"matchLabels":{"app":""}},"template":{"metadata":{"creationTimestamp":null,"labels":{"',
    '"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,',
    '"progressDeadlineSeconds":600},"status":{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,',
    '"availableReplicas":1,"conditions":[{"type":"Available","status":"True","lastUpdateTime":"2026-01-01T00:00:00Z",',
    '"volumes":[{"name":"kube-api-access","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},',
    '{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace",',
    '"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"","image":"',
    '"ports":[{"containerPort":8080,"protocol":"TCP"}],"env":[{"name":"","value":""}],"resources":{"limits":{"cpu":"100m","memory":"',
    'Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},"volumeMounts":[{"name":"","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],',
    '"livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},',
    '"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent","securityContext":{}}],',
    '"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default",',
    '"nodeName":"","schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",',
    '"tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Running",',
    '"conditions":[{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"","message":""}],',
    '"hostIP":"10.0.0.1","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}],"startTime":"2026-01-01T00:00:00Z","qosClass":"BestEffort","containerStatuses":[{"name":"',
    '"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"apps/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",',
    '"fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:',
    '"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"","uid":"","controller":true,"blockOwnerDeletion":true}],"finalizers":["',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"","generateName":"","namespace":"default","uid":"","generation":1,',
    '"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"","app.kubernetes.io/name":"","pod-template-hash":""},"annotations":{"',
  ].join(''),
);

export const dictionary = common.subarray(common.length % 8);
