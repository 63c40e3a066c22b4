/** Numbers that grow at both ends say the same as a plain sorted list, whatever is done to them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SplitList } from '../../core/console/views/split-list.ts';

const number = fc.integer({ min: 1, max: 40 });
const act = fc.oneof(
  fc.record({ kind: fc.constant('place' as const), number, belongs: fc.boolean() }),
  fc.record({ kind: fc.constant('found' as const), numbers: fc.uniqueArray(number, { maxLength: 8 }) }),
  fc.record({ kind: fc.constant('retain' as const), above: number }),
);

test('property: after any operations a split list equals a sorted list', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const list = new SplitList();
      let model: number[] = [];
      const told: unknown[] = [];
      const wanted: unknown[] = [];
      for (const each of acts) {
        if (each.kind === 'found') {
          const found = each.numbers.toSorted((a, b) => a - b);
          const fresh = found.filter((one) => !model.includes(one));
          told.push(list.addFound(found.toReversed()));
          wanted.push(fresh.length);
          model = [...model, ...fresh].toSorted((a, b) => a - b);
        } else if (each.kind === 'retain') {
          const left = model.filter((one) => one > each.above);
          told.push(list.retain((one) => one > each.above));
          wanted.push(left.length < model.length);
          model = left;
        } else {
          const isThere = model.includes(each.number);
          const isLast = each.number > (model.at(-1) ?? 0);
          const expected = isThere === each.belongs ? 'same' : each.belongs && isLast ? 'appended' : 'moved';
          told.push(list.place(each.number, each.belongs));
          wanted.push(expected);
          if (!each.belongs) model = model.filter((one) => one !== each.number);
          else if (!isThere) model = [...model, each.number].toSorted((a, b) => a - b);
        }
        expect(told).toEqual(wanted);
        expect(Array.from({ length: list.total }, (_, index) => list.at(index))).toEqual(model);
        for (let one = 0; one <= 41; one += 1) expect(list.indexOf(one)).toBe(model.indexOf(one));
        const same = new SplitList();
        same.addFound(model.toReversed());
        expect(list.equals(same)).toBe(true);
        same.place(50, true);
        expect(list.equals(same)).toBe(false);
      }
    }),
  );
});
