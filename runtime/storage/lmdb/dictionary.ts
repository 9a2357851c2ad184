/**
 * The compression dictionary: text that many objects contain. Values of a kilobyte or two repeat too little text of
 * their own. The dictionary is part of the data format: its values cannot be read with another one.
 *
 * LZ4 looks back from the end, so the most common text is last. The dictionary is short because LZ4 reads it for every
 * value: with 4 KiB, writes take 25 us longer and values are hardly smaller. lmdb truncates it to a multiple of eight
 * bytes.
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
