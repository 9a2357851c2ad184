import { create, objectText } from '../builders/json.ts';
import { defineCustom, gadgets, pods, servesCustom, type Target, widgets } from '../builders/targets.ts';
import type { Attack, Attacks, PatchingHook, Request } from '../harness/attack.ts';

/** Small objects that mutating webhooks make large with small patches. */
const custom = 'attacks.example.com/v1';
const copies = (times: number, from: string, path: string): object[] => Array.from({ length: times }, () => ({ op: 'copy', from, path }));
const list = (times: number): object[] => Array.from({ length: times }, () => ({}));
const doubling = (times: number): object[] => [
  { op: 'add', path: '/spec', value: { zz: list(10) } },
  ...copies(times, '/spec/zz', '/spec/zz/-'),
];

const hook = (name: string, of: Target, groupVersion: string, patch: PatchingHook['patch']): PatchingHook => ({
  name,
  groupVersion,
  resource: of.name,
  patch,
});

const hooks: readonly PatchingHook[] = [
  hook('doubles-16', gadgets, custom, () => doubling(16)),
  hook('doubles-17', gadgets, custom, () => doubling(17)),
  hook('adds-objects', gadgets, custom, () => [{ op: 'add', path: '/spec', value: { zz: list(15_000) } }]),
  hook('copies', widgets, custom, () => [
    { op: 'add', path: '/spec', value: { text: 'a'.repeat(1_000), set: [] } },
    ...copies(9_000, '/spec/text', '/spec/set/-'),
  ]),
  hook('adds-containers', pods, '/v1', () => [{ op: 'add', path: '/spec/containers', value: list(15_000) }]),
  hook('moves', gadgets, custom, () => [
    { op: 'add', path: '/spec', value: { zz: list(5_000) } },
    ...Array.from({ length: 900 }, () => ({ op: 'move', from: '/spec/zz/0', path: '/spec/zz/4999' })),
  ]),
];

const row = (name: string, what: string, of: Target, codes: readonly number[], message?: string): Attack => ({
  name: what,
  send: () => create({ ...of, object: name }, objectText({ ...of, object: name })),
  codes,
  message,
});

/** The same without a dry run. */
const stored = (attack: Attack): Attack => ({
  ...attack,
  name: `${attack.name}, stored`,
  send: () => {
    const sent = attack.send() as Request;
    return { ...sent, path: sent.path.replace('?dryRun=All', '') };
  },
});

const doubled = row('doubles-16', 'a list doubled 16 times', gadgets, [201]);

export const webhookPatches: Attacks = {
  title: 'patches of webhooks',
  setup: defineCustom,
  serves: servesCustom,
  hooks,
  rows: [
    doubled,
    stored({ ...doubled, codes: [500], message: 'trying to send message larger than max' }),
    row('doubles-17', 'a list doubled 17 times', gadgets, [500], 'Unable to complete the copy'),
    row('adds-objects', '15,000 empty objects', gadgets, [201]),
    row('copies', '9,000 copies of a text', widgets, [500]),
    row('adds-containers', '15,000 empty containers', pods, [422]),
    row('moves', '900 moves to the end of a list of 5,000', gadgets, [201]),
  ],
};
