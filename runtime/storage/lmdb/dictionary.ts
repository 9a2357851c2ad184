/**
 * What objects have in common, for compressing values: one of a kilobyte or two is too short to repeat itself
 * much. Part of the data format: what was compressed with it cannot be read with another.
 *
 * LZ4 looks back from the end, so the commonest comes last. Short, because it is read anew for each value: with
 * 4 KiB writes cost 25 us more and take hardly less room. Its length is a multiple of eight, which lmdb cuts it to.
 */
const common = Buffer.from(
  [
    '"resources":{"limits":{"cpu":"100m","memory":"128Mi"},"requests":{"cpu":"',
    '"imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","status":{"conditions":[{"type":"Ready","status":"True",',
    '"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"","message":"","observedGeneration":1,',
    '"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"","uid":"","controller":true,"blockOwnerDeletion":true}],',
    '"managedFields":[{"manager":"kubectl","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z",',
    '"fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"","namespace":"default","uid":"","generation":1,',
    '"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"","annotations":{"',
  ].join(''),
);

export const dictionary = common.subarray(common.length % 8);
