import { expect, test } from '@jest/globals';
import { type Linked, LinkedList } from '../../../../runtime/machinery/collections/linked-list.ts';
import { Random } from '../../../support/random.ts';

class Member implements Linked<Member> {
  list: object | undefined;
  previous: Member | undefined;
  next: Member | undefined;
}

test('a linked list behaves like a Set', () => {
  const seed = Number(process.env.SEED ?? 20_261);
  const random = new Random(seed);
  const list = new LinkedList<Member>();
  const model = new Set<Member>();
  const gone: Member[] = [];
  for (let step = 0; step < 5_000; step++) {
    if (random.chance(0.5)) {
      const member = gone.length > 0 && random.chance(0.3) ? (gone.pop() as Member) : new Member();
      list.append(member);
      model.add(member);
    } else if (model.size > 0) {
      const member = random.pick([...model]);
      expect(list.remove(member)).toBe(true);
      model.delete(member);
      gone.push(member);
    }
    if (list.length !== model.size || list.first !== [...model][0]) throw new Error(`SEED=${seed}, step ${step}`);
  }
  expect([...list]).toEqual([...model]);
});

test('a member leaves a list once, and retains nothing of it', () => {
  const [list, other] = [new LinkedList<Member>(), new LinkedList<Member>()];
  const [one, two, three] = [new Member(), new Member(), new Member()];
  for (const member of [one, two, three]) list.append(member);
  expect(other.remove(two)).toBe(false);
  expect([list.remove(two), list.remove(two)]).toEqual([true, false]);
  expect([two.list, two.previous, two.next]).toEqual([undefined, undefined, undefined]);
  expect([...list]).toEqual([one, three]);
});
